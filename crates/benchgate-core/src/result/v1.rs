//! `benchgate.result/1`; `docs/formats.md` describes it and `docs/result.schema.json` checks it.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::waivers::{WaiverReport, Waivers};
use crate::adapters::FormatError;
use crate::judge::{Instructions, Layout};
use crate::model::{
    BenchmarkKey, Change, Finding, Level, Machine, Metric, Recorded, RecordedBenchmark, Toolchain,
    Verdict,
};
use crate::policy::Thresholds;

/// Value of the key `schema`.
pub const RESULT_SCHEMA: &str = "benchgate.result/1";

/// One run of the gate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunResult {
    /// [`RESULT_SCHEMA`].
    pub schema: String,
    /// Version of the benchgate that wrote it.
    pub version: String,
    /// What is said about the whole.
    pub verdict: Verdict,
    /// When the run ended, RFC 3339 in UTC.
    pub time: String,
    /// How the two sides were held against each other.
    pub method: Method,
    /// What the head is held against.
    pub base: Origin,
    /// What is judged.
    pub head: Origin,
    /// Where the head was measured; `None` where a foreign record does not say.
    pub machine: Option<Machine>,
    /// With what it was built; `None` where a foreign record does not say.
    pub toolchain: Option<Toolchain>,
    /// Seed of the order of rounds; below 2^53, so that every JSON reader keeps it.
    pub seed: u64,
    /// Wall seconds of building and of measuring.
    pub seconds: Seconds,
    /// Suites that were found and not measured.
    pub suites: Vec<SuiteReport>,
    /// One entry per benchmark and metric, in the order of package, suite, id.
    pub benchmarks: Vec<BenchmarkReport>,
    /// What the policy's rules say of the head.
    pub rules: Vec<RuleReport>,
    /// The chance that noise alone makes such a run red; `None` where nothing was proven with pairs.
    pub false_alarm: Option<f64>,
    /// What is accepted although it is proven.
    #[serde(default)]
    pub waivers: Waivers,
    /// What a reader must know to trust the numbers.
    pub remarks: Vec<String>,
    /// The command that does it again.
    pub reproduce: String,
}

/// How the two sides were held against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Alternating rounds of both sides on one machine in one run.
    Paired,
    /// Rounds of the head now, rounds of the base from a committed baseline.
    Baseline,
    /// Two records.
    Recorded,
    /// Two records, by their estimates alone.
    Estimates,
}

/// Where one side comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// Full commit id; empty where a record does not say.
    pub commit: String,
    /// How the user named it: a revision or a path.
    pub name: String,
    /// Whether the working tree held changes that are not in the commit.
    #[serde(default)]
    pub dirty: bool,
}

/// Wall seconds spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seconds {
    /// Building both sides.
    pub build: f64,
    /// Running rounds.
    pub measure: f64,
}

/// A suite that was not measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteReport {
    /// Package.
    pub package: String,
    /// Bench target.
    pub suite: String,
    /// `skipped` or `failed` (or `missing`, when only the base has it).
    pub finding: Finding,
    /// Why.
    pub reason: String,
    /// The last lines of its output, where it ran.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
}

