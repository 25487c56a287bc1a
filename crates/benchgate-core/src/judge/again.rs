//! A result, judged again from the values that it holds.

use std::collections::BTreeMap;

use super::counts::Counted;
use super::rules::judge_rules;
use super::run::{Compared, Observed, Outcome, judge_by};
use super::verdict::verdict;
use crate::model::{BenchmarkKey, Change, Finding};
use crate::policy::{Limits, Rule, RuleBound};
use crate::result::{BenchmarkReport, RuleReport, RunResult, WaiverReport, WaiverState};

/// What of a result does not follow from its own values, in words; nothing when all does. What another
/// version or another hand wrote is not taken on trust.
pub fn contradictions(result: &RunResult) -> Vec<String> {
    let limits: BTreeMap<BenchmarkKey, Limits> =
        result.benchmarks.iter().map(|report| (key(report), limits(report))).collect();
    let limits_of = |key: &BenchmarkKey| limits.get(key).cloned().unwrap_or_default();
    let observed: Vec<Observed> = result.benchmarks.iter().filter_map(observed).collect();
    let again: BTreeMap<_, BenchmarkReport> = judge_by(observed, &limits_of, result.method)
        .into_iter()
        .map(|report| ((key(&report), report.metric), report))
        .collect();
    let mut found = Vec::new();
    for report in &result.benchmarks {
        match again.get(&(key(report), report.metric)) {
            Some(again) => {
                let honoured = honoured(report, result);
                found.extend(differences(report, again, honoured));
            }
            None if is_measured(report) => found.push(format!(
                "`{}` is said to be {}, without its values",
                report.id,
                report.finding.name()
            )),
            None => {}
        }
    }
    let rules: Vec<Rule> = result.rules.iter().map(rule).collect();
    let kept = judge_rules(&rules, &result.benchmarks, &result.suites);
    found.extend(result.rules.iter().zip(&kept).filter(|(said, again)| !is_same(said, again)).map(
        |(said, again)| {
            let (benchmark, said, again) = (&said.benchmark, said.state.name(), again.state.name());
            format!("a rule on `{benchmark}` is said to be {said}, and the values come to {again}")
        },
    ));
    let verdict = verdict(&result.benchmarks, &result.suites, &kept).max(result.waivers.verdict());
    if verdict != result.verdict {
        let (said, comes_to) = (result.verdict.name(), verdict.name());
        found
            .push(format!("the verdict is said to be {said}, and the findings come to {comes_to}"));
    }
    found
}

/// The waiver of a benchmark, where the run has it.
fn honoured<'a>(report: &'a BenchmarkReport, result: &RunResult) -> Option<&'a WaiverReport> {
    report.waiver.as_ref().filter(|waiver| {
        waiver.state == WaiverState::Honoured
            && result.waivers.entries.iter().any(|entry| {
                entry.source == waiver.source
                    && entry.benchmark == waiver.benchmark
                    && entry.ceiling == waiver.ceiling
            })
    })
}

/// What is said of a benchmark, against what its values come to.
fn differences(
    report: &BenchmarkReport,
    again: &BenchmarkReport,
    honoured: Option<&WaiverReport>,
) -> Vec<String> {
    let mut found = Vec::new();
    let id = &report.id;
    // What is accepted keeps the finding that it had.
    let said = honoured.and_then(|waiver| waiver.finding).unwrap_or(report.finding);
    if again.finding != said {
        let (said, comes_to) = (said.name(), again.finding.name());
        found.push(format!("`{id}` is said to be {said}, and its values come to {comes_to}"));
    }
    if again.is_open && !report.is_open && honoured.is_none() {
        found.push(format!("`{id}` is said to be settled, and its values leave it open"));
    }
    let blocks = report.finding.level().is_some_and(|level| level >= report.fail_on);
    if blocks != report.blocking && honoured.is_none() {
        let word = if report.blocking { "to fail" } else { "not to fail" };
        found.push(format!("`{id}` is {}, and is said {word}", report.finding.name()));
    }
    let shown = figures(report).into_iter().zip(figures(again));
    for ((name, said), (_, again)) in shown.filter(|((_, a), (_, b))| !is_close(*a, *b)) {
        let [said, again] =
            [said, again].map(|figure| figure.map_or("none".into(), |f| f.to_string()));
        found.push(format!(
            "`{name}` of `{id}` is said to be {said}, and its values come to {again}"
        ));
    }
    found
}

