//! Builds bench targets. One that does not build keeps no other from being measured.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use benchgate_core::model::SuiteKey;
use benchgate_core::policy::{Build, BuildProfile};
use cargo_metadata::diagnostic::DiagnosticLevel;
use cargo_metadata::{CompilerMessage, Message, PackageId};

use crate::cargo::command::{cargo, failed, without_network};
use crate::cargo::flags::Flags;
use crate::cargo::questions::Questions;
use crate::cargo::rustc;
use crate::cargo::stand_ins::{LockFile, StandIns};
use crate::cargo::{BenchTarget, Workspace};
use crate::progress::{let_cargo_count, pass_on};
use crate::system::process::{self, Finished};
use crate::system::sandbox::{ASKS, OF_A_BUILD, Sandbox, with_last_line};
use crate::system::{files, links};
use crate::{HostError, Progress};

/// Number of lines of a compiler's error that are kept.
const LINES_OF_ERROR: usize = 40;

/// How one side is built.
#[derive(Clone, Copy)]
pub struct Building<'a> {
    /// The workspace in the side's checkout.
    pub workspace: &'a Workspace,
    /// The policy's settings of builds.
    pub policy: &'a Build,
    /// Cargo's target folder.
    pub target_dir: &'a Path,
    /// Asks cargo about its configuration.
    pub questions: &'a Questions,
    /// Options of cargo, such as `--locked`.
    pub options: &'a [&'static str],
    /// Maximum number of parallel jobs of cargo; `None` for its own.
    pub jobs: Option<u32>,
    /// Crates that take others' places.
    pub stand_ins: &'a StandIns,
    /// Keeps what it links, if the repository sets no linker and layouts are taken.
    pub linker: Option<&'a Path>,
    /// The sandbox of cargo and of everything that it runs.
    pub sandbox: &'a Sandbox,
    /// The receiver of progress.
    pub progress: &'a dyn Progress,
}

/// The target folder of a side, and the settings of its builds.
pub(crate) struct Folders {
    pub(crate) target_dir: PathBuf,
    pub(crate) questions: Questions,
    pub(crate) options: Vec<&'static str>,
    pub(crate) jobs: Option<u32>,
    pub(crate) stand_ins: StandIns,
    pub(crate) linker: PathBuf,
    pub(crate) sandbox: Sandbox,
}

impl Folders {
    pub(crate) fn building<'a>(
        &'a self,
        workspace: &'a Workspace,
        policy: &'a Build,
        progress: &'a dyn Progress,
    ) -> Building<'a> {
        let &Self { jobs, .. } = self;
        let Self { target_dir, questions, options, stand_ins, linker, sandbox, .. } = self;
        Building {
            workspace,
            policy,
            target_dir,
            questions,
            options,
            jobs,
            stand_ins,
            linker: (policy.layouts > 0).then_some(&**linker),
            sandbox,
            progress,
        }
    }
}

/// Where cargo notes in a target directory what rustc answered.
const ANSWERS_OF_RUSTC: &str = ".rustc_info.json";

/// Spares cargo the questions to rustc that it has asked in another target directory: in each new one it would ask them
/// again. Whose answers they are stands in the file, so those of another toolchain do not count.
pub(crate) fn take_answers_of_rustc(from: &Path, to: &Path) {
    let file = to.join(ANSWERS_OF_RUSTC);
    let Ok(answers) = files::read(&from.join(ANSWERS_OF_RUSTC)) else { return };
    // A build may have left a link.
    if to.parent().is_some_and(|above| files::leads_into(&file, above)) {
        let _ = files::create_atomically(&file, &answers, false);
    }
}

