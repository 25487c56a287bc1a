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
}

/// The recorded time of one benchmark.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordedBenchmark {
    /// Arithmetic mean in nanoseconds per iteration: the one figure that every format has, and the one
    /// that critcmp compares.
    pub mean: f64,
    /// Standard deviation in nanoseconds, as critcmp shows it.
    pub std_dev: f64,
    /// One value per round; empty when the record is of a single process.
    pub rounds: Vec<f64>,
}
