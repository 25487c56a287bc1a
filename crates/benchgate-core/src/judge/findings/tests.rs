use super::*;
use crate::judge::{Context, decide};
use crate::model::{Level, SkipReason, SuiteKey, Verdict};
use crate::policy::Policy;
use crate::result::{RunResult, SuiteReport};

fn compared(id: &str, ratio: f64) -> Observation {
    let rounds = Rounds { base: vec![1000.0; 15], head: vec![1000.0 * ratio; 15] };
    let mean = Means { base: Some(1000.0), head: Some(1000.0 * ratio) };
    let evidence = Evidence { confirmation: rounds.clone(), rounds, mean, ..Evidence::default() };
    Observation {
        key: BenchmarkKey::new("p", "s", id),
        metric: Metric::TIME,
        outcome: Outcome::Compared { evidence: Box::new(evidence), renamed_from: None },
    }
}

fn other(id: &str, outcome: Outcome) -> Observation {
    Observation { key: BenchmarkKey::new("p", "s", id), metric: Metric::TIME, outcome }
}

fn failed() -> Outcome {
    Outcome::Failed { side: Side::Head, reason: "exit 101".into(), output: "boom".into() }
}

fn removed(is_accepted: bool) -> Observation {
    other("b", Outcome::Removed { reason: "obsolete".into(), is_accepted })
}

fn missing() -> Outcome {
    Outcome::Missing { candidates: Vec::new(), base: Vec::new() }
}

fn run(observed: Vec<Observation>, policy: &Policy, method: Method) -> RunResult {
    decide(observed, Vec::new(), policy, Context { method, ..Context::default() })
}

fn verdict(observed: Vec<Observation>) -> Verdict {
    run(observed, &Policy::default(), Method::Paired).verdict
}

#[test]
fn the_head_that_is_shown_agrees_with_the_base_and_the_change() {
    // The median of the ratios is 1, and the median of the heads 8 % above that of the bases.
    let pairs = [(60.0, 70.0), (65.0, 65.0), (80.0, 70.0)].repeat(5);
    let (base, head) = pairs.into_iter().unzip();
    let evidence = Evidence { rounds: Rounds { base, head }, ..Evidence::default() };
    let outcome = Outcome::Compared { evidence: Box::new(evidence), renamed_from: None };
    let result = run(vec![other("a", outcome)], &Policy::default(), Method::Paired);
    let shown = &result.benchmarks[0];
    assert_eq!((shown.base, shown.head), (Some(65.0), Some(65.0)));
    assert_eq!(shown.change.map(|change| change.estimate), Some(0.0));
}

#[test]
fn the_most_severe_finding_is_the_verdict() {
    let scattered = {
        let head = (0..15).map(|i| 700.0 + 50.0 * f64::from(i)).collect();
        let rounds = Rounds { base: vec![1000.0; 15], head };
        let confirmation = rounds.clone();
        let evidence = Evidence { rounds, confirmation, ..Evidence::default() };
        other("d", Outcome::Compared { evidence: Box::new(evidence), renamed_from: None })
    };
    for (what, observed, expected) in [
        ("the same on both sides", vec![compared("a", 1.0)], Verdict::Pass),
        ("faster", vec![compared("a", 0.5)], Verdict::Pass),
        ("slower by a warning", vec![compared("a", 1.07)], Verdict::Pass),
        ("slower by a critical", vec![compared("a", 1.2)], Verdict::Regression),
        ("missing", vec![compared("a", 1.0), other("b", missing())], Verdict::Incomplete),
        ("failed", vec![compared("a", 1.0), other("b", failed())], Verdict::Incomplete),
        (
            "slower and missing",
            vec![compared("a", 1.2), other("b", missing())],
            Verdict::Regression,
        ),
        (
            "a new one",
            vec![compared("a", 1.0), other("b", Outcome::new_one(vec![1.0]))],
            Verdict::Pass,
        ),
        ("scattered", vec![compared("a", 1.0), scattered.clone()], Verdict::Inconclusive),
        ("scattered and failed", vec![scattered, other("b", failed())], Verdict::Incomplete),
        ("nothing", vec![], Verdict::Incomplete),
        ("the first ones", vec![other("b", Outcome::new_one(vec![1.0]))], Verdict::Pass),
        ("new, and never run", vec![other("b", Outcome::new_one(vec![]))], Verdict::Incomplete),
        ("removed as agreed", vec![compared("a", 1.0), removed(true)], Verdict::Pass),
        ("removed by the change", vec![compared("a", 1.0), removed(false)], Verdict::Inconclusive),
        (
            "all skipped",
            vec![other("b", Outcome::Skipped { reason: "r".into() })],
            Verdict::Incomplete,
        ),
    ] {
        assert_eq!(verdict(observed), expected, "{what}");
    }
}

