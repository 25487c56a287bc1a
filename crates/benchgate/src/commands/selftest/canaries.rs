//! The built-in changes of known effect: the gate runs on each as a user would run it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use benchgate_core::model::Sides;
use benchgate_core::result::RunResult;
use benchgate_core::selftest::{CANARIES, CORRUPT_BASELINE, CanaryReport, Ran, Run};
use benchgate_host::cargo::command::clean_command;
use benchgate_host::cargo::fetch;
use benchgate_host::sides::sample_repository::SampleRepository;
use benchgate_host::system::{files, process};
use benchgate_host::{HostError, Progress};

use crate::error::CommandError;

const SPEED: (&str, &str) =
    ("benches/speed.rs", include_str!("../../../canaries/benches/speed.rs"));
const NAMES: (&str, &str) =
    ("benches/names.rs", include_str!("../../../canaries/benches/names.rs"));
const ALLOCATIONS: (&str, &str) =
    ("benches/allocations.rs", include_str!("../../../canaries/benches/allocations.rs"));
const POLICY: (&str, &str) = ("benchgate.toml", include_str!("../../../canaries/benchgate.toml"));
// cargo leaves a folder with a Cargo.toml out of the package that holds it.
const OTHERS: [(&str, &str); 3] = [
    ("Cargo.toml", include_str!("../../../canaries/Cargo.toml.in")),
    ("Cargo.lock", include_str!("../../../canaries/Cargo.lock")),
    ("src/lib.rs", include_str!("../../../canaries/src/lib.rs")),
];

/// The changes of the head of each run: a text that occurs once in the file, and its replacement.
const MORE_WORK: [(&str, &str); 3] = [
    ("THREE_PERCENT: u64 = 10_000", "THREE_PERCENT: u64 = 10_300"),
    ("SIX_PERCENT: u64 = 10_000", "SIX_PERCENT: u64 = 10_600"),
    ("TWELVE_PERCENT: u64 = 10_000", "TWELVE_PERCENT: u64 = 11_200"),
];
const MORE_BUFFERS: [(&str, &str); 1] = [("BUFFERS: usize = 2", "BUFFERS: usize = 3")];
const DELETED: [(&str, &str); 1] = [("\"names/deleted\", ", "")];
const RENAMED: [(&str, &str); 1] = [("\"names/old\"", "\"names/new\"")];
const ANNOUNCED: &str = "\n[[rename]]\nfrom = \"names/old\"\nto = \"names/new\"\n";

/// The name of the machine whose baseline is corrupt; no real machine has it.
const MACHINE: &str = "canary";

/// A baseline as an interrupted merge could leave it.
const TRUNCATED: &str = "{\"name\": \"canaries.speed\", \"benchmarks\": {";

/// A gate that takes longer than this is stopped.
const PATIENCE: Duration = Duration::from_secs(30 * 60);

/// How long it may take to end its benches and to remove its checkouts after Ctrl-C.
const GRACE: Duration = Duration::from_secs(10);

/// Runs the gate on every canary; everything is below `folder`.
pub(super) fn run(
    folder: &Path,
    progress: &dyn Progress,
) -> Result<Vec<CanaryReport>, CommandError> {
    let repository = SampleRepository::create(&folder.join("canaries"))?;
    let commits = commits(&repository)?;
    if let Some(reason) = why_not_fetched(&repository, progress)? {
        return Ok(CANARIES.iter().map(|canary| canary.not_run(&reason)).collect());
    }
    let mut ran = BTreeMap::new();
    for which in Run::ALL {
        progress.phase(&format!("running the gate on canaries: {}", which.name()));
        ran.insert(which, check(which, &commits, &repository, folder, progress)?);
        progress.done();
    }
    Ok(CANARIES.iter().filter_map(|canary| Some(canary.judge(ran.get(&canary.run)?))).collect())
}

/// Base and head of each run.
fn commits(repository: &SampleRepository) -> Result<BTreeMap<Run, Sides<String>>, CommandError> {
    let all = [&OTHERS[..], &[SPEED, NAMES, ALLOCATIONS, POLICY]].concat();
    let base = repository.commit(&all, "base")?;
    let mut commits = BTreeMap::new();
    for run in Run::ALL {
        repository.check_out(&base)?;
        let announced = POLICY.1.to_owned() + ANNOUNCED;
        let corrupt = format!("baselines/{MACHINE}/{CORRUPT_BASELINE}");
        let base = match run {
            Run::Slower | Run::Gone => base.clone(),
            Run::Renamed => repository.commit(&[(POLICY.0, &announced)], "announce a renaming")?,
            Run::Corrupt => repository.commit(&[(&corrupt, TRUNCATED)], "corrupt a baseline")?,
        };
        let speed = changed(SPEED, &MORE_WORK)?;
        let allocations = changed(ALLOCATIONS, &MORE_BUFFERS)?;
        let gone = changed(NAMES, &[DELETED, RENAMED].concat())?;
        let renamed = changed(NAMES, &RENAMED)?;
        let files: &[(&str, &str)] = match run {
            Run::Slower => &[(SPEED.0, &speed), (ALLOCATIONS.0, &allocations)],
            Run::Gone => &[(NAMES.0, &gone)],
            Run::Renamed => &[(NAMES.0, &renamed)],
            Run::Corrupt => &[],
        };
        commits.insert(run, Sides::new(base, repository.commit(files, run.name())?));
    }
    Ok(commits)
}

