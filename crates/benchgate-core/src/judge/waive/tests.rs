use super::*;
use crate::judge::{Compared, Counted, Observed, Outcome, judge, verdict};
use crate::model::{Side, Verdict};
use crate::result::{Means, Method, Rounds};

/// Fifteen pairs, `percent` slower with a scatter of `scatter` percent.
fn timed(id: &str, percent: f64, scatter: f64) -> Observed {
    let head = (0..15)
        .map(|i| {
            let away = scatter / 100.0 * (f64::from(i) - 7.0) / 7.0;
            1000.0 * (1.0 + percent / 100.0) * (1.0 + away)
        })
        .collect();
    let rounds = Rounds { base: vec![1000.0; 15], head };
    let confirmation = if percent.abs() > 2.0 { rounds.clone() } else { Rounds::default() };
    seen(
        id,
        Outcome::Compared(Box::new(Compared {
            rounds,
            confirmation,
            means: Means::default(),
            baseline: Vec::new(),
            instructions: None,
            layouts: Vec::new(),
            renamed_from: None,
        })),
    )
}

fn counted(id: &str, base: f64, head: f64) -> Observed {
    let counted = Counted { base: [base; 2], head: [head; 2] };
    let outcome = Outcome::Counted { counted, renamed_from: None };
    Observed { metric: Metric::AllocBlocks, ..seen(id, outcome) }
}

fn seen(id: &str, outcome: Outcome) -> Observed {
    Observed { key: BenchmarkKey::new("p", "s", id), metric: Metric::Time, outcome }
}

fn failed(id: &str) -> Observed {
    let outcome =
        Outcome::Failed { side: Side::Head, reason: "exit 3".into(), output: String::new() };
    seen(id, outcome)
}

fn missing(id: &str) -> Observed {
    seen(id, Outcome::Missing { candidates: Vec::new(), base: Vec::new() })
}

struct Told {
    verdict: Verdict,
    findings: Vec<(Finding, bool)>,
    states: Vec<&'static str>,
    reasons: Vec<String>,
    remarks: Vec<String>,
}

struct Case<'a> {
    policy: String,
    trailers: &'a [&'a str],
    head: Option<&'a str>,
    suites: &'a [SuiteReport],
    whole: bool,
}

fn case(policy: impl Into<String>) -> Case<'static> {
    Case { policy: policy.into(), trailers: &[], head: None, suites: &[], whole: true }
}

impl Case<'_> {
    fn tell(&self, observed: Vec<Observed>) -> Told {
        let policy = Policy::parse(&self.policy).unwrap();
        let head = self.head.map(|text| Policy::parse(text).unwrap());
        let trailers: Vec<Trailer> = self
            .trailers
            .iter()
            .map(|text| Trailer { commit: "0123456789abcdef".into(), text: (*text).to_owned() })
            .collect();
        let request = Request {
            today: "2026-06-15".parse().unwrap(),
            trailers: &trailers,
            head: head.as_ref(),
            whole: self.whole,
        };
        let mut benchmarks = judge(observed, &policy, Method::Paired);
        let (waivers, remarks) = waive(&mut benchmarks, self.suites, &policy, &request);
        Told {
            verdict: verdict(&benchmarks, self.suites, &[]).max(waivers.verdict()),
            findings: benchmarks.iter().map(|b| (b.finding, b.blocking)).collect(),
            states: waivers.entries.iter().map(|w| w.state.name()).collect(),
            reasons: benchmarks.into_iter().map(|b| b.reason).collect(),
            remarks,
        }
    }
}

const TERM: &str = "until = 2026-06-15\nissue = \"#7\"\nreason = \"because\"\n";

fn waiver(rest: &str) -> String {
    format!("[[waiver]]\n{TERM}{rest}\n")
}

fn quarantine(rest: &str) -> String {
    format!("[[quarantine]]\n{TERM}{rest}\n")
}

#[test]
fn a_waiver_accepts_what_is_within_its_ceiling_and_says_what_is_beyond() {
    let case = case(waiver("benchmark = \"a\"\nceiling = 13"));
    for (percent, scatter, finding, blocking, state, expected) in [
        (12.0, 0.1, Finding::Waived, false, "honoured", Verdict::Pass),
        (13.0, 0.0, Finding::Waived, false, "honoured", Verdict::Pass),
        (6.0, 0.1, Finding::Waived, false, "honoured", Verdict::Pass),
        (13.5, 0.1, Finding::Critical, true, "exceeded", Verdict::Regression),
        (0.0, 0.1, Finding::Unchanged, false, "unneeded", Verdict::Pass),
        (-20.0, 0.1, Finding::Improved, false, "unneeded", Verdict::Pass),
        // 10 % is not ruled out, 13 % is.
        (8.0, 4.0, Finding::Waived, false, "honoured", Verdict::Pass),
        (8.0, 20.0, Finding::Inconclusive, false, "unneeded", Verdict::Inconclusive),
    ] {
        let told = case.tell(vec![timed("a", percent, scatter), timed("b", 0.0, 0.1)]);
        assert_eq!(told.findings[0], (finding, blocking), "{percent} ± {scatter} %");
        assert_eq!((told.states[0], told.verdict), (state, expected), "{percent} ± {scatter} %");
    }
    let told = case.tell(vec![timed("a", 12.0, 0.1), timed("b", 12.0, 0.1)]);
    assert_eq!(told.verdict, Verdict::Regression, "the other one is not waived");
}

