//! The attempts on one base and head whose pairs a result holds.

use serde::{Deserialize, Serialize};

use super::benchmark::BenchmarkReport;
use crate::model::{Sides, Verdict};

/// Maximum number of attempts before one: the error that is left for more proves nothing.
pub const MOST_ATTEMPTS: usize = 20;

/// Which attempt a result is of, and what another one must agree with to add its pairs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AttemptReport {
    /// The commits that were checked out of both sides: of a working tree with changes, a commit on no branch.
    pub checkouts: Sides<String>,
    /// SHA-256 of the policies of base and head, with what the command line changes of them.
    pub policy: String,
    /// SHA-256 of the request, and of the settings of build and measurement.
    pub settings: String,
    /// The attempts before this one, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<EarlierAttempt>,
    /// Values of theirs that this attempt lacks, such as of a side that did not build again: another attempt continues
    /// with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<BenchmarkReport>,
}

/// An attempt whose pairs a later one took over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EarlierAttempt {
    /// Its end, RFC 3339 in UTC.
    pub time: String,
    /// Its verdict.
    pub verdict: Verdict,
    /// Seed of its order of rounds.
    pub seed: u64,
    /// The name of its machine.
    pub machine: String,
}
