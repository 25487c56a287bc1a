//! A result, judged again from the values that it holds.

use std::collections::BTreeMap;

use super::counts::Counted;
use super::run::{Compared, Observed, Outcome, judge_by};
use super::verdict::verdict;
use crate::model::{BenchmarkKey, Finding};
use crate::policy::Limits;
use crate::result::{BenchmarkReport, RunResult, WaiverState};

/// What of a result does not follow from its own values, in words; nothing when all does. What another
/// version or another hand wrote is not taken on trust.
pub fn contradictions(result: &RunResult) -> Vec<String> {
    let limits: BTreeMap<BenchmarkKey, Limits> =
        result.benchmarks.iter().map(|report| (key(report), limits(report))).collect();
    let limits_of = |key: &BenchmarkKey| limits.get(key).cloned().unwrap_or_default();
    let observed: Vec<Observed> = result.benchmarks.iter().filter_map(observed).collect();
    let again: BTreeMap<_, (Finding, bool)> = judge_by(observed, &limits_of, result.method)
        .iter()
        .map(|report| ((key(report), report.metric), (report.finding, report.is_open)))
        .collect();
    let mut found = Vec::new();
    for report in &result.benchmarks {
        let honoured = report.waiver.as_ref().filter(|waiver| {
            waiver.state == WaiverState::Honoured
                && result.waivers.entries.iter().any(|entry| {
                    entry.source == waiver.source
                        && entry.benchmark == waiver.benchmark
                        && entry.ceiling == waiver.ceiling
                })
        });
        // What is accepted keeps the finding that it had.
        let said = honoured.and_then(|waiver| waiver.finding).unwrap_or(report.finding);
        let id = &report.id;
        let Some((comes_to, is_open)) = again.get(&(key(report), report.metric)) else {
            if is_measured(report) {
                found.push(format!("`{id}` is said to be {}, without its values", said.name()));
            }
            continue;
        };
        if *comes_to != said {
            let (said, comes_to) = (said.name(), comes_to.name());
            found.push(format!("`{id}` is said to be {said}, and its values come to {comes_to}"));
        }
        if *is_open && !report.is_open && honoured.is_none() {
            found.push(format!("`{id}` is said to be settled, and its values leave it open"));
        }
        let blocks = report.finding.level().is_some_and(|level| level >= report.fail_on);
        if blocks != report.blocking && honoured.is_none() {
            let word = if report.blocking { "to fail" } else { "not to fail" };
            found.push(format!("`{id}` is {}, and is said {word}", report.finding.name()));
        }
    }
    let verdict =
        verdict(&result.benchmarks, &result.suites, &result.rules).max(result.waivers.verdict());
    if verdict != result.verdict {
        let (said, comes_to) = (result.verdict.name(), verdict.name());
        found
            .push(format!("the verdict is said to be {said}, and the findings come to {comes_to}"));
    }
    found
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
        let told: Vec<_> = [milder, silent, harsher].iter().map(contradictions).collect();
        insta::assert_debug_snapshot!(told);
    }
}
