//! `benchgate.result/2`; `docs/formats.md` describes it and `docs/result.schema.json` checks it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::attempt::AttemptReport;
use super::benchmark::BenchmarkReport;
use super::explanation::Explanation;
use super::shard::ShardReport;
use super::waivers::Waivers;
use crate::affected::Way;
use crate::json::{self, FormatError};
use crate::model::{
    Finding, Held, Machine, Metric, Recorded, RecordedBenchmark, SandboxReport, Sides, SkipReason,
    SuiteKey, Toolchain, Verdict,
};

/// Value of the key `schema`.
pub const RESULT_SCHEMA: &str = "benchgate.result/2";

/// A run of the gate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RunResult {
    /// [`RESULT_SCHEMA`].
    pub schema: String,
    /// Version of the benchgate that wrote it.
    pub version: String,
    /// The verdict on the run.
    pub verdict: Verdict,
    /// End of the run, RFC 3339 in UTC.
    pub time: String,
    /// The method of comparison.
    pub method: Method,
    /// The base, with which the head is compared.
    pub base: Origin,
    /// The head, which is judged.
    pub head: Origin,
    /// The machine that measured the head; `None` where a record of another tool does not name it.
    pub machine: Option<Machine>,
    /// The toolchain that built it; `None` where a record of another tool does not name it.
    pub toolchain: Option<Toolchain>,
    /// Whether builds and measurements ran in a sandbox; `None` if nothing did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<SandboxReport>,
    /// Seed of the order of rounds; below 2^53, so that every JSON reader keeps it.
    pub seed: u64,
    /// The part of a run that it is; `None` for a whole one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<ShardReport>,
    /// The number of this attempt on base and head; `None` if `check --earlier` cannot continue it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<AttemptReport>,
    /// Wall seconds of building and of measuring; of merged shards, those of the longest.
    pub seconds: Seconds,
    /// Suites that were found and not measured.
    pub suites: Vec<SuiteReport>,
    /// The way in which it is known what runs of each suite read; empty where all were to be measured anyway.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<ReadsReport>,
    /// What it took to measure each suite.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measured: Vec<MeasuredSuite>,
    /// One entry per benchmark and metric, in the order of package, suite, id.
    pub benchmarks: Vec<BenchmarkReport>,
    /// Rules of the policy, an entry for each.
    pub rules: Vec<RuleReport>,
    /// Upper bound of the probability that the noise of what is sampled makes such a run red; counts are not in it. `None`
    /// where nothing was proven with pairs.
    pub false_alarm: Option<f64>,
    /// The waivers, quarantines and trailers of the run.
    #[serde(default)]
    pub waivers: Waivers,
    /// Where the differences of flagged benchmarks sit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub explanations: Vec<Explanation>,
    /// Statements that a reader needs in order to trust the numbers.
    pub notices: Vec<String>,
    /// The command that repeats the run.
    pub reproduce: String,
}

/// The method of comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Alternating rounds of both sides on one machine in one run.
    #[default]
    Paired,
    /// Rounds of the head now, rounds of the base from a committed baseline.
    Baseline,
    /// Two records.
    Recorded,
    /// Two records, by their estimates alone.
    Estimates,
}

/// The origin of one side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// Full commit id; empty where a record does not name one.
    pub commit: String,
    /// Its name as the user gave it: a revision or a path.
    pub name: String,
    /// Whether the working tree held changes that are not in the commit.
    #[serde(default)]
    pub dirty: bool,
}

/// Wall seconds spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Seconds {
    /// Building both sides, and linking again for the layouts of confirmation pairs.
    pub build: f64,
    /// Running rounds.
    pub measure: f64,
}

/// A suite that was not measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SuiteReport {
    /// Package.
    pub package: String,
    /// Bench target.
    pub suite: String,
    /// `skipped` or `failed` (or `missing`, when only the base has it); `identical`, when nothing that it is
    /// built from changed.
    pub finding: Finding,
    /// The reason of a skip, for programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skip: Option<SkipReason>,
    /// The reason, for people.
    pub reason: String,
    /// The last lines of its output, if it ran.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
}

/// The way in which it is known what runs of a suite read of the repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ReadsReport {
    /// Package.
    pub package: String,
    /// Bench target.
    pub suite: String,
    /// The way.
    pub way: ReadsWay,
    /// Why names decide; empty where observation does.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

