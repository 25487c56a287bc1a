//! Keys of values: a suite and a benchmark of it.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

/// Names one suite: a bench target of a package, or a `[[suite]]` of the policy.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SuiteKey {
    /// Cargo package; empty where a foreign file does not say.
    pub package: String,
    /// Bench target (`--bench NAME`); empty where a foreign file does not say.
    pub suite: String,
}

impl SuiteKey {
    /// A key from its two parts.
    pub fn new(package: impl Into<String>, suite: impl Into<String>) -> Self {
        Self { package: package.into(), suite: suite.into() }
    }

    /// The key under which a whole side is reported.
    pub fn of_all() -> Self {
        Self::new("", "")
    }

    /// The key of one of its benchmarks.
    pub fn benchmark(&self, id: impl Into<String>) -> BenchmarkKey {
        BenchmarkKey::new(&*self.package, &*self.suite, id)
    }
}

impl fmt::Display for SuiteKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.package, self.suite)
    }
}

/// Names one benchmark: an id within one suite; with Criterion its `full_id`.
///
/// The folder that Criterion writes to is not a key: it is cut at 64 bytes and two suites may share it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BenchmarkKey {
    /// Cargo package; empty where a foreign file does not say.
    pub package: String,
    /// Bench target (`--bench NAME`); empty where a foreign file does not say.
    pub suite: String,
    /// The id within the suite, raw; with Criterion its `full_id`: `group/function/value`, and any of
    /// the parts may hold a slash.
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

    /// A benchmark of which only the id is known, as of most records of other tools.
    pub fn of_id(id: impl Into<String>) -> Self {
        Self::new("", "", id)
    }

    /// The suite that it belongs to.
    pub fn suite_key(&self) -> SuiteKey {
        SuiteKey::new(&*self.package, &*self.suite)
    }

    /// Whether it belongs to a suite.
    pub fn is_of(&self, suite: &SuiteKey) -> bool {
        self.package == suite.package && self.suite == suite.suite
    }
}

impl Ord for BenchmarkKey {
    fn cmp(&self, other: &Self) -> Ordering {
        compare(&self.package, &other.package)
            .then_with(|| compare(&self.suite, &other.suite))
            .then_with(|| compare(&self.id, &other.id))
    }
}

/// Compares without touching the memory of an empty string: that of an empty `String` is not allocated, and
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
            ("", suite) => write!(f, "{suite}: {}", self.id),
            (package, suite) => write!(f, "{package}.{suite}: {}", self.id),
        }
    }
}
