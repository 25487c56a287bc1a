//! `docs/benchmarks.md` is what the command makes of the recorded results.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, Output};

const RECORDED: [&str; 3] = [
    "docs/recorded/result.json",
    "docs/recorded/allocations.jsonl",
    "docs/recorded/stream_allocations.jsonl",
];

#[test]
fn the_committed_document_is_made_from_the_recorded_results() {
    let Some(output) = script(&RECORDED) else { return };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let made = String::from_utf8(output.stdout).unwrap();
    let committed = fs::read_to_string(workspace().join("docs/benchmarks.md")).unwrap();
    assert!(
        without_carriage_returns(&made) == without_carriage_returns(&committed),
        "docs/benchmarks.md is not what it is made from; to make it: scripts/benchmarks-md {} > \
         docs/benchmarks.md",
        RECORDED.join(" ")
    );
}

#[test]
fn a_file_that_is_not_a_result_is_refused() {
    let Some(output) = script(&["docs/result.schema.json", RECORDED[1]]) else { return };
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("docs/result.schema.json is not a result of benchgate"), "{message}");
}

#[test]
fn too_few_files_are_wrong_arguments() {
    let Some(output) = script(&RECORDED[..1]) else { return };
    assert_eq!(output.status.code(), Some(2));
}

/// Runs the script, or says that it did not where there is no Python.
fn script(arguments: &[&str]) -> Option<Output> {
    let script = Path::new("scripts").join("benchmarks-md");
    let output = Command::new("python3")
        .arg(script)
        .args(arguments)
        .current_dir(workspace())
        // Whatever the machine's language.
        .env("PYTHONIOENCODING", "utf-8")
        .output();
    match output {
        Ok(output) => Some(output),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // Straight to stderr: the test harness hides what a passing test prints otherwise.
            writeln!(io::stderr().lock(), "SKIPPED a test of scripts/benchmarks-md: no python3")
                .unwrap();
            None
        }
        Err(error) => panic!("cannot run python3: {error}"),
    }
}

fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

fn without_carriage_returns(text: &str) -> String {
    text.replace('\r', "")
}
