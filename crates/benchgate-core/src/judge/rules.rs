//! Whether the head keeps to the policy's rules.

use super::time::BOUND_ERROR;
use crate::model::{Finding, Metric};
use crate::policy::{Rule, RuleBound};
use crate::result::{BenchmarkReport, RuleReport, RuleState, RuleValue, SuiteReport};
use crate::stats::{self, Bounds};

/// Why a suite is not there, where the user asked for others.
pub const NOT_BUILT: &str = "left out by --suite or --sensitive: it is not built";

/// Holds every rule against what was measured of the head. Where suites were not built, a benchmark that
/// is not there may be one of theirs: a rule about it is skipped, as it is with `--filter`.
pub fn judge_rules(
    rules: &[Rule],
    benchmarks: &[BenchmarkReport],
    suites: &[SuiteReport],
) -> Vec<RuleReport> {
    let is_narrowed = suites.iter().any(|suite| suite.reason == NOT_BUILT);
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
        (Ok(this), None) => decide(limit, own_value(rule.metric, &this.rounds.head)),
        (Ok(this), Some(other)) => match find(rule, other, benchmarks, absent) {
            Err(state) => (state, None),
            Ok(other) => {
                let value = share(rule.metric, &this.rounds.head, &other.rounds.head);
                decide(limit, value)
            }
        },
    };
    RuleReport {
        benchmark: rule.benchmark.clone(),
        metric: rule.metric,
        of,
        limit,
        state,
        value,
        reason: rule.reason.clone(),
    }
}

/// The benchmark that a rule is about; or what there is to say without its values.
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
    match named.clone().find(|b| b.metric == rule.metric && !b.rounds.head.is_empty()) {
        Some(benchmark) => Ok(benchmark),
        // What is the same code as the base keeps to a rule as the base did.
        None if named.any(|b| matches!(b.finding, Finding::Skipped | Finding::Identical)) => {
            Err(RuleState::Skipped)
        }
        None => Err(RuleState::Unmeasured),
    }
}

fn decide(limit: f64, value: Option<RuleValue>) -> (RuleState, Option<RuleValue>) {
    let state = match &value {
        None => RuleState::Unmeasured,
        Some(value) if value.estimate <= limit => RuleState::Kept,
        Some(value) if value.lower.is_some_and(|lower| lower > limit) => RuleState::Broken,
        Some(_) => RuleState::Unproven,
    };
    (state, value)
}

fn own_value(metric: Metric, head: &[f64]) -> Option<RuleValue> {
    if metric.is_count() {
        return exact(head);
    }
    Some(value(stats::median(head)?, stats::median_bounds(head, BOUND_ERROR)))
}

/// This benchmark as a share of another. Rounds of equal index were run in the same turn, so a slow
/// minute of the machine is in both.
fn share(metric: Metric, this: &[f64], other: &[f64]) -> Option<RuleValue> {
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
    use crate::judge::{Compared, Counted, Observed, Outcome, judge};
    use crate::model::BenchmarkKey;
    use crate::policy::Policy;
    use crate::result::{Method, Rounds};

    fn timed(id: &str, head: Vec<f64>) -> Observed {
        let rounds = Rounds { base: head.clone(), head };
        let outcome = Outcome::Compared(Box::new(Compared { rounds, ..Compared::default() }));
        Observed { key: BenchmarkKey::new("p", "s", id), metric: Metric::Time, outcome }
    }

    fn counted(id: &str, blocks: f64) -> Observed {
        let counted = Counted { base: [blocks; 2], head: [blocks; 2] };
        Observed {
            key: BenchmarkKey::new("p", "allocations", id),
            metric: Metric::AllocBlocks,
            outcome: Outcome::Counted { counted, renamed_from: None },
        }
    }

    fn state(rule: &str, observed: Vec<Observed>) -> RuleState {
        let policy = Policy::parse(&format!("[[rule]]\nreason = \"r\"\n{rule}")).unwrap();
        let benchmarks = judge(observed, &policy, Method::Paired);
        judge_rules(&policy.rules, &benchmarks, &[])[0].state
    }

    #[test]
    fn a_rule_about_a_suite_that_was_not_asked_for_is_skipped() {
        let policy = Policy::parse(&format!("[[rule]]\nreason = \"r\"\n{HALF}")).unwrap();
        let suite = |reason: &str| SuiteReport {
            package: "p".into(),
            suite: "s".into(),
            finding: Finding::Skipped,
            reason: reason.into(),
            output: String::new(),
        };
        let state = |reason: &str| judge_rules(&policy.rules, &[], &[suite(reason)])[0].state;
        assert_eq!(state(NOT_BUILT), RuleState::Skipped);
        assert_eq!(state("it is not Criterion's"), RuleState::Unmeasured);
    }

    const HALF: &str = "benchmark = \"a\"\nshare = 0.5\nof = \"b\"";

    #[test]
    fn a_relation_is_broken_only_when_the_rounds_prove_it() {
        let run = |this: Vec<f64>| state(HALF, vec![timed("a", this), timed("b", vec![100.0; 15])]);
        assert_eq!(run(vec![49.0; 15]), RuleState::Kept);
        assert_eq!(run(vec![50.0; 15]), RuleState::Kept);
        assert_eq!(run(vec![51.0; 15]), RuleState::Broken);
        let scattered = (0..15).map(|i| 37.0 + 2.0 * f64::from(i)).collect();
        assert_eq!(run(scattered), RuleState::Unproven);
    }

    #[test]
    fn a_relation_is_within_a_round_so_a_slow_minute_does_not_break_it() {
        let minute = |fast: f64| (0..15).map(|i| if i < 5 { fast * 3.0 } else { fast }).collect();
        assert_eq!(
            state(HALF, vec![timed("a", minute(45.0)), timed("b", minute(100.0))]),
            RuleState::Kept
        );
    }

    #[test]
    fn a_budget_is_a_time_or_a_count() {
        let time = "benchmark = \"a\"\nbudget = \"2us\"";
        assert_eq!(state(time, vec![timed("a", vec![1999.0; 15])]), RuleState::Kept);
        assert_eq!(state(time, vec![timed("a", vec![2001.0; 15])]), RuleState::Broken);
        let blocks = "benchmark = \"a\"\nmetric = \"alloc.blocks\"\ncount = 2";
        assert_eq!(state(blocks, vec![counted("a", 2.0)]), RuleState::Kept);
        assert_eq!(state(blocks, vec![counted("a", 3.0)]), RuleState::Broken);
        // The time of that id is another benchmark.
        assert_eq!(state(blocks, vec![timed("a", vec![1.0; 15])]), RuleState::Unmeasured);
    }

    #[test]
    fn a_rule_about_a_benchmark_that_is_not_there_is_unmeasured_not_kept() {
        assert_eq!(state(HALF, vec![timed("a", vec![1.0; 15])]), RuleState::Unmeasured);
        assert_eq!(state(HALF, vec![]), RuleState::Unmeasured);
        let skipped = Observed {
            key: BenchmarkKey::new("p", "s", "a"),
            metric: Metric::Time,
            outcome: Outcome::Skipped { reason: "left out".into() },
        };
        assert_eq!(state(HALF, vec![skipped]), RuleState::Skipped);
    }
}
