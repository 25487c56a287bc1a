//! A run that takes long says so before it does, to everybody who did not ask for silence.

use std::process::Stdio;

use crate::interruption::{interrupted, waiting};
use crate::support::{Ran, Repo};

/// So many benchmarks of a Criterion that takes whole seconds: six pairs of them are 24 s each.
fn old(benchmarks: usize) -> Repo {
    let lines: Vec<String> = (0..benchmarks).map(|n| format!("b{n}|10|has no quick way")).collect();
    let repo = Repo::new(&lines.iter().map(String::as_str).collect::<Vec<_>>());
    repo.commit("second");
    repo
}

const AHEAD: &str = "benchgate: measuring takes at least 5 minutes: 13 benchmarks take 2 s or more a round, the least \
                     that their harness allows; --budget bounds it, --filter leaves benchmarks out\n";

#[test]
fn the_least_time_of_an_old_criterion_is_said_before_the_first_round() {
    let repo = old(13);
    let ran = repo.benchgate(&["check"]).expect(0);
    let (before, after) = ran.stderr.split_once(AHEAD).expect(&ran.stderr);
    assert!(before.contains("benchgate: measuring\n") && !before.contains(" pairs"), "{before}");
    assert!(after.contains("benchgate: 0/78 pairs; now "), "{after}");
    let few = repo.benchgate(&["check", "--filter", "b1*"]).expect(0);
    assert!(!few.stderr.contains("at least"), "{}", few.stderr);
    let quiet = repo.benchgate(&["check", "--quiet"]).expect(0);
    assert_eq!(quiet.stderr, "");
}

#[test]
fn a_budget_that_is_too_short_is_said_before_the_first_round() {
    let ran = old(13).benchgate(&["check", "--budget", "250s"]).expect(0);
    let said = " the least that their harness allows; the budget ends in ";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
}

#[test]
fn the_same_is_printed_above_the_bar_of_a_terminal() {
    let repo = old(13);
    let gate = repo.command(&["check", "--color", "never"]);
    let words: Vec<_> = [gate.get_program()]
        .into_iter()
        .chain(gate.get_args())
        .map(|word| word.to_string_lossy())
        .collect();
    // `script` gives it a terminal.
    let mut command = Repo::starter("script", &gate);
    command.args(["--quiet", "--return", "--command", &words.join(" "), "/dev/null"]);
    command.stdin(Stdio::null()).env_remove("CI");
    let ran = Ran::of(command).expect(0);
    assert!(ran.stdout.replace('\r', "").contains(AHEAD), "{}", ran.stdout);
    assert!(ran.stdout.contains("pairs, "), "there is no bar: {}", ran.stdout);
    assert!(ran.stdout.to_lowercase().contains("compiling "), "no units of cargo: {}", ran.stdout);
}

#[test]
fn what_the_first_rounds_took_is_said_once_all_have_run() {
    let repo = waiting();
    assert_eq!(interrupted(&repo, repo.command(&["check"]), 3), 101);
    let path = repo.path("target/benchgate/journal.jsonl");
    let journal = std::fs::read_to_string(&path).unwrap();
    let (start, rest) = journal.split_once("\"seconds\":").unwrap();
    let (_, rest) = rest.split_once(',').unwrap();
    std::fs::write(&path, format!("{start}\"seconds\":100.0,{rest}")).unwrap();
    std::fs::write(repo.outside("log/rounds.go"), "").unwrap();
    let ran = repo.benchgate(&["check", "--resume"]).expect(0);
    // Two rounds of 100 s for one of two benchmarks, and nine pairs of both.
    let said = "benchgate: measuring takes at least 16 minutes more; --budget bounds it, ";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("benchgate: `parser.speed: a` takes 100 s a round: "),
        "{}",
        ran.stderr
    );
}
