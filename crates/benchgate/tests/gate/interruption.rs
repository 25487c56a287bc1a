//! Measurements survive an interruption, and a run goes on where it was interrupted.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Ran, Repo, running};

/// One benchmark that is measured at once, and one that waits until the test lets it go.
const WAITING: [&str; 2] = ["a|10|", "b|20|waits for a file"];

pub(crate) fn waiting() -> Repo {
    let repo = Repo::new(&WAITING);
    repo.commit("second");
    repo
}

/// Runs until so many processes have begun to measure.
fn begun(repo: &Repo, mut command: Command, processes: usize) -> Child {
    let mut child = command.spawn().unwrap();
    while repo.log().len() < processes {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it was interrupted");
        std::thread::yield_now();
    }
    child
}

/// Runs until so many processes have begun to measure, then presses Ctrl-C.
pub(crate) fn interrupted(repo: &Repo, mut command: Command, processes: usize) -> i32 {
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = begun(repo, command, processes);
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    child.wait().unwrap().code().unwrap()
}

fn journal(repo: &Repo) -> Vec<Value> {
    let text = std::fs::read_to_string(repo.path("target/benchgate/journal.jsonl")).unwrap();
    text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn pairs(result: &Value, id: &str) -> usize {
    let all = result["benchmarks"].as_array().unwrap();
    let row = all.iter().find(|row| row["id"] == id).unwrap();
    row["evidence"]["rounds"]["base"].as_array().map_or(0, Vec::len)
}

#[test]
fn an_interrupted_run_is_incomplete_and_holds_what_it_measured() {
    let repo = waiting();
    // Both sides of `a`, then one of `b`, which waits.
    assert_eq!(interrupted(&repo, repo.command(&["check"]), 3), 101);
    let result = repo.result();
    assert_eq!(result["verdict"], "incomplete");
    assert_eq!(pairs(&result, "a"), 1);
    assert_eq!(pairs(&result, "b"), 0);
    let reason = result["suites"][0]["reason"].as_str().unwrap();
    assert!(
        reason.contains("`benchgate check --base ") && reason.contains(" --resume`"),
        "{reason}"
    );
    let journal = journal(&repo);
    assert_eq!((journal.len(), &journal[0]["id"]), (1, &Value::from("a")));
}

#[test]
fn a_resumed_run_ends_as_if_it_had_not_been_interrupted_and_measures_nothing_twice() {
    let repo = waiting();
    let seed = ["--seed", "5"];
    assert_eq!(interrupted(&repo, repo.command(&[&["check"], &seed[..]].concat()), 3), 101);
    let before = repo.log().len();
    std::fs::write(repo.outside("log/rounds.go"), "").unwrap();
    repo.benchgate(&["check", "--resume"]).expect(0);
    let resumed = repo.result();
    let measured = pairs(&resumed, "a") + pairs(&resumed, "b");
    assert_eq!(repo.log().len() - before, 2 * (measured - 1));
    repo.benchgate(&[&["check"], &seed[..]].concat()).expect(0);
    let whole = repo.result();
    assert_eq!(resumed["seed"], whole["seed"]);
    assert_eq!(resumed["benchmarks"], whole["benchmarks"]);
}

/// The command that a text names.
pub(crate) fn named<'a>(text: &'a str, start: &str) -> Vec<&'a str> {
    let command = text.split_once(start).unwrap_or_else(|| panic!("no `{start}` in {text}")).1;
    command.split_once('`').unwrap().0.split(' ').collect()
}

#[test]
fn the_command_that_is_named_goes_on_with_the_base_and_the_settings_of_the_run() {
    let repo = waiting();
    repo.commit("third");
    let first = ["check", "--base", "HEAD^^", "--pairs", "9"];
    assert_eq!(interrupted(&repo, repo.command(&first), 3), 101);
    let reason = repo.result()["suites"][0]["reason"].as_str().unwrap().to_owned();
    // Other settings, then another base: what was measured is neither used nor lost.
    for other in [&["check", "--base", "HEAD^^"][..], &["check"]] {
        let ran = repo.benchgate(&[other, &["--resume"]].concat()).expect(2);
        let named = named(&ran.stderr, "resume it with `benchgate ");
        assert_eq!(named, self::named(&reason, "`benchgate "));
    }
    let before = repo.log().len();
    std::fs::write(repo.outside("log/rounds.go"), "").unwrap();
    // `--measure-identical` is in it: the tests add it to every check.
    repo.plain(&named(&reason, "`benchgate ")).expect(0);
    let measured = pairs(&repo.result(), "a") + pairs(&repo.result(), "b");
    assert_eq!(repo.log().len() - before, 2 * (measured - 1));
}

