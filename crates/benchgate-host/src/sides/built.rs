//! A side, built: its executables, and how each is run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use benchgate_core::affected::{Entry, Observed};
use benchgate_core::model::SuiteKey;
use benchgate_core::policy::Suite;
use benchgate_core::result::SuiteReport;
use benchgate_runtime::protocol::VARIABLE;
use fs_err as fs;

use crate::HostError;
use crate::cargo::building::Built;
use crate::cargo::neighbours;
use crate::cargo::start::Start;
use crate::cargo::{BenchTarget, Workspace};
use crate::git::Worktree;
use crate::store::bases::Place;
use crate::system::sandbox::Sandbox;
use crate::system::{files, platform};

/// A side, built.
pub struct BuiltSide {
    /// The executables of bench targets with their own `main`, and of the `[[suite]]`s of the policy.
    pub executables: Vec<Executable>,
    /// Suites that were not built, and why.
    pub left_out: Vec<SuiteReport>,
    /// Notices for the report about how it was built.
    pub notices: Vec<String>,
    /// The number of suites that the store has of it now.
    pub kept: usize,
    /// Where they are kept; `None` where nothing is.
    pub(super) place: Option<Place>,
    /// Cargo's target folder.
    pub target_dir: PathBuf,
    /// The folder in which its declared suites build.
    pub(super) suites_dir: PathBuf,
    /// What its build wrote into its checkout, with the SHA-256 of each file.
    pub(crate) written: BTreeMap<String, Option<String>>,
    /// The workspace in its checkout.
    pub workspace: Workspace,
    /// Holds the checkout: benches may read files of it.
    pub(super) tree: Worktree,
}

impl BuiltSide {
    /// The top of its checkout, as executables name it.
    pub fn folder(&self) -> &Path {
        self.tree.folder()
    }

    /// The notice of each filter of git that failed: some of its files are as the commit has them.
    pub fn filter_failures(&self) -> &[String] {
        self.tree.filter_failures()
    }

    /// What its checkout has at a path.
    pub fn entry(&self, path: &str) -> Option<Entry> {
        let metadata = self.folder().join(path).symlink_metadata().ok()?;
        Some(match metadata.file_type() {
            kind if kind.is_symlink() => Entry::Link,
            kind if kind.is_dir() => Entry::Folder,
            _ if platform::is_executable(&metadata) => Entry::Program,
            _ => Entry::File,
        })
    }

    /// Whether what it reads is kept for later runs.
    pub fn is_kept(&self) -> bool {
        self.place.is_some()
    }

    /// Keeps what runs of its suites were observed to read.
    ///
    /// # Errors
    /// Names the file that cannot be written.
    pub fn keep_observed(&self, observed: BTreeMap<SuiteKey, Observed>) -> Result<(), HostError> {
        let Some((store, identity)) = &self.place else { return Ok(()) };
        let under = store.under();
        observed
            .into_iter()
            .try_for_each(|(key, of)| store.keep_observed(identity, &key, of, &under))
    }

    /// Moves its checkout away, to make room for another one. Its executables name where it was.
    pub(crate) fn move_to(&mut self, folder: &Path) -> Result<(), HostError> {
        self.tree.move_to(folder)
    }

    /// The declared suites that were built.
    pub fn declared(&self) -> impl Iterator<Item = &Suite> {
        self.executables.iter().filter_map(|executable| executable.declared.as_deref())
    }

    /// Whether a file is one of this side's: a build may leave a link to one of the other side's, which is the same
    /// there.
    pub(crate) fn owns(&self, path: &Path) -> bool {
        let Ok(path) = fs::canonicalize(path) else { return false };
        [self.folder(), &self.target_dir, &self.suites_dir]
            .into_iter()
            .filter_map(|folder| fs::canonicalize(folder).ok())
            .any(|folder| path.starts_with(folder))
    }
}

/// The program of a suite, and how it is run.
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
    /// Its `[[suite]]` in the policy; `None` for a bench target, whose harness is found out.
    pub declared: Option<Box<Suite>>,
    /// How cargo starts it; `None` where cargo does not say, and of a declared suite.
    pub start: Option<Start>,
    /// Paths in its target folder that it contains, or libraries there that it loads: it may run or read them.
    pub names: Vec<PathBuf>,
    /// Whether it is led: the gate's runtime is in it.
    pub is_led: bool,
    /// What cargo left next to it, below the folder of its profile.
    pub neighbours: BTreeSet<PathBuf>,
    /// The sandbox that it runs in.
    pub sandbox: Sandbox,
    /// Folders that are its side's alone: an id that names one is the same on both sides without it.
    pub own_folders: Vec<PathBuf>,
}

pub(super) fn executable(
    target: &BenchTarget,
    path: PathBuf,
    start: Option<Start>,
    names: Vec<PathBuf>,
    neighbours: BTreeSet<PathBuf>,
    sandbox: &Sandbox,
) -> Executable {
    Executable {
        key: target.key(),
        path,
        arguments: Vec::new(),
        folder: target.package_dir.clone(),
        declared: None,
        start,
        names,
        is_led: false,
        neighbours,
        sandbox: sandbox.clone(),
        own_folders: Vec::new(),
    }
}

/// Whether the gate's runtime is in an executable: it holds the name of its variable.
pub(super) fn is_led(executable: &[u8]) -> bool {
    files::holds(executable, VARIABLE.as_bytes())
}

/// Copies what cargo left next to an executable of a package to where that runs, and has it load its libraries from there.
pub(super) fn gather(
    built: &Built,
    package: &str,
    paths: [&Path; 2],
    start: &mut Option<Start>,
) -> Result<BTreeSet<PathBuf>, HostError> {
    let Some(profiles) = neighbours::profiles(paths) else { return Ok(BTreeSet::new()) };
    if !has_neighbours(built, package, paths[0]) {
        return Ok(BTreeSet::new());
    }
    let libraries = built.libraries.get(package);
    if let (Some(start), [from, to]) = (start, profiles)
        && libraries.is_some_and(|libraries| !libraries.is_empty())
    {
        start.move_libraries(from, to);
    }
    neighbours::gather(profiles, libraries.into_iter().flatten(), built.read_at_run_time.iter())
}

/// Whether cargo left programs or libraries next to an executable of a package.
pub(super) fn has_neighbours(built: &Built, package: &str, executable: &Path) -> bool {
    let Some([profile, _]) = neighbours::profiles([executable; 2]) else { return false };
    let libraries = built.libraries.get(package).into_iter().flat_map(|of| of.keys());
    let programs = built.read_at_run_time.iter().filter(|path| path.is_file());
    libraries.chain(programs).any(|path| path.starts_with(profile))
}

/// Whether an executable holds a path.
pub(super) fn is_named(path: &Path, executable: &[u8]) -> bool {
    files::holds(executable, path.as_os_str().as_encoded_bytes())
}

/// Gives suites that are on both sides as much room for their variables.
pub fn even_out(base: &mut BuiltSide, head: &mut BuiltSide) {
    for old in &mut base.executables {
        let new = head.executables.iter_mut().find(|new| new.key == old.key);
        if let (Some(old), Some(new)) = (&mut old.start, new.and_then(|new| new.start.as_mut())) {
            old.even_out(new);
        }
    }
}
