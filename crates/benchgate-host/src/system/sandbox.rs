//! The sandbox around what is built and measured: it reads the system, the toolchains and its own side, and writes
//! its own folders only. Everything else of the machine is out of its reach: the other side, the gate, its results,
//! the user's files.
//!
//! A process restricts itself and then becomes the program (`launch`): what is measured starts as without.

mod asking;
mod denial;
mod launch;
mod outside;
mod places;
pub mod variables;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};

use benchgate_core::model::SandboxReport;
use benchgate_core::policy::{self, Reach};

pub(crate) use self::asking::{ASKS, OF_A_BUILD, with_last_line};
pub use self::denial::{Denial, watch};
use self::launch::Access;
pub use self::launch::{WATCH, WORD, run};
pub(crate) use self::outside::{Places, state};
pub(crate) use self::places::{home, installation, is_of_system};
use self::variables::Named;
use crate::HostError;
use crate::system::{files, platform};

/// Where programs put short-lived files.
const TEMPORARY: &str = "TMPDIR";

/// Names the folder of what a build script generated for the bench, and no variable of the gate.
pub(crate) const GENERATED: &str = "$OUT_DIR";

/// The files and the network that processes may reach. The default restricts nothing.
#[derive(Clone, Debug, Default)]
pub struct Sandbox {
    /// The program that restricts itself, and that can watch a process anyway.
    gate: Option<Arc<Path>>,
    /// Whether anything is restricted.
    restricts: bool,
    access: Arc<Access>,
    temporary: Option<PathBuf>,
    /// Paths, variables and network that the policy allows all builds and rounds.
    reach: Arc<Reach>,
    /// Variables of the gate's environment that the policy names.
    variables: Vec<String>,
    /// What processes that failed were denied, in this sandbox and in all that are made of it.
    denials: Arc<Mutex<BTreeSet<Denial>>>,
}

/// The restrictions that this system supports, and the program that applies them.
#[derive(Clone, Debug)]
pub struct Kernel {
    report: SandboxReport,
    has_filter: bool,
    launcher: PathBuf,
}

impl Kernel {
    /// Detects the restrictions that this system supports. `launcher` is the benchgate that restricts itself.
    pub fn here(launcher: PathBuf) -> Self {
        let has_filter = platform::can_filter();
        let report = SandboxReport::of(platform::landlock_version(), has_filter);
        Self { report, has_filter, launcher }
    }

    /// Reports whether the sandbox that a policy asks for is active.
    pub fn report(&self, policy: &policy::Sandbox) -> SandboxReport {
        if policy.enabled { self.report.clone() } else { SandboxReport::switched_off() }
    }

    /// The sandbox of a policy.
    pub fn sandbox(&self, policy: &policy::Sandbox) -> Sandbox {
        let gate: Option<Arc<Path>> = Some(Arc::from(self.launcher.as_path()));
        if !self.report(policy).restricts() {
            return Sandbox { gate, ..Sandbox::default() };
        }
        let (mut read, write) = (places::readable(), places::writable());
        read.push(self.launcher.clone());
        Sandbox {
            gate,
            restricts: true,
            access: Arc::new(Access {
                read,
                write,
                has_network: policy.network,
                has_filter: self.has_filter,
            }),
            temporary: None,
            reach: Arc::new(policy.reach()),
            variables: passed_by(&policy.reach()),
            denials: Arc::default(),
        }
    }
}

/// Where a path of a policy is.
enum Place {
    Absolute(PathBuf),
    InCheckout,
    /// Below a variable that is not set, or no absolute path.
    Nowhere,
}

impl Place {
    fn of(path: &str) -> Self {
        let below =
            |folder: Option<PathBuf>, inside: &str| match folder.filter(|it| it.is_absolute()) {
                Some(folder) => Self::Absolute(folder.join(inside)),
                None => Self::Nowhere,
            };
        // Of the bench, which is not known here.
        if path == GENERATED {
            return Self::Nowhere;
        }
        if let Some(inside) = path.strip_prefix("~/") {
            return below(places::home(), inside);
        }
        if let Some(named) = path.strip_prefix('$') {
            let (name, inside) = named.split_once('/').unwrap_or((named, ""));
            return below(std::env::var_os(name).map(PathBuf::from), inside);
        }
        if Path::new(path).is_absolute() { Self::Absolute(path.into()) } else { Self::InCheckout }
    }
}

impl Sandbox {
    /// Whether anything is restricted.
    pub fn restricts(&self) -> bool {
        self.restricts
    }

