//! A later attempt on the same base and head: its pairs are added to those of the earlier ones.

use serde_json::{Value, json};

use crate::interruption::{interrupted, named};
use crate::support::{Ran, Repo};

const RESULT: &str = "target/benchgate/result.json";

/// A repository whose head makes one of two benchmarks 20 % slower, after the first attempt.
fn slower() -> Repo {
    let repo = Repo::new(&["a|1000|", "b|50|"]);
    repo.suite("speed", &["a|1200|", "b|50|"]);
    repo.commit("slower");
    repo.benchgate(&["check"]).expect(100);
    repo
}

fn row(repo: &Repo, id: &str) -> Value {
    let result = repo.result();
    let rows = result["benchmarks"].as_array().unwrap();
    rows.iter().find(|row| row["id"] == id).unwrap().clone()
}

fn pairs(row: &Value) -> [usize; 2] {
    ["rounds", "confirmation"]
        .map(|stage| row["evidence"][stage]["base"].as_array().map_or(0, Vec::len))
}

#[test]
fn a_second_attempt_adds_pairs_to_what_was_slower_and_keeps_the_rest() {
    let repo = slower();
    let (first, unchanged) = (repo.result(), row(&repo, "b"));
    let ran = repo.benchgate(&["check", "--earlier", RESULT]).expect(100);
    let journal = std::fs::read_to_string(repo.path("target/benchgate/journal.jsonl")).unwrap();
    let turns: Vec<Value> =
        journal.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(turns.len(), 15);
    assert!(turns.iter().all(|turn| turn["id"] == "a" && turn["stage"] == "confirmation"));
    assert_eq!(pairs(&row(&repo, "a")), [10, 30]);
    let told = json!([{"screening": 10, "confirmation": 15}]);
    assert_eq!(row(&repo, "a")["evidence"]["earlier"], told);
    assert_eq!(row(&repo, "b"), unchanged);
    let second = repo.result();
    let earlier = &second["attempt"]["earlier"];
    assert_eq!(earlier.as_array().unwrap().len(), 1);
    assert_eq!((&earlier[0]["seed"], &earlier[0]["verdict"]), (&first["seed"], &first["verdict"]));
    assert_ne!(second["seed"], first["seed"]);
    assert!(ran.stdout.contains("this is attempt 2 on these commits"), "{}", ran.stdout);
    // The result of the second is judged again from its own values, and is what a third one goes on with.
    repo.benchgate(&["report", RESULT]).expect(0);
    repo.benchgate(&["check", "--earlier", RESULT]).expect(100);
    assert_eq!(pairs(&row(&repo, "a")), [10, 45]);
    assert_eq!(repo.result()["attempt"]["earlier"].as_array().unwrap().len(), 2);
}

#[test]
fn an_attempt_with_another_value_of_a_variable_of_the_policy_does_not_go_on() {
    let repo = Repo::new(&["a|1000|"]);
    repo.edit_policy("[\"FAKE_LOG\"]", "[\"FAKE_LOG\", \"SIZE\"]");
    repo.commit("a variable");
    repo.suite("speed", &["a|1001|"]);
    repo.commit("nothing");
    repo.benchgate(&["check"]).expect(0);
    let attempt = |size: Option<&str>| {
        let mut command = repo.command(&["check", "--earlier", RESULT]);
        command.envs(size.map(|size| ("SIZE", size)));
        Ran::of(command)
    };
    let ran = attempt(Some("big")).expect(2);
    assert!(ran.stderr.contains("what is measured or how differs"), "{}", ran.stderr);
    attempt(None).expect(0);
}

#[test]
fn a_run_with_something_open_says_how_to_go_on_and_that_command_works() {
    let repo = Repo::new(&["a|1000|", "b|50|"]);
    repo.suite("speed", &["a|1200|", "b|50|"]);
    repo.commit("slower");
    let ran = repo.benchgate(&["check", "--format", "json"]).expect(100);
    let line =
        ran.stderr.lines().find(|line| line.contains("more pairs of what is open: ")).unwrap();
    let (_, command) = line.split_once(": benchgate ").unwrap();
    let words: Vec<&str> = command.split(' ').collect();
    repo.plain(&words).expect(100);
    assert_eq!(pairs(&row(&repo, "a")), [10, 30]);
    // Nothing is open in what passes.
    let repo = Repo::new(&["a|1000|"]);
    repo.commit("second");
    let ran = repo.benchgate(&["check"]).expect(0);
    assert!(!ran.stderr.contains("more pairs"), "{}", ran.stderr);
}

