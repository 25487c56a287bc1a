//! What a run tells while it works; the binary decides how it looks.

use benchgate_core::model::BenchmarkKey;

/// Listens to a run. Every method does nothing unless it is overridden.
pub trait Progress {
    /// A new part of the work begins: "building base".
    fn phase(&self, _what: &str) {}
    /// Something happened within it: a line of cargo's.
    fn line(&self, _text: &str) {}
    /// `done` of `total` turns are over, and `key` comes next.
    fn turn(&self, _done: usize, _total: usize, _key: &BenchmarkKey) {}
    /// The current part is over.
    fn done(&self) {}
}