#[test]
fn a_gate_that_was_killed_is_resumed() {
    let repo = waiting();
    let mut command = repo.command(&["check"]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = begun(&repo, command, 3);
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().code(), None, "it ended by itself");
    assert!(!repo.path("target/benchgate/result.json").exists());
    // Its benches end with it.
    let began = Instant::now();
    while running().iter().any(|executable| executable.starts_with(repo.outside(""))) {
        assert!(began.elapsed() < Duration::from_secs(60), "a bench outlives the gate");
        std::thread::yield_now();
    }
    let before = repo.log().len();
    std::fs::write(repo.outside("log/rounds.go"), "").unwrap();
    repo.benchgate(&["check", "--resume"]).expect(0);
    let measured = pairs(&repo.result(), "a") + pairs(&repo.result(), "b");
    assert_eq!(repo.log().len() - before, 2 * (measured - 1));
}

#[test]
fn a_disk_that_gets_full_ends_a_run_as_an_interruption_does() {
    let repo = waiting();
    let gate = repo.command(&["check", "--format", "json"]);
    // A limit of the size of files stands for the disk; by default, a signal comes with it.
    let mut command = Repo::starter("sh", &gate);
    command
        .args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""])
        .arg(gate.get_program())
        .args(gate.get_args());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = begun(&repo, command, 3);
    let journal_path = repo.path("target/benchgate/journal.jsonl");
    // A part of the next line still fits.
    let limit = std::fs::metadata(&journal_path).unwrap().len() + 20;
    let (process, limit) = (child.id().to_string(), format!("--fsize={limit}"));
    assert!(Command::new("prlimit").args(["--pid", &process, &limit]).status().unwrap().success());
    std::fs::write(repo.outside("log/rounds.go"), "").unwrap();
    let ran = Ran::of_child(child).expect(101);
    let result: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&result["verdict"], pairs(&result, "a")), (&"incomplete".into(), 1));
    let reason = result["suites"][0]["reason"].as_str().unwrap();
    for part in ["File too large", "target/benchgate/journal.jsonl", " --resume`"] {
        assert!(reason.contains(part), "{part} is not in {reason}");
    }
    // The result is larger than the journal, and does not fit either.
    assert!(ran.stderr.contains("error: the result is not written: "), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("help: make room, then run `benchgate check --base "),
        "{}",
        ran.stderr
    );
    let before = repo.log().len();
    repo.benchgate(&["check", "--resume"]).expect(0);
    let measured = pairs(&repo.result(), "a") + pairs(&repo.result(), "b");
    // Of the pair that was being measured, the line was torn.
    assert_eq!(repo.log().len() - before, 2 * (measured - 1));
}

#[test]
fn a_line_that_a_killed_run_left_half_written_is_measured_again() {
    let repo = waiting();
    assert_eq!(interrupted(&repo, repo.command(&["check"]), 3), 101);
    let path = repo.path("target/benchgate/journal.jsonl");
    let mut text = std::fs::read(&path).unwrap();
    text.truncate(text.len() - 7);
    std::fs::write(&path, text).unwrap();
    std::fs::write(repo.outside("log/rounds.go"), "").unwrap();
    repo.benchgate(&["check", "--resume"]).expect(0);
    assert_eq!(journal(&repo).len(), pairs(&repo.result(), "a") + pairs(&repo.result(), "b"));
}

#[test]
fn a_run_of_other_code_is_not_gone_on_with() {
    let repo = waiting();
    let ran = repo.benchgate(&["check", "--resume"]).expect(2);
    assert!(ran.stderr.contains("there is no interrupted run"), "{}", ran.stderr);
    assert_eq!(interrupted(&repo, repo.command(&["check", "--seed", "5"]), 3), 101);
    repo.write("src/lib.rs", "//! Changed.\n");
    let ran = repo.benchgate(&["check", "--resume"]).expect(2);
    assert!(ran.stderr.contains("the interrupted run compared other code"), "{}", ran.stderr);
    assert!(ran.stderr.contains("or start again without --resume"), "{}", ran.stderr);
}

#[test]
fn settings_of_a_group_do_not_set_what_a_round_costs() {
    let repo = Repo::new(&["a|10|", "b|20|has its own settings"]);
    repo.commit("second");
    repo.benchgate(&["check", "--pairs", "6"]).expect(0);
    assert_eq!(repo.findings(), ["a: unchanged", "b: unchanged"]);
    let result = repo.result();
    // The process that was stopped after a second is neither a failure nor a pair.
    assert_eq!(pairs(&result, "b"), pairs(&result, "a"));
    assert_eq!(repo.log().len(), 1 + 2 * (pairs(&result, "a") + pairs(&result, "b")));
    let pace = |id: &str| {
        journal(&repo).into_iter().find(|line| line["id"] == id).unwrap()["pace"].clone()
    };
    assert_eq!((pace("a"), pace("b")), ("settings".into(), "quick".into()));
}

#[test]
fn an_interruption_while_another_pace_is_tried_is_no_failure_of_the_benchmark() {
    let repo = Repo::new(&["a|10|waits for a file", "b|20|waits for a file"]);
    repo.commit("second");
    // The first round is stopped after a second, and the second process is the trial with `--quick`.
    assert_eq!(interrupted(&repo, repo.command(&["check"]), 2), 101);
    let result = repo.result();
    let failed: Vec<&Value> = result["benchmarks"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["finding"] == "failed")
        .collect();
    assert!(failed.is_empty(), "{failed:?}");
}