/// What a report shows of a benchmark, by the names in the file.
fn figures(report: &BenchmarkReport) -> [(&'static str, Option<f64>); 11] {
    let BenchmarkReport { base, head, change, drift, detectable, .. } = report;
    let of =
        |change: &Option<Change>, get: fn(&Change) -> Option<f64>| change.as_ref().and_then(get);
    [
        ("base", *base),
        ("head", *head),
        ("change.estimate", of(change, |change| Some(change.estimate))),
        ("change.lower", of(change, |change| change.lower)),
        ("change.upper", of(change, |change| change.upper)),
        ("drift.estimate", of(drift, |change| Some(change.estimate))),
        ("drift.lower", of(drift, |change| change.lower)),
        ("drift.upper", of(drift, |change| change.upper)),
        ("detectable", *detectable),
        ("limit", Some(report.limit)),
        ("pairs", Some(f64::from(report.pairs))),
    ]
}

/// Logarithms differ in their last digits from one machine's library to another's.
const ROUNDING: f64 = 1e-9;

fn is_close(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= ROUNDING * a.abs().max(b.abs()).max(1.0),
        (a, b) => a == b,
    }
}

/// The rule that a report is about.
fn rule(report: &RuleReport) -> Rule {
    let RuleReport { benchmark, metric, of, limit, reason, .. } = report.clone();
    let bound = match of {
        Some(of) => RuleBound::Share { share: limit, of },
        None => RuleBound::Budget(limit),
    };
    Rule { benchmark, metric, bound, reason }
}

fn is_same(said: &RuleReport, again: &RuleReport) -> bool {
    let figures = |report: &RuleReport| {
        let value = report.value.as_ref();
        [
            value.map(|value| value.estimate),
            value.and_then(|value| value.lower),
            value.and_then(|value| value.upper),
        ]
    };
    said.state == again.state
        && figures(said).into_iter().zip(figures(again)).all(|(a, b)| is_close(a, b))
}

fn key(report: &BenchmarkReport) -> BenchmarkKey {
    BenchmarkKey::new(&*report.package, &*report.suite, &*report.id)
}

fn limits(report: &BenchmarkReport) -> Limits {
    Limits {
        thresholds: report.thresholds,
        floor_ns: report.floor_ns,
        fail_on: report.fail_on,
        ..Limits::default()
    }
}

/// Whether a finding rests on values of both sides.
fn is_measured(report: &BenchmarkReport) -> bool {
    let has_rounds = !report.rounds.base.is_empty() && !report.rounds.head.is_empty();
    match report.finding {
        Finding::Identical => false,
        // There may have been no time for it, or no waiver of a crash.
        Finding::Inconclusive | Finding::Failed | Finding::Missing => {
            has_rounds && report.change.is_none()
        }
        finding => finding.is_compared() || finding == Finding::Waived,
    }
}

/// What was measured; `None` of what was not.
fn observed(report: &BenchmarkReport) -> Option<Observed> {
    let rounds = &report.rounds;
    let outcome = if report.metric.is_count() {
        let twice = |values: &[f64]| <[f64; 2]>::try_from(values).ok();
        let counted = Counted { base: twice(&rounds.base)?, head: twice(&rounds.head)? };
        Outcome::Counted { counted, renamed_from: None }
    } else {
        let has_means = report.mean.base.is_some() && report.mean.head.is_some();
        if report.change.is_none() || !has_means {
            return None;
        }
        Outcome::Compared(Box::new(Compared {
            rounds: rounds.clone(),
            confirmation: report.confirmation.clone(),
            means: report.mean,
            baseline: report.baseline.clone(),
            instructions: report.instructions,
            layouts: report.layouts.clone(),
            renamed_from: None,
        }))
    };
    Some(Observed { key: key(report), metric: report.metric, outcome })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Verdict;
    use crate::report::samples;
    use crate::result::RuleState;

    #[test]
    fn every_result_follows_from_its_own_values() {
        for result in [
            samples::regression(),
            samples::pass(),
            samples::incomplete(),
            samples::inconclusive(),
            samples::recorded(),
            samples::broken_rule(),
            samples::waived(),
            samples::many(500, 40),
        ] {
            assert_eq!(contradictions(&result), Vec::<String>::new());
        }
    }

    #[test]
    fn a_result_that_says_something_else_than_its_values_is_found_out() {
        let mut milder = samples::regression();
        milder.benchmarks[0].finding = Finding::Unchanged;
        milder.benchmarks[0].blocking = false;
        milder.verdict = Verdict::Pass;
        let mut silent = samples::regression();
        silent.benchmarks[0].blocking = false;
        let mut harsher = samples::pass();
        harsher.verdict = Verdict::Regression;
        let mut prettier = samples::regression();
        prettier.benchmarks[0].head = prettier.benchmarks[0].base;
        prettier.benchmarks[0].change.as_mut().unwrap().estimate = 0.0;
        let mut kept = samples::broken_rule();
        kept.rules[0].state = RuleState::Kept;
        kept.verdict = Verdict::Pass;
        let told: Vec<_> =
            [milder, silent, harsher, prettier, kept].iter().map(contradictions).collect();
        insta::assert_debug_snapshot!(told);
    }
}
