//! Changes of known effect: what the gate must report about each, and what it reported.

use serde::{Deserialize, Serialize};

use crate::model::{Finding, Metric};
use crate::result::{BenchmarkReport, RunResult};

/// A run of the gate on one commit of the canaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Run {
    /// More work in three benchmarks, and one more allocation.
    Slower,
    /// A benchmark deleted and one renamed, neither announced.
    Gone,
    /// A renaming with a `[[rename]]` in the base's policy.
    Renamed,
    /// A truncated committed baseline, with `--baseline`.
    Corrupt,
}

impl Run {
    /// In the order in which they are run.
    pub const ALL: [Self; 4] = [Self::Slower, Self::Gone, Self::Renamed, Self::Corrupt];

    /// Its name, in progress messages and as a folder.
    pub fn name(self) -> &'static str {
        match self {
            Self::Slower => "slower",
            Self::Gone => "gone",
            Self::Renamed => "renamed",
            Self::Corrupt => "corrupt",
        }
    }
}

/// A change of known effect.
#[derive(Clone, Debug)]
pub struct Canary {
    /// Its name, in files and reports.
    pub name: &'static str,
    /// The run that it is part of.
    pub run: Run,
    sign: Sign,
    /// Exit codes of a gate that detects it; empty where another canary of the run decides.
    exits: &'static [u8],
}

/// The evidence that the gate detected it.
#[derive(Clone, Debug)]
enum Sign {
    /// Any of these findings about a benchmark.
    Finding { id: &'static str, metric: Metric, among: &'static [Finding] },
    /// No proven change of a benchmark.
    NoChange { id: &'static str },
    /// A word in standard error.
    Named(&'static str),
}

/// The file name of the truncated baseline.
pub const CORRUPT_BASELINE: &str = "canaries.speed.json";

const fn time(id: &'static str, among: &'static [Finding]) -> Sign {
    Sign::Finding { id, metric: Metric::TIME, among }
}

/// Every canary, in the order of the report.
pub static CANARIES: [Canary; 9] = [
    Canary {
        name: "unchanged",
        run: Run::Slower,
        sign: Sign::NoChange { id: "speed/same" },
        exits: &[],
    },
    Canary {
        name: "three-percent",
        run: Run::Slower,
        sign: time("speed/three_percent", &[Finding::Note, Finding::Warning, Finding::Critical]),
        exits: &[],
    },
    Canary {
        name: "six-percent",
        run: Run::Slower,
        sign: time("speed/six_percent", &[Finding::Warning, Finding::Critical]),
        exits: &[],
    },
    Canary {
        name: "twelve-percent",
        run: Run::Slower,
        sign: time("speed/twelve_percent", &[Finding::Critical]),
        exits: &[100],
    },
    Canary {
        name: "allocation",
        run: Run::Slower,
        sign: Sign::Finding {
            id: "allocations/buffers",
            metric: Metric::ALLOC_BLOCKS,
            among: &[Finding::Critical],
        },
        exits: &[100],
    },
    Canary {
        name: "deleted",
        run: Run::Gone,
        sign: time("names/deleted", &[Finding::Missing]),
        exits: &[101],
    },
    Canary {
        name: "renamed",
        run: Run::Gone,
        sign: time("names/old", &[Finding::Missing]),
        exits: &[101],
    },
    Canary {
        name: "renamed-announced",
        run: Run::Renamed,
        sign: time("names/old", &[Finding::Renamed]),
        // Noise alone can leave a benchmark inconclusive.
        exits: &[0, 102],
    },
    Canary {
        name: "corrupt-baseline",
        run: Run::Corrupt,
        sign: Sign::Named(CORRUPT_BASELINE),
        exits: &[101],
    },
];

/// The outputs of a run of the gate.
#[derive(Clone, Debug)]
pub struct Ran {
    /// Its exit code; `None` when it was stopped.
    pub exit: Option<i32>,
    /// Its `result.json`, if it wrote a readable one.
    pub result: Option<RunResult>,
    /// Its standard error.
    pub stderr: String,
}

/// The outcome of a canary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CanaryState {
    /// The gate reported something else: it cannot be trusted on this machine.
    Missed,
    /// The gate failed before it could report it.
    Failed,
    /// The gate reported that it could not prove it.
    Unproven,
    /// The gate reported it.
    Seen,
}

impl CanaryState {
    /// The name in files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Missed => "missed",
            Self::Failed => "failed",
            Self::Unproven => "unproven",
            Self::Seen => "seen",
        }
    }
}