/// The result of a build.
#[derive(Clone, Debug, Default)]
pub struct Built {
    /// The executables.
    pub executables: BTreeMap<SuiteKey, PathBuf>,
    /// The first error of each suite that does not build.
    pub broken: BTreeMap<SuiteKey, String>,
    /// The packages of which the compiler refused the library, a binary or a build script, for each suite that does not
    /// build only for that.
    pub refused: BTreeMap<SuiteKey, BTreeSet<PackageId>>,
    /// Paths that benches may name and read or run: binaries, and the folders of build scripts.
    pub read_at_run_time: BTreeSet<PathBuf>,
    /// All that cargo says it left.
    pub artifacts: BTreeSet<PathBuf>,
    /// The dynamic libraries that the build of each package left: that of another one may replace them.
    pub libraries: BTreeMap<String, BTreeMap<PathBuf, Vec<u8>>>,
}

impl Built {
    /// Adds what else was built.
    pub(crate) fn add(&mut self, mut other: Self) {
        self.executables.append(&mut other.executables);
        self.broken.append(&mut other.broken);
        self.refused.append(&mut other.refused);
        self.read_at_run_time.append(&mut other.read_at_run_time);
        self.artifacts.append(&mut other.artifacts);
        for (package, libraries) in other.libraries {
            self.libraries.entry(package).or_default().extend(libraries);
        }
    }

    /// The first error, where none was built.
    pub(crate) fn or_none(self) -> Result<Self, HostError> {
        match self.broken.first_key_value() {
            Some((_, output)) if self.executables.is_empty() => {
                let output = output.clone();
                Err(HostError::Cargo { what: "build the benches".to_owned(), output })
            }
            _ => Ok(self),
        }
    }
}

/// Cargo's messages about one package.
struct Said {
    /// The executables of each bench target, by name; several, where a configuration builds for several platforms.
    executables: BTreeMap<String, Vec<PathBuf>>,
    /// The first error of each bench target, by name.
    of_benches: BTreeMap<String, String>,
    /// The first error of anything else, such as the library.
    of_others: Option<String>,
    /// The packages of those.
    refused: BTreeSet<PackageId>,
    /// Whether an error is of the code: the compiler has a number for it.
    is_of_code: bool,
    read_at_run_time: BTreeSet<PathBuf>,
    artifacts: BTreeSet<PathBuf>,
    libraries: BTreeSet<PathBuf>,
    has_compiled: bool,
}

