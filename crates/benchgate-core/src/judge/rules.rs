//! Checks whether the head satisfies the policy's rules.

use super::findings::{Observation, Outcome};
use super::limited::{Limited, OneSide};
use super::looks::BOUND_ERROR;
use crate::model::{BenchmarkKey, Finding, Metric, Side, SkipReason};
use crate::policy::Rule;
use crate::result::{BenchmarkReport, RuleReport, RuleState, RuleValue, SuiteReport};
use crate::stats::{self, Bounds};

/// The head's rounds, before they are judged or after.
pub(super) enum Heads<'a> {
    /// Before.
    Observed(&'a [Observation]),
    /// After.
    Reported(&'a [BenchmarkReport]),
}

/// A benchmark and metric, and the head's rounds of it.
type Head<'a> = (BenchmarkKey, &'a Metric, OneSide<'a>);

impl<'a> Heads<'a> {
    /// Returns the benchmarks with an id, in any suite.
    fn named(&self, id: &str) -> Vec<Head<'a>> {
        match self {
            Self::Observed(all) => all
                .iter()
                .filter(|observed| observed.key.id == id)
                .map(|observed| {
                    (observed.key.clone(), &observed.metric, head_of(&observed.outcome))
                })
                .collect(),
            Self::Reported(all) => all
                .iter()
                .filter(|report| report.id == id)
                .map(|report| {
                    (report.key(), &report.metric, OneSide::of(&report.evidence, Side::Head))
                })
                .collect(),
        }
    }
}

fn head_of(outcome: &Outcome) -> OneSide<'_> {
    match outcome {
        Outcome::Compared { evidence, .. } => OneSide::of(evidence, Side::Head),
        Outcome::New { head, earlier } => OneSide::new(head, earlier),
        Outcome::Identical { head, .. } => OneSide::new(head, &[]),
        Outcome::Judged(report) => OneSide::of(&report.evidence, Side::Head),
        _ => OneSide::default(),
    }
}

/// The rules on one benchmark each, and the p-value of those whose values are sampled: of "the rule is satisfied",
/// over all looks at it.
pub(super) fn tested(rules: &[Rule], heads: &Heads<'_>) -> (Vec<Rule>, Vec<Option<f64>>) {
    let rules: Vec<Rule> = rules.iter().flat_map(|rule| one_each(rule, heads)).collect();
    let p_values = rules.iter().map(|rule| p_value(rule, heads)).collect();
    (rules, p_values)
}

/// The rule, once for each suite that has a benchmark of its id.
fn one_each(rule: &Rule, heads: &Heads<'_>) -> Vec<Rule> {
    let mut keys: Vec<BenchmarkKey> = Vec::new();
    for (key, metric, _) in heads.named(&rule.benchmark) {
        if *metric == rule.metric && rule.limits(&key) {
            keys.push(key);
        }
    }
    match keys.as_slice() {
        [] | [_] => vec![rule.clone()],
        several => several.iter().map(|key| rule.on(key)).collect(),
    }
}

fn p_value(rule: &Rule, heads: &Heads<'_>) -> Option<f64> {
    if rule.metric.is_count() {
        return None;
    }
    Some(limited(rule, heads)?.excess_p(rule.limit()))
}

/// The benchmark that a rule limits, and the benchmark of which it is a share; `None` where one has no values.
fn chosen<'a>(rule: &Rule, heads: &Heads<'a>) -> Option<(Head<'a>, Option<Head<'a>>)> {
    let has_values = |(_, metric, head): &Head<'_>| **metric == rule.metric && !head.is_empty();
    let mut named = heads.named(&rule.benchmark).into_iter().filter(has_values);
    let this = named.find(|(key, ..)| rule.limits(key))?;
    let Some(of) = rule.of() else { return Some((this, None)) };
    let whole: Vec<Head<'_>> = heads.named(of).into_iter().filter(has_values).collect();
    let other = rule.other(&this.0, whole.iter().map(|other| (&other.0, other.clone())))?;
    Some((this, Some(other)))
}

