//! Base and head: two checkouts, two target folders, two sets of executables.
//!
//! cargo decides by modification times what is fresh. A checkout is new in every run, newer than all that was
//! built of it before: cargo builds the workspace's own crates again and takes the dependencies as they are.
//! The executables that are measured are copies, for a later build may replace them.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use benchgate_core::model::{Side, SuiteKey};
use benchgate_core::policy::{Build, BuildProfile, Data};
use fs_err as fs;

use crate::cargo::above;
use crate::cargo::building::{Building, Folders, take_answers_of_rustc};
use crate::cargo::choice::{Choice, choose};
use crate::cargo::questions::{Outside, Questions};
use crate::cargo::share;
use crate::cargo::stand_ins::StandIns;
use crate::cargo::written::Listing;
use crate::cargo::{BenchTarget, OWNER, Workspace, without_download};
use crate::git::{Repository, Revision, Worktree};
use crate::store::bases::BaseStore;
use crate::system::files;
use crate::system::files::Scratch;
use crate::system::links;
use crate::system::sandbox::Sandbox;
use crate::{HostError, Progress};

mod built;
mod checkouts;
mod configured;
mod copies;
mod data;
mod denied;
pub mod identity;
mod kept;
mod led;
mod missing;
mod reach;
pub mod sample_repository;
mod shared;
mod siblings;

pub use self::built::{BuiltSide, Executable, even_out};
pub use self::configured::configured_differently;
use self::siblings::Siblings;
pub use self::siblings::outside;

/// How the sides of a run are built, and what they may reach.
#[derive(Default)]
pub struct BuildOptions {
    /// The sandbox of builds and rounds of both sides.
    pub sandbox: Sandbox,
    /// Whether the head is the user's own, whose configuration cargo may follow outside of the sandbox.
    pub trusts_head: bool,
    /// Whether the head is not the user's checkout.
    pub head_is_elsewhere: bool,
    /// Options of cargo for every build, such as `--locked`.
    pub cargo_options: Vec<&'static str>,
    /// Maximum number of parallel jobs of cargo; `None` for its own.
    pub jobs: Option<u32>,
    /// Bases that were built before; `None` where every base is built.
    pub store: Option<BaseStore>,
    /// Whether the dependencies of bases are kept there, too: only of builds for later runs, for all commits with
    /// one lock file share them.
    pub keeps_dependencies: bool,
    /// The data of the policy.
    pub data: Data,
}

/// Folders and lock of one run on one repository.
pub struct BuildDir {
    /// Checkouts live outside the repository, where neither its `.cargo/config.toml` nor its workspace
    /// reaches them.
    trees: PathBuf,
    /// Everything built or measured, below the user's target folder.
    pub work: PathBuf,
    /// The name of the workspace: its root package's, or its folder's.
    pub(crate) name: String,
    /// The workspace's folder within the repository.
    inside: PathBuf,
    /// The folder within the repository in which the user called us.
    started: PathBuf,
    /// The lock file for sides that track none: the user's, or what the first side resolved.
    lock_file: OnceCell<Vec<u8>>,
    /// Features of the user's checkout and of the sides so far.
    features: RefCell<BTreeSet<String>>,
    /// Checkouts that were read before anything is built, and their commits.
    checkouts: RefCell<BTreeMap<Side, (String, Worktree)>>,
    /// The program that notes how cargo starts benches.
    recorder: Option<PathBuf>,
    /// Cargo's configuration outside of both checkouts, once cargo was asked for it.
    outside: Outside,
    /// How sides are built.
    pub(crate) options: BuildOptions,
    /// The crates that take others' places, of each side that was built.
    stand_ins: RefCell<BTreeMap<Side, StandIns>>,
    /// Suites that are built as cargo builds them, although their crate has a stand-in.
    as_cargo_does: RefCell<BTreeSet<SuiteKey>>,
    /// Suites of each side that do not build, and the runtime is not why; [`SuiteKey::of_all`] where none builds.
    broken_without: RefCell<BTreeMap<Side, BTreeSet<SuiteKey>>>,
    /// Whether a suite of the base was compiled again to be linked again: the compiler reads its checkout.
    compiled_again: Cell<bool>,
    /// The history of the repository, which build scripts read.
    history: PathBuf,
    /// The workspace of the user, which may have the data of the policy.
    user_root: PathBuf,
    /// Where the command of `[data]` keeps what it makes: one place for both sides.
    made: OnceCell<(Side, PathBuf)>,
    /// Paths of the data that the user's checkout has in git.
    tracked: BTreeSet<String>,
    /// The top of the user's checkout.
    top: PathBuf,
    /// What is built with it from outside of the repository.
    siblings: Siblings,
    _locks: [fs::File; 2],
}