impl Building<'_> {
    /// Builds bench targets.
    ///
    /// # Errors
    /// When cargo builds none of them; with the first error.
    pub fn build(&self, targets: &[&BenchTarget]) -> Result<Built, HostError> {
        self.attempt(targets)?.or_none()
    }

    /// Like `build`, if it may be that none is built.
    ///
    /// # Errors
    /// When cargo cannot be run.
    pub(crate) fn attempt(&self, targets: &[&BenchTarget]) -> Result<Built, HostError> {
        let mut built = Built::default();
        let packages: BTreeSet<&str> = targets.iter().map(|t| t.package_id.as_str()).collect();
        for package in packages {
            let of_package: Vec<&BenchTarget> =
                targets.iter().copied().filter(|t| t.package_id == package).collect();
            self.build_package(&of_package, &mut built)?;
        }
        Ok(built)
    }

    /// Puts the lock file back when dropped, if stand-ins change it.
    pub(crate) fn lock_file(&self) -> Option<LockFile> {
        (!self.stand_ins.is_empty()).then(|| LockFile::of(&self.workspace.root))
    }

    /// Each package by itself, in its folder: over several, cargo would build every name in each, with
    /// the features of all.
    fn build_package(&self, targets: &[&BenchTarget], built: &mut Built) -> Result<(), HostError> {
        let mut done = self.run(targets, &["bench", "--no-run"])?;
        let mut messages = Said::read(&done.stdout);
        if !done.succeeded() && messages.has_compiled {
            // `cargo bench` ends at the first error, and only `cargo build` has `--keep-going`.
            let with_keep_going = ["build", "--keep-going"];
            let again = self.run(targets, &with_keep_going)?;
            let all = Said::read(&again.stdout);
            if all.has_compiled {
                (done, messages) = (again, all);
            } else if targets.len() > 1 {
                // A cargo before 1.74 cannot continue after an error.
                return targets.iter().try_for_each(|target| self.build_package(&[target], built));
            }
        }
        built.read_at_run_time.append(&mut messages.read_at_run_time);
        built.artifacts.append(&mut messages.artifacts);
        if let Some(first) = targets.first() {
            let libraries = built.libraries.entry(first.package.clone()).or_default();
            for path in std::mem::take(&mut messages.libraries) {
                let bytes = crate::system::files::read_written(&path)?;
                libraries.insert(path, bytes);
            }
        }
        let is_built = |target: &&BenchTarget| messages.executables.contains_key(&target.suite);
        let denied = match targets.iter().all(is_built) || messages.is_of_code {
            true => String::new(),
            false => self.denied(targets, &end_of(&done))?,
        };
        for target in targets {
            match self.of_this_machine(messages.executables.remove(&target.suite))? {
                Some(path) => built.executables.insert(target.key(), path).map(drop),
                None => {
                    if !messages.of_benches.contains_key(&target.suite) {
                        built.refused.insert(target.key(), messages.refused.clone());
                    }
                    let error = messages.error_of(&target.suite).unwrap_or_else(|| end_of(&done));
                    let error = with_last_line(&error, &denied);
                    built.broken.insert(target.key(), error).map(drop)
                }
            };
        }
        Ok(())
    }

    /// The executable for this machine's platform, of those for several; the only one if there is one.
    fn of_this_machine(&self, paths: Option<Vec<PathBuf>>) -> Result<Option<PathBuf>, HostError> {
        let paths = paths.unwrap_or_default();
        let host = match paths.len() {
            0 | 1 => String::new(),
            _ => rustc::host(&self.workspace.root, &self.workspace.sandbox)?,
        };
        Ok(of_platform(paths, &host))
    }

    fn run(&self, targets: &[&BenchTarget], arguments: &[&str]) -> Result<Finished, HostError> {
        let mut command = self.command(targets, arguments)?;
        command.arg("--message-format=json");
        self.start(command)
    }

    /// What a build was denied that failed for no error of the code: cargo runs again what did not succeed.
    fn denied(&self, targets: &[&BenchTarget], output: &str) -> Result<String, HostError> {
        let command = self.command(targets, &["bench", "--no-run"])?;
        self.progress.line(ASKS);
        self.sandbox.denied_to(&self.sandbox.command(command)?, output, OF_A_BUILD)
    }

    fn start(&self, command: Command) -> Result<Finished, HostError> {
        let mut command = self.sandbox.command(command)?;
        process::run(&mut command, None, &mut |line| pass_on(line, self.progress))
    }

    /// A cargo command about bench targets of one package that builds what the others build.
    pub(crate) fn command(
        &self,
        targets: &[&BenchTarget],
        arguments: &[&str],
    ) -> Result<Command, HostError> {
        let Some(first) = targets.first() else { return Err(no_target()) };
        let mut command = cargo(&first.package_dir);
        let is_bench = arguments.first() == Some(&"bench");
        let_cargo_count(&mut command);
        without_network(&mut command, self.sandbox);
        command
            .args(arguments)
            .args(self.stand_ins.arguments(self.options))
            .arg("--target-dir")
            .arg(self.target_dir);
        // A configuration may put what is between into a folder that both sides would share.
        command.env("CARGO_BUILD_BUILD_DIR", self.target_dir);
        // As a variable: each command of cargo that builds goes by it.
        command.envs(self.jobs.map(|jobs| ("CARGO_BUILD_JOBS", jobs.to_string())));
        let flags = self.flags(first)?;
        command.args(profile_arguments(&self.policy.profile, is_bench, flags.forbid_lto()));
        command.args(targets.iter().flat_map(|target| ["--bench", target.suite.as_str()]));
        // Without it cargo takes the default members, of which the package may be none.
        command.args(["--package", first.spec()]);
        let features = self.workspace.asked(&first.package, self.policy);
        if !features.is_empty() {
            command.args(["--features", &features.join(",")]);
        }
        let Build { default_features, all_features, .. } = *self.policy;
        if !default_features {
            command.arg("--no-default-features");
        }
        if all_features {
            command.arg("--all-features");
        }
        let flags = flags.with_line_tables();
        if let Some(linker) = self.linker.filter(|_| !flags.choose_linker()) {
            command.env(links::LINKER, linker);
        }
        let flags = if self.policy.align { flags.aligned() } else { flags };
        flags.give_to(&mut command);
        Ok(command)
    }

    /// The user's flags in force for a package.
    pub(crate) fn flags(&self, target: &BenchTarget) -> Result<Flags, HostError> {
        Ok(self.questions.ask(&target.package_dir, self.sandbox)?.flags)
    }
}

