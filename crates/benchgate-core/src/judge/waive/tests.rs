use super::*;
use crate::judge::{Context, Counted, Observation, Outcome, decide};
use crate::model::{BenchmarkKey, Evidence, Rounds, Side, SuiteKey, Twice, Verdict};

/// Fifteen pairs, `percent` slower with a scatter of `scatter` percent.
fn timed(id: &str, percent: f64, scatter: f64) -> Observation {
    let head = (0..15)
        .map(|i| {
            let away = scatter / 100.0 * (f64::from(i) - 7.0) / 7.0;
            1000.0 * (1.0 + percent / 100.0) * (1.0 + away)
        })
        .collect();
    let rounds = Rounds { base: vec![1000.0; 15], head };
    let confirmation = if percent.abs() > 2.0 { rounds.clone() } else { Rounds::default() };
    let evidence = Box::new(Evidence { rounds, confirmation, ..Evidence::default() });
    seen(id, Outcome::Compared { evidence, renamed_from: None })
}

fn counted(id: &str, base: f64, head: f64) -> Observation {
    let counted = Counted::twice(Twice::new(base, base), Twice::new(head, head));
    let outcome = Outcome::Counted { counted, renamed_from: None };
    Observation { metric: Metric::ALLOC_BLOCKS, ..seen(id, outcome) }
}

fn seen(id: &str, outcome: Outcome) -> Observation {
    Observation { key: BenchmarkKey::new("p", "s", id), metric: Metric::TIME, outcome }
}

fn failed(id: &str) -> Observation {
    let outcome =
        Outcome::Failed { side: Side::Head, reason: "exit 3".into(), output: String::new() };
    seen(id, outcome)
}

fn missing(id: &str) -> Observation {
    seen(id, Outcome::Missing { candidates: Vec::new(), base: Vec::new() })
}

