//! The results for one benchmark (finding) and for the whole gate (verdict).

use serde::{Deserialize, Serialize};

/// How large a proven slowdown is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Above 2 % unless the policy says otherwise.
    Note,
    /// Above 5 % unless the policy says otherwise.
    Warning,
    /// Above 10 % unless the policy says otherwise.
    Critical,
}

impl Level {
    /// From the largest to the smallest, the order in which they are tried.
    pub const DESCENDING: [Self; 3] = [Self::Critical, Self::Warning, Self::Note];

    /// The next higher one.
    pub fn higher(self) -> Option<Self> {
        match self {
            Self::Note => Some(Self::Warning),
            Self::Warning => Some(Self::Critical),
            Self::Critical => None,
        }
    }

    /// The name in files and policies.
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Critical => "critical",
        }
    }
}

/// The result for one benchmark and metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Finding {
    /// A slowdown above the critical threshold is proven.
    Critical,
    /// A slowdown above the warning threshold is proven.
    Warning,
    /// A slowdown above the note threshold is proven.
    Note,
    /// Ran and gave no usable value: crash, time-out, error, duplicate id.
    Failed,
    /// The base has it, the head does not.
    Missing,
    /// Neither a slowdown nor its absence is proven.
    Inconclusive,
    /// Counts that should be exact were not the same in two runs.
    #[serde(rename = "non-deterministic")]
    NonDeterministic,
    /// A slowdown is proven, or not ruled out, and accepted up to a ceiling that holds all of it.
    Waived,
    /// A speed-up is proven.
    Improved,
    /// As fast as its base, and slower than the committed baseline.
    Drifted,
    /// Measured, and a slowdown is ruled out; faster by the estimate, which is not proven.
    #[serde(rename = "not-slower")]
    NotSlower,
    /// Measured, and a slowdown that would block is ruled out.
    Unchanged,
    /// Both sides are the same record or the same machine code: nothing to measure.
    Identical,
    /// The head has it, the base does not.
    New,
    /// The policy says that the head's benchmark is the base's under a new name, and it compares.
    Renamed,
    /// The base has it, the head does not, and a policy says that it was removed on purpose.
    Removed,
    /// Left out on purpose, with a reason.
    Skipped,
}

impl Finding {
    /// Every finding, in the order of a report: worst first.
    pub const ALL: [Self; 17] = [
        Self::Critical,
        Self::Warning,
        Self::Note,
        Self::Failed,
        Self::Missing,
        Self::Inconclusive,
        Self::NonDeterministic,
        Self::Waived,
        Self::Improved,
        Self::Drifted,
        Self::NotSlower,
        Self::Unchanged,
        Self::Identical,
        Self::New,
        Self::Renamed,
        Self::Removed,
        Self::Skipped,
    ];

    /// The name in files and reports, and the anchor of its paragraph in `docs/decision.md`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Critical => "critical",
            Self::Warning => "warning",
            Self::Note => "note",
            Self::Failed => "failed",
            Self::Missing => "missing",
            Self::Inconclusive => "inconclusive",
            Self::NonDeterministic => "non-deterministic",
            Self::Waived => "waived",
            Self::Improved => "improved",
            Self::Drifted => "drifted",
            Self::NotSlower => "not-slower",
            Self::Unchanged => "unchanged",
            Self::Identical => "identical",
            Self::New => "new",
            Self::Renamed => "renamed",
            Self::Removed => "removed",
            Self::Skipped => "skipped",
        }
    }

    /// The level of a proven slowdown; `None` for every other finding.
    pub fn level(self) -> Option<Level> {
        match self {
            Self::Note => Some(Level::Note),
            Self::Warning => Some(Level::Warning),
            Self::Critical => Some(Level::Critical),
            _ => None,
        }
    }

    /// Whether both sides were compared.
    pub fn is_compared(self) -> bool {
        match self {
            Self::Critical
            | Self::Warning
            | Self::Note
            | Self::Inconclusive
            | Self::NonDeterministic
            | Self::Waived
            | Self::Improved
            | Self::Drifted
            | Self::NotSlower
            | Self::Unchanged
            | Self::Identical => true,
            Self::Failed
            | Self::Missing
            | Self::New
            | Self::Renamed
            | Self::Removed
            | Self::Skipped => false,
        }
    }
}

impl From<Level> for Finding {
    fn from(level: Level) -> Self {
        match level {
            Level::Note => Self::Note,
            Level::Warning => Self::Warning,
            Level::Critical => Self::Critical,
        }
    }
}

/// Why a suite was not measured although nothing went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SkipReason {
    /// The user asked for other suites.
    NotSelected,
    /// Another shard of the run builds and measures it.
    OtherShard,
    /// The policy leaves it out.
    Policy,
    /// Only measured when requested by name.
    Apart,
    /// Built with the test harness of the standard library.
    BuiltInHarness,
    /// Supports none of the harnesses that benchgate knows.
    UnknownHarness,
    /// Needs features that are not enabled.
    Features,
    /// Its manifest leaves it out of `cargo bench`.
    NotBenched,
    /// Registers no benchmark, on either side.
    NoBenchmarks,
    /// A baseline has no values of its kind.
    NotInBaseline,
    /// A program that it needs is not installed on this machine.
    NotInstalled,
}

/// The result for the whole gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Everything declared was measured and nothing at the failing level is proven.
    Pass,
    /// At least one benchmark can be said neither to be slower nor not to be.
    Inconclusive,
    /// Something could not be measured; that says nothing about speed.
    Incomplete,
    /// At least one slowdown at the failing level is proven.
    Regression,
}

impl Verdict {
    /// Every verdict, from the best to the worst.
    pub const ALL: [Self; 4] = [Self::Pass, Self::Inconclusive, Self::Incomplete, Self::Regression];

    /// The name in files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Inconclusive => "inconclusive",
            Self::Incomplete => "incomplete",
            Self::Regression => "regression",
        }
    }
}

/// Head compared with base as fractions: 0.05 is 5 % slower.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// The centre of the evidence.
    pub estimate: f64,
    /// The lower bound; `None` when so few values allow none.
    pub lower: Option<f64>,
    /// The upper bound; `None` when so few values allow none.
    pub upper: Option<f64>,
}

impl Change {
    /// From natural logarithms of head/base; an infinite bound becomes `None`.
    pub fn from_log(estimate: f64, lower: f64, upper: f64) -> Self {
        let bound = |log: f64| log.is_finite().then(|| log.exp_m1());
        Self { estimate: estimate.exp_m1(), lower: bound(lower), upper: bound(upper) }
    }

    /// Lower bound, estimate and upper bound as natural logarithms of head/base; no bound is infinite.
    pub fn to_logs(&self) -> [f64; 3] {
        [
            self.lower.map_or(f64::NEG_INFINITY, f64::ln_1p),
            self.estimate.ln_1p(),
            self.upper.map_or(f64::INFINITY, f64::ln_1p),
        ]
    }
}
