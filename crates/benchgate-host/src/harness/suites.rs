//! Suites that the policy declares: built in each side's checkout, and what makes them the same.
//!
//! The `target` folder of a checkout is a link to a folder of that side below the gate's own. So a side finds
//! what it built in the last run, and of what the other one built only what cargo got from registries.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use benchgate_core::affected::Reach;
use benchgate_core::identity::compare;
use benchgate_core::model::{Side, SkipReason, SuiteKey};
use benchgate_core::policy::{Runtime, Suite};
use benchgate_core::result::SuiteReport;
use fs_err as fs;

use crate::cargo::choice::Choice;
use crate::cargo::policy_command::{self, Failed};
use crate::harness::{self, Failure};
use crate::sides::identity::folders;
use crate::sides::{BuildDir, BuiltSide, Executable};
use crate::system::files;
use crate::system::files::Scratch;
use crate::system::platform;
use crate::system::sandbox::Sandbox;
use crate::{HostError, Progress};

/// Builds the declared suites of a side and adds them to it. One that does not build has failed, and the
/// others go on.
///
/// # Errors
/// When interrupted, or when files of our own cannot be used.
pub fn build(
    build_dir: &BuildDir,
    side: Side,
    built: &mut BuiltSide,
    suites: &[Suite],
    choice: &Choice<'_>,
    progress: &dyn Progress,
) -> Result<(), HostError> {
    for suite in suites {
        let key = suite.key(&build_dir.name);
        if let Some(left_out) = not_built(choice, built, suite, &key) {
            built.left_out.push(left_out);
            continue;
        }
        let root = built.workspace.root.clone();
        let target = build_dir.suites_folder(side, &built.workspace)?;
        link_target(&root, &target)?;
        let temporary = Scratch::new(build_dir.temporary(side))?;
        let sandbox = build_dir.of_suite(side, suite, &target)?;
        progress.phase(&format!("building {key} of {}", side.name()));
        let folder = if suite.folder.is_empty() { root } else { root.join(&suite.folder) };
        // That of the workspace has been downloaded.
        let unfetched = if folder == built.workspace.root {
            None
        } else {
            build_dir.fetch(side, &folder, Runtime::Criterion, progress)?
        };
        let failure = run_build(suite, &folder, &sandbox, progress)?;
        drop(temporary);
        match failure {
            Some(Failure { reason, output, .. }) => {
                let output = [Some(output), unfetched].into_iter().flatten().collect::<Vec<_>>();
                built.left_out.push(SuiteReport::failed(key, reason, output.join("\n")));
            }
            None => {
                let sandbox = build_dir.of_rounds_of(side, suite)?;
                let own = vec![built.folder().to_owned(), target];
                let executable = executable(key, suite, folder, sandbox);
                built.executables.push(Executable { own_folders: own, ..executable });
            }
        }
    }
    progress.done();
    Ok(())
}

/// Returns the report of a suite that is not built; `None` when it is.
fn not_built(
    choice: &Choice<'_>,
    built: &BuiltSide,
    suite: &Suite,
    key: &SuiteKey,
) -> Option<SuiteReport> {
    if let Some((skip, reason)) = choice.why_left_out(key) {
        return Some(SuiteReport::skipped(key.clone(), skip, reason));
    }
    if let Some(program) = suite.needs.iter().find(|it| files::program_on_path(it).is_none()) {
        let reason = format!("it needs `{program}`, which is not on PATH: it is not built");
        return Some(SuiteReport::skipped(key.clone(), SkipReason::NotInstalled, reason));
    }
    if choice.untouched.contains(key) {
        return Some(SuiteReport::identical(key.clone(), Reach::Untouched.to_string()));
    }
    let is_bench = built.workspace.benches.iter().any(|bench| bench.key() == *key);
    is_bench.then(|| {
        let reason = "a bench target has this name too: rename the `[[suite]]` in benchgate.toml";
        SuiteReport::failed(key.clone(), reason, "")
    })
}

fn executable(key: SuiteKey, suite: &Suite, folder: PathBuf, sandbox: Sandbox) -> Executable {
    let (program, arguments) = suite.run.split_first().map_or(("", &[][..]), |(p, a)| (p, a));
    // A bare name is looked up on PATH, as a shell would.
    let path = if program.contains('/') { folder.join(program) } else { program.into() };
    let declared = Some(Box::new(suite.clone()));
    let arguments = arguments.to_vec();
    let names = Vec::new();
    Executable {
        key,
        path,
        arguments,
        folder,
        declared,
        start: None,
        names,
        is_led: false,
        neighbours: BTreeSet::new(),
        sandbox,
        own_folders: Vec::new(),
    }
}