/// A way to know what is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ReadsWay {
    /// Runs of all its benchmarks were observed.
    Observed,
    /// What strings of its sources name counts as read, and what was observed, if anything was.
    Names,
}

impl ReadsReport {
    /// That of a suite.
    pub fn of(key: &SuiteKey, way: &Way) -> Self {
        let reason = way.why_names();
        Self {
            package: key.package.clone(),
            suite: key.suite.clone(),
            way: if reason.is_none() { ReadsWay::Observed } else { ReadsWay::Names },
            reason: reason.unwrap_or_default().to_owned(),
        }
    }
}

/// What it took to measure a suite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MeasuredSuite {
    /// Package.
    pub package: String,
    /// Bench target.
    pub suite: String,
    /// Wall seconds of its rounds, both sides; of merged shards, of all of them.
    pub seconds: f64,
    /// Most bytes of one process of each side, where both were led.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peaks: Option<Sides<u64>>,
    /// Whether the sides took turns, as both did not fit into memory.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_turn: bool,
}

impl MeasuredSuite {
    /// That of a suite.
    pub fn of(key: SuiteKey, seconds: f64, held: Option<Held>) -> Self {
        let SuiteKey { package, suite } = key;
        let in_turn = held.is_some_and(|held| held.in_turn);
        Self { package, suite, seconds, peaks: held.map(|held| held.peaks), in_turn }
    }

    /// Its suite.
    pub fn key(&self) -> SuiteKey {
        SuiteKey { package: self.package.clone(), suite: self.suite.clone() }
    }

    /// What its processes held, where both sides were led.
    pub fn held(&self) -> Option<Held> {
        self.peaks.map(|peaks| Held { peaks, in_turn: self.in_turn })
    }

    /// One of each suite, by name: the seconds of all together, and the most that was held in any.
    pub fn merged<'a>(all: impl IntoIterator<Item = &'a Self>) -> Vec<Self> {
        let mut suites: BTreeMap<SuiteKey, (f64, Option<Held>)> = BTreeMap::new();
        for part in all {
            let (seconds, held) = suites.entry(part.key()).or_default();
            *seconds += part.seconds;
            *held = held.iter().copied().chain(part.held()).reduce(Held::most);
        }
        suites.into_iter().map(|(key, (seconds, held))| Self::of(key, seconds, held)).collect()
    }
}

/// One rule of the policy, and whether the head satisfies it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RuleReport {
    /// Id of the benchmark.
    pub benchmark: String,
    /// Its suite, where the rule names one or several suites have a benchmark of this id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suite: Option<String>,
    /// Its package, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// The metric that is limited.
    pub metric: Metric,
    /// Id of the benchmark that it is a share of; `None` for a budget.
    pub of: Option<String>,
    /// The limit: a share, or an amount in the metric's unit.
    pub limit: f64,
    /// The state of the rule.
    pub state: RuleState,
    /// The measured value, in the unit of `limit`.
    pub value: Option<RuleValue>,
    /// The base's value, if it was measured, too: whether the change exceeds the limit or what was there before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<f64>,
    /// The reason for the rule.
    pub reason: String,
}

/// The state of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum RuleState {
    /// The estimate is within the limit.
    Satisfied,
    /// The rounds prove that the limit is exceeded.
    Violated,
    /// The estimate exceeds the limit, but the rounds do not prove that, or not that the base is within it.
    Unproven,
    /// The base exceeds the limit as well: not by this change.
    #[serde(rename = "exceeded-before")]
    ExceededBefore,
    /// A benchmark that it names has no value.
    Unmeasured,
    /// A benchmark that it names was skipped on purpose.
    Skipped,
}

impl RuleState {
    /// Every state.
    pub const ALL: [Self; 6] = [
        Self::Satisfied,
        Self::Violated,
        Self::Unproven,
        Self::ExceededBefore,
        Self::Unmeasured,
        Self::Skipped,
    ];

    /// The name in files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Satisfied => "satisfied",
            Self::Violated => "violated",
            Self::Unproven => "unproven",
            Self::ExceededBefore => "exceeded-before",
            Self::Unmeasured => "unmeasured",
            Self::Skipped => "skipped",
        }
    }
}

