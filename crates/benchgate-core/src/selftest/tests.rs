use super::*;
use crate::model::Change;
use crate::report::samples;
use crate::result::RunResult;

/// A result with these findings.
fn result(said: &[(&str, Metric, Finding)]) -> RunResult {
    let mut result = samples::pass();
    let template = result.benchmarks[0].clone();
    result.benchmarks = said
        .iter()
        .map(|(id, metric, finding)| BenchmarkReport {
            id: (*id).to_owned(),
            metric: metric.clone(),
            finding: *finding,
            change: Some(Change { estimate: 0.061, lower: None, upper: None }),
            ..template.clone()
        })
        .collect();
    result
}

fn ran(exit: i32, said: &[(&str, Metric, Finding)]) -> Ran {
    Ran { exit: Some(exit), result: Some(result(said)), stderr: String::new() }
}

fn canary(name: &str) -> Canary {
    CANARIES.iter().find(|canary| canary.name == name).unwrap().clone()
}

#[test]
fn every_canary_says_what_it_expects() {
    let table: String = CANARIES
        .iter()
        .map(|canary| {
            let report = canary.not_run("");
            format!("{} {}: {}\n", canary.run.name(), canary.name, report.expected)
        })
        .collect();
    insta::assert_snapshot!(table, @"
    slower unchanged: unchanged
    slower three-percent: note or worse
    slower six-percent: warning or worse
    slower twelve-percent: critical, exit 100
    slower allocation: critical, exit 100
    gone deleted: missing, exit 101
    gone renamed: missing, exit 101
    renamed renamed-announced: renamed, exit 0 or 102
    corrupt corrupt-baseline: `canaries.speed.json` is named, exit 101
    ");
}

#[test]
fn what_is_reported_is_compared_with_what_is_expected() {
    use CanaryState::{Failed, Missed, Seen, Unproven};
    let time = |name: &str, id: &str, exit: i32, finding| {
        canary(name).judge(&ran(exit, &[(id, Metric::TIME, finding)])).state
    };
    for (name, id, exit, finding, state) in [
        ("unchanged", "speed/same", 100, Finding::Unchanged, Seen),
        ("unchanged", "speed/same", 100, Finding::Inconclusive, Unproven),
        ("unchanged", "speed/same", 100, Finding::Note, Missed),
        ("unchanged", "speed/same", 100, Finding::Improved, Missed),
        ("three-percent", "speed/three_percent", 100, Finding::Note, Seen),
        ("three-percent", "speed/three_percent", 100, Finding::Unchanged, Missed),
        ("three-percent", "speed/three_percent", 100, Finding::Inconclusive, Unproven),
        ("six-percent", "speed/six_percent", 100, Finding::Warning, Seen),
        ("six-percent", "speed/six_percent", 100, Finding::Critical, Seen),
        ("six-percent", "speed/six_percent", 100, Finding::Note, Missed),
        ("twelve-percent", "speed/twelve_percent", 100, Finding::Critical, Seen),
        ("twelve-percent", "speed/twelve_percent", 100, Finding::Warning, Missed),
        ("twelve-percent", "speed/twelve_percent", 100, Finding::Failed, Failed),
        // The report is right and the exit code is not: CI would not fail.
        ("twelve-percent", "speed/twelve_percent", 0, Finding::Critical, Missed),
        ("deleted", "names/deleted", 101, Finding::Missing, Seen),
        ("deleted", "names/deleted", 0, Finding::Missing, Missed),
        ("renamed-announced", "names/old", 0, Finding::Renamed, Seen),
        ("renamed-announced", "names/old", 101, Finding::Missing, Missed),
        ("deleted", "names/kept", 0, Finding::Unchanged, Missed),
    ] {
        assert_eq!(time(name, id, exit, finding), state, "{name}: {finding:?}, exit {exit}");
    }
    // Another metric does not count.
    let other = canary("allocation")
        .judge(&ran(100, &[("allocations/buffers", Metric::ALLOC_PEAK, Finding::Critical)]));
    assert_eq!(
        (other.state, &*other.seen),
        (Missed, "allocations/buffers is not reported, exit 100")
    );
}

#[test]
fn a_gate_that_wrote_no_result_failed_and_its_last_line_is_shown() {
    let stderr = "error: cargo could not build\n    | no space left\n\n".to_owned();
    let report = canary("six-percent").judge(&Ran { exit: Some(101), result: None, stderr });
    assert_eq!(report.state, CanaryState::Failed);
    assert_eq!(report.seen, "no result: | no space left");
    let stopped = Ran { exit: None, result: None, stderr: String::new() };
    assert_eq!(canary("deleted").judge(&stopped).seen, "no result, stopped");
}

#[test]
fn a_corrupt_baseline_counts_only_where_the_file_is_named_and_nothing_passes() {
    let state = |exit, stderr: &str| {
        let ran = Ran { exit: Some(exit), result: None, stderr: stderr.to_owned() };
        canary("corrupt-baseline").judge(&ran).state
    };
    let stderr = "error: baselines/canary/canaries.speed.json: EOF";
    assert_eq!(state(101, stderr), CanaryState::Seen);
    assert_eq!(state(0, stderr), CanaryState::Missed);
    assert_eq!(state(101, "error: a baseline is corrupt"), CanaryState::Missed);
}

fn copied(id: &str, finding: Finding, detectable: Option<f64>) -> Copied {
    Copied {
        package: "parser".to_owned(),
        suite: "speed".to_owned(),
        id: id.to_owned(),
        metric: Metric::TIME,
        finding,
        detectable,
        pairs: 10,
        seconds: 0.84,
        reason: "because of this".to_owned(),
    }
}

fn selftest() -> SelfTest {
    let seen = ran(100, &[("speed/six_percent", Metric::TIME, Finding::Warning)]);
    SelfTest {
        schema: SELFTEST_SCHEMA.to_owned(),
        version: "0.1.0".to_owned(),
        time: "2026-11-21T04:00:00Z".to_owned(),
        machine: Machine::default(),
        head: Some(Origin { commit: "c0ffee".to_owned(), name: "HEAD".to_owned(), dirty: false }),
        seed: 42,
        seconds: 61.5,
        suites: Vec::new(),
        benchmarks: vec![
            copied("decode", Finding::Unchanged, Some(0.02)),
            copied("encode", Finding::Unchanged, Some(0.031)),
            copied("scan", Finding::Skipped, None),
        ],
        canaries: vec![canary("six-percent").judge(&seen)],
    }
}

#[test]
fn the_report_has_both_tables_and_one_line() {
    insta::assert_snapshot!(terminal(&selftest(), None));
    let mut bad = selftest();
    bad.benchmarks[1].finding = Finding::Note;
    bad.canaries.push(canary("deleted").not_run("it could not be fetched"));
    insta::assert_snapshot!(terminal(&bad, None));
}

#[test]
fn the_verdict_is_never_a_regression() {
    let verdict = |change: &dyn Fn(&mut SelfTest)| {
        let mut selftest = selftest();
        change(&mut selftest);
        selftest.verdict()
    };
    assert_eq!(verdict(&|_| {}), Verdict::Pass);
    for finding in [Finding::Critical, Finding::Note, Finding::Improved, Finding::Failed] {
        assert_eq!(verdict(&|s| s.benchmarks[0].finding = finding), Verdict::Incomplete);
    }
    // Nothing was compared, so nothing is shown.
    assert_eq!(verdict(&|s| s.benchmarks.clear()), Verdict::Incomplete);
    assert_eq!(verdict(&|s| (s.head, s.benchmarks) = (None, Vec::new())), Verdict::Pass);
    for state in [CanaryState::Missed, CanaryState::Failed] {
        assert_eq!(verdict(&|s| s.canaries[0].state = state), Verdict::Incomplete);
    }
    assert_eq!(
        verdict(&|s| s.benchmarks[0].finding = Finding::Inconclusive),
        Verdict::Inconclusive
    );
    assert_eq!(verdict(&|s| s.canaries[0].state = CanaryState::Unproven), Verdict::Inconclusive);
}

#[test]
fn a_selftest_is_read_back_as_it_was_written_and_refused_by_its_key() {
    let good = selftest();
    let text = good.to_json();
    assert_eq!(SelfTest::from_json(text.as_bytes()), Ok(good));
    let table: String = [
        ("another version", text.replace("selftest/1", "selftest/2")),
        ("an unknown key", text.replace("\"seed\"", "\"sead\"")),
        ("an unknown state", text.replace("\"seen\",", "\"heard\",")),
        ("no slowdown", text.replace("0.031", "0")),
        ("seconds backwards", text.replace("61.5", "-61.5")),
        ("truncated", text[..text.len() / 2].to_owned()),
    ]
    .iter()
    .map(|(what, text)| format!("{what}: {}\n", SelfTest::from_json(text.as_bytes()).unwrap_err()))
    .collect();
    insta::assert_snapshot!(table);
}