#[test]
fn the_reasons_say_who_accepts_what_until_when() {
    let policy = [
        waiver("benchmark = \"a\"\nceiling = 13"),
        waiver("benchmark = \"b\"\nceiling = 5"),
        waiver("benchmark = \"c\"\nceiling = 30").replace("2026-06-15", "2026-06-14"),
        quarantine("benchmark = \"d\""),
        "[gate]\ntrailers = true".to_owned(),
    ]
    .concat();
    let case = Case { trailers: &["e <= 12.5% a new check"], ..case(policy) };
    let slow = |id: &str| timed(id, 12.0, 0.1);
    let told = case.tell(vec![slow("a"), slow("b"), slow("c"), slow("d"), slow("e"), slow("f")]);
    insta::assert_snapshot!(told.reasons.join("\n"));
}

#[test]
fn a_waiver_of_the_time_is_none_of_the_allocations() {
    let observed = || vec![counted("a", 10.0, 12.0), timed("a", 0.0, 0.1)];
    let time = case(waiver("benchmark = \"a\"\nceiling = 50")).tell(observed());
    assert_eq!(time.verdict, Verdict::Regression);
    let blocks = waiver("benchmark = \"a\"\nmetric = \"alloc.blocks\"\nceiling = 20");
    assert_eq!(case(blocks).tell(observed()).verdict, Verdict::Pass);
}

#[test]
fn from_nothing_to_something_is_accepted_by_a_count_and_by_no_percentage() {
    let metric = "benchmark = \"a\"\nmetric = \"alloc.blocks\"";
    for (ceiling, expected) in [
        ("count = 2", Verdict::Pass),
        ("count = 1", Verdict::Regression),
        ("ceiling = 1000", Verdict::Regression),
    ] {
        let told = case(waiver(&format!("{metric}\n{ceiling}")))
            .tell(vec![counted("a", 0.0, 2.0), timed("a", 0.0, 0.1)]);
        assert_eq!(told.verdict, expected, "{ceiling}");
    }
}

#[test]
fn an_expired_waiver_or_quarantine_has_no_effect_and_is_named() {
    for entry in [waiver("benchmark = \"a\"\nceiling = 50"), quarantine("benchmark = \"a\"")] {
        let told =
            case(entry.replace("2026-06-15", "2026-06-14")).tell(vec![timed("a", 12.0, 0.1)]);
        assert_eq!((told.states[0], told.verdict), ("expired", Verdict::Regression));
        assert!(
            told.reasons[0].contains("expired: it held until 2026-06-14"),
            "{:?}",
            told.reasons
        );
    }
}

#[test]
fn a_quarantined_benchmark_is_shown_and_decides_nothing() {
    let case = case(quarantine("benchmark = \"a\""));
    for (observed, finding, expected) in [
        (timed("a", 12.0, 0.1), Finding::Critical, Verdict::Pass),
        (timed("a", 8.0, 30.0), Finding::Inconclusive, Verdict::Pass),
        (failed("a"), Finding::Failed, Verdict::Pass),
        // What is gone is not measured badly.
        (missing("a"), Finding::Missing, Verdict::Incomplete),
        (timed("a", 0.0, 0.1), Finding::Unchanged, Verdict::Pass),
    ] {
        let told = case.tell(vec![observed, timed("b", 0.0, 0.1)]);
        assert_eq!((told.findings[0].0, told.verdict), (finding, expected));
    }
    let told = case.tell(vec![timed("a", 12.0, 0.1), timed("b", 8.0, 30.0)]);
    assert_eq!(told.verdict, Verdict::Inconclusive, "the other one is not in quarantine");
}

#[test]
fn an_entry_that_matches_nothing_fails_the_gate_until_the_head_drops_it() {
    for entry in [waiver("benchmark = \"gone\"\nceiling = 5"), quarantine("benchmark = \"gone\"")] {
        let verdict_of = |case: Case<'_>| {
            let told = case.tell(vec![timed("a", 0.0, 0.1)]);
            (told.states[0], told.verdict)
        };
        assert_eq!(verdict_of(case(&*entry)), ("unmatched", Verdict::Incomplete));
        let kept = Case { head: Some(&entry), ..case(&*entry) };
        assert_eq!(verdict_of(kept), ("unmatched", Verdict::Incomplete));
        let dropped = Case { head: Some(""), ..case(&*entry) };
        assert_eq!(verdict_of(dropped), ("dropped", Verdict::Pass));
        // Two records need not hold every suite.
        let part = Case { whole: false, ..case(&*entry) };
        assert_eq!(verdict_of(part), ("skipped", Verdict::Pass));
    }
}

