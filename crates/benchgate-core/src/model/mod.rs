//! The words of the design: what is measured, on what, and what may be said about it.

mod date;
mod finding;
mod key;
mod machine;
mod recorded;

pub use date::Date;
pub use finding::{Change, Finding, Level, Verdict};
pub use key::{BenchmarkKey, Metric, Side};
pub use machine::{Machine, Toolchain, slug};
pub use recorded::{Recorded, RecordedBenchmark};
