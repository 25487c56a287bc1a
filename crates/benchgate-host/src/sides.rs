//! Base and head: two checkouts, one set of dependencies, two sets of executables.
//!
//! cargo decides by modification times what is fresh, and both checkouts have the same crate hashes.
//! Over one target folder the second build would therefore hand out the executables of the first, were
//! its sources older. So the head is checked out *after* the base is built: its files are newer, cargo
//! builds the workspace's own crates again and takes the dependencies as they are. Each side's
//! executables are copied out before the other side is built.

use std::path::{Path, PathBuf};

use benchgate_core::model::{Finding, Side, SkipReason, SuiteKey};
use benchgate_core::policy::{Build, Suite};
use benchgate_core::result::SuiteReport;
use fs_err as fs;
use sha2::{Digest, Sha256};

use crate::cargo::{BenchTarget, Workspace};
use crate::git::{Repository, Revision, Worktree};
use crate::{HostError, Progress};

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
    /// Which suites are built; all of them where it is `None`.
    wanted: Option<Wanted>,
    lock_file: Option<Vec<u8>>,
    _locks: [fs::File; 2],
}

/// One side, built.
pub struct BuiltSide {
    /// The executables of suites that bring their own `main`.
    pub executables: Vec<Executable>,
    /// Suites that were not built, and why.
    pub left_out: Vec<SuiteReport>,
    /// The workspace in its checkout.
    pub workspace: Workspace,
    /// Holds the checkout: benches may read files of it.
    tree: Worktree,
}

impl BuiltSide {
    /// The top of its checkout, as executables name it.
    pub fn folder(&self) -> &Path {
        self.tree.folder()
    }

    /// The folder of a package within the repository; empty for the top.
    pub fn package_folder(&self, executable: &Executable) -> String {
        let inside = executable.folder.strip_prefix(self.folder()).unwrap_or(Path::new(""));
        inside.to_string_lossy().into_owned()
    }
}

/// What is run for a suite.
#[derive(Clone, Debug)]
pub struct Executable {
    /// The suite.
    pub key: SuiteKey,
    /// The program.
    pub path: PathBuf,
    /// Arguments before those of the harness.
    pub arguments: Vec<String>,
    /// The folder in which it is run: where cargo would run it.
    pub folder: PathBuf,
    /// What the policy says of it; `None` of a bench target, which is asked what it is.
    pub declared: Option<Box<Suite>>,
}

impl BuildDir {
    /// Takes the lock of a repository and makes room for a run.
    ///
    /// # Errors
    /// [`HostError::Busy`] when another run holds the lock.
    pub fn open(repository: &Repository, workspace: &Workspace) -> Result<Self, HostError> {
        Self::open_below(&cache_dir(), repository, workspace)
    }

