//! Changes of known effect, what the gate must say about each, and what it said.

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
    /// The same renaming, with a `[[rename]]` in the base's policy.
    Renamed,
    /// A committed baseline that ends in the middle, with `--baseline`.
    Corrupt,
}

impl Run {
    /// In the order in which they are run.
    pub const ALL: [Self; 4] = [Self::Slower, Self::Gone, Self::Renamed, Self::Corrupt];

    /// The name in progress and of its folder.
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
#[derive(Clone, Copy, Debug)]
pub struct Canary {
    /// Its name, in files and reports.
    pub name: &'static str,
    /// The run that it is part of.
    pub run: Run,
    sign: Sign,
    /// Exit codes of a gate that sees it; none where another canary of the run decides.
    exits: &'static [u8],
}

/// How one knows that the gate saw it.
#[derive(Clone, Copy, Debug)]
enum Sign {
    /// One of these findings about a benchmark.
    Finding { id: &'static str, metric: Metric, among: &'static [Finding] },
    /// No proven change of a benchmark.
    NoChange { id: &'static str },
    /// A word on standard error.
    Told(&'static str),
}

/// The file name of the baseline that ends in the middle.
pub const CORRUPT_BASELINE: &str = "canaries.speed.json";

const fn time(id: &'static str, among: &'static [Finding]) -> Sign {
    Sign::Finding { id, metric: Metric::Time, among }
}

/// Every canary, in the order of the report.
pub const CANARIES: [Canary; 9] = [
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
            metric: Metric::AllocBlocks,
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
        sign: Sign::Told(CORRUPT_BASELINE),
        exits: &[101],
    },
];

/// What a run of the gate left.
#[derive(Clone, Debug)]
pub struct Ran {
    /// Its exit code; `None` when it was stopped.
    pub exit: Option<i32>,
    /// Its `result.json`, where it wrote one that can be read.
    pub result: Option<RunResult>,
    /// What it said on standard error.
    pub told: String,
}

/// How a canary came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CanaryState {
    /// The gate said something else: it cannot be trusted on this machine.
    Missed,
    /// The gate did not come so far.
    Failed,
    /// The gate said itself that it could prove nothing.
    Unproven,
    /// The gate said what it must.
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

/// One canary of one self-test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CanaryReport {
    /// Its name.
    pub canary: String,
    /// How it came out.
    pub state: CanaryState,
    /// What the gate had to say.
    pub expected: String,
    /// What it said.
    pub seen: String,
}

impl Canary {
    /// Holds what a run left against what it had to say.
    pub fn judge(&self, ran: &Ran) -> CanaryReport {
        let exit = ran.exit.map_or_else(|| "stopped".to_owned(), |code| format!("exit {code}"));
        let (state, seen) = self.sign(ran);
        let is_exit = |code: &u8| ran.exit == Some(i32::from(*code));
        let exits = self.exits.is_empty() || self.exits.iter().any(is_exit);
        let state = if state == CanaryState::Seen && !exits { CanaryState::Missed } else { state };
        let seen = if self.exits.is_empty() { seen } else { format!("{seen}, {exit}") };
        self.report(state, seen)
    }

    /// The report of one that was not run.
    pub fn not_run(&self, reason: &str) -> CanaryReport {
        self.report(CanaryState::Failed, format!("not run: {reason}"))
    }

    fn report(&self, state: CanaryState, seen: String) -> CanaryReport {
        CanaryReport { canary: self.name.to_owned(), state, expected: self.expected(), seen }
    }

    fn sign(&self, ran: &Ran) -> (CanaryState, String) {
        let (id, metric, among) = match self.sign {
            Sign::Told(word) if ran.told.contains(word) => {
                return (CanaryState::Seen, format!("`{word}` is named"));
            }
            Sign::Told(word) => return (CanaryState::Missed, format!("`{word}` is not named")),
            Sign::NoChange { id } => (id, Metric::Time, None),
            Sign::Finding { id, metric, among } => (id, metric, Some(among)),
        };
        let Some(result) = &ran.result else {
            let last = ran.told.lines().rev().find(|line| !line.trim().is_empty());
            let why = last.map(|line| format!(": {}", line.trim())).unwrap_or_default();
            return (CanaryState::Failed, format!("no result{why}"));
        };
        let is_it = |b: &&BenchmarkReport| b.id == id && b.metric == metric;
        // A benchmark that is gone has one line, whatever its metric.
        let Some(report) = result.benchmarks.iter().find(is_it) else {
            let failed = result.suites.iter().find(|suite| suite.finding == Finding::Failed);
            return match failed {
                Some(suite) => (CanaryState::Failed, suite.reason.clone()),
                None => (CanaryState::Missed, format!("no word about {id}")),
            };
        };
        let state = match (report.finding, among) {
            (Finding::Failed, _) => CanaryState::Failed,
            (finding, Some(among)) if among.contains(&finding) => CanaryState::Seen,
            (Finding::Inconclusive, _) => CanaryState::Unproven,
            (Finding::Unchanged, None) => CanaryState::Seen,
            _ => CanaryState::Missed,
        };
        let change = match (report.change, metric) {
            (Some(change), Metric::Time) => format!(" ({:+.1} %)", change.estimate * 100.0),
            _ => String::new(),
        };
        (state, format!("{}{change}", report.finding.name()))
    }

    /// What the gate has to say, in words.
    fn expected(&self) -> String {
        let sign = match self.sign {
            Sign::NoChange { .. } => Finding::Unchanged.name().to_owned(),
            Sign::Told(word) => format!("`{word}` is named"),
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
