//! The words of the design: benchmarks, the machines they run on, and the findings about them.

mod counters;
mod date;
mod evidence;
mod finding;
mod identity;
mod key;
mod machine;
mod memory;
mod metric;
mod recorded;
mod sandbox;
mod shard;
mod sides;
mod unit;

pub use counters::{CpuCounters, CpuCounts};
pub use date::Date;
pub use evidence::{Averages, EarlierPairs, Evidence, Instructions, Means, Pace, Rounds, Stage};
pub use finding::{Change, Finding, Level, SkipReason, Verdict};
pub use identity::{Identity, Throughput};
pub use key::{BenchmarkKey, SuiteKey};
pub use machine::{Machine, Toolchain, slug};
pub use memory::Held;
pub use metric::{Kind, METRICS, Metric};
pub use recorded::{Recorded, RecordedBenchmark};
pub use sandbox::{SandboxReport, SandboxState};
pub use shard::{MOST_SHARDS, Shard};
pub use sides::{Side, Sides, Twice};
pub use unit::{Unit, time};
