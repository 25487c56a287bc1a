//! `benchgate.selftest/1`: what the gate showed that it can see on a machine. `docs/formats.md`
//! describes it.

mod canary;
mod terminal;

use serde::{Deserialize, Serialize};

pub use canary::{CANARIES, CORRUPT_BASELINE, Canary, CanaryReport, CanaryState, Ran, Run};
pub use terminal::terminal;

use crate::adapters::{FormatError, parse_json};
use crate::model::{Finding, Machine, Metric, Verdict};
use crate::result::{BenchmarkReport, Origin, SuiteReport};
use crate::stats;

/// Value of the key `schema`.
pub const SELFTEST_SCHEMA: &str = "benchgate.selftest/1";

/// Pairs that every benchmark gets here: six are enough to rule a slowdown out, and seven the fewest
/// that say how small a one they would have shown.
pub const LEAST_PAIRS: u32 = 10;

/// Benchmarks that a line names because they hide the largest slowdowns.
const NOISIEST: usize = 3;

/// One self-test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfTest {
    /// [`SELFTEST_SCHEMA`].
    pub schema: String,
    /// Version of the benchgate that wrote it.
    pub version: String,
    /// When it ended, RFC 3339 in UTC.
    pub time: String,
    /// Where it was run.
    pub machine: Machine,
    /// What was compared with copies of itself; `None` with canaries alone.
    pub head: Option<Origin>,
    /// Seed of the order of rounds.
    pub seed: u64,
    /// Wall seconds of the whole, builds included.
    pub seconds: f64,
    /// Suites that were found and not measured.
    pub suites: Vec<SuiteReport>,
    /// Every benchmark against its copy.
    pub benchmarks: Vec<Copied>,
    /// Changes of known effect.
    pub canaries: Vec<CanaryReport>,
}

/// A benchmark against a copy of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Copied {
    /// Package.
    pub package: String,
    /// Bench target.
    pub suite: String,
    /// Criterion's `full_id`.
    pub id: String,
    /// What was compared.
    pub metric: Metric,
    /// What the gate said.
    pub finding: Finding,
    /// The smallest slowdown, as a fraction, that such pairs prove; `None` for counts, which are exact,
    /// and where the pairs were too few.
    pub detectable: Option<f64>,
    /// Pairs that were measured.
    pub pairs: u32,
    /// Wall seconds of its pairs.
    pub seconds: f64,
    /// Why the finding is what it is.
    pub reason: String,
}

impl Copied {
    /// Of what the gate said, and of the seconds that it took.
    pub fn new(report: BenchmarkReport, seconds: f64) -> Self {
        let BenchmarkReport { package, suite, id, metric, .. } = report;
        let BenchmarkReport { finding, detectable, pairs, reason, .. } = report;
        Self { package, suite, id, metric, finding, detectable, pairs, seconds, reason }
    }

    /// Whether a change is claimed where there is none.
    pub fn is_false_alarm(&self) -> bool {
        self.finding.level().is_some() || self.finding == Finding::Improved
    }
}

impl SelfTest {
    /// What it says of the gate on this machine. Never a regression: nothing of the user's is slower.
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

    /// The times that were compared: what was measured, or would have been.
    fn times(&self) -> impl Iterator<Item = &Copied> {
        self.benchmarks.iter().filter(|b| b.metric == Metric::Time && b.finding.is_compared())
    }

    /// One line: when, and what the gate could see.
    pub fn line(&self) -> String {
        let mut parts = Vec::new();
        if self.head.is_some() {
            let times = self.times().count();
            let false_alarms = self.benchmarks.iter().filter(|b| b.is_false_alarm()).count();
            parts.push(format!(
                "{times} benchmark{} against copies, {false_alarms} false alarm{}",
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
            parts.push(format!("{seen} of {} canaries seen", self.canaries.len()));
        }
        parts.join("; ")
    }

    /// The text of a `selftest.json`.
    pub fn to_json(&self) -> String {
        // Only strings, numbers and lists: serializing cannot fail.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Reads and checks a `selftest.json`.
    ///
    /// # Errors
    /// Names the key that is missing, unknown, wrong or out of range.
    pub fn from_json(bytes: &[u8]) -> Result<Self, FormatError> {
        let read: Self = parse_json(bytes)?;
        if read.schema != SELFTEST_SCHEMA {
            let problem =
                format!("`{}` is not `{SELFTEST_SCHEMA}`: written by another version", read.schema);
            return Err(FormatError::at("schema", problem));
        }
        let seconds = |key: String, value: f64| {
            let problem = format!("{value} is no number of seconds");
            if value >= 0.0 { Ok(()) } else { Err(FormatError::at(key, problem)) }
        };
        seconds("seconds".to_owned(), read.seconds)?;
        for (index, benchmark) in read.benchmarks.iter().enumerate() {
            let key = |name: &str| format!("benchmarks[{index}].{name}");
            seconds(key("seconds"), benchmark.seconds)?;
            if let Some(detectable) = benchmark.detectable {
                let problem = format!("{detectable} is no slowdown: it must be above zero");
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
