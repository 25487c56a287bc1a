//! What a value belongs to: benchmark, metric, side.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

/// Names one benchmark: Criterion's `full_id` within one suite of one package.
///
/// The directory Criterion writes to is no key: it is cut at 64 bytes and two suites may share it.
#[derive(Clone, Debug)]
pub struct BenchmarkKey {
    /// Cargo package; empty where a foreign file does not say.
    pub package: String,
    /// Bench target (`--bench NAME`); empty where a foreign file does not say.
    pub suite: String,
    /// Criterion's `full_id`, raw: `group/function/value`, and any of the parts may hold a slash.
    pub id: String,
}

impl BenchmarkKey {
    /// A key from its three parts.
    pub fn new(
        package: impl Into<String>,
        suite: impl Into<String>,
        id: impl Into<String>,
    ) -> Self {
        Self { package: package.into(), suite: suite.into(), id: id.into() }
    }
}

impl Ord for BenchmarkKey {
    fn cmp(&self, other: &Self) -> Ordering {
        compare(&self.package, &other.package)
            .then_with(|| compare(&self.suite, &other.suite))
            .then_with(|| compare(&self.id, &other.id))
    }
}

/// Compares without touching the memory of an empty string: that of an empty `String` is no memory, and
/// the vector instructions of some C libraries take a microsecond to find that out. Foreign records have
/// empty packages and suites by the ten thousand.
fn compare(a: &str, b: &str) -> Ordering {
    if a.is_empty() || b.is_empty() { a.len().cmp(&b.len()) } else { a.cmp(b) }
}

impl PartialOrd for BenchmarkKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for BenchmarkKey {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for BenchmarkKey {}

impl fmt::Display for BenchmarkKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.package.as_str(), self.suite.as_str()) {
            ("", "") => f.write_str(&self.id),
            (package, suite) => write!(f, "{package}.{suite}: {}", self.id),
        }
    }
}

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Metric {
    /// Wall time of one iteration, in nanoseconds.
    #[serde(rename = "time")]
    Time,
    /// Allocated blocks per iteration.
    #[serde(rename = "alloc.blocks")]
    AllocBlocks,
    /// Allocated bytes per iteration.
    #[serde(rename = "alloc.bytes")]
    AllocBytes,
    /// The most bytes that were live at once.
    #[serde(rename = "alloc.peak")]
    AllocPeak,
}

impl Metric {
    /// Every metric.
    pub const ALL: [Self; 4] = [Self::Time, Self::AllocBlocks, Self::AllocBytes, Self::AllocPeak];

    /// The name in files and policies.
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::AllocBlocks => "alloc.blocks",
            Self::AllocBytes => "alloc.bytes",
            Self::AllocPeak => "alloc.peak",
        }
    }

    /// The unit of its values.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Time => "ns",
            Self::AllocBlocks => "blocks",
            Self::AllocBytes | Self::AllocPeak => "bytes",
        }
    }
}

impl Metric {
    /// Whether its values are counts, which are exact and may be zero.
    pub fn is_count(self) -> bool {
        match self {
            Self::Time => false,
            Self::AllocBlocks | Self::AllocBytes | Self::AllocPeak => true,
        }
    }
}

/// One of the two things that a gate compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// What is already there: the commit forked from, or a baseline.
    Base,
    /// What is proposed.
    Head,
}

impl Side {
    /// The name in files, folders and messages; both are four letters long, on purpose: the length of
    /// a path shifts the heap of the measured process.
    pub fn name(self) -> &'static str {
        match self {
            Self::Base => "base",
            Self::Head => "head",
        }
    }

    /// The other one.
    pub fn other(self) -> Self {
        match self {
            Self::Base => Self::Head,
            Self::Head => Self::Base,
        }
    }
}
