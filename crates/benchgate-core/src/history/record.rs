//! The record of one run: `benchgate.history/1`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::json::{self, FormatError};
use crate::judge::Pairs;
use crate::model::{Change, Finding, Metric, Recorded, Stage};
use crate::result::{BenchmarkReport, Method, RunResult};
use crate::stats;

/// Value of the key `schema`.
pub const RECORD_SCHEMA: &str = "benchgate.history/1";

/// Logarithms are kept in hundred-thousandths: 0.001 %.
const STEPS: f64 = 1e5;

/// A run of a commit compared with an earlier one. It is written once and never changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// [`RECORD_SCHEMA`].
    pub schema: String,
    /// The commit that was measured.
    pub commit: String,
    /// The commit that it was compared with.
    pub base: String,
    /// Time of the run, as the result states it.
    pub time: String,
    /// Name of the machine.
    pub machine: String,
    /// Its kernel.
    pub kernel: String,
    /// The compiler.
    pub rustc: String,
    /// Version of benchgate.
    pub version: String,
    /// Name and unit of each metric that rows refer to.
    pub metrics: Vec<(String, String)>,
    /// Package and name of suites that no change could reach: all of their benchmarks are the same machine code.
    pub identical: Vec<(String, String)>,
    /// The measured suites.
    pub suites: Vec<SuiteRecord>,
}

/// The benchmarks of one suite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteRecord {
    /// Package.
    pub package: String,
    /// Bench target, or the name of the policy's suite.
    pub suite: String,
    /// Rows by id. None: both sides are the same machine code.
    pub benchmarks: BTreeMap<String, Vec<Row>>,
}

/// A metric of a benchmark: its number in `metrics`, the head's value, and head compared with base where both have it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row(pub usize, pub f64, pub Option<Ratio>);

/// ln(head / base) in hundred-thousandths: the estimate, and the ends of its 95 % interval if there are any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ratio(pub i32, pub Option<i32>, pub Option<i32>);

impl Record {
    /// The record of a result.
    ///
    /// # Errors
    /// Says why a result is none of a history.
    pub fn of(result: &RunResult) -> Result<Self, String> {
        if result.method != Method::Paired {
            return Err("its sides were not measured in pairs".to_owned());
        }
        if result.base.dirty || result.head.dirty || result.head.commit.is_empty() {
            return Err("its sides are not two commits".to_owned());
        }
        let mut record = Self {
            schema: RECORD_SCHEMA.to_owned(),
            commit: result.head.commit.clone(),
            base: result.base.commit.clone(),
            time: result.time.clone(),
            machine: result.machine.as_ref().map(|m| m.name.clone()).unwrap_or_default(),
            kernel: result.machine.as_ref().map(|m| m.kernel.clone()).unwrap_or_default(),
            rustc: result.toolchain.as_ref().map(|t| t.rustc.clone()).unwrap_or_default(),
            version: result.version.clone(),
            metrics: Vec::new(),
            identical: Vec::new(),
            suites: Vec::new(),
        };
        for row in &result.benchmarks {
            record.add(row);
        }
        let untouched = result.suites.iter().filter(|suite| suite.finding == Finding::Identical);
        record.identical =
            untouched.map(|suite| (suite.package.clone(), suite.suite.clone())).collect();
        Ok(record)
    }

    /// The record of a committed baseline: values without ratios.
    pub fn of_baseline(commit: &str, time: &str, machine: &str, recorded: &Recorded) -> Self {
        let kernel = recorded.machine.as_ref().map(|machine| machine.kernel.clone());
        let rustc = recorded.toolchain.as_ref().map(|toolchain| toolchain.rustc.clone());
        let mut record = Self {
            schema: RECORD_SCHEMA.to_owned(),
            commit: commit.to_owned(),
            base: String::new(),
            time: time.to_owned(),
            machine: machine.to_owned(),
            kernel: kernel.unwrap_or_default(),
            rustc: rustc.unwrap_or_default(),
            version: String::new(),
            metrics: Vec::new(),
            identical: Vec::new(),
            suites: Vec::new(),
        };
        for (key, benchmark) in &recorded.benchmarks {
            let metric = record.metric(Metric::TIME.name(), Metric::TIME.unit());
            let value = stats::median(&benchmark.rounds).unwrap_or(benchmark.mean);
            let rows = record.rows(&key.package, &key.suite, &key.id);
            rows.push(Row(metric, rounded(value), None));
        }
        record
    }