#[test]
fn an_attempt_on_something_else_is_refused_and_the_earlier_result_stays() {
    let repo = slower();
    let first = repo.result();
    let refused = |arguments: &[&str], why: &str| {
        let ran = repo.benchgate(&[&["check", "--earlier", RESULT], arguments].concat()).expect(2);
        assert!(ran.stderr.contains(why), "{}", ran.stderr);
        assert!(ran.stderr.contains("measure on its own, without --earlier"), "{}", ran.stderr);
        assert_eq!(repo.result(), first);
    };
    refused(&["--filter", "a"], "what is measured or how differs");
    refused(&["--fail-on", "note"], "the policy differs");
    repo.suite("speed", &["a|1300|", "b|50|"]);
    refused(&[], "the code of the base differs");
    let forged = repo.path("forged.json");
    let mut result = first.clone();
    result["verdict"] = "pass".into();
    repo.git(&["checkout", "--quiet", "--force", "HEAD"]);
    std::fs::write(&forged, result.to_string()).unwrap();
    let forged = forged.to_string_lossy();
    let ran = repo.benchgate(&["check", "--head", "HEAD", "--earlier", &forged]).expect(2);
    assert!(ran.stderr.contains("it contradicts its own values"), "{}", ran.stderr);
    let ran = repo.benchgate(&["check", "--earlier", "gone.json"]).expect(2);
    assert!(ran.stderr.contains("no such file: gone.json"), "{}", ran.stderr);
}

#[test]
fn a_rule_that_is_exceeded_gets_more_rounds_in_the_next_attempt() {
    let repo = Repo::new(&["fast|600|", "plain|1250|"]);
    repo.policy(
        "[[rule]]\nbenchmark = \"fast\"\nshare = 0.5\nof = \"plain\"\nreason = \"promised\"",
    );
    repo.commit("a rule that is satisfied");
    repo.suite("speed", &["fast|600|", "plain|1000|"]);
    repo.commit("what it is a share of is faster");
    repo.benchgate(&["check"]).expect(100);
    assert_eq!(pairs(&row(&repo, "fast")), [10, 0]);
    repo.benchgate(&["check", "--earlier", RESULT]).expect(100);
    assert_eq!((pairs(&row(&repo, "fast"))[0], pairs(&row(&repo, "plain"))[0]), (20, 20));
    assert_eq!(repo.result()["rules"][0]["state"], "violated");
}

/// What the fakes look at to know that the test wants another behaviour now.
fn told(repo: &Repo) -> std::path::PathBuf {
    repo.outside("log/rounds.told")
}

fn tell(repo: &Repo, is_told: bool) {
    if is_told {
        std::fs::write(told(repo), "").unwrap();
    } else {
        std::fs::remove_file(told(repo)).unwrap();
    }
}

#[test]
fn a_run_is_resumed_with_the_earlier_result_that_it_went_on_with_and_with_no_other() {
    let repo = Repo::new(&["a|1000|", "b|50|waits for a file"]);
    repo.suite("speed", &["a|1200|", "b|60|waits for a file"]);
    repo.commit("slower");
    let go = repo.outside("log/rounds.go");
    let interrupt = |arguments: &[&str], exit: i32| {
        let begun = repo.log().len();
        let _ = std::fs::remove_file(&go);
        assert_eq!(interrupted(&repo, repo.command(arguments), begun + 3), exit);
        std::fs::write(&go, "").unwrap();
    };
    let refused = |arguments: &[&str], why: &str| {
        let ran = repo.benchgate(&[&["check", "--resume"], arguments].concat()).expect(2);
        assert!(ran.stderr.contains(why), "{}", ran.stderr);
    };
    interrupt(&["check"], 101);
    let first = repo.outside("first.json");
    std::fs::copy(repo.path(RESULT), &first).unwrap();
    let of_first = ["--earlier", &first.to_string_lossy()];
    refused(&of_first, "the interrupted run did not resume an earlier result");
    repo.benchgate(&["check"]).expect(100);
    // What the first attempt proved is as red as before.
    interrupt(&["check", "--earlier", RESULT], 100);
    assert_eq!(pairs(&row(&repo, "a")), [10, 16]);
    refused(&[], "the interrupted run went on with an earlier result");
    refused(&["--earlier", RESULT], "the interrupted run went on with another earlier result");
    let reason = repo.result()["suites"][0]["reason"].as_str().unwrap().to_owned();
    repo.plain(&named(&reason, "`benchgate ")).expect(100);
    assert_eq!(["a", "b"].map(|id| pairs(&row(&repo, id))), [[10, 30]; 2]);
    assert_eq!(repo.result()["attempt"]["earlier"].as_array().unwrap().len(), 1);
}