    /// The same with the checkouts below a folder of the caller's.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_below(
        cache: &Path,
        repository: &Repository,
        workspace: &Workspace,
    ) -> Result<Self, HostError> {
        let digest = Sha256::digest(repository.top().as_os_str().as_encoded_bytes());
        let name: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        let trees = cache.join("benchgate").join(name);
        fs::create_dir_all(&trees)?;
        // cargo and git resolve links, and executables name their folder as cargo does.
        let trees = fs::canonicalize(trees)?;
        let trees_lock = lock(trees.join("lock"))?;
        let inside = workspace.root.strip_prefix(repository.top()).unwrap_or(Path::new(""));
        let work = workspace.target_dir.join("benchgate");
        fs::create_dir_all(&work)?;
        // Several checkouts may share one target folder.
        let work_lock = lock(work.join("lock"))?;
        // Executables of other layouts are of one run.
        crate::files::remove_dir(&work.join("bin/moved"))?;
        Ok(Self {
            trees,
            work,
            name: workspace.name.clone(),
            inside: inside.to_owned(),
            started: started(repository.top()).unwrap_or_else(|| inside.to_owned()),
            wanted: None,
            lock_file: fs::read(workspace.root.join("Cargo.lock")).ok(),
            _locks: [trees_lock, work_lock],
        })
    }

    /// Checks a side out, builds its benches and copies its executables out.
    ///
    /// # Errors
    /// [`HostError::Cargo`] when it does not build.
    pub fn build(
        &self,
        side: Side,
        repository: &Repository,
        revision: &Revision,
        build: &Build,
        progress: &dyn Progress,
    ) -> Result<BuiltSide, HostError> {
        progress.phase(&format!("building {} ({})", side.name(), revision.name));
        let tree = repository.checkout(&revision.checkout, &self.trees.join(side.name()))?;
        let root = tree.folder().join(&self.inside);
        self.lend_lock_file(&root)?;
        let workspace = self.workspace(tree.folder(), &root)?;
        let (targets, mut left_out) = chosen(&workspace, build, self.wanted.as_ref());
        let built = workspace.build(&targets, build, &self.work.join("build"), progress)?;
        let bin = self.work.join("bin").join(side.name());
        crate::files::remove_dir(&bin)?;
        fs::create_dir_all(&bin)?;
        let mut executables = Vec::with_capacity(built.len());
        for (target, from) in targets.iter().zip(built) {
            let bytes = crate::files::read(&from)?;
            if let Some(binary) = workspace.binary_of(target, &bytes, &self.work.join("build")) {
                left_out.push(SuiteReport {
                    package: target.package.clone(),
                    suite: target.suite.clone(),
                    finding: Finding::Skipped,
                    skip: Some(SkipReason::RunsBinary),
                    reason: format!(
                        "it runs the package's binary `{binary}`, and there is one place for those of \
                         both sides: move what it does into the library, and bench that"
                    ),
                    output: String::new(),
                });
                continue;
            }
            let path = bin.join(format!("{}.{}", target.package, target.suite));
            fs::copy(&from, &path)?;
            executables.push(Executable {
                key: target.key(),
                path,
                arguments: Vec::new(),
                folder: target.package_dir.clone(),
                declared: None,
            });
        }
        progress.done();
        Ok(BuiltSide { executables, left_out, workspace, tree })
    }

    /// Builds these suites only, by package and name.
    pub fn only(&mut self, wanted: impl Fn(&str, &str) -> bool + 'static) {
        self.wanted = Some(Box::new(wanted));
    }

    pub(crate) fn is_wanted(&self, package: &str, suite: &str) -> bool {
        self.wanted.as_ref().is_none_or(|wanted| wanted(package, suite))
    }

    /// The workspace of a checkout. It is looked for from where the user called us, and must be where the
    /// other side has it: a manifest could name another one, with another policy and other benches.
    fn workspace(&self, top: &Path, root: &Path) -> Result<Workspace, HostError> {
        let started = top.join(&self.started);
        let workspace = Workspace::around(if started.is_dir() { &started } else { root })?;
        if workspace.root == root {
            return Ok(workspace);
        }
        let found = workspace.root.strip_prefix(top).unwrap_or(&workspace.root);
        Err(HostError::Cargo {
            what: "find the workspace at the same place on both sides".into(),
            output: format!(
                "here it is at `{}`, on the head at `{}`",
                found.display(),
                self.inside.display()
            ),
        })
    }

    /// A repository that does not track its lock file gets the user's on both sides: otherwise each
    /// side would resolve dependencies of its own.
    fn lend_lock_file(&self, root: &Path) -> Result<(), HostError> {
        let path = root.join("Cargo.lock");
        if let Some(bytes) = &self.lock_file
            && !path.exists()
        {
            fs::write(path, bytes)?;
        }
        Ok(())
    }
}

pub(crate) fn lock(path: PathBuf) -> Result<fs::File, HostError> {
    let file = fs::File::create(&path)?;
    match file.file().try_lock() {
        Ok(()) => Ok(file),
        Err(_) => Err(HostError::Busy { lock: path }),
    }
}

/// Where the user called us, within a repository; `None` from elsewhere.
fn started(top: &Path) -> Option<PathBuf> {
    let here = std::env::current_dir().and_then(fs::canonicalize).ok()?;
    Some(here.strip_prefix(top).ok()?.to_owned())
}

/// Whether a suite, by package and name, is built.
pub type Wanted = Box<dyn Fn(&str, &str) -> bool>;

/// Which bench targets are built, and why the others are not.
pub fn chosen<'a>(
    workspace: &'a Workspace,
    build: &Build,
    wanted: Option<&Wanted>,
) -> (Vec<&'a BenchTarget>, Vec<SuiteReport>) {
    let mut chosen = Vec::new();
    let mut left_out = Vec::new();
    for bench in &workspace.benches {
        let lacking: Vec<&str> = bench
            .required_features
            .iter()
            .filter(|feature| !workspace.enabled(&bench.package, build).contains(feature.as_str()))
            .map(String::as_str)
            .collect();
        let is_wanted = wanted.is_none_or(|wanted| wanted(&bench.package, &bench.suite));
        let (skip, reason) = if !is_wanted {
            (
                SkipReason::NotSelected,
                "left out by --suite or --sensitive: it is not built".to_owned(),
            )
        } else if !bench.own_main {
            let reason = "it uses the built-in harness: Criterion's suites have `harness = false`";
            (SkipReason::BuiltInHarness, reason.to_owned())
        } else if !lacking.is_empty() {
            let reason = format!(
                "it needs the features {}: name them under `[build] features` in benchgate.toml",
                lacking.join(", ")
            );
            (SkipReason::Features, reason)
        } else {
            chosen.push(bench);
            continue;
        };
        left_out.push(SuiteReport {
            package: bench.package.clone(),
            suite: bench.suite.clone(),
            finding: Finding::Skipped,
            skip: Some(skip),
            reason,
            output: String::new(),
        });
    }
    (chosen, left_out)
}

fn cache_dir() -> PathBuf {
    let absolute =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute("XDG_CACHE_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".cache")))
        .unwrap_or_else(std::env::temp_dir)
}