/// One benchmark and metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BenchmarkReport {
    /// Package; empty where a foreign record does not say.
    pub package: String,
    /// Bench target; empty where a foreign record does not say.
    pub suite: String,
    /// Criterion's `full_id`.
    pub id: String,
    /// What was compared.
    pub metric: Metric,
    /// Unit of `base`, `head` and `rounds`.
    pub unit: String,
    /// What is said about it.
    pub finding: Finding,
    /// Whether this finding makes the gate red.
    pub blocking: bool,
    /// Median over the base's rounds.
    pub base: Option<f64>,
    /// Median over the head's rounds.
    pub head: Option<f64>,
    /// Arithmetic means, the figures that critcmp compares.
    pub mean: Means,
    /// Head against base.
    pub change: Option<Change>,
    /// The threshold of the failing level, as a fraction.
    pub limit: f64,
    /// The level from which on this benchmark makes the gate red.
    pub fail_on: Level,
    /// All three thresholds, as fractions.
    pub thresholds: Thresholds,
    /// Nanoseconds per iteration below which nothing is a finding.
    pub floor_ns: f64,
    /// The smallest slowdown, as a fraction, that such rounds prove.
    pub detectable: Option<f64>,
    /// Whether a slowdown is proven and a failing one is not ruled out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_open: bool,
    /// Head against the committed baseline of this machine.
    pub drift: Option<Change>,
    /// What of the policy or of a commit decided about it, or would have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiver: Option<WaiverReport>,
    /// Pairs that were measured; 0 when the rounds were not paired.
    pub pairs: u32,
    /// Raw values; with pairs the first ones, and equal indices belong together.
    pub rounds: Rounds,
    /// Raw values of the fresh pairs of what seemed different.
    #[serde(default, skip_serializing_if = "Rounds::is_empty")]
    pub confirmation: Rounds,
    /// Raw values of the committed baseline.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub baseline: Vec<f64>,
    /// Instructions of one iteration, where they were counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<Instructions>,
    /// Pairs with other layouts of the code.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layouts: Vec<Layout>,
    /// Why the finding is what it is; for a failure, what happened.
    pub reason: String,
    /// The last lines of a failed process's output.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
}

/// One rule of the policy, held against the head.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleReport {
    /// Id of the benchmark.
    pub benchmark: String,
    /// What is held to it.
    pub metric: Metric,
    /// Id of the benchmark that it is a share of; `None` for a budget.
    pub of: Option<String>,
    /// The most allowed: a share, or an amount in the metric's unit.
    pub limit: f64,
    /// Whether it is kept.
    pub state: RuleState,
    /// What was measured, in the unit of `limit`.
    pub value: Option<RuleValue>,
    /// Why there is this rule.
    pub reason: String,
}

/// Whether a rule is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RuleState {
    /// The estimate is within the limit.
    Kept,
    /// The rounds prove that it is not.
    Broken,
    /// The estimate is beyond the limit, and the rounds do not prove it.
    Unproven,
    /// A benchmark that it names has no value.
    Unmeasured,
    /// A benchmark that it names was left out on purpose.
    Skipped,
}

impl RuleState {
    /// The name in files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Broken => "broken",
            Self::Unproven => "unproven",
            Self::Unmeasured => "unmeasured",
            Self::Skipped => "skipped",
        }
    }
}

/// What was measured for a rule.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleValue {
    /// The median over the rounds, or the exact count.
    pub estimate: f64,
    /// Its lower bound; `None` when so few rounds allow none.
    pub lower: Option<f64>,
    /// Its upper bound; `None` when so few rounds allow none.
    pub upper: Option<f64>,
}

/// Arithmetic means of both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Means {
    /// Of the base.
    pub base: Option<f64>,
    /// Of the head.
    pub head: Option<f64>,
}

/// Raw values per round.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rounds {
    /// Of the base.
    pub base: Vec<f64>,
    /// Of the head.
    pub head: Vec<f64>,
}

impl Rounds {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.base.is_empty() && self.head.is_empty()
    }
}

/// Result text that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ResultError {
    /// It is of another schema.
    #[error("`schema`: `{0}` is not `{RESULT_SCHEMA}`: written by another version")]
    Schema(String),
    /// A key is missing, wrong or out of range.
    #[error(transparent)]
    Format(#[from] FormatError),
}

