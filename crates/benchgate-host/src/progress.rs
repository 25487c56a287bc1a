//! Progress events of a run; the binary decides how they are shown.

use std::process::Command;

use benchgate_core::adapters::cargo::Compiling;
use benchgate_core::model::BenchmarkKey;

/// Receives the events of a run. Every method does nothing unless it is overridden.
pub trait Progress {
    /// A new phase begins: "building base".
    fn phase(&self, _what: &str) {}
    /// A line of output within the phase, such as cargo's.
    fn line(&self, _text: &str) {}
    /// `done` of `total` units of a build are compiled, and `what` is being compiled.
    fn compiling(&self, _done: usize, _total: usize, _what: &str) {}
    /// `done` of `total` turns are finished, and `key` is next.
    fn turn(&self, _done: usize, _total: usize, _key: &BenchmarkKey) {}
    /// The current phase ends.
    fn done(&self) {}
}

/// Columns of cargo's own progress: enough for its count and some names.
const COLUMNS: &str = "100";

/// Has a cargo command count what it builds although its output is not a terminal.
pub(crate) fn let_cargo_count(command: &mut Command) {
    command.env("CARGO_TERM_PROGRESS_WHEN", "always").env("CARGO_TERM_PROGRESS_WIDTH", COLUMNS);
    // Colours would be letters of the lines that are read here and in reports.
    command.env("CARGO_TERM_COLOR", "never");
}

/// Passes a line of cargo on: its count, or what it says otherwise.
pub(crate) fn pass_on(line: &str, progress: &dyn Progress) {
    match Compiling::parse(line) {
        Some(Compiling { done, total, what }) => progress.compiling(done, total, what),
        None => progress.line(line.trim()),
    }
}