/// A file with its edits; each text must occur in it once.
fn changed((path, text): (&str, &str), edits: &[(&str, &str)]) -> Result<String, CommandError> {
    let mut text = text.to_owned();
    for (old, new) in edits {
        if text.matches(old).count() != 1 {
            let message =
                format!("a bug: `{old}` does not occur exactly once in the canaries' {path}");
            return Err(CommandError::Unmeasured(message));
        }
        text = text.replace(old, new);
    }
    Ok(text)
}

/// The reason why Criterion cannot be fetched; `None` when it is available.
fn why_not_fetched(
    repository: &SampleRepository,
    progress: &dyn Progress,
) -> Result<Option<String>, CommandError> {
    progress.phase("fetching Criterion for the canaries");
    let fetched = fetch(repository.folder(), progress);
    progress.done();
    match fetched {
        Ok(()) => Ok(None),
        Err(HostError::Cargo { output, .. }) => Ok(Some(format!(
            "Criterion 0.8.2 could not be fetched (a later run with a connection fetches it; \
             --no-canaries skips this): {}",
            output.replace('\n', "; ")
        ))),
        Err(error) => Err(error.into()),
    }
}

/// A run of this executable.
fn check(
    which: Run,
    commits: &BTreeMap<Run, Sides<String>>,
    repository: &SampleRepository,
    folder: &Path,
    progress: &dyn Progress,
) -> Result<Ran, CommandError> {
    let Some(Sides { base, head }) = commits.get(&which) else {
        return Ok(Ran { exit: None, result: None, stderr: String::new() });
    };
    let output = folder.join("results").join(which.name());
    files::remove_dir(&output)?;
    let mut command = gate(repository, folder)?;
    command.args(["check", "--base", base, "--machine", MACHINE, "--output"]).arg(&output);
    repository.check_out(head)?;
    if which == Run::Corrupt {
        // With a committed baseline the working tree is judged.
        command.arg("--baseline");
    } else {
        command.args(["--head", head]);
    }
    let done = process::run_with_grace(&mut command, Some(PATIENCE), Some(GRACE), &mut |line| {
        progress.line(line);
    })?;
    Ok(Ran {
        exit: done.status.and_then(|status| status.code()),
        result: result(&output.join("result.json"))?,
        stderr: done.stderr,
    })
}

fn gate(repository: &SampleRepository, folder: &Path) -> Result<Command, CommandError> {
    let this: PathBuf = std::env::current_exe().map_err(HostError::from)?;
    let mut command = clean_command(this);
    command
        .current_dir(repository.folder())
        // One folder for all runs, and for the next self-test: Criterion is built once.
        .env("CARGO_TARGET_DIR", folder.join("target"))
        // Lines instead of a bar.
        .env("CI", "true");
    Ok(command)
}

/// The result, if a readable one was written.
fn result(path: &Path) -> Result<Option<RunResult>, CommandError> {
    if !path.is_file() {
        return Ok(None);
    }
    Ok(RunResult::from_json(&files::read(path)?).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_edit_finds_its_text_and_adds_what_its_canary_says() {
        let speed = changed(SPEED, &MORE_WORK).unwrap();
        for (name, steps) in [("THREE", 10_300), ("SIX", 10_600), ("TWELVE", 11_200)] {
            let line = format!("const {name}_PERCENT: u64 = {}_{};", steps / 1000, steps % 1000);
            assert!(speed.contains(&line), "{line}: {speed}");
        }
        assert!(speed.contains("const SAME: u64 = 10_000;"));
        assert!(changed(ALLOCATIONS, &MORE_BUFFERS).unwrap().contains("BUFFERS: usize = 3"));
        let gone = changed(NAMES, &[DELETED, RENAMED].concat()).unwrap();
        assert!(gone.contains(r#"&["names/kept", "names/new"]"#), "{gone}");
        assert!(changed(NAMES, &[("absent", "")]).is_err());
        assert!(changed(SPEED, &[("10_000", "1")]).is_err());
    }

    #[test]
    fn each_run_has_commits_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let repository = SampleRepository::create(&folder.path().join("canaries")).unwrap();
        let commits = commits(&repository).unwrap();
        assert_eq!(commits.len(), Run::ALL.len());
        assert_eq!(commits[&Run::Slower].base, commits[&Run::Gone].base);
        repository.check_out(&commits[&Run::Corrupt].base).unwrap();
        let baseline = repository.folder().join("baselines/canary").join(CORRUPT_BASELINE);
        assert_eq!(std::fs::read_to_string(baseline).unwrap(), TRUNCATED);
        repository.check_out(&commits[&Run::Renamed].head).unwrap();
        let policy = std::fs::read_to_string(repository.folder().join("benchgate.toml")).unwrap();
        let policy = benchgate_core::policy::Policy::parse(&policy).unwrap();
        assert_eq!(policy.renames.len(), 1);
    }
}
