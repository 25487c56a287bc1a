//! Waivers, quarantines and trailers in a result, and their states.

use serde::{Deserialize, Serialize};

use crate::model::{Date, Finding, Metric, Verdict};
use crate::policy::Ceiling;

/// All acceptances of the policy and of the commits of a change.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Waivers {
    /// Whether the base's policy lets commits accept slowdowns (`[gate] trailers`).
    pub trailers: bool,
    /// Entries, one per `[[waiver]]`, `[[quarantine]]` and honoured-if-possible trailer.
    pub entries: Vec<WaiverReport>,
}

/// An acceptance; on a benchmark, the acceptance that applies to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct WaiverReport {
    /// Its source.
    pub source: WaiverSource,
    /// Its state.
    pub state: WaiverState,
    /// Glob over ids.
    pub benchmark: String,
    /// Glob over suites; `None` for all.
    pub suite: Option<String>,
    /// Glob over packages; `None` for all.
    pub package: Option<String>,
    /// The metric; `None` for all.
    pub metric: Option<Metric>,
    /// The largest change that is accepted; `None` for a quarantine.
    pub ceiling: Option<Ceiling>,
    /// The last day on which it is valid; `None` for a trailer, which ends with its change.
    pub until: Option<Date>,
    /// The issue that tracks it; `None` for a trailer.
    pub issue: Option<String>,
    /// The reason.
    pub reason: String,
    /// Line in the policy; `None` for a trailer.
    pub line: Option<usize>,
    /// The commit that holds the trailer; `None` for an entry of the policy.
    pub commit: Option<String>,
    /// On a benchmark: its finding without the waiver.
    pub finding: Option<Finding>,
}

/// The source of an acceptance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum WaiverSource {
    /// `[[waiver]]` of the policy.
    Waiver,
    /// A commit's `Benchgate-Accept`.
    Trailer,
    /// `[[quarantine]]` of the policy.
    Quarantine,
}

/// The state of an acceptance, from the least to the most important.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum WaiverState {
    /// Its benchmarks were not measured in this run.
    Skipped,
    /// Its benchmarks need no waiver.
    Unneeded,
    /// Took effect.
    Honoured,
    /// A benchmark exceeds its ceiling.
    Exceeded,
    /// Its last day is over: it has no effect.
    Expired,
    /// No benchmark of either side matches, and the head's policy no longer holds it.
    Dropped,
    /// No benchmark of either side matches.
    Unmatched,
}

impl WaiverSource {
    /// The name in files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Waiver => "waiver",
            Self::Trailer => "trailer",
            Self::Quarantine => "quarantine",
        }
    }
}

impl WaiverState {
    /// Every state.
    pub const ALL: [Self; 7] = [
        Self::Skipped,
        Self::Unneeded,
        Self::Honoured,
        Self::Exceeded,
        Self::Expired,
        Self::Dropped,
        Self::Unmatched,
    ];

    /// The name in files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Skipped => "skipped",
            Self::Unneeded => "unneeded",
            Self::Honoured => "honoured",
            Self::Exceeded => "exceeded",
            Self::Expired => "expired",
            Self::Dropped => "dropped",
            Self::Unmatched => "unmatched",
        }
    }
}

impl WaiverReport {
    /// Whether it makes the gate incomplete: it is unknown what this entry of the policy accepts.
    pub fn is_failing(&self) -> bool {
        self.state == WaiverState::Unmatched && self.source != WaiverSource::Trailer
    }
}

impl Waivers {
    /// The verdict that they give for the whole gate.
    pub fn verdict(&self) -> Verdict {
        match self.entries.iter().any(WaiverReport::is_failing) {
            true => Verdict::Incomplete,
            false => Verdict::Pass,
        }
    }
}
