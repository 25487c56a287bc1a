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

/// Rounds that ran a copy.
fn copies(repo: &Repo) -> usize {
    repo.log().iter().filter(|(program, ..)| program.contains("/bin/moved/pair/")).count()
}

/// A policy that leaves layouts as they are by default, apart from their number.
fn with_layouts(repo: &Repo, layouts: u32, more: &str) {
    let build = format!("[build]\nprofile = \"own\"\nlayouts = {layouts}\n");
    repo.write("benchgate.toml", &format!("{build}{}{more}", repo.sandbox()));
    repo.commit("policy");
}

/// Whether anything that was linked is kept, to be linked again.
fn keeps_links(repo: &Repo) -> bool {
    let mut find = std::process::Command::new("find");
    find.arg(repo.path("target/benchgate")).args(["-name", "*.link"]);
    let found = find.output().unwrap();
    assert!(found.status.success());
    !found.stdout.is_empty()
}

#[test]
fn every_confirmation_pair_runs_in_a_layout_of_its_own() {
    let repo = Repo::new(&["a|1000|", "b|50|"]);
    with_layouts(&repo, 16, "");
    repo.suite("speed", &["a|1300|", "b|50|"]);
    repo.commit("slower");
    let ran = repo.benchgate(&["check"]);
    let result = repo.result();
    let slow = &result["benchmarks"][0];
    let layouts: Vec<u64> = slow["evidence"]["layouts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|layout| layout.as_u64().unwrap())
        .collect();
    let reason = slow["reason"].as_str().unwrap();
    // Sections are moved where the linker can; elsewhere the report says that it could not.
    if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        ran.expect(100);
        assert_eq!(repo.findings(), ["a: critical", "b: unchanged"]);
        assert_eq!(layouts, (1..=15).collect::<Vec<_>>());
        assert!(reason.contains("in 15 layouts of the same code"), "{reason}");
        assert_eq!(copies(&repo), 2 * 15);
        assert!(keeps_links(&repo));
    } else {
        ran.expect(102);
        assert_eq!(layouts, [0; 15]);
        assert!(reason.starts_with("layout not ruled out: "), "{reason}");
    }
    assert!(result["benchmarks"][1]["evidence"].get("layouts").is_none());
    // Each pair's layout is kept with it, and files of other layouts are not.
    let journal = std::fs::read_to_string(repo.path("target/benchgate/journal.jsonl")).unwrap();
    let kept = journal.lines().filter(|line| line.contains("\"layout\":")).count();
    assert_eq!(kept, 15, "{journal}");
    assert!(!repo.path("target/benchgate/bin/moved").exists());
}

#[test]
fn a_resumed_run_goes_on_with_the_layout_of_the_next_pair_and_not_with_another_number_of_them() {
    let repo = Repo::new(&["a|1000|"]);
    with_layouts(&repo, 16, "");
    repo.suite("speed", &["a|1300|"]);
    repo.commit("slower");
    let whole = repo.benchgate(&["check"]);
    let result = repo.result();
    let path = repo.path("target/benchgate/journal.jsonl");
    let journal = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = journal.lines().collect();
    let begun = || std::fs::write(&path, lines[..lines.len() - 4].join("\n") + "\n").unwrap();
    begun();
    let before = copies(&repo);
    let resumed = repo.benchgate(&["check", "--resume"]);
    assert_eq!(resumed.code, whole.code);
    assert_eq!(repo.result()["benchmarks"], result["benchmarks"]);
    assert_eq!(copies(&repo) - before, 2 * 4);
    begun();
    let other = repo.outside("other.toml");
    std::fs::write(&other, format!("[build]\nprofile = \"own\"\n{}", repo.sandbox())).unwrap();
    let policy = other.to_string_lossy().into_owned();
    let ran = repo.benchgate(&["check", "--resume", "--policy", &policy]).expect(2);
    assert!(ran.stderr.contains("measured with other settings"), "{}", ran.stderr);
}

#[test]
fn a_slowdown_in_one_layout_alone_is_inconclusive_unless_the_policy_has_it_fail() {
    let repo = Repo::new(&["a|1000|"]);
    with_layouts(&repo, 0, "");
    repo.suite("speed", &["a|1300|"]);
    repo.commit("slower");
    repo.benchgate(&["check"]).expect(102);
    let result = repo.result();
    let slow = &result["benchmarks"][0];
    let reason = slow["reason"].as_str().unwrap();
    assert!(reason.starts_with("layout not ruled out: 30."), "{reason}");
    assert!(reason.contains("(critical above 10.0 %)"), "{reason}");
    assert!(reason.contains("but `layouts` of the policy is 0"), "{reason}");
    // Instructions are counted all the same, or the reason is given.
    assert!(reason.contains("instructions "), "{reason}");
    let evidence = &slow["evidence"];
    assert_eq!(evidence["layouts"].as_array().unwrap().len(), 15);
    assert_eq!(copies(&repo), 2 * 15);
    assert!(evidence.get("instructions").is_some() || evidence.get("not_counted").is_some());
    let notices = result["notices"].to_string();
    assert!(
        notices.contains("`parser.speed` was not measured in other layouts of its code"),
        "{notices}"
    );
    assert!(!keeps_links(&repo));
    let path = repo.path("target/benchgate/result.json");
    repo.benchgate(&["report", &path.to_string_lossy()]).expect(0);
    with_layouts(&repo, 0, "[gate]\nlayout-not-ruled-out = \"fail\"\n");
    repo.suite("speed", &["a|1700|"]);
    repo.commit("slower again");
    repo.benchgate(&["check"]).expect(100);
    assert_eq!(repo.findings(), ["a: critical"]);
    let reason = repo.result()["benchmarks"][0]["reason"].to_string();
    assert!(reason.contains("; layout not ruled out: `layouts` of the policy is 0"), "{reason}");
    repo.benchgate(&["report", &path.to_string_lossy()]).expect(0);
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
    repo.policy("[[rule]]\nbenchmark = \"b\"\nbudget = \"1ns\"\nreason = \"violated\"\n");
    repo.commit("another suite, and a rule about it");
    repo.suite("speed", &["a|1001|"]);
    repo.commit("hardly slower");
    repo.benchgate(&["check", "--suite", "speed"]).expect(0);
    assert_eq!(repo.result()["rules"][0]["state"], "skipped");
    let result = repo.path("target/benchgate/result.json");
    repo.benchgate(&["compare", &result.to_string_lossy()]).expect(0);
}