#[test]
fn a_benchmark_that_the_head_removes_leaves_its_waiver_with_something_to_match() {
    let told = case(waiver("benchmark = \"gone\"\nceiling = 5"))
        .tell(vec![timed("a", 0.0, 0.1), missing("gone")]);
    assert_eq!((told.states[0], told.verdict), ("unneeded", Verdict::Incomplete));
    let skipped = seen("gone", Outcome::Skipped { reason: "left out by --filter".into() });
    let told =
        case(waiver("benchmark = \"gone\"\nceiling = 5")).tell(vec![timed("a", 0.0, 0.1), skipped]);
    assert_eq!((told.states[0], told.verdict), ("skipped", Verdict::Pass));
}

#[test]
fn a_suite_that_could_not_be_measured_excuses_what_it_may_hold() {
    let suite = |finding| SuiteReport {
        package: "p".into(),
        suite: "t".into(),
        finding,
        reason: String::new(),
        output: String::new(),
    };
    let (failed, skipped) = ([suite(Finding::Failed)], [suite(Finding::Skipped)]);
    let any = waiver("benchmark = \"gone\"\nceiling = 5");
    let named = waiver("benchmark = \"gone\"\nsuite = \"t\"\nceiling = 5");
    for (policy, suites, expected) in [
        (&any, &failed, "skipped"),
        (&any, &skipped, "unmatched"),
        (&named, &failed, "skipped"),
        (&named, &skipped, "skipped"),
    ] {
        let told = Case { suites, ..case(policy.as_str()) }.tell(vec![timed("a", 0.0, 0.1)]);
        assert_eq!(told.states[0], expected);
    }
}

#[test]
fn trailers_are_honoured_up_to_their_ceiling_where_the_policy_allows_them() {
    let allowed = "[gate]\ntrailers = true";
    for (policy, trailer, expected) in [
        (allowed, "a <= 13% because", Verdict::Pass),
        (allowed, "* <= 13% because", Verdict::Pass),
        (allowed, "a <= 11% because", Verdict::Regression),
        (allowed, "b <= 13% because", Verdict::Regression),
        (allowed, "a <= 13%", Verdict::Regression),
        ("", "a <= 13% because", Verdict::Regression),
    ] {
        let told = Case { trailers: &[trailer], ..case(policy) }.tell(vec![timed("a", 12.0, 0.1)]);
        assert_eq!(told.verdict, expected, "{policy} {trailer}");
    }
    // A typo in a trailer is no error of the policy.
    let told =
        Case { trailers: &["b <= 13% because"], ..case(allowed) }.tell(vec![timed("a", 0.0, 0.1)]);
    assert_eq!((told.states[0], told.verdict), ("unmatched", Verdict::Pass));
}

#[test]
fn what_is_not_honoured_at_all_is_named_with_its_commit() {
    let forbidden =
        Case { trailers: &["a <= 13% because"], ..case("") }.tell(vec![timed("a", 0.0, 0.1)]);
    let malformed = Case { trailers: &["a <= 13"], ..case("[gate]\ntrailers = true") }
        .tell(vec![timed("a", 0.0, 0.1)]);
    insta::assert_snapshot!([forbidden.remarks, malformed.remarks].concat().join("\n"));
}

#[test]
fn the_suggested_trailer_accepts_the_very_benchmark_with_a_reason() {
    for (observed, line) in [
        (timed("x/decode", 12.0, 0.1), "Benchgate-Accept: x/decode <= 13% <why>"),
        (timed("x/decode", 11.4, 0.1), "Benchgate-Accept: x/decode <= 13% <why>"),
        (timed("x|`decode`", 30.0, 0.1), "Benchgate-Accept: x??decode? <= 31% <why>"),
        (counted("x", 10.0, 12.0), "Benchgate-Accept: x alloc.blocks <= 21% <why>"),
        (counted("x", 0.0, 2.0), "Benchgate-Accept: x alloc.blocks <= 2 blocks <why>"),
    ] {
        let observed = vec![observed];
        let report = judge(observed.clone(), &Policy::default(), Method::Paired).remove(0);
        assert_eq!(suggestion(&report), line);
        let value = line.trim_start_matches("Benchgate-Accept: ").replace("<why>", "because");
        let told = Case { trailers: &[&value], ..case("[gate]\ntrailers = true") }.tell(observed);
        assert_eq!(told.verdict, Verdict::Pass, "{line}");
    }
}