/// A repository that tracks a `target` folder keeps it.
fn link_target(root: &Path, folder: &Path) -> Result<(), HostError> {
    let link = root.join("target");
    if fs::symlink_metadata(&link).is_err() {
        fs::create_dir_all(folder)?;
        platform::link_folder(folder, &link)?;
    }
    Ok(())
}

/// Runs a build command; `None` when it succeeded.
fn run_build(
    suite: &Suite,
    folder: &Path,
    sandbox: &Sandbox,
    progress: &dyn Progress,
) -> Result<Option<Failure>, HostError> {
    let prepare = |command: &mut Command| {
        harness::of(suite.harness).prepare_build(command, sandbox);
    };
    let failed = policy_command::run(&suite.build, folder, sandbox, progress, prepare)?;
    Ok(failed.map(|Failed { how, output }| {
        let reason = format!("its build `{}` {how}", suite.build.join(" "));
        Failure { output, ..Failure::new(reason) }
    }))
}

/// Whether the files that a declared suite names are the same on both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeclaredFiles {
    /// They are.
    Same,
    /// They are not: what differs or is not there.
    Differ(String),
}

/// Compares the files of each declared suite that names them.
///
/// # Errors
/// When a file cannot be read.
pub fn same_files(
    base: &BuiltSide,
    head: &BuiltSide,
) -> Result<BTreeMap<SuiteKey, DeclaredFiles>, HostError> {
    let folders = folders(base, head);
    let mut same = BTreeMap::new();
    for old in &base.executables {
        let Some(suite) = old.declared.as_ref().filter(|suite| !suite.files.is_empty()) else {
            continue;
        };
        let Some(new) = head.executables.iter().find(|new| new.key == old.key) else { continue };
        let mut found = DeclaredFiles::Same;
        for pattern in &suite.files {
            let sides = [(base, old), (head, new)];
            if let Some(difference) = difference(pattern, sides, &folders)? {
                found = DeclaredFiles::Differ(difference);
                break;
            }
        }
        same.insert(old.key.clone(), found);
    }
    Ok(same)
}

fn difference(
    pattern: &str,
    [(base, old), (head, new)]: [(&BuiltSide, &Executable); 2],
    folders: &[[&[u8]; 2]],
) -> Result<Option<String>, HostError> {
    let [of_base, of_head] = [found(pattern, &old.folder)?, found(pattern, &new.folder)?];
    if of_base.is_empty() || of_head.is_empty() {
        let side = if of_base.is_empty() { Side::Base } else { Side::Head };
        return Ok(Some(format!("no file of {} is `{pattern}`", side.name())));
    }
    if of_base != of_head {
        return Ok(Some(format!("other files are `{pattern}` on both sides")));
    }
    for file in of_base {
        let paths = [old, new].map(|side| side.folder.join(&file));
        if !base.owns(&paths[0]) || !head.owns(&paths[1]) {
            return Ok(Some(format!("`{}` is a link to what is not its side's", file.display())));
        }
        let bytes = paths.map(|path| files::read(&path));
        let [old, new] = bytes;
        // An executable names its checkout, and that is not a difference.
        if !compare(&old?, &new?, folders).is_same_code() {
            return Ok(Some(format!("`{}` differs", file.display())));
        }
    }
    Ok(None)
}

/// The files of a folder that a pattern names, relative to it, in order.
fn found(pattern: &str, folder: &Path) -> Result<Vec<PathBuf>, HostError> {
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
    let Some(wild) = pattern.find(['*', '?']) else {
        let is_there = folder.join(pattern).is_file();
        return Ok(is_there.then(|| PathBuf::from(pattern)).into_iter().collect());
    };
    let start = pattern[..wild].rfind('/').map_or("", |end| &pattern[..end]);
    let mut found = Vec::new();
    let mut left = vec![PathBuf::from(start)];
    while let Some(inside) = left.pop() {
        let Ok(entries) = fs::read_dir(folder.join(&inside)) else { continue };
        for entry in entries {
            let path = inside.join(entry?.file_name());
            let full = folder.join(&path);
            // Links to folders could go round in circles.
            if full.is_dir() && !full.is_symlink() {
                left.push(path);
            } else if full.is_file() && Suite::is_named(pattern, &path.to_string_lossy()) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
