//! The values of an earlier attempt on the same base and head, for an attempt that continues it.
//!
//! A run that is repeated until it passes is not a gate, nor is a run that is repeated until it fails.
//! So attempts are pooled: a later one adds pairs to what the earlier ones left open or found slower, and its looks
//! have their own share of the run's error ([`looks::Attempt`](super::looks::Attempt)).

use std::collections::BTreeMap;

use thiserror::Error;

use super::again::contradictions;
use crate::model::{BenchmarkKey, Evidence, Finding, Metric, Sides, Toolchain, Twice};
use crate::result::{AttemptReport, BenchmarkReport, EarlierAttempt, MOST_ATTEMPTS, RunResult};

/// A result that cannot be gone on with.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EarlierError {
    /// Not of a whole run in pairs.
    #[error("it is not of a whole run of `benchgate check` in pairs")]
    NotInPairs,
    /// Its values do not give its findings.
    #[error("it contradicts its own values: {0}")]
    Contradiction(String),
    /// Another toolchain built it: other code was measured then.
    #[error("another toolchain built it: {0}")]
    Toolchain(String),
    /// No error is left for another attempt.
    #[error("it is of attempt {}, and there are no more", MOST_ATTEMPTS + 1)]
    TooMany,
    /// Of something else.
    #[error("{what} differs ({own} instead of {now})")]
    Differs {
        /// The property in which they differ.
        what: &'static str,
        /// Its value.
        own: String,
        /// The value of this run.
        now: String,
    },
}

/// The values of one metric that earlier attempts measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// The values.
    pub evidence: Evidence,
    /// Whether they answer what was asked: then no more are measured.
    pub is_settled: bool,
}

/// The result of the last of the earlier attempts, which holds the pairs of all.
#[derive(Clone, Debug)]
pub struct Earlier {
    /// What the last attempt reported, and what it kept of the ones before it.
    reports: BTreeMap<BenchmarkKey, Vec<BenchmarkReport>>,
    toolchain: Option<Toolchain>,
    attempts: Vec<EarlierAttempt>,
}

impl Earlier {
    /// The result, if it is of what this attempt is about.
    ///
    /// # Errors
    /// Names what differs.
    pub fn new(
        result: RunResult,
        version: &str,
        now: &AttemptReport,
    ) -> Result<Self, EarlierError> {
        let Some(own) = result.attempt.clone().filter(|_| result.shard.is_none()) else {
            return Err(EarlierError::NotInPairs);
        };
        if own.earlier.len() >= MOST_ATTEMPTS {
            return Err(EarlierError::TooMany);
        }
        let values = |of: &AttemptReport, version: &str| {
            [
                ("the version of benchgate", version.to_owned()),
                ("the code of the base", of.checkouts.base.clone()),
                ("the code of the head", of.checkouts.head.clone()),
                ("the policy", of.policy.clone()),
                ("what is measured or how", of.settings.clone()),
            ]
        };
        let mut pairs = values(&own, &result.version).into_iter().zip(values(now, version));
        if let Some(((what, own), (_, now))) = pairs.find(|(own, now)| own != now) {
            return Err(EarlierError::Differs { what, own: shown(&own), now: shown(&now) });
        }
        let contradictions = contradictions(&result);
        if !contradictions.is_empty() {
            return Err(EarlierError::Contradiction(contradictions.join("; ")));
        }
        let last = EarlierAttempt {
            time: result.time.clone(),
            verdict: result.verdict,
            seed: result.seed,
            machine: result.machine.as_ref().map(|m| m.name.clone()).unwrap_or_default(),
        };
        let attempts = own.earlier.into_iter().chain([last]).collect();
        let mut reports: BTreeMap<BenchmarkKey, Vec<BenchmarkReport>> = BTreeMap::new();
        for report in result.benchmarks.into_iter().chain(own.kept) {
            reports.entry(report.key()).or_default().push(report);
        }
        Ok(Self { reports, toolchain: result.toolchain, attempts })
    }

    /// All earlier attempts, the oldest first.
    pub fn attempts(&self) -> &[EarlierAttempt] {
        &self.attempts
    }

