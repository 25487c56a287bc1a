//! Rules and candidates share the error of a run: neither takes the other's power, and neither adds to the error.

use benchgate_core::model::{BenchmarkKey, Finding, Verdict};
use benchgate_core::policy::Policy;
use benchgate_core::result::{RuleState, RunResult};
use benchgate_core::schedule::{Goal, PAIRS_FOR_RULE, Plan, Relation};

use super::{Limits, Noise, key, run_by, scattered};

/// A policy with a budget for each of so many benchmarks, from this one on.
fn budgets(from: usize, rules: usize, budget: &str) -> Policy {
    let rule = |index: usize| {
        format!(
            "[[rule]]\nbenchmark = \"{index:03}\"\nbudget = \"{budget}\"\nreason = \"promised\"\n"
        )
    };
    Policy::parse(&(from..from + rules).map(rule).collect::<String>()).expect("it is a policy")
}

/// A run with the rules of a policy, planned as the gate plans it.
fn run(noise: Noise, changes: &[f64], policy: &Policy, seed: u64) -> RunResult {
    let keys: Vec<BenchmarkKey> = (0..changes.len()).map(key).collect();
    let goal = |key: &BenchmarkKey| {
        let is_in_rule = policy.rules.iter().any(|rule| rule.is_about(key));
        let at_least = if is_in_rule { PAIRS_FOR_RULE } else { 0 };
        Goal::Compare { limits: Limits::default(), at_least, baseline: None }
    };
    let present: Vec<Option<&BenchmarkKey>> = keys.iter().map(Some).collect();
    let plan = Plan::new(keys.iter().map(goal).collect(), policy.measure.pairs, seed)
        .with_relations(Relation::of_rules(&policy.rules, &present));
    run_by(noise, changes, seed, plan, policy, |_| false)
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without --release: scripts/test simulation")]
fn a_slowdown_is_critical_however_many_rules_are_satisfied() {
    const RUNS: u64 = 100;
    println!("rules  +12 %, ± 4 %: critical  inconclusive  confirmation pairs");
    for rules in [0, 1, 9, 25, 75] {
        let policy = budgets(1, rules, "2us");
        let mut changes = vec![0.0; rules + 1];
        changes[0] = 0.12;
        let (mut critical, mut open, mut pairs) = (0, 0, 0);
        for seed in 0..RUNS {
            let result = run(scattered::<4>, &changes, &policy, seed);
            assert!(result.rules.iter().all(|rule| rule.state == RuleState::Satisfied));
            let slower = &result.benchmarks[0];
            critical += u64::from(slower.finding == Finding::Critical);
            open += u64::from(slower.finding == Finding::Inconclusive);
            pairs += slower.evidence.confirmation.head.len() as u64;
        }
        println!("{rules:5}  {critical:22} %  {open:10} %  {:18.1}", pairs as f64 / RUNS as f64);
        assert!(critical * 100 >= RUNS * 95, "{rules} rules: {critical} of {RUNS} are critical");
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without --release: scripts/test simulation")]
fn an_exceeded_rule_is_violated_however_many_benchmarks_are_slower() {
    const RUNS: u64 = 100;
    for others in [0, 25, 75] {
        // The first takes 1,000 ns; the others become candidates.
        let policy = budgets(0, 1, "900ns");
        let mut changes = vec![0.12; others + 1];
        changes[0] = 0.0;
        let violated = (0..RUNS)
            .filter(|seed| {
                let result = run(scattered::<4>, &changes, &policy, *seed);
                result.rules[0].state != RuleState::Unproven
            })
            .count();
        println!("{others} slower benchmarks: {violated} of {RUNS} exceeded rules are proven");
        assert!(violated as u64 * 100 >= RUNS * 95, "{others} others: {violated} of {RUNS}");
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without --release: scripts/test simulation")]
fn rules_flag_no_unchanged_benchmark() {
    let policy = budgets(0, 40, "2us");
    let (mut flagged, mut red, mut decided) = (0, 0, 0);
    for seed in 0..100 {
        let result = run(scattered::<4>, &[0.0; 50], &policy, seed);
        flagged += result.benchmarks.iter().filter(|r| r.finding.level().is_some()).count();
        red += usize::from(result.verdict == Verdict::Regression);
        decided += result.benchmarks.len();
    }
    println!(
        "40 satisfied rules: {flagged} of {decided} unchanged benchmarks flagged, {red} of 100 runs red"
    );
    assert_eq!((flagged, red), (0, 0));
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without --release: scripts/test simulation")]
fn limits_that_are_met_exactly_and_slowdowns_at_the_limit_are_red_in_one_run_of_a_hundred() {
    const RUNS: u64 = 1_000;
    // The largest that a red run must not be about: half of the failing threshold, and a value that is its limit.
    let policy = budgets(20, 20, "1us");
    let mut changes = [0.0; 40];
    changes[..20].fill(0.05);
    let red = (0..RUNS)
        .filter(|seed| {
            let result = run(scattered::<16>, &changes, &policy, *seed);
            result.verdict == Verdict::Regression
        })
        .count();
    println!("20 at half of the threshold and 20 at their limit, ± 16 %: {red} of {RUNS} runs red");
    assert!(red as u64 * 100 <= RUNS, "{red} of {RUNS} runs are red");
}