impl RunResult {
    /// The text of a `result.json`.
    pub fn to_json(&self) -> String {
        // Only strings, numbers and lists: serializing cannot fail.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Reads and checks a `result.json`.
    ///
    /// # Errors
    /// Names the key that is missing, unknown, wrong or out of range.
    pub fn from_json(bytes: &[u8]) -> Result<Self, ResultError> {
        let schema: SchemaOnly = crate::adapters::parse_json(bytes)?;
        if schema.schema != RESULT_SCHEMA {
            return Err(ResultError::Schema(schema.schema));
        }
        let result: Self = crate::adapters::parse_json(bytes)?;
        super::check::check(&result)?;
        Ok(result)
    }
}

impl RunResult {
    /// What a run recorded of its head, to be held against something else.
    pub fn into_recorded(self) -> Recorded {
        let benchmarks = self
            .benchmarks
            .into_iter()
            .filter(|b| b.metric == Metric::Time)
            .filter_map(|b| {
                let mean = b.mean.head.or(b.head)?;
                let rounds = [b.rounds.head, b.confirmation.head].concat();
                let values = RecordedBenchmark { mean, std_dev: 0.0, rounds };
                Some((BenchmarkKey::new(b.package, b.suite, b.id), values))
            })
            .collect();
        Recorded {
            commit: Some(self.head.commit).filter(|commit| !commit.is_empty()),
            time: Some(self.time),
            machine: self.machine,
            toolchain: self.toolchain,
            benchmarks,
        }
    }
}

#[derive(Deserialize)]
struct SchemaOnly {
    schema: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;
    use crate::result::WaiverState;

    const SCHEMA: &str = include_str!("../../../../docs/result.schema.json");

    fn schema() -> serde_json::Value {
        serde_json::from_str(SCHEMA).unwrap()
    }

    #[test]
    fn every_result_keeps_to_the_documented_schema() {
        let schema = jsonschema::validator_for(&schema()).unwrap();
        for result in [
            samples::regression(),
            samples::pass(),
            samples::incomplete(),
            samples::inconclusive(),
            samples::recorded(),
            samples::broken_rule(),
            samples::waived(),
        ] {
            let value = serde_json::to_value(&result).unwrap();
            let problems: Vec<_> = schema.iter_errors(&value).map(|e| e.to_string()).collect();
            assert_eq!(problems, Vec::<String>::new());
        }
    }

    #[test]
    fn the_schema_knows_every_finding_and_verdict_and_level() {
        let schema = schema();
        let named = |pointer: &str| schema.pointer(pointer).unwrap().to_string();
        let findings = named("/$defs/finding/enum");
        for finding in Finding::ALL {
            assert!(findings.contains(&format!("\"{}\"", finding.name())), "{finding:?}");
        }
        let states = named("/$defs/waiver/properties/state/enum");
        for state in WaiverState::ALL {
            assert!(states.contains(&format!("\"{}\"", state.name())), "{state:?}");
        }
        let levels = named("/$defs/benchmark/properties/fail_on/enum");
        for level in Level::DESCENDING {
            assert!(levels.contains(level.name()), "{level:?}");
        }
        assert!(named("/properties/schema/const").contains(RESULT_SCHEMA));
    }

    #[test]
    fn a_result_is_read_back_as_it_was_written() {
        for result in [samples::regression(), samples::incomplete(), samples::waived()] {
            assert_eq!(RunResult::from_json(result.to_json().as_bytes()), Ok(result));
        }
    }

    #[test]
    fn a_poisoned_result_is_refused_by_its_key() {
        let good = samples::regression().to_json();
        let table: String = [
            ("another version", good.replace("benchgate.result/1", "benchgate.result/2")),
            ("no schema", good.replace("\"schema\"", "\"scheme\"")),
            ("an unknown key", good.replace("\"seed\": 42", "\"seed\": 42, \"html\": \"<b>\"")),
            ("an unknown finding", good.replace("\"critical\"", "\"terrible\"")),
            ("a negative time", good.replacen("84570.0", "-84570.0", 1)),
            ("an infinite time", good.replacen("84570.0", "1e999", 1)),
            ("another unit", good.replacen("\"unit\": \"ns\"", "\"unit\": \"hours\"", 1)),
            ("a negative seed", good.replace("\"seed\": 42", "\"seed\": -1")),
            ("unpaired pairs", good.replacen("84570.0,", "", 1)),
            ("truncated", good[..good.len() / 2].to_owned()),
        ]
        .iter()
        .map(|(what, text)| {
            format!("{what}: {}\n", RunResult::from_json(text.as_bytes()).unwrap_err())
        })
        .collect();
        insta::assert_snapshot!(table);
    }
}