    /// Compares the toolchain that built it with that of this attempt.
    ///
    /// # Errors
    /// Names the differences.
    pub fn built_by(&self, toolchain: Option<&Toolchain>) -> Result<(), EarlierError> {
        let before = self.toolchain.as_ref();
        let differences =
            before.zip(toolchain).map(|(before, now)| now.differences(before)).unwrap_or_default();
        if differences.is_empty() {
            Ok(())
        } else {
            Err(EarlierError::Toolchain(differences.join("; ")))
        }
    }

    /// The values of a benchmark, by metric: of both sides if it has a base, and otherwise of the head.
    pub fn known(&self, key: &BenchmarkKey, has_base: bool) -> BTreeMap<Metric, Known> {
        let known = |report: &BenchmarkReport| {
            let evidence = Evidence::clone(&report.evidence);
            (metric(report), Known { evidence, is_settled: is_settled(report) })
        };
        let is_alike = |report: &&BenchmarkReport| {
            has_values(report) && report.evidence.rounds.base.is_empty() != has_base
        };
        self.of(key).filter(is_alike).map(known).collect()
    }

    /// The counts of a benchmark, given those of this attempt: where one side was counted unequally, within an attempt
    /// or by two of them, two that differ.
    pub fn counts(
        &self,
        key: &BenchmarkKey,
        of: &Metric,
        now: Sides<Option<Twice<f64>>>,
    ) -> Sides<Option<Twice<f64>>> {
        self.of(key).filter(|report| metric(report) == *of).fold(now, |now, report| {
            let before = report.evidence.rounds.as_ref();
            now.zip(before).map(|(now, before)| now.map(|now| with_earlier(now, before)))
        })
    }

    /// Keeps in a result what it has no values of, for the next attempt.
    pub fn keep(&self, result: &mut RunResult) {
        let place = |report: &BenchmarkReport| (report.key(), metric(report));
        let now: BTreeMap<_, &Evidence> =
            result.benchmarks.iter().map(|report| (place(report), &*report.evidence)).collect();
        let is_lost = |earlier: &&BenchmarkReport| {
            let now = now.get(&place(earlier));
            has_values(earlier) && !now.is_some_and(|now| now.covers(&earlier.evidence))
        };
        let lost = self.reports.values().flatten().filter(is_lost).cloned().collect();
        if let Some(attempt) = &mut result.attempt {
            attempt.kept = lost;
        }
    }

    /// The reports of one benchmark.
    fn of(&self, key: &BenchmarkKey) -> impl Iterator<Item = &BenchmarkReport> {
        self.reports.get(key).into_iter().flatten()
    }
}

fn metric(report: &BenchmarkReport) -> Metric {
    report.metric.with_unit(&report.unit)
}

/// Two counts of one side by this attempt, or two that differ, one of them or both by an earlier attempt.
fn with_earlier(now: Twice<f64>, before: &[f64]) -> Twice<f64> {
    match *before {
        [first, second] if first != second => Twice::new(first, second),
        [count, _] if now.first == now.second => Twice::new(count, now.first),
        _ => now,
    }
}

/// Whether nothing more is measured: a slowdown that blocks, and what is undecided, gets more pairs.
fn is_settled(report: &BenchmarkReport) -> bool {
    let finding = report.finding_before_waivers();
    let blocks = finding.level().is_some_and(|level| level >= report.fail_on);
    let is_undecided = matches!(finding, Finding::Inconclusive | Finding::NonDeterministic);
    !blocks && !is_undecided && !report.is_open
}

/// Whether it was measured, on the side or sides that have it.
fn has_values(report: &BenchmarkReport) -> bool {
    let rounds = &report.evidence.rounds;
    !rounds.head.is_empty() && (!rounds.base.is_empty() || report.finding == Finding::New)
}

/// The beginning of a value: digests are long.
fn shown(value: &str) -> String {
    const SHOWN: usize = 12;
    value.chars().take(SHOWN).collect()
}

#[cfg(test)]
mod tests;