struct Decided {
    verdict: Verdict,
    findings: Vec<(Finding, bool)>,
    states: Vec<&'static str>,
    reasons: Vec<String>,
    notices: Vec<String>,
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
    fn decide(&self, observed: Vec<Observation>) -> Decided {
        let policy = Policy::parse(&self.policy).unwrap();
        let trailers: Vec<Trailer> = self
            .trailers
            .iter()
            .map(|text| Trailer { commit: "0123456789abcdef".into(), text: (*text).to_owned() })
            .collect();
        let context = Context {
            today: "2026-06-15".parse().unwrap(),
            trailers,
            head_policy: self.head.map(|text| Policy::parse(text).unwrap()),
            is_narrowed: !self.whole,
            ..Context::default()
        };
        let result = decide(observed, self.suites.to_vec(), &policy, context);
        Decided {
            verdict: result.verdict,
            findings: result.benchmarks.iter().map(|b| (b.finding, b.blocking)).collect(),
            states: result.waivers.entries.iter().map(|w| w.state.name()).collect(),
            reasons: result.benchmarks.into_iter().map(|b| b.reason).collect(),
            notices: result.notices,
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
fn a_waiver_accepts_changes_up_to_its_ceiling_and_names_larger_ones() {
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
        let decided = case.decide(vec![timed("a", percent, scatter), timed("b", 0.0, 0.1)]);
        assert_eq!(decided.findings[0], (finding, blocking), "{percent} ± {scatter} %");
        assert_eq!(
            (decided.states[0], decided.verdict),
            (state, expected),
            "{percent} ± {scatter} %"
        );
    }
    let decided = case.decide(vec![timed("a", 12.0, 0.1), timed("b", 12.0, 0.1)]);
    assert_eq!(decided.verdict, Verdict::Regression, "the other one is not waived");
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
    let decided =
        case.decide(vec![slow("a"), slow("b"), slow("c"), slow("d"), slow("e"), slow("f")]);
    insta::assert_snapshot!(decided.reasons.join("\n"));
}

#[test]
fn a_waiver_of_the_time_does_not_apply_to_allocations() {
    let observed = || vec![counted("a", 10.0, 12.0), timed("a", 0.0, 0.1)];
    let time = case(waiver("benchmark = \"a\"\nceiling = 50")).decide(observed());
    assert_eq!(time.verdict, Verdict::Regression);
    let blocks = waiver("benchmark = \"a\"\nmetric = \"alloc.blocks\"\nceiling = 20");
    assert_eq!(case(blocks).decide(observed()).verdict, Verdict::Pass);
}

#[test]
fn an_increase_from_zero_is_accepted_by_a_count_and_not_by_a_percentage() {
    let metric = "benchmark = \"a\"\nmetric = \"alloc.blocks\"";
    for (ceiling, expected) in [
        ("count = 2", Verdict::Pass),
        ("count = 1", Verdict::Regression),
        ("ceiling = 1000", Verdict::Regression),
    ] {
        let decided = case(waiver(&format!("{metric}\n{ceiling}")))
            .decide(vec![counted("a", 0.0, 2.0), timed("a", 0.0, 0.1)]);
        assert_eq!(decided.verdict, expected, "{ceiling}");
    }
}

#[test]
fn an_expired_waiver_or_quarantine_has_no_effect_and_is_named() {
    for entry in [waiver("benchmark = \"a\"\nceiling = 50"), quarantine("benchmark = \"a\"")] {
        let decided =
            case(entry.replace("2026-06-15", "2026-06-14")).decide(vec![timed("a", 12.0, 0.1)]);
        assert_eq!((decided.states[0], decided.verdict), ("expired", Verdict::Regression));
        assert!(
            decided.reasons[0].contains("expired: it was valid until 2026-06-14"),
            "{:?}",
            decided.reasons
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
        // A quarantine does not cover a missing benchmark.
        (missing("a"), Finding::Missing, Verdict::Incomplete),
        (timed("a", 0.0, 0.1), Finding::Unchanged, Verdict::Pass),
    ] {
        let decided = case.decide(vec![observed, timed("b", 0.0, 0.1)]);
        assert_eq!((decided.findings[0].0, decided.verdict), (finding, expected));
    }
    let decided = case.decide(vec![timed("a", 12.0, 0.1), timed("b", 8.0, 30.0)]);
    assert_eq!(decided.verdict, Verdict::Inconclusive, "the other one is not in quarantine");
}

#[test]
fn an_entry_that_matches_nothing_fails_the_gate_until_the_head_drops_it() {
    for entry in [waiver("benchmark = \"gone\"\nceiling = 5"), quarantine("benchmark = \"gone\"")] {
        let verdict_of = |case: Case<'_>| {
            let decided = case.decide(vec![timed("a", 0.0, 0.1)]);
            (decided.states[0], decided.verdict)
        };
        assert_eq!(verdict_of(case(&*entry)), ("unmatched", Verdict::Incomplete));
        let same = Case { head: Some(&entry), ..case(&*entry) };
        assert_eq!(verdict_of(same), ("unmatched", Verdict::Incomplete));
        let dropped = Case { head: Some(""), ..case(&*entry) };
        assert_eq!(verdict_of(dropped), ("dropped", Verdict::Pass));
        // Two records need not hold every suite.
        let part = Case { whole: false, ..case(&*entry) };
        assert_eq!(verdict_of(part), ("skipped", Verdict::Pass));
    }
}

#[test]
fn a_benchmark_that_the_head_removes_leaves_its_waiver_with_something_to_match() {
    let decided = case(waiver("benchmark = \"gone\"\nceiling = 5"))
        .decide(vec![timed("a", 0.0, 0.1), missing("gone")]);
    assert_eq!((decided.states[0], decided.verdict), ("unneeded", Verdict::Incomplete));
    let skipped = seen("gone", Outcome::Skipped { reason: "left out by --filter".into() });
    let decided = case(waiver("benchmark = \"gone\"\nceiling = 5"))
        .decide(vec![timed("a", 0.0, 0.1), skipped]);
    assert_eq!((decided.states[0], decided.verdict), ("skipped", Verdict::Pass));
}

#[test]
fn a_suite_that_could_not_be_measured_excuses_what_it_may_hold() {
    let suite =
        |finding| SuiteReport { finding, ..SuiteReport::failed(SuiteKey::new("p", "t"), "", "") };
    let (failed, skipped) = ([suite(Finding::Failed)], [suite(Finding::Skipped)]);
    let any = waiver("benchmark = \"gone\"\nceiling = 5");
    let named = waiver("benchmark = \"gone\"\nsuite = \"t\"\nceiling = 5");
    for (policy, suites, expected) in [
        (&any, &failed, "skipped"),
        (&any, &skipped, "unmatched"),
        (&named, &failed, "skipped"),
        (&named, &skipped, "skipped"),
    ] {
        let decided = Case { suites, ..case(policy.as_str()) }.decide(vec![timed("a", 0.0, 0.1)]);
        assert_eq!(decided.states[0], expected);
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
        let decided =
            Case { trailers: &[trailer], ..case(policy) }.decide(vec![timed("a", 12.0, 0.1)]);
        assert_eq!(decided.verdict, expected, "{policy} {trailer}");
    }
    // A typo in a trailer is not an error of the policy.
    let decided = Case { trailers: &["b <= 13% because"], ..case(allowed) }
        .decide(vec![timed("a", 0.0, 0.1)]);
    assert_eq!((decided.states[0], decided.verdict), ("unmatched", Verdict::Pass));
}

#[test]
fn a_refused_trailer_is_named_with_its_commit() {
    let forbidden =
        Case { trailers: &["a <= 13% because"], ..case("") }.decide(vec![timed("a", 0.0, 0.1)]);
    let malformed = Case { trailers: &["a <= 13"], ..case("[gate]\ntrailers = true") }
        .decide(vec![timed("a", 0.0, 0.1)]);
    insta::assert_snapshot!([forbidden.notices, malformed.notices].concat().join("\n"));
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
        let report = decide(observed.clone(), Vec::new(), &Policy::default(), Context::default())
            .benchmarks
            .remove(0);
        assert_eq!(suggestion(&report), line);
        let value = line.trim_start_matches("Benchgate-Accept: ").replace("<why>", "because");
        let decided =
            Case { trailers: &[&value], ..case("[gate]\ntrailers = true") }.decide(observed);
        assert_eq!(decided.verdict, Verdict::Pass, "{line}");
    }
}

#[test]
fn what_is_red_by_its_instructions_is_accepted_up_to_so_many_more() {
    let counted = |percent: f64| {
        let mut observed = timed("decode", -12.0, 0.5);
        let Outcome::Compared { evidence, .. } = &mut observed.outcome else { panic!() };
        let head = 1000.0 * (1.0 + percent / 100.0);
        evidence.instructions = Some(crate::model::Instructions { base: 1000.0, head });
        observed
    };
    let policy = "[gate]\ninstructions = \"fail\"\n";
    let red = decided(policy, vec![counted(15.0)]);
    let [report] = &red.benchmarks[..] else { panic!() };
    assert_eq!((report.finding, report.blocking), (Finding::Critical, true));
    assert!(!report.is_worse_by_change());
    let line = super::waiver(report, Some("2026-12-31".parse().unwrap()), false);
    assert!(line.contains("ceiling = 16\n"), "{line}");
    let accepting = policy.to_owned() + &line.replace("<issue>", "#1").replace("<why>", "r");
    for (percent, finding) in [(15.0, Finding::Waived), (800.0, Finding::Critical)] {
        let result = decided(&accepting, vec![counted(percent)]);
        assert_eq!(result.benchmarks[0].finding, finding, "{percent}");
    }
}

fn decided(policy: &str, observed: Vec<Observation>) -> crate::result::RunResult {
    let policy = Policy::parse(policy).unwrap();
    let context = Context { today: "2026-06-15".parse().unwrap(), ..Context::default() };
    decide(observed, Vec::new(), &policy, context)
}