impl BuildDir {
    /// Takes the lock of a repository and makes room for a run.
    ///
    /// # Errors
    /// [`HostError::Busy`] when another run holds the lock.
    pub fn open(
        repository: &Repository,
        workspace: &Workspace,
        options: BuildOptions,
    ) -> Result<Self, HostError> {
        let build_dir = Self::open_below(&cache_dir(), repository, workspace)?;
        let tracked = repository.tracked(&workspace.root, &options.data.paths)?;
        Ok(Self { recorder: Some(std::env::current_exe()?), options, tracked, ..build_dir })
    }

    /// Opens both sides with the checkouts below a folder of the caller's, which is not a benchgate that cargo could start
    /// benches with, and with the default options.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_below(
        cache: &Path,
        repository: &Repository,
        workspace: &Workspace,
    ) -> Result<Self, HostError> {
        let digest = files::digest_of(repository.top().as_os_str().as_encoded_bytes());
        let trees = cache.join("benchgate").join(&digest[..16]);
        fs::create_dir_all(&trees).map_err(|error| unusable(&trees, &error))?;
        // cargo and git resolve links, and executables name their folder as cargo does.
        let trees = fs::canonicalize(trees)?;
        let trees_lock = lock(trees.join("lock")).map_err(|error| match error {
            HostError::File(error) => unusable(&trees, &error),
            error => error,
        })?;
        let inside = workspace.root.strip_prefix(repository.top()).unwrap_or(Path::new(""));
        // Several checkouts may share one target folder, and begin at once: who has the lock has the name.
        let mut work = workspace.work_dir();
        let work_lock = loop {
            fs::create_dir_all(&work)?;
            let locked = lock(work.join("lock"));
            let now = workspace.work_dir();
            if now == work {
                break locked?;
            }
            work = now;
        };
        files::write_atomically(&work.join(OWNER), workspace.root.as_os_str().as_encoded_bytes())?;
        // Executables of other layouts are of one run.
        files::remove_dir(&work.join("bin/moved"))?;
        Ok(Self {
            trees,
            work,
            name: workspace.name.clone(),
            inside: inside.to_owned(),
            started: started(repository.top()).unwrap_or_else(|| inside.to_owned()),
            lock_file: fs::read(workspace.root.join("Cargo.lock"))
                .map_or_else(|_| OnceCell::new(), OnceCell::from),
            features: RefCell::new(workspace.feature_names().collect()),
            checkouts: RefCell::default(),
            recorder: None,
            outside: Outside::default(),
            options: BuildOptions::default(),
            stand_ins: RefCell::default(),
            as_cargo_does: RefCell::default(),
            broken_without: RefCell::default(),
            compiled_again: Cell::new(false),
            history: repository.history()?,
            user_root: workspace.root.clone(),
            made: OnceCell::new(),
            tracked: BTreeSet::new(),
            top: repository.top().to_owned(),
            siblings: Siblings::default(),
            _locks: [trees_lock, work_lock],
        })
    }

    /// Returns a notice for each file above the user's repository that nothing reads for the checkouts.
    pub fn unread_above(&self, repository: &Repository) -> Vec<String> {
        above::notices(repository.top(), &self.trees)
    }

    /// Checks a side out, builds its benches and copies its executables out.
    ///
    /// # Errors
    /// [`HostError::Cargo`] when it does not build.
    // Long: the steps of building a side, in their order.
    pub fn build(
        &self,
        side: Side,
        repository: &Repository,
        revision: &Revision,
        build: &Build,
        choice: &Choice<'_>,
        progress: &dyn Progress,
    ) -> Result<BuiltSide, HostError> {
        progress.phase(&format!("building {} ({})", side.name(), revision.name));
        let tree = self.check_out(side, repository, &revision.checkout)?;
        let root = tree.folder().join(&self.inside);
        self.lend_lock_file(&root)?;
        let mut notices = tree.filter_failures().to_vec();
        notices.extend(self.siblings.notices());
        notices.extend(self.lend_data(side, &root, progress)?);
        let before = Listing::of(tree.folder())?;
        self.empty_temporary(side)?;
        self.run_before(side, &root, build, progress)?;
        let mut folders = self.folders(side)?;
        let workspace = self.workspace(tree.folder(), &root, &folders.sandbox)?;
        self.check_features(side, &workspace, build)?;
        let (targets, mut left_out) = choose(&workspace, build, choice);
        notices.extend(self.without_future(side)?);
        self.take_over(side, &workspace, &repository.vendored(&revision.checkout)?)?;
        let temporary = Scratch::new(self.temporary(side))?;
        fs::create_dir_all(&folders.questions.scratch)?;
        let mut restored = self.kept(side, revision, tree.folder(), &root, &folders, build)?;
        if !tree.filter_failures().is_empty() {
            restored.keep_nothing();
        }
        let may_be_led = |target: &&&BenchTarget| self.may_be_led(&target.key());
        let (stored, others): (Vec<&BenchTarget>, Vec<&BenchTarget>) =
            targets.iter().partition(may_be_led);
        let wanted = [restored.restore(&stored, &root)?, others].concat();
        // Not before: it changes a lock file that is not up to date, as a build does.
        let unfetched = self.fetch(side, &root, build.runtime, progress)?;
        for of_build in [&folders.questions.target_dir(), &folders.target_dir] {
            take_answers_of_rustc(&self.of_fetches(), of_build);
            share::empty_generated(of_build, workspace.own_names())?;
        }
        restored.restore_dependencies(repository, revision, &root)?;
        folders.stand_ins = self.stand_in(side, &root, build, unfetched.is_none())?;
        notices.extend(folders.stand_ins.notice());
        notices.extend(without_lto(side, &folders.building(&workspace, build, progress), &wanted)?);
        let built = self.build_targets(side, &folders, &workspace, build, &wanted, progress);
        let built = match built {
            Ok((built, starts)) if restored.restored.is_empty() => {
                built.or_none().map(|built| (built, starts))
            }
            built => built,
        };
        if let Ok(lock_file) = files::read_written(&root.join("Cargo.lock")) {
            let _ = self.lock_file.set(lock_file);
        }
        let (built, starts) = built.map_err(|error| without_download(error, unfetched))?;
        let written = before.since(tree.folder(), &root.join("Cargo.lock"))?;
        let own = workspace.own_names();
        restored.look_for_inputs(tree.folder(), &root, own, &written)?;
        restored.keep_dependencies(tree.folder(), &root, own);
        drop(temporary);
        let (mut executables, broken) =
            self.copy_out(side, &targets, &mut restored, built, starts)?;
        left_out.extend(broken);
        let (of_store, kept, place) = restored.finish(executables.len())?;
        notices.extend(of_store);
        for executable in &mut executables {
            executable.own_folders = vec![tree.folder().to_owned(), self.target_dir(side)];
        }
        progress.done();
        let target_dir = folders.target_dir;
        let suites_dir = self.suites_dir(side);
        Ok(BuiltSide {
            executables,
            left_out,
            notices,
            kept,
            place,
            target_dir,
            suites_dir,
            written,
            workspace,
            tree,
        })
    }

    /// Notes that a side is compiled again, while others are measured.
    pub(crate) fn compiles_again(&self, side: Side) {
        self.compiled_again.set(self.compiled_again.get() || side == Side::Base);
    }

    /// Whether a suite of the base was compiled again since it was built.
    pub fn has_compiled_again(&self) -> bool {
        self.compiled_again.get()
    }

    /// Where cargo builds a side.
    pub(crate) fn target_dir(&self, side: Side) -> PathBuf {
        self.work.join("build").join(side.name())
    }

    /// Where the declared suites of a side build.
    pub(crate) fn suites_dir(&self, side: Side) -> PathBuf {
        self.work.join("suites").join(side.name())
    }

    /// Where the stand-ins of Criterion are written.
    fn runtime(&self) -> PathBuf {
        self.work.join("runtime")
    }

    /// Where a side is checked out.
    pub(crate) fn checkout(&self, side: Side) -> PathBuf {
        self.trees.join(side.name())
    }

    /// The folders of a side's builds.
    ///
    /// # Errors
    /// When one of the policy cannot be created.
    pub(crate) fn folders(&self, side: Side) -> Result<Folders, HostError> {
        let target_dir = self.target_dir(side);
        // A folder for each side: the builds of our own packages there are run.
        let scratch = self.work.join("cargo").join(side.name());
        let packages = self.work.join("cargo/packages");
        let linker = links::linker_in(&self.work.join("cargo/linker"))?;
        let (options, jobs) = (self.options.cargo_options.clone(), self.options.jobs);
        let sandbox = self
            .of_builds(side)?
            .writing([target_dir.clone(), scratch.clone()])
            .reading([packages.clone(), linker.clone(), self.runtime()]);
        let stand_ins = self.stand_ins.borrow().get(&side).cloned().unwrap_or_default();
        let top = self.trees.join(side.name());
        let questions = Questions::with(&top, &packages, &scratch, Outside::clone(&self.outside));
        Ok(Folders { target_dir, questions, options, jobs, stand_ins, linker, sandbox })
    }
}