    fn add(&mut self, row: &BenchmarkReport) {
        let is_same = row.finding == Finding::Identical;
        if !is_same && row.head.is_none() {
            return;
        }
        let metric = self.metric(row.metric.name(), &row.unit);
        let rows = self.rows(&row.package, &row.suite, &row.id);
        // The head of a row is derived from its base; a history holds measured values.
        let head = stats::median(&row.evidence.all().head).or(row.head);
        if let (false, Some(head)) = (is_same, head) {
            rows.push(Row(metric, rounded(head), change(row).as_ref().and_then(Ratio::of)));
        }
    }

    /// The rows of a benchmark; none yet, if it is new.
    fn rows(&mut self, package: &str, suite: &str, id: &str) -> &mut Vec<Row> {
        let is_of = |of: &SuiteRecord| of.package == package && of.suite == suite;
        let at = self.suites.iter().position(is_of).unwrap_or_else(|| {
            self.suites.push(SuiteRecord {
                package: package.to_owned(),
                suite: suite.to_owned(),
                benchmarks: BTreeMap::new(),
            });
            self.suites.len() - 1
        });
        self.suites[at].benchmarks.entry(id.to_owned()).or_default()
    }

    fn metric(&mut self, name: &str, unit: &str) -> usize {
        let position = self.metrics.iter().position(|(known, of)| known == name && of == unit);
        position.unwrap_or_else(|| {
            self.metrics.push((name.to_owned(), unit.to_owned()));
            self.metrics.len() - 1
        })
    }

    /// Reads a record.
    ///
    /// # Errors
    /// Names the key that is wrong.
    pub fn read(bytes: &[u8]) -> Result<Self, FormatError> {
        let record: Self = json::parse_large(bytes)?;
        if record.schema != RECORD_SCHEMA {
            let schema = record.schema.escape_debug();
            return Err(FormatError::at("schema", format!("`{schema}` is not `{RECORD_SCHEMA}`")));
        }
        for (key, commit) in [("commit", &record.commit), ("base", &record.base)] {
            if !is_commit(commit) {
                return Err(FormatError::at(key, "this is not the full name of a commit"));
            }
        }
        for (at, suite) in record.suites.iter().enumerate() {
            for (id, rows) in &suite.benchmarks {
                let is_wrong =
                    |row: &&Row| row.0 >= record.metrics.len() || !row.1.is_finite() || row.1 < 0.0;
                if let Some(Row(metric, value, _)) = rows.iter().find(is_wrong) {
                    let key = format!("suites[{at}].benchmarks.{}", id.escape_debug());
                    let problem = format!(
                        "invalid value {value} of metric {metric}: must be >= 0, of a metric of the record"
                    );
                    return Err(FormatError::at(key, problem));
                }
            }
        }
        Ok(record)
    }

    /// The text of a file: one line.
    pub fn to_json(&self) -> String {
        json::one_line(self, 4_096) + "\n"
    }
}

/// The change with an interval of the same error in every row, whatever decided it.
fn change(row: &BenchmarkReport) -> Option<Change> {
    let pairs = |stage| Pairs::of(&row.evidence, stage);
    let deciding = || pairs(Stage::Confirmation).or_else(|| pairs(Stage::Screening));
    if row.metric.is_count() { row.change } else { deciding().map(|pairs| pairs.change()) }
}

impl Ratio {
    fn of(change: &Change) -> Option<Self> {
        let steps = |fraction: f64| {
            let steps = (fraction.ln_1p() * STEPS).round();
            (steps.abs() < f64::from(i32::MAX)).then_some(steps as i32)
        };
        Some(Self(
            steps(change.estimate)?,
            change.lower.and_then(steps),
            change.upper.and_then(steps),
        ))
    }

    /// ln(head / base).
    pub fn log(self) -> f64 {
        f64::from(self.0) / STEPS
    }

    /// The ends of its 95 % interval.
    pub fn interval(self) -> Option<(f64, f64)> {
        Some((f64::from(self.1?) / STEPS, f64::from(self.2?) / STEPS))
    }
}

/// Five digits: a hundredth of what is ever distinguished.
fn rounded(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let scale = 10_f64.powi(4 - value.abs().log10().floor() as i32);
    // A scale beyond the numbers has nothing to round.
    if scale.is_normal() { (value * scale).round() / scale } else { value }
}

fn is_commit(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
