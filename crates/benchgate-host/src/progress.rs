//! Progress events of a run; the binary decides how they are shown.

use benchgate_core::model::BenchmarkKey;

/// Receives the events of a run. Every method does nothing unless it is overridden.
pub trait Progress {
    /// A new phase begins: "building base".
    fn phase(&self, _what: &str) {}
    /// A line of output within the phase, such as cargo's.
    fn line(&self, _text: &str) {}
    /// `done` of `total` turns are finished, and `key` is next.
    fn turn(&self, _done: usize, _total: usize, _key: &BenchmarkKey) {}
    /// The current phase ends.
    fn done(&self) {}
}