/// The error of a folder for checkouts that cannot be written.
fn unusable(folder: &Path, error: &std::io::Error) -> HostError {
    HostError::usage(
        format!("cannot check out base and head below {}: {error}", folder.display()),
        "name a folder that you may write: `export XDG_CACHE_HOME=/tmp/benchgate-cache`",
    )
}

/// A process that another thread is starting has our open files until it becomes another program, and so holds a lock
/// that was already given back.
const MOST_TRIES: u32 = 20;

pub(crate) fn lock(path: PathBuf) -> Result<fs::File, HostError> {
    let file = fs::File::create(&path)?;
    for _ in 0..MOST_TRIES {
        if file.file().try_lock().is_ok() {
            return Ok(file);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Err(HostError::Busy { lock: path })
}

/// Where the user called us, within a repository; `None` from elsewhere.
fn started(top: &Path) -> Option<PathBuf> {
    let here = std::env::current_dir().and_then(fs::canonicalize).ok()?;
    Some(here.strip_prefix(top).ok()?.to_owned())
}

/// The user's folder for what can be made again.
pub fn cache_dir() -> PathBuf {
    let absolute =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute("XDG_CACHE_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".cache")))
        .unwrap_or_else(std::env::temp_dir)
}

/// The notice where `[build] profile = "gate"` cannot be what it is.
fn without_lto(
    side: Side,
    building: &Building<'_>,
    wanted: &[&BenchTarget],
) -> Result<Option<String>, HostError> {
    let Some(first) = wanted.first() else { return Ok(None) };
    let is_meant = building.policy.profile == BuildProfile::Gate;
    Ok((is_meant && building.flags(first)?.forbid_lto()).then(|| {
        format!(
            "{} is built without link-time optimisation: its flags forbid it (`-C prefer-dynamic` or \
             `-C embed-bitcode=no`)",
            side.name()
        )
    }))
}
