//! Checks whether the head satisfies the policy's rules.

use super::looks::BOUND_ERROR;
use crate::model::{Finding, Metric, SkipReason};
use crate::policy::{Rule, RuleBound};
use crate::result::{BenchmarkReport, RuleReport, RuleState, RuleValue, SuiteReport};
use crate::stats::{self, Bounds};

/// Compares every rule with what was measured of the head. Where suites were left out, a benchmark
/// that is not there may be one of theirs: a rule about it is skipped, as it is with `--filter`.
pub(super) fn judge_rules(
    rules: &[Rule],
    benchmarks: &[BenchmarkReport],
    suites: &[SuiteReport],
) -> Vec<RuleReport> {
    let is_left_out = |skip| matches!(skip, SkipReason::NotSelected | SkipReason::Policy);
    let is_narrowed = suites.iter().any(|suite| suite.skip.is_some_and(is_left_out));
    let absent = if is_narrowed { RuleState::Skipped } else { RuleState::Unmeasured };
    rules.iter().map(|rule| judge_rule(rule, benchmarks, absent)).collect()
}

fn judge_rule(rule: &Rule, benchmarks: &[BenchmarkReport], absent: RuleState) -> RuleReport {
    let (limit, of) = match &rule.bound {
        RuleBound::Budget(most) => (*most, None),
        RuleBound::Share { share, of } => (*share, Some(of.clone())),
    };
    let (state, value) = match (find(rule, &rule.benchmark, benchmarks, absent), &of) {
        (Err(state), _) => (state, None),
        (Ok(this), None) => decide(limit, own_value(&rule.metric, &this.evidence.rounds.head)),
        (Ok(this), Some(other)) => match find(rule, other, benchmarks, absent) {
            Err(state) => (state, None),
            Ok(other) => {
                let [this, other] = [this, other].map(|report| &report.evidence.rounds.head);
                let value = share(&rule.metric, this, other);
                decide(limit, value)
            }
        },
    };
    RuleReport {
        benchmark: rule.benchmark.clone(),
        metric: rule.metric.clone(),
        of,
        limit,
        state,
        value,
        reason: rule.reason.clone(),
    }
}

/// Returns the benchmark that a rule is about, or the state of the rule where it has no values.
fn find<'a>(
    rule: &Rule,
    id: &str,
    benchmarks: &'a [BenchmarkReport],
    absent: RuleState,
) -> Result<&'a BenchmarkReport, RuleState> {
    let mut named = benchmarks.iter().filter(|b| b.id == id);
    if named.clone().next().is_none() {
        return Err(absent);
    }
    match named.clone().find(|b| b.metric == rule.metric && !b.evidence.rounds.head.is_empty()) {
        Some(benchmark) => Ok(benchmark),
        // The same code as the base satisfies a rule if the base did.
        None if named
            .clone()
            .any(|b| matches!(b.finding, Finding::Skipped | Finding::Identical)) =>
        {
            Err(RuleState::Skipped)
        }
        // The suite that counts may have been left out, and the one that times the same benchmark not.
        None if named.all(|b| b.metric != rule.metric) => Err(absent),
        None => Err(RuleState::Unmeasured),
    }
}

fn decide(limit: f64, value: Option<RuleValue>) -> (RuleState, Option<RuleValue>) {
    let state = match &value {
        None => RuleState::Unmeasured,
        Some(value) if value.estimate <= limit => RuleState::Satisfied,
        Some(value) if value.lower.is_some_and(|lower| lower > limit) => RuleState::Violated,
        Some(_) => RuleState::Unproven,
    };
    (state, value)
}

fn own_value(metric: &Metric, head: &[f64]) -> Option<RuleValue> {
    if metric.is_count() {
        return exact(head);
    }
    Some(value(stats::median(head)?, stats::median_bounds(head, BOUND_ERROR)))
}

/// This benchmark as a share of another. Rounds of equal index ran in the same rotation, so a slow
/// phase of the machine affects both.
fn share(metric: &Metric, this: &[f64], other: &[f64]) -> Option<RuleValue> {
    if metric.is_count() {
        let (this, other) = (exact(this)?.estimate, exact(other)?.estimate);
        return (other > 0.0).then(|| exact(&[this / other])).flatten();
    }
    let ratios: Vec<f64> = this.iter().zip(other).map(|(a, b)| a / b).collect();
    Some(value(stats::median(&ratios)?, stats::median_bounds(&ratios, BOUND_ERROR)))
}

fn exact(counts: &[f64]) -> Option<RuleValue> {
    let first = *counts.first()?;
    counts.iter().all(|count| *count == first).then_some(RuleValue {
        estimate: first,
        lower: Some(first),
        upper: Some(first),
    })
}

fn value(estimate: f64, Bounds { lower, upper }: Bounds) -> RuleValue {
    let finite = |bound: f64| bound.is_finite().then_some(bound);
    RuleValue { estimate, lower: finite(lower), upper: finite(upper) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::{Context, Counted, Observation, Outcome, decide};
    use crate::model::SuiteKey;
    use crate::model::{BenchmarkKey, Evidence, Rounds, Twice};
    use crate::policy::Policy;

    fn timed(id: &str, head: Vec<f64>) -> Observation {
        let rounds = Rounds { base: head.clone(), head };
        let evidence = Box::new(Evidence { rounds, ..Evidence::default() });
        let outcome = Outcome::Compared { evidence, renamed_from: None };
        Observation { key: BenchmarkKey::new("p", "s", id), metric: Metric::TIME, outcome }
    }

    fn counted(id: &str, blocks: f64) -> Observation {
        let twice = Twice::new(blocks, blocks);
        let counted = Counted::new(twice, twice);
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
        let state = |skip| judge_rules(&policy.rules, &[], &[suite(skip)])[0].state;
        assert_eq!(state(SkipReason::NotSelected), RuleState::Skipped);
        assert_eq!(state(SkipReason::Policy), RuleState::Skipped);
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