impl Said {
    fn read(messages: &str) -> Self {
        let mut built = Self {
            executables: BTreeMap::new(),
            of_benches: BTreeMap::new(),
            of_others: None,
            refused: BTreeSet::new(),
            is_of_code: false,
            read_at_run_time: BTreeSet::new(),
            artifacts: BTreeSet::new(),
            libraries: BTreeSet::new(),
            has_compiled: false,
        };
        for message in Message::parse_stream(messages.as_bytes()).filter_map(Result::ok) {
            match message {
                Message::CompilerArtifact(artifact) => {
                    built.has_compiled = true;
                    built.libraries.extend(dynamic_libraries(&artifact));
                    built.artifacts.extend(artifact.filenames.iter().map(PathBuf::from));
                    let Some(path) = artifact.executable.map(PathBuf::from) else { continue };
                    if artifact.target.is_bench() {
                        built.executables.entry(artifact.target.name).or_default().push(path);
                    } else {
                        built.read_at_run_time.insert(path);
                    }
                }
                Message::BuildScriptExecuted(script) if is_local(&script.package_id.repr) => {
                    built.read_at_run_time.insert(script.out_dir.into());
                }
                Message::CompilerMessage(message) => {
                    built.has_compiled = true;
                    built.note(message);
                }
                _ => {}
            }
        }
        built
    }

    fn note(&mut self, CompilerMessage { target, message, package_id, .. }: CompilerMessage) {
        if !matches!(message.level, DiagnosticLevel::Error | DiagnosticLevel::Ice) {
            return;
        }
        self.is_of_code |= message.code.is_some();
        let text = message.rendered.unwrap_or(message.message);
        let text: Vec<&str> = text.lines().take(LINES_OF_ERROR).collect();
        let text = text.join("\n").trim_end().to_owned();
        if target.is_bench() {
            self.of_benches.entry(target.name).or_insert(text);
        } else {
            self.of_others.get_or_insert(text);
            self.refused.insert(package_id);
        }
    }

    /// The first error of a bench target, or of what it needs.
    fn error_of(&self, suite: &str) -> Option<String> {
        self.of_benches.get(suite).or(self.of_others.as_ref()).cloned()
    }
}

/// The dynamic libraries among what cargo built; macros are loaded by the compiler alone.
fn dynamic_libraries(artifact: &cargo_metadata::Artifact) -> impl Iterator<Item = PathBuf> + '_ {
    let is_macro = artifact.target.is_proc_macro();
    let files = artifact.filenames.iter().filter(move |_| !is_macro);
    let is_library = |path: &&cargo_metadata::camino::Utf8PathBuf| {
        path.extension().is_some_and(|kind| ["so", "dylib", "dll"].contains(&kind))
    };
    files.filter(is_library).map(|path| path.clone().into_std_path_buf())
}

/// Returns cargo's last output of a failure that no compiler explains: a manifest, a build script, a killed linker.
fn end_of(done: &Finished) -> String {
    match failed("", done) {
        HostError::Cargo { output, .. } => output,
        _ => String::new(),
    }
}

/// The path of a platform, whose name is the folder that cargo puts below `target`; or else the first.
fn of_platform(mut paths: Vec<PathBuf>, platform: &str) -> Option<PathBuf> {
    paths.sort_by_key(|path| !path.components().any(|part| part.as_os_str() == platform));
    paths.into_iter().next()
}

