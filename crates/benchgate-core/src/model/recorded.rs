//! Results that were measured earlier and are read back.

use std::collections::BTreeMap;

use super::{BenchmarkKey, Machine, Toolchain};

/// Everything one file, folder or baseline says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recorded {
    /// Commit that was measured, where the record says.
    pub commit: Option<String>,
    /// Time of the measurement as RFC 3339, where the record says.
    pub time: Option<String>,
    /// Machine that measured, where the record says.
    pub machine: Option<Machine>,
    /// Toolchain that built the benchmarks, where the record says.
    pub toolchain: Option<Toolchain>,
    /// The values.
    pub benchmarks: BTreeMap<BenchmarkKey, RecordedBenchmark>,
    /// Benchmarks that the record names without a usable value, and why: compared with anything they are *failed*.
    pub refused: BTreeMap<BenchmarkKey, String>,
}

/// The reason for which a benchmark that is there twice is refused.
const TWICE: &str = "it is there twice, and nothing tells the two apart";

impl Recorded {
    /// Adds the values of a benchmark, or why it has none. One that is there twice is refused: either could be meant.
    pub fn add(&mut self, key: BenchmarkKey, values: Result<RecordedBenchmark, String>) {
        match values {
            _ if self.names(&key) => self.refuse(key, TWICE),
            Ok(values) => {
                self.benchmarks.insert(key, values);
            }
            Err(reason) => self.refuse(key, reason),
        }
    }

    /// Refuses a benchmark, whatever is known of it.
    pub fn refuse(&mut self, key: BenchmarkKey, reason: impl Into<String>) {
        self.benchmarks.remove(&key);
        self.refused.insert(key, reason.into());
    }

    /// Whether it has a benchmark, with or without a value.
    pub fn names(&self, key: &BenchmarkKey) -> bool {
        self.benchmarks.contains_key(key) || self.refused.contains_key(key)
    }

    /// Whether it names no benchmark.
    pub fn is_empty(&self) -> bool {
        self.benchmarks.is_empty() && self.refused.is_empty()
    }

    /// Its benchmarks, with and without a value.
    pub fn keys(&self) -> impl Iterator<Item = &BenchmarkKey> {
        self.benchmarks.keys().chain(self.refused.keys())
    }
}

/// The recorded time of one benchmark.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordedBenchmark {
    /// Arithmetic mean in nanoseconds per iteration: the one figure that every format has, and the one
    /// that critcmp compares.
    pub mean: f64,
    /// Standard deviation in nanoseconds, as critcmp shows it.
    pub std_dev: f64,
    /// Values per round; empty when the record is of a single process.
    pub rounds: Vec<f64>,
    /// What the value is of, in words, where one harness measures several things under one name.
    pub conditions: String,
}

impl RecordedBenchmark {
    /// A figure without rounds.
    pub fn single(mean: f64, std_dev: f64) -> Self {
        Self { mean, std_dev, ..Self::default() }
    }
}
