//! Judges a result again from its own values.

use std::collections::BTreeMap;

use super::counts::Counted;
use super::decide::settle;
use super::findings::{Observation, Outcome, judge};
use super::looks::run_error;
use super::rules::{self, Heads};
use crate::model::{BenchmarkKey, Change, Finding};
use crate::policy::{Limits, Measure, Rule, RuleBound};
use crate::result::{BenchmarkReport, RuleReport, RunResult, WaiverReport, WaiverState};

/// Describes every statement of a result that does not follow from its own values; empty when all do. A
/// result may be untrusted: another version wrote it, or somebody edited it.
// Long: one check after the other, each with its sentence.
pub fn contradictions(result: &RunResult) -> Vec<String> {
    let limits: BTreeMap<BenchmarkKey, Limits> =
        result.benchmarks.iter().map(|report| (report.key(), limits(report))).collect();
    let limits_of = |key: &BenchmarkKey| limits.get(key).cloned().unwrap_or_default();
    let observed: Vec<Observation> = result.benchmarks.iter().filter_map(observed).collect();
    let rules: Vec<Rule> = result.rules.iter().map(rule).collect();
    let (rules, p_values) = rules::tested(&rules, &Heads::Reported(&result.benchmarks));
    let error = run_error(result.shard.as_ref().map(|shard| shard.part));
    // The maximum of pairs is in reasons alone, and these are not compared.
    let most = Measure::default().pairs as usize;
    let (again, survive) = judge(observed, &limits_of, result.method, &p_values, error, most);
    let again: BTreeMap<_, BenchmarkReport> =
        again.into_iter().map(|report| ((report.key(), report.metric.clone()), report)).collect();
    let mut contradictions = Vec::new();
    let attempts = result.attempt.as_ref().map_or(0, |attempt| attempt.earlier.len());
    let kept = result.attempt.iter().flat_map(|attempt| &attempt.kept);
    for report in result.benchmarks.iter().chain(kept) {
        let told = report.evidence.earlier.len();
        if told > attempts {
            contradictions.push(format!(
                "`{}` has pairs of {told} earlier attempts, and the run names {attempts}",
                report.id
            ));
        }
    }
    for report in &result.benchmarks {
        match again.get(&(report.key(), report.metric.clone())) {
            Some(again) => {
                let honoured = honoured(report, result);
                contradictions.extend(differences(report, again, honoured));
            }
            None if is_measured(report) => contradictions.push(format!(
                "`{}` is said to be {}, but has no values",
                report.id,
                report.finding.name()
            )),
            None => {}
        }
    }
    let (rules, verdict) =
        settle(&rules, &survive, &result.benchmarks, &result.suites, &result.waivers);
    if rules.len() != result.rules.len() {
        contradictions.push(format!("{} rules are listed, of {}", result.rules.len(), rules.len()));
    }
    contradictions.extend(
        result.rules.iter().zip(&rules).filter(|(said, again)| !is_same(said, again)).map(
            |(said, again)| {
                let words = |rule: &RuleReport| match rule.base {
                    Some(base) => format!("{} (base {base})", rule.state.name()),
                    None => rule.state.name().to_owned(),
                };
                let (benchmark, said, again) = (&said.benchmark, words(said), words(again));
                format!("a rule on `{benchmark}` is said to be {said}, but the values give {again}")
            },
        ),
    );
    if verdict != result.verdict {
        let (said, derived) = (result.verdict.name(), verdict.name());
        contradictions
            .push(format!("the verdict is said to be {said}, but the findings give {derived}"));
    }
    contradictions
}

/// The honoured waiver of a benchmark, if the run lists it.
fn honoured<'a>(report: &'a BenchmarkReport, result: &RunResult) -> Option<&'a WaiverReport> {
    report.waiver.as_deref().filter(|waiver| {
        waiver.state == WaiverState::Honoured
            && result.waivers.entries.iter().any(|entry| {
                entry.source == waiver.source
                    && entry.benchmark == waiver.benchmark
                    && entry.ceiling == waiver.ceiling
            })
    })
}