#[test]
fn what_an_attempt_has_no_values_of_is_kept_for_the_next_one() {
    let repo = Repo::new(&["a|1000|", "b|50|"]);
    repo.suite("speed", &["a|1200|panics when told", "b|50|"]);
    repo.commit("slower");
    repo.benchgate(&["check"]).expect(100);
    let first = row(&repo, "a");
    tell(&repo, true);
    repo.benchgate(&["check", "--earlier", RESULT]).expect(101);
    assert_eq!(row(&repo, "a")["finding"], "failed");
    assert_eq!(repo.result()["attempt"]["kept"], json!([first]));
    tell(&repo, false);
    repo.benchgate(&["check", "--earlier", RESULT]).expect(100);
    assert_eq!(pairs(&row(&repo, "a")), [10, 30]);
    let told = json!([{"screening": 10, "confirmation": 15}, {"screening": 0, "confirmation": 0}]);
    assert_eq!(row(&repo, "a")["evidence"]["earlier"], told);
    assert_eq!(repo.result()["attempt"]["kept"], Value::Null);
}

#[test]
fn a_base_that_does_not_build_once_takes_nothing_from_the_next_attempt() {
    let repo = Repo::empty();
    repo.suite("speed", &["a|1000|"]);
    let file = told(&repo);
    repo.write(
        "build.rs",
        &format!(
            "fn main() {{ println!(\"cargo:rerun-if-changed={0}\"); \
             assert!(!std::path::Path::new({0:?}).exists()); }}",
            file.display().to_string()
        ),
    );
    repo.commit("first");
    std::fs::remove_file(repo.path("build.rs")).unwrap();
    repo.suite("speed", &["a|1200|"]);
    repo.commit("slower");
    let check = |is_first: bool| {
        let earlier = if is_first { &[][..] } else { &["--earlier", RESULT] };
        repo.benchgate(&[&["check", "--rebuild"], earlier].concat())
    };
    // First it does not build, then it does.
    tell(&repo, true);
    check(true).expect(102);
    assert_eq!(row(&repo, "a")["finding"], "new");
    tell(&repo, false);
    check(false).expect(100);
    assert_eq!(pairs(&row(&repo, "a")), [10, 15]);
    // Then it does not again: what was measured of both sides waits for the attempt after that.
    tell(&repo, true);
    check(false).expect(102);
    assert_eq!(row(&repo, "a")["finding"], "new");
    tell(&repo, false);
    check(false).expect(100);
    assert_eq!(pairs(&row(&repo, "a")), [10, 30]);
}

#[test]
fn counts_that_differ_between_attempts_are_non_deterministic() {
    let repo = Repo::new(&["encode|1000|"]);
    repo.allocations(&["encode|1|10->11|100|100"]);
    repo.commit("allocations");
    repo.commit("next");
    let blocks = |arguments: &[&str], exit: i32| {
        repo.benchgate(&[&["check", "--pairs", "8"], arguments].concat()).expect(exit);
        let result = repo.result();
        let rows = result["benchmarks"].as_array().unwrap().clone();
        let row = rows.into_iter().find(|row| row["metric"] == "alloc.blocks").unwrap();
        format!("{} ({})", row["finding"], row["reason"]).replace('"', "")
    };
    assert_eq!(blocks(&[], 0), "unchanged (10 blocks, the same twice on both sides)");
    tell(&repo, true);
    let differs = "non-deterministic (10 and 11 blocks in two runs of base)";
    assert_eq!(blocks(&["--earlier", RESULT], 102), differs);
    assert_eq!(blocks(&["--earlier", RESULT], 102), differs);
}

#[test]
fn a_run_that_goes_on_with_nothing_forgets_what_the_last_one_went_on_with() {
    let repo = slower();
    let kept = repo.path("target/benchgate/earlier.json");
    repo.benchgate(&["check", "--earlier", RESULT]).expect(100);
    assert!(kept.is_file());
    repo.benchgate(&["check"]).expect(100);
    assert!(!kept.exists());
}