/// A canary of one self-test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CanaryReport {
    /// Its name.
    pub canary: String,
    /// The outcome.
    pub state: CanaryState,
    /// The expected report of the gate.
    pub expected: String,
    /// The actual report of the gate.
    pub seen: String,
}

impl Canary {
    /// Compares the outputs of a run with the expected ones.
    pub fn judge(&self, ran: &Ran) -> CanaryReport {
        let exit = ran.exit.map_or_else(|| "stopped".to_owned(), |code| format!("exit {code}"));
        let (state, seen) = self.sign(ran);
        let is_exit = |code: &u8| ran.exit == Some(i32::from(*code));
        let exits = self.exits.is_empty() || self.exits.iter().any(is_exit);
        let state = if state == CanaryState::Seen && !exits { CanaryState::Missed } else { state };
        let seen = if self.exits.is_empty() { seen } else { format!("{seen}, {exit}") };
        self.report(state, seen)
    }

    /// The report of a canary that was not run.
    pub fn not_run(&self, reason: &str) -> CanaryReport {
        self.report(CanaryState::Failed, format!("not run: {reason}"))
    }

    fn report(&self, state: CanaryState, seen: String) -> CanaryReport {
        CanaryReport { canary: self.name.to_owned(), state, expected: self.expected(), seen }
    }

    fn sign(&self, ran: &Ran) -> (CanaryState, String) {
        let (id, metric, among) = match &self.sign {
            Sign::Named(word) if ran.stderr.contains(*word) => {
                return (CanaryState::Seen, format!("`{word}` is named"));
            }
            Sign::Named(word) => return (CanaryState::Missed, format!("`{word}` is not named")),
            Sign::NoChange { id } => (id, &Metric::TIME, None),
            Sign::Finding { id, metric, among } => (id, metric, Some(among)),
        };
        let Some(result) = &ran.result else {
            let last = ran.stderr.lines().rev().find(|line| !line.trim().is_empty());
            let why = last.map(|line| format!(": {}", line.trim())).unwrap_or_default();
            return (CanaryState::Failed, format!("no result{why}"));
        };
        let is_it = |b: &&BenchmarkReport| b.id == *id && b.metric == *metric;
        // A missing benchmark has one entry, whatever its metric.
        let Some(report) = result.benchmarks.iter().find(is_it) else {
            let failed = result.suites.iter().find(|suite| suite.finding == Finding::Failed);
            return match failed {
                Some(suite) => (CanaryState::Failed, suite.reason.clone()),
                None => (CanaryState::Missed, format!("{id} is not reported")),
            };
        };
        let state = match (report.finding, among) {
            (Finding::Failed, _) => CanaryState::Failed,
            (finding, Some(among)) if among.contains(&finding) => CanaryState::Seen,
            (Finding::Inconclusive, _) | (Finding::NotSlower, None) => CanaryState::Unproven,
            (Finding::Unchanged, None) => CanaryState::Seen,
            _ => CanaryState::Missed,
        };
        let change = match (report.change, metric) {
            (Some(change), metric) if *metric == Metric::TIME => {
                format!(" ({:+.1} %)", change.estimate * 100.0)
            }
            _ => String::new(),
        };
        (state, format!("{}{change}", report.finding.name()))
    }

    /// Describes what the gate has to report.
    fn expected(&self) -> String {
        let sign = match &self.sign {
            Sign::NoChange { .. } => Finding::Unchanged.name().to_owned(),
            Sign::Named(word) => format!("`{word}` is named"),
            Sign::Finding { among, .. } => match among {
                [one] => one.name().to_owned(),
                [least, ..] => format!("{} or worse", least.name()),
                [] => String::new(),
            },
        };
        let exits: Vec<String> = self.exits.iter().map(u8::to_string).collect();
        if exits.is_empty() { sign } else { format!("{sign}, exit {}", exits.join(" or ")) }
    }
}