#[test]
fn a_suite_that_failed_is_incomplete_even_if_all_the_others_pass() {
    let suite = |finding| SuiteReport {
        finding,
        skip: (finding == Finding::Skipped).then_some(SkipReason::BuiltInHarness),
        ..SuiteReport::failed(SuiteKey::new("p", "t"), "", "")
    };
    let verdict = |finding| {
        let observed = vec![compared("a", 1.0)];
        decide(observed, vec![suite(finding)], &Policy::default(), Context::default()).verdict
    };
    assert_eq!(verdict(Finding::Failed), Verdict::Incomplete);
    assert_eq!(verdict(Finding::Missing), Verdict::Incomplete);
    assert_eq!(verdict(Finding::Skipped), Verdict::Pass);
}

#[test]
fn fail_on_warning_makes_a_warning_red_and_an_override_spares_one_benchmark() {
    let policy = Policy::parse(
        "[gate]\nfail-on = \"warning\"\n[[override]]\nbenchmark = \"b\"\nfail-on = \"critical\"",
    )
    .unwrap();
    let result = run(vec![compared("a", 1.07), compared("b", 1.07)], &policy, Method::Paired);
    let reports = result.benchmarks;
    assert_eq!([reports[0].blocking, reports[1].blocking], [true, false]);
    assert_eq!([reports[0].limit, reports[1].limit], [0.05, 0.10]);
    assert_eq!(reports[1].fail_on, Level::Critical);
    assert_eq!(result.verdict, Verdict::Regression);
}

#[test]
fn a_renamed_benchmark_is_judged_under_its_new_name_and_named_under_its_old() {
    let mut observed = compared("new", 1.2);
    if let Outcome::Compared { renamed_from, .. } = &mut observed.outcome {
        *renamed_from = Some(BenchmarkKey::new("p", "s", "old"));
    }
    let reports = run(vec![observed], &Policy::default(), Method::Paired).benchmarks;
    let findings: Vec<_> = reports.iter().map(|r| (r.id.as_str(), r.finding)).collect();
    assert_eq!(findings, [("new", Finding::Critical), ("old", Finding::Renamed)]);
}

#[test]
fn a_record_compared_with_itself_is_identical() {
    let finding =
        |method| run(vec![compared("a", 1.0)], &Policy::default(), method).benchmarks[0].finding;
    assert_eq!(finding(Method::Recorded), Finding::Identical);
    assert_eq!(finding(Method::Paired), Finding::Unchanged);
}

#[test]
fn a_comparison_without_rounds_is_a_failure_and_not_a_pass() {
    let empty = Outcome::Compared { evidence: Box::default(), renamed_from: None };
    assert_eq!(verdict(vec![other("a", empty)]), Verdict::Incomplete);
}

/// Rounds that are not paired, without a change.
fn recorded(id: &str) -> Observation {
    let rounds = Rounds { base: vec![1000.0; 15], head: vec![1000.0; 15] };
    let evidence = Box::new(Evidence { rounds, ..Evidence::default() });
    other(id, Outcome::Compared { evidence, renamed_from: None })
}

#[test]
fn a_rule_and_the_benchmarks_of_two_records_share_the_error_of_the_run() {
    let limits = |_: &BenchmarkKey| Policy::default().limits;
    let survives = |benchmarks: usize, method| {
        let observed = (0..benchmarks).map(|i| recorded(&i.to_string())).collect();
        judge(observed, &limits, method, &[Some(0.004)], 0.01, 60).1
    };
    assert_eq!(survives(1, Method::Baseline), [true], "half of 0.01 is its share");
    assert_eq!(survives(2, Method::Baseline), [false], "a third is less than 0.004");
    assert_eq!(survives(1, Method::Recorded), [true]);
    assert_eq!(survives(2, Method::Recorded), [false]);
}
