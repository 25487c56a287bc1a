//! What an earlier attempt on the same base and head measured, for one that goes on with it.
//!
//! A run that is repeated until it passes is not a gate, and one that is repeated until it fails is not one either.
//! So attempts are pooled: a later one adds pairs to what the earlier ones left open or found slower, and its looks
//! have their own share of the run's error ([`looks::Attempt`](super::looks::Attempt)).

use std::collections::BTreeMap;

use thiserror::Error;

use super::again::contradictions;
use crate::model::{BenchmarkKey, Evidence, Finding, Metric, Toolchain};
use crate::result::{AttemptReport, BenchmarkReport, EarlierAttempt, MOST_ATTEMPTS, RunResult};

/// A result that cannot be gone on with.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EarlierError {
    /// It is not of a whole run in pairs.
    #[error("it is not of a whole run of `benchgate check` in pairs")]
    NotInPairs,
    /// Its values do not give its findings.
    #[error("it contradicts its own values: {0}")]
    Contradiction(String),
    /// No error is left for another attempt.
    #[error("it is of attempt {}, and there are no more", MOST_ATTEMPTS + 1)]
    TooMany,
    /// It is of something else.
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
    result: RunResult,
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
        let found = contradictions(&result);
        if !found.is_empty() {
            return Err(EarlierError::Contradiction(found.join("; ")));
        }
        let last = EarlierAttempt {
            time: result.time.clone(),
            verdict: result.verdict,
            seed: result.seed,
            machine: result.machine.as_ref().map(|m| m.name.clone()).unwrap_or_default(),
        };
        let attempts = own.earlier.into_iter().chain([last]).collect();
        Ok(Self { result, attempts })
    }

    /// All earlier attempts, the oldest first.
    pub fn attempts(&self) -> &[EarlierAttempt] {
        &self.attempts
    }

    /// Compares the toolchain that built it with that of this attempt.
    ///
    /// # Errors
    /// Names the differences: other code was measured then.
    pub fn built_by(&self, toolchain: Option<&Toolchain>) -> Result<(), EarlierError> {
        match (&self.result.toolchain, toolchain) {
            (Some(own), Some(now)) if own != now => Err(EarlierError::Differs {
                what: "the toolchain",
                own: now.differences(own).join("; "),
                now: "it is now".to_owned(),
            }),
            _ => Ok(()),
        }
    }

    /// The values of a benchmark, by metric.
    pub fn known(&self, key: &BenchmarkKey) -> BTreeMap<Metric, Known> {
        let known = |report: &BenchmarkReport| {
            let metric = report.metric.with_unit(&report.unit);
            let evidence = report.evidence.clone();
            (metric, Known { evidence, is_settled: is_settled(report) })
        };
        self.reports(key).filter(|report| has_values(report)).map(known).collect()
    }

    /// The finding on a metric that was counted twice, and not equally: to count it once more would not undo that.
    pub fn non_deterministic(
        &self,
        key: &BenchmarkKey,
        metric: &Metric,
    ) -> Option<BenchmarkReport> {
        let is_so = |report: &&BenchmarkReport| {
            report.metric == *metric && before_waiver(report) == Finding::NonDeterministic
        };
        self.reports(key).find(is_so).map(BenchmarkReport::before_waivers)
    }

    fn reports<'a>(&'a self, key: &'a BenchmarkKey) -> impl Iterator<Item = &'a BenchmarkReport> {
        self.result.benchmarks.iter().filter(move |report| report.key() == *key)
    }
}

/// Whether nothing more is measured: a slowdown that blocks, and what is undecided, gets more pairs.
fn is_settled(report: &BenchmarkReport) -> bool {
    let finding = before_waiver(report);
    let blocks = finding.level().is_some_and(|level| level >= report.fail_on);
    let is_undecided = matches!(finding, Finding::Inconclusive | Finding::NonDeterministic);
    !blocks && !is_undecided && !report.is_open
}

fn before_waiver(report: &BenchmarkReport) -> Finding {
    report.waiver.as_ref().and_then(|waiver| waiver.finding).unwrap_or(report.finding)
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