    /// Whether the network is.
    pub(crate) fn restricts_network(&self) -> bool {
        self.restricts() && !self.access.has_network
    }

    /// Returns the variables of the gate's environment that programs get.
    pub(crate) fn inherited(&self) -> BTreeMap<OsString, OsString> {
        let all = std::env::vars_os().collect();
        if !self.restricts() {
            return all;
        }
        let named = Named { names: self.variables.clone(), has_network: self.access.has_network };
        variables::passed(all, &named)
    }

    /// Describes the permissions that a build may depend on: it can do otherwise where it is denied something.
    pub(crate) fn description(&self) -> String {
        if self.restricts() { format!("{:?}", self.reach) } else { "none".to_owned() }
    }

    /// Returns the sandbox of a checkout: it may be read, and the paths that the policy names inside of it are allowed.
    ///
    /// # Errors
    /// When a folder of the policy that is not there cannot be created.
    pub fn of_checkout(&self, checkout: &Path) -> Result<Self, HostError> {
        if !self.restricts() {
            return Ok(self.clone());
        }
        let above = places::above(checkout);
        self.reading([checkout.to_owned()]).reading(above).allowing(&self.reach, checkout)
    }

    /// The same with what a policy allows in addition, some of it in a checkout.
    ///
    /// # Errors
    /// When a folder of the policy that is not there cannot be created.
    pub(crate) fn allowing(&self, reach: &Reach, checkout: &Path) -> Result<Self, HostError> {
        let Reach { network, read, write, variables: _ } = reach;
        let found = |paths: &[String]| -> Result<Vec<PathBuf>, HostError> {
            let places = paths.iter().map(|path| match Place::of(path) {
                Place::Absolute(path) => Ok(Some(path)),
                Place::InCheckout if checkout.is_dir() => inside_of(checkout, path).map(Some),
                Place::InCheckout | Place::Nowhere => Ok(None),
            });
            places.filter_map(Result::transpose).collect()
        };
        let (read, write) = (found(read)?, found(write)?);
        for path in write.iter().filter(|path| !path.exists()) {
            // Where it cannot be created, who needs it is denied it and says so.
            let _ = fs_err::create_dir_all(path);
        }
        let mut sandbox = self.reading(read).writing(write).with_network(*network);
        sandbox.variables.extend(passed_by(reach));
        Ok(sandbox)
    }

    /// The same with the network, if there is to be any.
    #[must_use]
    pub(crate) fn with_network(&self, has_network: bool) -> Self {
        let mut access = Access::clone(&self.access);
        access.has_network |= has_network;
        Self { access: Arc::new(access), ..self.clone() }
    }

    /// The same with more to read.
    #[must_use]
    pub fn reading(&self, paths: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut access = Access::clone(&self.access);
        access.read.extend(paths);
        Self { access: Arc::new(access), ..self.clone() }
    }

    /// The same with the programs that words of the policy name, as `env node x.js` does: they may be in somebody's home
    /// folder.
    #[must_use]
    pub(crate) fn running<'a>(&self, words: impl IntoIterator<Item = &'a String>) -> Self {
        if !self.restricts() {
            return self.clone();
        }
        let programs = words.into_iter().flat_map(|word| word.split_whitespace());
        self.reading(programs.flat_map(places::of_program))
    }

    /// The same with more to read and write. What is not there yet when a process starts, it cannot create.
    #[must_use]
    pub(crate) fn writing(&self, paths: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut access = Access::clone(&self.access);
        access.write.extend(paths);
        Self { access: Arc::new(access), ..self.clone() }
    }

    /// The same with the folder of what was generated for a bench, if the policy allows that. A build script may name any:
    /// only one below `target_dir` is meant.
    #[must_use]
    pub(crate) fn with_generated(&self, folder: Option<&OsString>, target_dir: &Path) -> Self {
        let is_allowed = self.reach.write.iter().any(|path| path == GENERATED);
        let folder = folder.filter(|_| is_allowed).and_then(|it| fs_err::canonicalize(it).ok());
        let is_own = |folder: &PathBuf| {
            fs_err::canonicalize(target_dir).is_ok_and(|target| folder.starts_with(target))
        };
        match folder.filter(is_own) {
            Some(folder) => self.writing([folder]),
            None => self.clone(),
        }
    }

    /// The same with a folder for short-lived files.
    #[must_use]
    pub(crate) fn with_temporary(&self, folder: PathBuf) -> Self {
        Self { temporary: Some(folder.clone()), ..self.writing([folder]) }
    }

    /// The folder for short-lived files, also where nothing is restricted: what one process leaves there is no input of
    /// the next one.
    pub(crate) fn temporary(&self) -> Option<&Path> {
        self.temporary.as_deref()
    }

    /// A command inside of the sandbox, in a session of its own.
    ///
    /// # Errors
    /// [`HostError::Start`] of a program that is not there.
    pub fn command(&self, mut command: Command) -> Result<Command, HostError> {
        if let Some(temporary) = &self.temporary {
            command.env(TEMPORARY, temporary);
        }
        let Some(launcher) = self.gate.as_ref().filter(|_| self.restricts) else {
            platform::begins_session(&mut command);
            return Ok(command);
        };
        let variables = launch::variables(&command, self.inherited());
        find(&command, variables.get(OsStr::new("PATH")))?;
        Ok(launch::command(launcher, &self.access, &command, &variables))
    }

    /// Takes a variable from a command that [`Sandbox::command`] made.
    pub(crate) fn unset(&self, command: &mut Command, name: &str) {
        match self.restricts {
            true => command.env_remove(launch::prefixed(OsStr::new(name))),
            false => command.env_remove(name),
        };
    }

    /// What processes that failed were denied until now.
    pub fn denials(&self) -> BTreeSet<Denial> {
        self.denials.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn log(&self, denials: impl IntoIterator<Item = Denial>) {
        self.denials.lock().unwrap_or_else(PoisonError::into_inner).extend(denials);
    }
}

