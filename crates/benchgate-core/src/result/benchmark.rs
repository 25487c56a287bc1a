//! The report on one benchmark and metric.

use serde::{Deserialize, Serialize};

use super::waivers::{WaiverReport, WaiverSource, WaiverState};
use crate::model::{BenchmarkKey, Change, Evidence, Finding, Level, Metric};
use crate::policy::{LayoutNotRuledOut, MoreInstructions, Thresholds};

/// A benchmark and metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BenchmarkReport {
    /// Package; empty where a record of another tool does not name it.
    pub package: String,
    /// Bench target; empty where a record of another tool does not name it.
    pub suite: String,
    /// The id within the suite; with Criterion its `full_id`.
    pub id: String,
    /// The metric that was compared.
    pub metric: Metric,
    /// Unit of `base`, `head` and `rounds`.
    pub unit: String,
    /// The finding.
    pub finding: Finding,
    /// Whether this finding makes the gate red.
    pub blocking: bool,
    /// Median over the base's rounds.
    pub base: Option<f64>,
    /// The base with the change: what the head takes where the base takes `base`. Of a count, and of what only the head
    /// has, the head's own value.
    pub head: Option<f64>,
    /// Head compared with base.
    pub change: Option<Change>,
    /// The threshold of the failing level, as a fraction.
    pub limit: f64,
    /// The lowest level that makes the gate red for this benchmark.
    pub fail_on: Level,
    /// The result of a slowdown that may come from the layout of the code alone.
    #[serde(default, skip_serializing_if = "LayoutNotRuledOut::is_default")]
    pub layout_not_ruled_out: LayoutNotRuledOut,
    /// Of which benchmarks the instructions are counted, and what more of them is.
    #[serde(default, skip_serializing_if = "MoreInstructions::is_default")]
    pub more_instructions: MoreInstructions,
    /// All three thresholds, as fractions.
    pub thresholds: Thresholds,
    /// The smallest slowdown in nanoseconds per iteration that counts.
    pub floor_ns: f64,
    /// The smallest slowdown, as a fraction, that rounds with this scatter prove.
    pub detectable: Option<f64>,
    /// Whether a slowdown is proven and a failing one is not ruled out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_open: bool,
    /// Head compared with the committed baseline of this machine.
    pub drift: Option<Change>,
    /// The waiver, quarantine or trailer that applies to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiver: Option<Box<WaiverReport>>,
    /// Pairs that were measured; 0 when the rounds were not paired.
    pub pairs: u32,
    /// The raw values behind the finding.
    pub evidence: Box<Evidence>,
    /// The reason for the finding; for a failure, its description.
    pub reason: String,
    /// The last lines of a failed process's output.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
}

impl BenchmarkReport {
    /// Whether a failing slowdown is not ruled out.
    pub fn is_undecided(&self) -> bool {
        let says_so = matches!(self.finding, Finding::Inconclusive | Finding::NonDeterministic);
        (says_so || self.is_open) && !self.is_advisory()
    }

    /// Whether it is proven to be worse than its limit allows, and nothing accepts it.
    pub fn is_proven_to_fail(&self) -> bool {
        self.blocking && self.finding.level().is_some()
    }

    /// Whether it is in a quarantine that took effect: it is shown and decides nothing.
    pub fn is_advisory(&self) -> bool {
        self.waiver.as_ref().is_some_and(|w| {
            w.source == WaiverSource::Quarantine && w.state == WaiverState::Honoured
        })
    }

    /// What a ceiling is compared with: its change, or that of its instructions, where they can fail it and are more.
    pub fn to_accept(&self) -> Option<f64> {
        let change = self.change.map(|change| change.estimate)?;
        let counted = self.evidence.more_instructions();
        let failing = counted.filter(|_| self.more_instructions == MoreInstructions::Fail);
        Some(failing.map_or(change, |counted| change.max(counted)))
    }

    /// Whether it is worse by its change; otherwise its instructions are more, or some of its iterations are slower, and
    /// its reason says so.
    pub fn is_worse_by_change(&self) -> bool {
        let level = self.finding_before_waivers().level();
        level.zip(self.change).is_some_and(|(level, change)| {
            change.estimate > self.thresholds.of(level) || self.metric != Metric::TIME
        })
    }

    /// Whether it is slower beyond its limit, and only other layouts of its code could still say that its work is not.
    pub fn is_of_layout(&self) -> bool {
        let bounds = self.change.and_then(|change| Some((change.estimate, change.lower?)));
        self.finding == Finding::Inconclusive
            && self.evidence.layouts.contains(&0)
            && bounds
                .is_some_and(|(estimate, lower)| estimate > self.limit && lower > self.limit / 2.0)
    }

    /// Its key.
    pub fn key(&self) -> BenchmarkKey {
        BenchmarkKey::new(&*self.package, &*self.suite, &*self.id)
    }

    /// Its finding, before what accepts it took effect.
    pub fn finding_before_waivers(&self) -> Finding {
        self.waiver.as_ref().and_then(|waiver| waiver.finding).unwrap_or(self.finding)
    }

    /// Like `finding_before_waivers`, of a benchmark without values, before what accepts it took effect.
    #[must_use]
    pub fn before_waivers(&self) -> Self {
        let finding = self.finding_before_waivers();
        let blocking = matches!(finding, Finding::Failed | Finding::Missing);
        Self { finding, blocking, waiver: None, ..self.clone() }
    }
}
