//! `benchgate.selftest/1`: what the gate can detect on a machine. `docs/formats.md` describes it.

mod canary;
mod terminal;

use serde::{Deserialize, Serialize};

pub use canary::{CANARIES, CORRUPT_BASELINE, Canary, CanaryReport, CanaryState, Ran, Run};
pub use terminal::terminal;

use crate::json::{self, FormatError};
use crate::model::{Finding, Machine, Metric, Verdict};
use crate::result::{BenchmarkReport, Origin, SuiteReport};
use crate::stats;

/// Value of the key `schema`.
pub const SELFTEST_SCHEMA: &str = "benchgate.selftest/1";

/// Minimum number of pairs per benchmark: six are enough to rule a slowdown out, and seven to compute the
/// smallest detectable slowdown.
pub const LEAST_PAIRS: u32 = 10;

/// Number of benchmarks that a line names because they hide the largest slowdowns.
const NOISIEST: usize = 3;

/// A self-test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfTest {
    /// [`SELFTEST_SCHEMA`].
    pub schema: String,
    /// Version of the benchgate that wrote it.
    pub version: String,
    /// End of the self-test, RFC 3339 in UTC.
    pub time: String,
    /// The machine that it ran on.
    pub machine: Machine,
    /// The code that was compared with copies of itself; `None` with canaries alone.
    pub head: Option<Origin>,
    /// Seed of the order of rounds.
    pub seed: u64,
    /// Wall seconds of the whole, builds included.
    pub seconds: f64,
    /// Suites that were found and not measured.
    pub suites: Vec<SuiteReport>,
    /// Every benchmark compared with its copy.
    pub benchmarks: Vec<Copied>,
    /// Changes of known effect.
    pub canaries: Vec<CanaryReport>,
}

/// A benchmark compared with a copy of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Copied {
    /// Package.
    pub package: String,
    /// Bench target.
    pub suite: String,
    /// The id within the suite; with Criterion its `full_id`.
    pub id: String,
    /// The metric that was compared.
    pub metric: Metric,
    /// The finding of the gate.
    pub finding: Finding,
    /// The smallest slowdown, as a fraction, that pairs with this scatter prove; `None` for counts, which
    /// are exact, and where the pairs were too few.
    pub detectable: Option<f64>,
    /// Pairs that were measured.
    pub pairs: u32,
    /// Wall seconds of its pairs.
    pub seconds: f64,
    /// The reason for the finding.
    pub reason: String,
}

impl Copied {
    /// From the report of the gate, and the seconds of its pairs.
    pub fn new(report: BenchmarkReport, seconds: f64) -> Self {
        let BenchmarkReport { package, suite, id, metric, .. } = report;
        let BenchmarkReport { finding, detectable, pairs, reason, .. } = report;
        Self { package, suite, id, metric, finding, detectable, pairs, seconds, reason }
    }

    /// Whether a change is reported although there is none.
    pub fn is_false_alarm(&self) -> bool {
        self.finding.level().is_some() || self.finding == Finding::Improved
    }
}

impl SelfTest {
    /// The verdict on the gate on this machine. Never a regression: no code of the user is slower.
    pub fn verdict(&self) -> Verdict {
        let is_wrong = self.benchmarks.iter().any(|b| {
            b.is_false_alarm() || matches!(b.finding, Finding::Failed | Finding::NonDeterministic)
        }) || self.suites.iter().any(|suite| suite.finding == Finding::Failed)
            || self
                .canaries
                .iter()
                .any(|c| matches!(c.state, CanaryState::Missed | CanaryState::Failed));
        let is_empty =
            self.head.is_some() && !self.benchmarks.iter().any(|b| b.finding.is_compared());
        let is_open = self.benchmarks.iter().any(|b| b.finding == Finding::Inconclusive)
            || self.canaries.iter().any(|c| c.state == CanaryState::Unproven);
        match (is_wrong || is_empty, is_open) {
            (true, _) => Verdict::Incomplete,
            (false, true) => Verdict::Inconclusive,
            (false, false) => Verdict::Pass,
        }
    }

    /// The entries of times, measured or not.
    fn times(&self) -> impl Iterator<Item = &Copied> {
        self.benchmarks.iter().filter(|b| b.metric == Metric::TIME && b.finding.is_compared())
    }

    /// A line: what the gate could detect.
    pub fn line(&self) -> String {
        let mut parts = Vec::new();
        if self.head.is_some() {
            let times = self.times().count();
            let false_alarms = self.benchmarks.iter().filter(|b| b.is_false_alarm()).count();
            parts.push(format!(
                "{times} benchmark{} compared with copies, {false_alarms} false alarm{}",
                plural(times),
                plural(false_alarms)
            ));
            let mut smallest: Vec<(f64, &str)> =
                self.times().filter_map(|b| Some((b.detectable?, b.id.as_str()))).collect();
            smallest.sort_by(|a, b| b.0.total_cmp(&a.0));
            let sizes: Vec<f64> = smallest.iter().map(|(size, _)| *size).collect();
            if let Some(median) = stats::median(&sizes) {
                let noisiest: Vec<String> = smallest
                    .iter()
                    .take(NOISIEST)
                    .map(|(size, id)| format!("{} for `{id}`", percent(*size)))
                    .collect();
                parts.push(format!(
                    "smallest slowdown shown: median {}, worst {}",
                    percent(median),
                    noisiest.join(", ")
                ));
            }
        }
        if !self.canaries.is_empty() {
            let seen = self.canaries.iter().filter(|c| c.state == CanaryState::Seen).count();
            parts.push(format!("{seen} of {} canaries detected", self.canaries.len()));
        }
        parts.join("; ")
    }

    /// The text of a `selftest.json`.
    pub fn to_json(&self) -> String {
        // Only strings, numbers and lists: serializing cannot fail.
        let mut text = json::pretty(self, 4_096);
        text.push('\n');
        text
    }

    /// Reads and checks a `selftest.json`.
    ///
    /// # Errors
    /// Names the key that is missing, unknown, wrong or out of range.
    pub fn from_json(bytes: &[u8]) -> Result<Self, FormatError> {
        let read: Self = json::parse(bytes)?;
        if read.schema != SELFTEST_SCHEMA {
            let problem =
                format!("`{}` is not `{SELFTEST_SCHEMA}`: written by another version", read.schema);
            return Err(FormatError::at("schema", problem));
        }
        let seconds = |key: String, value: f64| {
            let problem = format!("invalid duration {value}: must be >= 0 seconds");
            if value >= 0.0 { Ok(()) } else { Err(FormatError::at(key, problem)) }
        };
        seconds("seconds".to_owned(), read.seconds)?;
        for (index, benchmark) in read.benchmarks.iter().enumerate() {
            let key = |name: &str| format!("benchmarks[{index}].{name}");
            seconds(key("seconds"), benchmark.seconds)?;
            if let Some(detectable) = benchmark.detectable {
                let problem = format!("invalid slowdown {detectable}: must be > 0");
                if detectable <= 0.0 {
                    return Err(FormatError::at(key("detectable"), problem));
                }
            }
        }
        Ok(read)
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

fn percent(fraction: f64) -> String {
    format!("{:.1} %", fraction * 100.0)
}

#[cfg(test)]
mod tests;