/// The values that a rule limits; `None` where one of its benchmarks has none.
fn limited(rule: &Rule, heads: &Heads<'_>) -> Option<Limited> {
    let (this, other) = chosen(rule, heads)?;
    usable(Limited::new(this.2, other.map(|other| other.2)))
}

fn usable(limited: Limited) -> Option<Limited> {
    limited.values().iter().all(|value| value.is_finite()).then_some(limited)
}

/// The base's values of the same benchmarks; `None` if they were not measured.
fn of_base(rule: &Rule, benchmarks: &[BenchmarkReport]) -> Option<Limited> {
    let (this, other) = chosen(rule, &Heads::Reported(benchmarks))?;
    let base = |(key, metric, _): &Head<'_>| {
        let is_it = |report: &&BenchmarkReport| report.key() == *key && report.metric == **metric;
        let base = OneSide::of(&benchmarks.iter().find(is_it)?.evidence, Side::Base);
        (!base.is_empty()).then_some(base)
    };
    let other = match &other {
        Some(other) => Some(base(other)?),
        None => None,
    };
    usable(Limited::new(base(&this)?, other))
}

/// Compares every rule with the head's values; `survive` states for each whether its p-value survives
/// the correction for the run's other tests. If suites were skipped or are identical as a whole, a benchmark
/// that is missing may be one of theirs: a rule about it is skipped, as it is with `--filter`. A suite that is
/// opt-in, or that this machine lacks something for, has the rules that name it, and no others.
pub(super) fn judge_rules(
    rules: &[Rule],
    survive: &[bool],
    benchmarks: &[BenchmarkReport],
    suites: &[SuiteReport],
) -> Vec<RuleReport> {
    let is_left_out = |skip| {
        matches!(skip, SkipReason::NotSelected | SkipReason::OtherShard | SkipReason::Policy)
    };
    let is_narrowed = suites
        .iter()
        .any(|suite| suite.finding == Finding::Identical || suite.skip.is_some_and(is_left_out));
    let is_missing = |skip| matches!(skip, SkipReason::Apart | SkipReason::NotInstalled);
    let is_of_missing = |rule: &Rule| {
        suites
            .iter()
            .any(|suite| suite.skip.is_some_and(is_missing) && rule.names_suite(&suite.key()))
    };
    let absent = |rule: &Rule| match is_narrowed || is_of_missing(rule) {
        true => RuleState::Skipped,
        false => RuleState::Unmeasured,
    };
    let heads = Heads::Reported(benchmarks);
    let judge = |(rule, survives): (&Rule, &bool)| {
        let head = limited(rule, &heads);
        let value_of = |limited: &Limited| value(&rule.metric, limited.values());
        let value = head.as_ref().and_then(value_of);
        let of_base = value.and_then(|_| of_base(rule, benchmarks));
        let base = of_base.as_ref().and_then(value_of).map(|base| base.estimate);
        let of_both = head.as_ref().zip(of_base.as_ref());
        let state = match &value {
            Some(value) => state(rule, value, base, of_both, *survives),
            None => why_no_value(rule, benchmarks, absent(rule)),
        };
        report(rule, state, value, base)
    };
    rules.iter().zip(survive).map(judge).collect()
}

fn report(
    rule: &Rule,
    state: RuleState,
    value: Option<RuleValue>,
    base: Option<f64>,
) -> RuleReport {
    RuleReport {
        benchmark: rule.benchmark.clone(),
        suite: rule.suite.clone(),
        package: rule.package.clone(),
        metric: rule.metric.clone(),
        of: rule.of().map(str::to_owned),
        limit: rule.limit(),
        state,
        value,
        base,
        reason: rule.reason.clone(),
    }
}

