//! What was accepted, by whose word, and what came of it.

use serde::{Deserialize, Serialize};

use super::BenchmarkReport;
use crate::model::{Date, Finding, Metric, Verdict};
use crate::policy::Ceiling;

/// Everything that the policy and the commits of a change ask to accept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Waivers {
    /// Whether the base's policy lets commits accept slowdowns (`[gate] trailers`).
    pub trailers: bool,
    /// One entry per `[[waiver]]`, `[[quarantine]]` and honoured-if-possible trailer.
    pub entries: Vec<WaiverReport>,
}

/// One thing that is accepted; on a benchmark, the one that decided about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WaiverReport {
    /// Where it stands.
    pub source: WaiverSource,
    /// What came of it.
    pub state: WaiverState,
    /// Glob over ids.
    pub benchmark: String,
    /// Glob over suites; `None` for all.
    pub suite: Option<String>,
    /// Glob over packages; `None` for all.
    pub package: Option<String>,
    /// The metric; `None` for all.
    pub metric: Option<Metric>,
    /// The most that is accepted; `None` for a quarantine.
    pub ceiling: Option<Ceiling>,
    /// The last day on which it holds; `None` for a trailer, which goes with its change.
    pub until: Option<Date>,
    /// Where it is followed up; `None` for a trailer.
    pub issue: Option<String>,
    /// Why.
    pub reason: String,
    /// Line in the policy; `None` for a trailer.
    pub line: Option<usize>,
    /// The commit that holds the trailer; `None` for what stands in the policy.
    pub commit: Option<String>,
    /// On a benchmark: what would be said of it otherwise.
    pub finding: Option<Finding>,
}

/// Where an acceptance stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WaiverSource {
    /// `[[waiver]]` of the policy.
    Waiver,
    /// A commit's `Benchgate-Accept`.
    Trailer,
    /// `[[quarantine]]` of the policy.
    Quarantine,
}

/// What came of an acceptance, from what matters least to what matters most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WaiverState {
    /// Its benchmarks were left out of this run.
    Skipped,
    /// Its benchmarks call for nothing.
    Unneeded,
    /// It took effect.
    Honoured,
    /// A benchmark is beyond its ceiling.
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
    /// Whether it makes the gate incomplete: nobody knows any more what this entry of the policy accepts.
    pub fn is_failing(&self) -> bool {
        self.state == WaiverState::Unmatched && self.source != WaiverSource::Trailer
    }
}

impl Waivers {
    /// What they say about the whole gate.
    pub fn verdict(&self) -> Verdict {
        match self.entries.iter().any(WaiverReport::is_failing) {
            true => Verdict::Incomplete,
            false => Verdict::Pass,
        }
    }
}

impl BenchmarkReport {
    /// Whether it leaves open that the gate should be red.
    pub fn is_undecided(&self) -> bool {
        let says_so = matches!(self.finding, Finding::Inconclusive | Finding::NonDeterministic);
        (says_so || self.is_open) && !self.is_advisory()
    }

    /// Whether it is in a quarantine that took effect: it is shown and decides nothing.
    pub fn is_advisory(&self) -> bool {
        self.waiver.as_ref().is_some_and(|w| {
            w.source == WaiverSource::Quarantine && w.state == WaiverState::Honoured
        })
    }
}