/// Whether a package is not of a registry: only those change between the sides.
fn is_local(package_id: &str) -> bool {
    package_id.contains("path+file://")
}

fn no_target() -> HostError {
    HostError::Cargo { what: "build the benches".to_owned(), output: "there is none".to_owned() }
}

/// Returns the profile as arguments of cargo, with settings of `[profile.bench]` that override its other sources.
fn profile_arguments(profile: &BuildProfile, is_bench: bool, forbids_lto: bool) -> Vec<String> {
    let name = profile.of_cargo();
    let named = (!is_bench || name != "bench").then(|| ["--profile".to_owned(), name.to_owned()]);
    let settings: &[&str] = match profile {
        BuildProfile::Own | BuildProfile::Named(_) => &[],
        BuildProfile::Gate if forbids_lto => &["profile.bench.codegen-units=1"],
        BuildProfile::Gate => &["profile.bench.lto=\"fat\"", "profile.bench.codegen-units=1"],
    };
    let settings = settings.iter().flat_map(|it| ["--config".to_owned(), (*it).to_owned()]);
    named.into_iter().flatten().chain(settings).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_executables_for_several_platforms_the_one_of_this_machine_runs() {
        let artifact = |path: &str| {
            format!(
                r#"{{"reason":"compiler-artifact","package_id":"p","manifest_path":"/p/Cargo.toml",
                "target":{{"kind":["bench"],"crate_types":["bin"],"name":"speed","src_path":"/p/b.rs",
                "edition":"2021","doctest":false,"test":false,"doc":false}},
                "profile":{{"opt_level":"3","debuginfo":0,"debug_assertions":false,
                "overflow_checks":false,"test":true}},
                "features":[],"filenames":[],"executable":"{path}","fresh":false}}"#
            )
            .replace('\n', "")
        };
        let foreign = "/t/wasm32-wasip1/release/deps/speed-1.wasm";
        let executable = "/t/x86_64-unknown-linux-gnu/release/deps/speed-1";
        for [first, second] in [[foreign, executable], [executable, foreign]] {
            let messages = format!("{}\n{}\n", artifact(first), artifact(second));
            let paths = Said::read(&messages).executables.remove("speed").unwrap();
            assert_eq!(paths.len(), 2);
            assert_eq!(of_platform(paths, "x86_64-unknown-linux-gnu"), Some(executable.into()));
        }
        assert_eq!(of_platform(vec![foreign.into()], ""), Some(foreign.into()));
        assert_eq!(of_platform(Vec::new(), ""), None);
    }

    #[test]
    fn answers_of_rustc_are_taken_into_a_new_folder_and_never_through_what_a_build_left_there() {
        let scratch = tempfile::tempdir().unwrap();
        let of = |name: &str| scratch.path().join(name);
        let said = |name: &str| std::fs::read_to_string(of(name).join(ANSWERS_OF_RUSTC)).ok();
        take_answers_of_rustc(&of("fetch"), &of("new"));
        assert!(!of("new").exists(), "nothing was fetched");

        std::fs::create_dir(of("fetch")).unwrap();
        std::fs::write(of("fetch").join(ANSWERS_OF_RUSTC), "1.95").unwrap();
        take_answers_of_rustc(&of("fetch"), &of("new"));
        assert_eq!(said("new").as_deref(), Some("1.95"));
        std::fs::write(of("new").join(ANSWERS_OF_RUSTC), "its own").unwrap();
        take_answers_of_rustc(&of("fetch"), &of("new"));
        assert_eq!(said("new").as_deref(), Some("its own"));

        let elsewhere = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), of("led away")).unwrap();
        take_answers_of_rustc(&of("fetch"), &of("led away"));
        std::fs::create_dir(of("linked")).unwrap();
        let target = elsewhere.path().join("file");
        std::os::unix::fs::symlink(&target, of("linked").join(ANSWERS_OF_RUSTC)).unwrap();
        take_answers_of_rustc(&of("fetch"), &of("linked"));
        assert_eq!(std::fs::read_dir(elsewhere.path()).unwrap().count(), 0);
    }
}