/// An excess of the base is no defect of the change, whatever machine measures both: it is reported, and not red. Where that
/// is not certain, nobody knows whose excess it is.
fn state(
    rule: &Rule,
    value: &RuleValue,
    base: Option<f64>,
    of_both: Option<(&Limited, &Limited)>,
    survives: bool,
) -> RuleState {
    let limit = rule.limit();
    let is_count = rule.metric.is_count();
    if value.estimate <= limit {
        RuleState::Satisfied
    } else if base.is_some_and(|base| base > limit) {
        let is_certain = |(head, base): (&Limited, &Limited)| head.exceeded_before(base, limit);
        match is_count || of_both.is_some_and(is_certain) {
            true => RuleState::ExceededBefore,
            false => RuleState::Unproven,
        }
    } else if is_count || survives {
        RuleState::Violated
    } else {
        RuleState::Unproven
    }
}

/// The state of a rule where one of its benchmarks has no values.
fn why_no_value(rule: &Rule, benchmarks: &[BenchmarkReport], absent: RuleState) -> RuleState {
    let is_this = |b: &BenchmarkReport| rule.limits(&b.key());
    let is_other = |b: &BenchmarkReport| rule.of() == Some(&*b.id);
    let this: Vec<&BenchmarkReport> = benchmarks.iter().filter(|b| is_this(b)).collect();
    let other: Vec<&BenchmarkReport> = benchmarks.iter().filter(|b| is_other(b)).collect();
    let named = if rule.of().is_some() { vec![this, other] } else { vec![this] };
    for named in named {
        let has_values =
            |b: &&BenchmarkReport| b.metric == rule.metric && !b.evidence.rounds.head.is_empty();
        let is_same =
            |b: &&BenchmarkReport| matches!(b.finding, Finding::Skipped | Finding::Identical);
        if named.iter().any(has_values) {
            continue;
        }
        // The same code as the base satisfies a rule if the base did.
        if named.iter().any(is_same) {
            return RuleState::Skipped;
        }
        // The suite that counts may have been skipped, and the suite that times the same benchmark not.
        if named.iter().all(|b| b.metric != rule.metric) {
            return absent;
        }
        return RuleState::Unmeasured;
    }
    RuleState::Unmeasured
}

fn value(metric: &Metric, values: &[f64]) -> Option<RuleValue> {
    if metric.is_count() {
        return exact(values);
    }
    let Bounds { lower, upper } = stats::median_bounds(values, BOUND_ERROR);
    let finite = |bound: f64| bound.is_finite().then_some(bound);
    Some(RuleValue { estimate: stats::median(values)?, lower: finite(lower), upper: finite(upper) })
}