/// Variables that a policy names, also before a path: who may read `$DATA` is told where it is.
fn passed_by(reach: &Reach) -> Vec<String> {
    let before_paths = reach.read.iter().chain(&reach.write).filter_map(|path| {
        let named = path.strip_prefix('$')?;
        Some(named.split_once('/').map_or(named, |(name, _)| name).to_owned())
    });
    before_paths.chain(reach.variables.iter().cloned()).collect()
}

/// A path of the policy in a checkout, created where it is not there. A commit may put a link there.
fn inside_of(checkout: &Path, path: &str) -> Result<PathBuf, HostError> {
    let full = checkout.join(path);
    // Not behind a link: nothing is created outside.
    if full.symlink_metadata().is_err() && files::leads_into(&full, checkout) {
        fs_err::create_dir_all(&full)?;
    }
    let top = fs_err::canonicalize(checkout)?;
    match fs_err::canonicalize(&full) {
        Ok(resolved) if resolved.starts_with(&top) => Ok(resolved),
        _ => Err(HostError::Content {
            path: full,
            problem: "`[sandbox]` of benchgate.toml names it, and it is a link that leads out of the checkout"
                .to_owned(),
        }),
    }
}

/// Fails for a program that is not there: of a launcher that does not find it, nothing but its output would say so.
fn find(command: &Command, path: Option<&OsString>) -> Result<(), HostError> {
    let program = Path::new(command.get_program());
    let failed =
        |source| HostError::Start { program: program.to_string_lossy().into_owned(), source };
    if program.components().count() > 1 {
        let folder = command.get_current_dir().unwrap_or(Path::new("."));
        return std::fs::metadata(folder.join(program)).map(drop).map_err(failed);
    }
    let path = path.cloned().unwrap_or_default();
    if files::program(&path, program).is_some() {
        return Ok(());
    }
    // The error of the system where a program is started directly: ENOENT.
    Err(failed(std::io::Error::from_raw_os_error(2)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel() -> Kernel {
        let report = SandboxReport::of(6, true);
        Kernel { report, has_filter: true, launcher: "/gate".into() }
    }

    fn words(command: &Command) -> Vec<String> {
        command.get_args().map(|word| word.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_policy_that_switches_it_off_leaves_commands_as_they_are() {
        let policy = policy::Sandbox { enabled: false, ..policy::Sandbox::default() };
        let sandbox = kernel().sandbox(&policy);
        let command = sandbox.command(Command::new("/no/such/program")).unwrap();
        assert_eq!(command.get_program(), "/no/such/program");
        assert!(kernel().report(&policy).reason.contains("enabled = false"));
    }

    #[test]
    fn the_variables_of_the_program_are_not_orders_to_the_loader_of_the_launcher() {
        let mut inner = Command::new("sh");
        inner.env("LD_PRELOAD", "/evil.so").env_remove("HOME");
        let command = kernel().sandbox(&policy::Sandbox::default()).command(inner).unwrap();
        let names: Vec<String> =
            command.get_envs().map(|(name, _)| name.to_string_lossy().into_owned()).collect();
        assert!(names.contains(&"+LD_PRELOAD".to_owned()), "{names:?}");
        assert!(names.iter().all(|name| name.starts_with('+')), "{names:?}");
        assert!(!names.contains(&"+HOME".to_owned()));
    }

    #[test]
    fn a_program_gets_the_variables_that_are_set_for_it_and_those_of_the_gate_that_the_policy_names()
     {
        let reach = Reach {
            read: vec!["$DATA/x".into()],
            variables: vec!["TEST_*".into()],
            ..Reach::default()
        };
        assert_eq!(passed_by(&reach), ["DATA", "TEST_*"]);
        let mut inner = Command::new("sh");
        inner.env("SET_FOR_A_ROUND", "1");
        let command = kernel().sandbox(&policy::Sandbox::default()).command(inner).unwrap();
        let has = |name: &str| command.get_envs().any(|(it, _)| it == OsStr::new(name));
        assert!(has("+SET_FOR_A_ROUND") && has("+PATH"));
        assert!(Sandbox::default().inherited().len() >= std::env::vars_os().count());
    }

    #[test]
    fn paths_of_a_policy_are_absolute_or_of_each_checkout() {
        let policy = policy::Sandbox {
            read: vec!["/srv/data".into(), "data".into(), "$HOME/x".into(), "$NOT_SET/y".into()],
            write: vec!["out".into()],
            network: true,
            ..policy::Sandbox::default()
        };
        let checkout = tempfile::tempdir().unwrap();
        let sandbox = kernel().sandbox(&policy).of_checkout(checkout.path()).unwrap();
        let words = words(&sandbox.command(Command::new("sh")).unwrap());
        let has = |option: &str, path: &Path| {
            let path = path.to_string_lossy();
            words.windows(2).any(|pair| pair[0] == option && pair[1] == path)
        };
        assert!(has("--read", Path::new("/srv/data")) && has("--read", checkout.path()));
        assert!(has("--read", &checkout.path().join("data")));
        assert!(has("--read", &places::home().unwrap().join("x")));
        assert!(words.iter().all(|word| !word.ends_with("/y")), "{words:?}");
        assert!(
            has("--write", &checkout.path().join("out")) && checkout.path().join("out").is_dir()
        );
        assert!(words.contains(&"--network".to_owned()));
    }

    #[test]
    fn what_was_generated_for_a_bench_may_be_written_if_the_policy_says_so_and_it_is_there() {
        let (target, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let out = target.path().join("release/build/p-1/out");
        std::fs::create_dir_all(&out).unwrap();
        let out = out.canonicalize().unwrap();
        let is_allowed = |write: &[&str], folder: &Path| {
            let write = write.iter().map(|path| (*path).to_owned()).collect();
            let policy = policy::Sandbox { write, ..policy::Sandbox::default() };
            let folder = folder.as_os_str().to_owned();
            let sandbox = kernel().sandbox(&policy).with_generated(Some(&folder), target.path());
            let words = words(&sandbox.command(Command::new("sh")).unwrap());
            words.windows(2).any(|pair| pair[0] == "--write" && *pair[1] == *folder)
        };
        assert!(is_allowed(&[GENERATED], &out));
        assert!(!is_allowed(&["out"], &out) && !is_allowed(&[GENERATED], elsewhere.path()));
    }

    #[test]
    fn nothing_is_created_behind_a_link_that_a_commit_brings() {
        let folder = tempfile::tempdir().unwrap();
        let (top, elsewhere) = (folder.path().join("top"), folder.path().join("elsewhere"));
        std::fs::create_dir_all(&top).unwrap();
        std::fs::create_dir_all(&elsewhere).unwrap();
        platform::link_folder(&elsewhere, &top.join("link")).unwrap();
        for path in ["link", "link/new"] {
            let error = inside_of(&top, path).unwrap_err().to_string();
            assert!(error.contains("leads out of the checkout"), "{path}: {error}");
        }
        assert!(!elsewhere.join("new").exists());
        assert!(inside_of(&top, "new/newer").unwrap().is_dir());
    }

    #[test]
    fn a_program_that_is_not_there_is_an_error_of_its_name() {
        let sandbox = kernel().sandbox(&policy::Sandbox::default());
        for program in ["no-such-program", "/no/such/program"] {
            let error = sandbox.command(Command::new(program)).unwrap_err().to_string();
            let expected =
                format!("cannot run `{program}`: No such file or directory (os error 2)");
            assert_eq!(error, expected);
        }
    }
}
