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
    /// A fact about the run that its user must know during the run.
    fn notice(&self, _text: &str) {}
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

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::cargo::command::cargo;
    use crate::system::process;

    #[derive(Default)]
    struct Seen {
        lines: RefCell<Vec<String>>,
        counts: RefCell<Vec<(usize, usize)>>,
    }

    impl Progress for Seen {
        fn line(&self, text: &str) {
            self.lines.borrow_mut().push(text.to_owned());
        }

        fn compiling(&self, done: usize, total: usize, _: &str) {
            self.counts.borrow_mut().push((done, total));
        }
    }

    #[test]
    fn cargo_counts_what_it_compiles_though_nobody_looks_at_a_terminal() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("src")).unwrap();
        std::fs::write(folder.path().join("src/lib.rs"), "").unwrap();
        let manifest = "[package]\nname = \"counted\"\nedition = \"2024\"\n[workspace]\n";
        std::fs::write(folder.path().join("Cargo.toml"), manifest).unwrap();
        let mut command = cargo(folder.path());
        command.args(["build", "--offline", "--target-dir", "target"]);
        command.env_remove("CARGO_TARGET_DIR");
        let_cargo_count(&mut command);
        let seen = Seen::default();
        let done = process::run(&mut command, None, &mut |line| pass_on(line, &seen)).unwrap();
        assert!(done.succeeded(), "{}", done.stderr);
        assert!(seen.counts.borrow().iter().any(|(_, total)| *total == 1), "{}", done.stderr);
        let lines = seen.lines.into_inner();
        assert!(lines.iter().any(|line| line.starts_with("Compiling counted")), "{lines:?}");
        // A bar is nothing to report of a build that failed.
        assert!(!done.stderr.contains("Building ["), "{}", done.stderr);
    }
}