/// Compares the report on a benchmark with the report that its values give.
fn differences(
    report: &BenchmarkReport,
    again: &BenchmarkReport,
    honoured: Option<&WaiverReport>,
) -> Vec<String> {
    let mut contradictions = Vec::new();
    let id = &report.id;
    // An accepted finding is compared as it was before its waiver.
    let said = honoured.and_then(|waiver| waiver.finding).unwrap_or(report.finding);
    if again.finding != said {
        let (said, derived) = (said.name(), again.finding.name());
        contradictions.push(format!("`{id}` is said to be {said}, but its values give {derived}"));
    }
    if again.is_open && !report.is_open && honoured.is_none() {
        contradictions.push(format!("`{id}` is said to be settled, but its values leave it open"));
    }
    let blocks = report.finding.level().is_some_and(|level| level >= report.fail_on);
    if blocks != report.blocking && honoured.is_none() {
        let word = if report.blocking { "to fail" } else { "not to fail" };
        contradictions
            .push(format!("`{id}` is {}, and is said {word} the gate", report.finding.name()));
    }
    let shown = figures(report).into_iter().zip(figures(again));
    for ((name, said), (_, again)) in shown.filter(|((_, a), (_, b))| !is_close(*a, *b)) {
        let [said, again] =
            [said, again].map(|figure| figure.map_or("none".into(), |f| f.to_string()));
        contradictions
            .push(format!("`{name}` of `{id}` is said to be {said}, but its values give {again}"));
    }
    contradictions
}

/// The figures of a report on a benchmark, by their keys in the file.
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

/// Logarithms differ in their last digits between math libraries.
const ROUNDING: f64 = 1e-9;

fn is_close(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= ROUNDING * a.abs().max(b.abs()).max(1.0),
        (a, b) => a == b,
    }
}

/// The rule that a report is about.
fn rule(report: &RuleReport) -> Rule {
    let RuleReport { benchmark, suite, package, metric, of, limit, reason, .. } = report.clone();
    let bound = match of {
        Some(of) => RuleBound::Share { share: limit, of },
        None => RuleBound::Budget(limit),
    };
    Rule { benchmark, suite, package, metric, bound, reason }
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
    // Results of earlier versions do not have the base's value.
    let is_base = said.base.is_none() || is_close(said.base, again.base);
    said.state == again.state
        && is_base
        && figures(said).into_iter().zip(figures(again)).all(|(a, b)| is_close(a, b))
}

/// The limits that a benchmark was judged by.
pub(super) fn limits(report: &BenchmarkReport) -> Limits {
    Limits {
        thresholds: report.thresholds,
        floor_ns: report.floor_ns,
        fail_on: report.fail_on,
        layout_not_ruled_out: report.layout_not_ruled_out,
        more_instructions: report.more_instructions,
        ..Limits::default()
    }
    .of_metric(&report.metric)
}

/// Whether a finding must have values of both sides.
fn is_measured(report: &BenchmarkReport) -> bool {
    let rounds = &report.evidence.rounds;
    let has_rounds = !rounds.base.is_empty() && !rounds.head.is_empty();
    match report.finding {
        Finding::Identical => false,
        // It may not have been measured, or it crashed.
        Finding::Inconclusive | Finding::Failed | Finding::Missing => {
            has_rounds && report.change.is_none()
        }
        finding => finding.is_compared() || finding == Finding::Waived,
    }
}

/// Returns the values of a benchmark; `None` if it has none.
pub(super) fn observed(report: &BenchmarkReport) -> Option<Observation> {
    let evidence = &report.evidence;
    let outcome = if report.metric.is_count() {
        let counted = Counted::of_rounds(evidence.rounds.clone())?;
        Outcome::Counted { counted, renamed_from: None }
    } else {
        let has_means = evidence.mean.both().is_some();
        if report.change.is_none() || !has_means {
            return None;
        }
        Outcome::Compared { evidence: evidence.clone(), renamed_from: None }
    };
    let metric = report.metric.with_unit(&report.unit);
    Some(Observation { key: report.key(), metric, outcome })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Verdict;
    use crate::report::samples;
    use crate::result::RuleState;

    #[test]
    fn every_result_follows_from_its_own_values() {
        for result in samples::each().into_iter().chain([samples::many(500, 40)]) {
            assert_eq!(contradictions(&result), Vec::<String>::new());
        }
    }

    #[test]
    fn a_result_that_contradicts_its_own_values_is_detected() {
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
        let mut satisfied = samples::violated_rule();
        satisfied.rules[0].state = RuleState::Satisfied;
        satisfied.verdict = Verdict::Pass;
        let contradicted: Vec<_> =
            [milder, silent, harsher, prettier, satisfied].iter().map(contradictions).collect();
        insta::assert_debug_snapshot!(contradicted);
    }
}
