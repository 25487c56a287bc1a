//! The adaptive loop, end to end: budgets, drift from a baseline, other layouts.

use crate::support::Repo;

#[test]
fn benchmarks_that_the_budget_was_too_short_for_are_named_and_not_green() {
    let repo = Repo::new(&["a|1000|", "b|50|"]);
    repo.commit("second");
    let ran = repo.benchgate(&["check", "--budget", "1ms"]).expect(102);
    assert_eq!(repo.findings(), ["a: inconclusive", "b: inconclusive"]);
    assert!(repo.log().is_empty(), "{:?}", repo.log());
    assert!(
        ran.stdout.contains("the budget of 1ms ended before 2 benchmarks were settled: "),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("there was no time left for it"), "{}", ran.stdout);
    assert!(repo.result()["reproduce"].as_str().unwrap().contains("--budget 1ms"));
}

#[test]
fn a_budget_holds_where_the_committed_baseline_decides_too() {
    let repo = Repo::new(&["a|1000|", "b|50|"]);
    repo.benchgate(&["baseline", "save", "--machine", "m"]).expect(0);
    repo.commit("a baseline");
    repo.commit("second");
    let check = ["check", "--baseline", "--machine", "m", "--budget", "1ms"];
    let ran = repo.benchgate(&check).expect(102);
    assert_eq!(repo.findings(), ["a: inconclusive", "b: inconclusive"]);
    assert!(
        ran.stdout.contains("the budget of 1ms ended before 2 benchmarks were settled: "),
        "{}",
        ran.stdout
    );
}

#[test]
fn what_is_slower_than_the_committed_baseline_gets_its_pairs_first() {
    let repo = Repo::new(&["a|1000|"]);
    repo.suite("later", &["b|100|"]);
    repo.commit("another suite");
    repo.benchgate(&["baseline", "save", "--machine", "m"]).expect(0);
    repo.commit("a baseline");
    repo.suite("speed", &["a|1040|"]);
    repo.suite("later", &["b|101|"]);
    repo.commit("slower");
    std::fs::remove_file(repo.outside("log/rounds")).unwrap();
    repo.benchgate(&["check", "--machine", "m"]).expect(0);
    let order: String = repo
        .log()
        .iter()
        .map(|(executable, ..)| if executable.contains("speed") { 'a' } else { 'b' })
        .collect();
    // `b` is 1 % above it. Three pairs of each, then all of what is 4 % above.
    assert!(order.starts_with(&format!("{}{}bb", "bbaa".repeat(3), "aa".repeat(7))), "{order}");
}

#[test]
fn a_slow_sum_of_small_steps_has_drifted() {
    let repo = Repo::new(&["a|1000|", "b|50|"]);
    repo.benchgate(&["baseline", "save", "--machine", "m"]).expect(0);
    repo.commit("a baseline");
    // Many commits later.
    repo.suite("speed", &["a|1080|", "b|50|"]);
    repo.commit("slower, step by step");
    repo.commit("the last step");
    let ran = repo.benchgate(&["check", "--machine", "m"]).expect(0);
    assert_eq!(repo.findings(), ["a: drifted", "b: unchanged"]);
    let drift = &repo.result()["benchmarks"][0]["drift"]["estimate"];
    assert!((drift.as_f64().unwrap() - 0.08).abs() < 1e-9, "{drift}");
    assert!(
        ran.stdout
            .contains("no slower than its base, but 8.0 % slower than the committed baseline"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_quiet_machine_may_let_the_committed_baseline_decide() {
    let repo = Repo::new(&["a|1000|"]);
    repo.policy("[gate]\nmethod = \"baseline\"\n");
    repo.commit("policy");
    repo.benchgate(&["baseline", "save", "--machine", "m"]).expect(0);
    repo.commit("a baseline");
    repo.suite("speed", &["a|1200|"]);
    repo.commit("slower");
    repo.commit("words");
    // Compared with its base it is unchanged.
    repo.benchgate(&["check", "--machine", "m"]).expect(100);
    assert_eq!(repo.result()["method"], "baseline");
    assert_eq!(repo.findings(), ["a: critical"]);
}

#[test]
fn what_would_be_red_is_measured_in_other_layouts_of_its_code_too() {
    let repo = Repo::new(&["a|1000|", "b|50|"]);
    let build = "[build]\nprofile = \"own\"\nlayouts = 2\n";
    repo.write("benchgate.toml", &format!("{build}{}", repo.sandbox()));
    repo.commit("policy");
    repo.suite("speed", &["a|1300|", "b|50|"]);
    repo.commit("slower");
    repo.benchgate(&["check"]).expect(100);
    assert_eq!(repo.findings(), ["a: critical", "b: unchanged"]);
    let result = repo.result();
    let slow = &result["benchmarks"][0];
    let layouts = slow["evidence"]["layouts"].as_array().map_or(0, Vec::len);
    let notices = result["notices"].to_string();
    // Sections are moved where the linker can; elsewhere the report says that it could not.
    if layouts == 0 {
        assert!(notices.contains("was not measured in other layouts of its code"), "{notices}");
    } else {
        assert_eq!(layouts, 2);
        assert_eq!(slow["evidence"]["layouts"][1]["rounds"]["head"].as_array().unwrap().len(), 6);
        let reason = slow["reason"].as_str().unwrap();
        assert!(reason.contains("and in all of 2 other layouts of the same code"), "{reason}");
    }
    assert!(result["benchmarks"][1].get("layouts").is_none());
}

#[test]
fn a_result_that_was_edited_is_not_shown() {
    let repo = Repo::new(&["a|1000|"]);
    repo.suite("speed", &["a|1300|"]);
    repo.commit("slower");
    repo.benchgate(&["check"]).expect(100);
    let path = repo.path("target/benchgate/result.json");
    let text = std::fs::read_to_string(&path).unwrap();
    repo.benchgate(&["report", &path.to_string_lossy()]).expect(0);
    let edited = text.replace(
        "\"critical\",\n      \"blocking\": true",
        "\"unchanged\",\n      \"blocking\": false",
    );
    assert_ne!(text, edited);
    std::fs::write(&path, edited).unwrap();
    let ran = repo.benchgate(&["report", &path.to_string_lossy()]).expect(101);
    assert!(
        ran.stderr.contains("`a` is said to be unchanged, but its values give critical"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_rule_about_a_suite_that_was_not_selected_is_skipped_and_does_not_fail_the_run() {
    let repo = Repo::new(&["a|1000|"]);
    repo.suite("later", &["b|100|"]);
    repo.policy("[[rule]]\nbenchmark = \"b\"\nbudget = \"1ns\"\nreason = \"broken\"\n");
    repo.commit("another suite, and a rule about it");
    repo.suite("speed", &["a|1001|"]);
    repo.commit("hardly slower");
    repo.benchgate(&["check", "--suite", "speed"]).expect(0);
    assert_eq!(repo.result()["rules"][0]["state"], "skipped");
    let result = repo.path("target/benchgate/result.json");
    repo.benchgate(&["compare", &result.to_string_lossy()]).expect(0);
}