fn exact(counts: &[f64]) -> Option<RuleValue> {
    let middle = stats::lower_median(counts)?;
    // Two runs that differ count nothing; of many rounds some may have counted more.
    let is_counted = counts.len() > 2 || counts.iter().all(|count| *count == middle);
    is_counted.then_some(RuleValue { estimate: middle, lower: Some(middle), upper: Some(middle) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::{Context, Counted, contradictions, decide};
    use crate::model::{Evidence, Rounds, SuiteKey, Twice, Verdict};
    use crate::policy::Policy;
    use crate::result::RunResult;

    /// A benchmark that the base does not have.
    fn timed(id: &str, head: Vec<f64>) -> Observation {
        let (key, metric) = (BenchmarkKey::new("p", "s", id), Metric::TIME);
        Observation { key, metric, outcome: Outcome::new_one(head) }
    }

    fn of_both(id: &str, rounds: Rounds) -> Observation {
        let evidence = Box::new(Evidence { rounds, ..Evidence::default() });
        let outcome = Outcome::Compared { evidence, renamed_from: None };
        Observation { key: BenchmarkKey::new("p", "s", id), metric: Metric::TIME, outcome }
    }

    fn counted(id: &str, blocks: f64) -> Observation {
        let counted = Counted::twice(Twice::new(1.0, 1.0), Twice::new(blocks, blocks));
        Observation {
            key: BenchmarkKey::new("p", "allocations", id),
            metric: Metric::ALLOC_BLOCKS,
            outcome: Outcome::Counted { counted, renamed_from: None },
        }
    }

    fn state(rule: &str, observed: Vec<Observation>) -> RuleState {
        let policy = Policy::parse(&format!("[[rule]]\nreason = \"r\"\n{rule}")).unwrap();
        decide(observed, Vec::new(), &policy, Context::default()).rules[0].state
    }

    #[test]
    fn a_rule_about_a_suite_that_was_not_selected_is_skipped() {
        let policy = Policy::parse(&format!("[[rule]]\nreason = \"r\"\n{HALF}")).unwrap();
        let suite = |skip: SkipReason| SuiteReport::skipped(SuiteKey::new("p", "s"), skip, "");
        let state = |skip| judge_rules(&policy.rules, &[false], &[], &[suite(skip)])[0].state;
        assert_eq!(state(SkipReason::NotSelected), RuleState::Skipped);
        assert_eq!(state(SkipReason::Policy), RuleState::Skipped);
        assert_eq!(state(SkipReason::UnknownHarness), RuleState::Unmeasured);
        let same = SuiteReport::identical(SuiteKey::new("p", "s"), "");
        let states = judge_rules(&policy.rules, &[false], &[], &[same]);
        assert_eq!(states[0].state, RuleState::Skipped);
        // Only rules that name a suite are about suites that are measured elsewhere, or not on this machine.
        assert_eq!(state(SkipReason::Apart), RuleState::Unmeasured);
        let named = HALF.to_owned() + "\npackage = \"p\"";
        let policy = Policy::parse(&format!("[[rule]]\nreason = \"r\"\n{named}")).unwrap();
        let state = |skip| judge_rules(&policy.rules, &[false], &[], &[suite(skip)])[0].state;
        assert_eq!(state(SkipReason::Apart), RuleState::Skipped);
        assert_eq!(state(SkipReason::NotInstalled), RuleState::Skipped);
        assert_eq!(state(SkipReason::UnknownHarness), RuleState::Unmeasured);
        // The time of that id says nothing of its blocks.
        let policy =
            "[[rule]]\nreason = \"r\"\nbenchmark = \"a\"\nmetric = \"alloc.blocks\"\ncount = 2";
        let policy = Policy::parse(policy).unwrap();
        let times = vec![timed("a", vec![1.0; 15])];
        let state = |skip| {
            decide(times.clone(), vec![suite(skip)], &policy, Context::default()).rules[0].state
        };
        assert_eq!(state(SkipReason::NotSelected), RuleState::Skipped);
        assert_eq!(state(SkipReason::UnknownHarness), RuleState::Unmeasured);
    }

    const HALF: &str = "benchmark = \"a\"\nshare = 0.5\nof = \"b\"";

    #[test]
    fn a_relation_is_violated_only_when_the_rounds_prove_it() {
        let run = |this: Vec<f64>| state(HALF, vec![timed("a", this), timed("b", vec![100.0; 15])]);
        assert_eq!(run(vec![49.0; 15]), RuleState::Satisfied);
        assert_eq!(run(vec![50.0; 15]), RuleState::Satisfied);
        assert_eq!(run(vec![51.0; 15]), RuleState::Violated);
        let scattered = (0..15).map(|i| 37.0 + 2.0 * f64::from(i)).collect();
        assert_eq!(run(scattered), RuleState::Unproven);
    }

    #[test]
    fn what_the_base_exceeds_as_well_was_exceeded_before_and_is_not_red() {
        let policy = Policy::parse(&format!("[[rule]]\nreason = \"r\"\n{HALF}")).unwrap();
        let rule = |base: Vec<f64>, head: f64| {
            let head = vec![head; base.len()];
            let b = Rounds { base: vec![100.0; base.len()], head: vec![100.0; base.len()] };
            let observed = vec![of_both("a", Rounds { base, head }), of_both("b", b)];
            let result = decide(observed, Vec::new(), &policy, Context::default());
            let of_rules = |result: &RunResult| {
                let all = contradictions(result);
                all.into_iter().filter(|found| found.contains("rule")).collect::<Vec<_>>()
            };
            assert_eq!(of_rules(&result), Vec::<String>::new());
            let mut edited = result.clone();
            edited.rules[0].base = Some(0.1);
            assert_eq!(of_rules(&edited).len(), 1);
            (result.rules[0].state, result.rules[0].base, result.verdict)
        };
        let (before, violated) = (RuleState::ExceededBefore, RuleState::Violated);
        assert_eq!(rule(vec![60.0; 15], 60.0), (before, Some(0.6), Verdict::Pass));
        assert_eq!(rule(vec![60.0; 15], 60.5), (before, Some(0.6), Verdict::Pass));
        assert_eq!(rule(vec![40.0; 15], 60.0), (violated, Some(0.4), Verdict::Regression));
        assert_eq!(rule(vec![50.0; 15], 60.0), (violated, Some(0.5), Verdict::Regression));
        // The estimate of the base exceeds the limit, and that is not proven: nobody knows whose excess it is.
        let scattered = (0..15).map(|i| 45.0 + f64::from(i)).collect();
        let (state, base, verdict) = rule(scattered, 60.0);
        assert_eq!(
            (state, base, verdict),
            (RuleState::Unproven, Some(0.52), Verdict::Inconclusive)
        );
        // Nor is it the change's where it hardly raises the value: that is certain sooner.
        let scattered: Vec<f64> = (0..15).map(|i| 45.0 + f64::from(i)).collect();
        let both = |of: f64| {
            let base = scattered.clone();
            let head = base.iter().map(|base| base * of).collect();
            let b = Rounds { base: vec![100.0; 15], head: vec![100.0; 15] };
            let observed = vec![of_both("a", Rounds { base, head }), of_both("b", b)];
            decide(observed, Vec::new(), &policy, Context::default()).rules[0].state
        };
        assert_eq!([1.0, 1.01, 1.03].map(both), [before, before, RuleState::Unproven]);
        // Three rounds bound nothing.
        assert_eq!(rule(vec![60.0; 3], 60.0).0, RuleState::Unproven);
    }

    #[test]
    fn a_count_that_the_base_exceeds_as_well_was_exceeded_before() {
        let rule =
            "[[rule]]\nreason = \"r\"\nbenchmark = \"a\"\nmetric = \"alloc.blocks\"\ncount = 2";
        let policy = Policy::parse(rule).unwrap();
        let state = |base: f64, head: f64| {
            let [base, head] = [base, head].map(|count| Twice::new(count, count));
            let outcome =
                Outcome::Counted { counted: Counted::twice(base, head), renamed_from: None };
            let observed = vec![Observation { outcome, ..counted("a", 1.0) }];
            decide(observed, Vec::new(), &policy, Context::default()).rules[0].state
        };
        assert_eq!(state(3.0, 3.0), RuleState::ExceededBefore);
        assert_eq!(state(2.0, 3.0), RuleState::Violated);
        assert_eq!(state(3.0, 2.0), RuleState::Satisfied);
    }

    #[test]
    fn an_exceeded_rule_that_is_not_proven_leaves_the_run_inconclusive() {
        let policy = Policy::parse(&format!("[[rule]]\nreason = \"r\"\n{HALF}")).unwrap();
        let verdict = |this: f64, rounds| {
            let observed = vec![timed("a", vec![this; rounds]), timed("b", vec![100.0; rounds])];
            decide(observed, Vec::new(), &policy, Context::default()).verdict
        };
        assert_eq!(verdict(50.0, 6), Verdict::Pass);
        // Six rounds prove no rule.
        assert_eq!(verdict(60.0, 6), Verdict::Inconclusive);
        assert_eq!(verdict(60.0, 10), Verdict::Regression);
    }

    #[test]
    fn all_rules_of_a_run_share_its_error() {
        let exceeded = vec![timed("a", vec![60.0; 10]), timed("b", vec![100.0; 10])];
        let with_others = |others: usize| {
            let satisfied =
                "[[rule]]\nreason = \"r\"\nbenchmark = \"b\"\nbudget = \"1s\"\n".repeat(others);
            let policy = format!("[[rule]]\nreason = \"r\"\n{HALF}\n{satisfied}");
            let policy = Policy::parse(&policy).unwrap();
            decide(exceeded.clone(), Vec::new(), &policy, Context::default()).rules[0].state
        };
        assert_eq!(with_others(0), RuleState::Violated);
        assert_eq!(with_others(4), RuleState::Violated);
        // 2^-10 at the first look, which spends half: 0.00195 times six is more than 0.01.
        assert_eq!(with_others(5), RuleState::Unproven);
    }

    #[test]
    fn a_rule_is_for_every_suite_that_has_the_benchmark_or_for_the_one_that_it_names() {
        let in_suite = |suite: &str, id: &str, value: f64| Observation {
            key: BenchmarkKey::new("p", suite, id),
            ..timed(id, vec![value; 15])
        };
        let observed = vec![
            in_suite("s", "a", 40.0),
            in_suite("s", "b", 100.0),
            in_suite("t", "a", 90.0),
            in_suite("t", "b", 100.0),
        ];
        let states = |rule: &str| -> Vec<String> {
            let policy = Policy::parse(&format!("[[rule]]\nreason = \"r\"\n{rule}")).unwrap();
            let result = decide(observed.clone(), Vec::new(), &policy, Context::default());
            let of_rules = |found: &&String| found.contains("rule");
            assert_eq!(contradictions(&result).iter().find(of_rules), None);
            let name = |rule: &RuleReport| {
                format!("{} {}", rule.suite.as_deref().unwrap_or("-"), rule.state.name())
            };
            result.rules.iter().map(name).collect()
        };
        assert_eq!(states(HALF), ["s satisfied", "t violated"]);
        assert_eq!(states(&format!("{HALF}\nsuite = \"s\"")), ["s satisfied"]);
        assert_eq!(states(&format!("{HALF}\nsuite = \"t\"\npackage = \"p\"")), ["t violated"]);
        assert_eq!(states(&format!("{HALF}\npackage = \"q\"")), ["- unmeasured"]);
    }

    #[test]
    fn a_relation_is_within_a_round_so_a_slow_phase_does_not_violate_it() {
        let minute = |fast: f64| (0..15).map(|i| if i < 5 { fast * 3.0 } else { fast }).collect();
        assert_eq!(
            state(HALF, vec![timed("a", minute(45.0)), timed("b", minute(100.0))]),
            RuleState::Satisfied
        );
    }

    #[test]
    fn a_budget_is_a_time_or_a_count() {
        let time = "benchmark = \"a\"\nbudget = \"2us\"";
        assert_eq!(state(time, vec![timed("a", vec![1999.0; 15])]), RuleState::Satisfied);
        assert_eq!(state(time, vec![timed("a", vec![2001.0; 15])]), RuleState::Violated);
        let blocks = "benchmark = \"a\"\nmetric = \"alloc.blocks\"\ncount = 2";
        assert_eq!(state(blocks, vec![counted("a", 2.0)]), RuleState::Satisfied);
        assert_eq!(state(blocks, vec![counted("a", 3.0)]), RuleState::Violated);
        // The time of that id is another benchmark.
        assert_eq!(state(blocks, vec![timed("a", vec![1.0; 15])]), RuleState::Unmeasured);
    }

    #[test]
    fn a_rule_about_a_benchmark_that_is_not_there_is_unmeasured_not_satisfied() {
        assert_eq!(state(HALF, vec![timed("a", vec![1.0; 15])]), RuleState::Unmeasured);
        assert_eq!(state(HALF, vec![]), RuleState::Unmeasured);
        let skipped = Observation {
            key: BenchmarkKey::new("p", "s", "a"),
            metric: Metric::TIME,
            outcome: Outcome::Skipped { reason: "left out".into() },
        };
        assert_eq!(state(HALF, vec![skipped]), RuleState::Skipped);
    }
}