/// The measured value of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RuleValue {
    /// The median over the rounds, or the exact count.
    pub estimate: f64,
    /// Its lower bound; `None` if there are too few rounds for one.
    pub lower: Option<f64>,
    /// Its upper bound; `None` if there are too few rounds for one.
    pub upper: Option<f64>,
}

/// The error of a result that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ResultError {
    /// Has another schema.
    #[error(
        "`schema`: `{0}` is not `{RESULT_SCHEMA}`: written by another version of benchgate; run it again with this one"
    )]
    Schema(String),
    /// A key is missing, wrong or out of range.
    #[error(transparent)]
    Format(#[from] FormatError),
}

impl RunResult {
    /// The text of a `result.json`.
    pub fn to_json(&self) -> String {
        // Only strings, numbers and lists: serializing cannot fail.
        let mut text = json::pretty(self, 1_024 * (self.benchmarks.len() + 2));
        text.push('\n');
        text
    }
}

impl SuiteReport {
    /// A suite that is skipped, and why.
    pub fn skipped(key: SuiteKey, skip: SkipReason, reason: impl Into<String>) -> Self {
        Self::of(key, Finding::Skipped, Some(skip), reason.into(), String::new())
    }

    /// A suite that need not be built, and why.
    pub fn identical(key: SuiteKey, reason: impl Into<String>) -> Self {
        Self::of(key, Finding::Identical, None, reason.into(), String::new())
    }

    /// A suite that could not be built, listed or measured; with the end of its output.
    pub fn failed(key: SuiteKey, reason: impl Into<String>, output: impl Into<String>) -> Self {
        Self::of(key, Finding::Failed, None, reason.into(), output.into())
    }

    fn of(
        key: SuiteKey,
        finding: Finding,
        skip: Option<SkipReason>,
        reason: String,
        output: String,
    ) -> Self {
        let SuiteKey { package, suite } = key;
        Self { package, suite, finding, skip, reason, output }
    }

    /// Its key.
    pub fn key(&self) -> SuiteKey {
        SuiteKey::new(&*self.package, &*self.suite)
    }
}

impl RunResult {
    /// The explanation of what a row flags, if there is one. Where blocks and bytes are both flagged, it is that of
    /// the blocks: it has both.
    pub fn explanation(&self, report: &BenchmarkReport) -> Option<&Explanation> {
        let explanation =
            self.explanations.iter().find(|explanation| explanation.key() == report.key())?;
        let is_of_time = explanation.allocations.is_none();
        let is_flagged = |metric: &Metric| {
            let mut rows = self.benchmarks.iter().filter(|row| row.key() == report.key());
            rows.any(|row| row.metric == *metric && row.finding.level().is_some())
        };
        let is_shown = match &report.metric {
            metric if *metric == Metric::TIME => is_of_time,
            metric if *metric == Metric::ALLOC_BLOCKS => explanation.instructions.is_none(),
            metric if *metric == Metric::ALLOC_BYTES => {
                explanation.instructions.is_none() && !is_flagged(&Metric::ALLOC_BLOCKS)
            }
            _ => false,
        };
        is_shown.then_some(explanation)
    }
}

impl RunResult {
    /// The record of the head of a run, to compare with another record.
    pub fn to_recorded(&self) -> Recorded {
        let mut record = Recorded {
            commit: Some(self.head.commit.clone()).filter(|commit| !commit.is_empty()),
            time: Some(self.time.clone()),
            machine: self.machine.clone(),
            toolchain: self.toolchain.clone(),
            ..Recorded::default()
        };
        for row in &self.benchmarks {
            if row.metric == Metric::CUSTOM {
                let reason = format!("it measures {}, and a record holds times", row.unit);
                record.refuse(row.key(), reason);
            } else if row.metric == Metric::TIME && row.finding == Finding::Failed {
                record.refuse(row.key(), row.reason.as_str());
            } else if row.metric == Metric::TIME
                && let Some(mean) = row.evidence.mean.head.or(row.head)
            {
                let values = RecordedBenchmark {
                    mean,
                    rounds: row.evidence.all().head,
                    ..Default::default()
                };
                record.benchmarks.insert(row.key(), values);
            }
        }
        record
    }
}

#[cfg(test)]
mod tests;
