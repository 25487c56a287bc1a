use super::*;
use crate::judge::verdict;
use crate::model::{Level, Verdict};
use crate::result::SuiteReport;

fn compared(id: &str, ratio: f64) -> Observed {
    let rounds = Rounds { base: vec![1000.0; 15], head: vec![1000.0 * ratio; 15] };
    let means = Means { base: Some(1000.0), head: Some(1000.0 * ratio) };
    Observed {
        key: BenchmarkKey::new("p", "s", id),
        metric: Metric::Time,
        outcome: Outcome::Compared(Box::new(Compared {
            confirmation: rounds.clone(),
            rounds,
            means,
            ..Compared::default()
        })),
    }
}

fn other(id: &str, outcome: Outcome) -> Observed {
    Observed { key: BenchmarkKey::new("p", "s", id), metric: Metric::Time, outcome }
}

fn failed() -> Outcome {
    Outcome::Failed { side: Side::Head, reason: "exit 101".into(), output: "boom".into() }
}

fn missing() -> Outcome {
    Outcome::Missing { candidates: Vec::new(), base: Vec::new() }
}

fn decide(observed: Vec<Observed>) -> Verdict {
    verdict(&judge(observed, &Policy::default(), Method::Paired), &[], &[])
}

#[test]
fn the_strongest_statement_is_the_verdict() {
    let scattered = {
        let head = (0..15).map(|i| 700.0 + 50.0 * f64::from(i)).collect();
        let rounds = Rounds { base: vec![1000.0; 15], head };
        let confirmation = rounds.clone();
        let compared = Compared { rounds, confirmation, ..Compared::default() };
        other("d", Outcome::Compared(Box::new(compared)))
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
            vec![compared("a", 1.0), other("b", Outcome::New { head: vec![1.0] })],
            Verdict::Pass,
        ),
        ("scattered", vec![compared("a", 1.0), scattered.clone()], Verdict::Inconclusive),
        ("scattered and failed", vec![scattered, other("b", failed())], Verdict::Incomplete),
        ("nothing", vec![], Verdict::Incomplete),
        ("only new ones", vec![other("b", Outcome::New { head: vec![1.0] })], Verdict::Incomplete),
        (
            "all skipped",
            vec![other("b", Outcome::Skipped { reason: "r".into() })],
            Verdict::Incomplete,
        ),
    ] {
        assert_eq!(decide(observed), expected, "{what}");
    }
}

#[test]
fn a_suite_that_failed_is_incomplete_though_all_the_others_pass() {
    let suite = |finding| SuiteReport {
        package: "p".into(),
        suite: "t".into(),
        finding,
        reason: String::new(),
        output: String::new(),
    };
    let benchmarks = judge(vec![compared("a", 1.0)], &Policy::default(), Method::Paired);
    assert_eq!(verdict(&benchmarks, &[suite(Finding::Failed)], &[]), Verdict::Incomplete);
    assert_eq!(verdict(&benchmarks, &[suite(Finding::Missing)], &[]), Verdict::Incomplete);
    assert_eq!(verdict(&benchmarks, &[suite(Finding::Skipped)], &[]), Verdict::Pass);
}

#[test]
fn fail_on_warning_makes_a_warning_red_and_an_override_spares_one_benchmark() {
    let policy = Policy::parse(
        "[gate]\nfail-on = \"warning\"\n[[override]]\nbenchmark = \"b\"\nfail-on = \"critical\"",
    )
    .unwrap();
    let reports = judge(vec![compared("a", 1.07), compared("b", 1.07)], &policy, Method::Paired);
    assert_eq!([reports[0].blocking, reports[1].blocking], [true, false]);
    assert_eq!([reports[0].limit, reports[1].limit], [0.05, 0.10]);
    assert_eq!(reports[1].fail_on, Level::Critical);
    assert_eq!(verdict(&reports, &[], &[]), Verdict::Regression);
}

#[test]
fn a_renamed_benchmark_is_judged_under_its_new_name_and_named_under_its_old() {
    let mut observed = compared("new", 1.2);
    if let Outcome::Compared(compared) = &mut observed.outcome {
        compared.renamed_from = Some("old".into());
    }
    let reports = judge(vec![observed], &Policy::default(), Method::Paired);
    let told: Vec<_> = reports.iter().map(|r| (r.id.as_str(), r.finding)).collect();
    assert_eq!(told, [("new", Finding::Critical), ("old", Finding::Renamed)]);
}

#[test]
fn a_record_held_against_itself_is_identical() {
    let reports = judge(vec![compared("a", 1.0)], &Policy::default(), Method::Recorded);
    assert_eq!(reports[0].finding, Finding::Identical);
    let reports = judge(vec![compared("a", 1.0)], &Policy::default(), Method::Paired);
    assert_eq!(reports[0].finding, Finding::Unchanged);
}

#[test]
fn a_comparison_without_rounds_is_a_failure_and_not_a_pass() {
    let empty = Outcome::Compared(Box::default());
    assert_eq!(decide(vec![other("a", empty)]), Verdict::Incomplete);
}
