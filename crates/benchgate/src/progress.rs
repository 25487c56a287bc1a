//! Shows progress: a bar on a terminal, plain lines in CI and in files.

mod bar;
mod lines;
mod words;

use std::sync::OnceLock;

use benchgate_host::Progress;

use self::bar::Bar;
use self::lines::Lines;

/// How much is printed besides results and errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Verbosity {
    /// Nothing.
    Quiet,
    /// Progress.
    #[default]
    Normal,
    /// Progress, and every line of what is run to build.
    Verbose,
}

static VERBOSITY: OnceLock<Verbosity> = OnceLock::new();

/// Sets the verbosity of the process; the first call counts.
pub(crate) fn set_verbosity(verbosity: Verbosity) {
    let _ = VERBOSITY.set(verbosity);
}

fn verbosity() -> Verbosity {
    VERBOSITY.get().copied().unwrap_or_default()
}

/// A bar if stderr is a terminal and this is not CI; plain lines otherwise; nothing for a quiet run.
pub(crate) fn progress() -> Box<dyn Progress> {
    let is_terminal = console::Term::stderr().is_term();
    let is_verbose = verbosity() == Verbosity::Verbose;
    match verbosity() {
        Verbosity::Quiet => Box::new(Silent),
        _ if resolve(is_terminal, std::env::var_os("CI").is_some()) => {
            Box::new(Bar::new(is_verbose))
        }
        _ => Box::new(Lines::new(is_verbose)),
    }
}

/// Says something about the run that is not its result.
pub(crate) fn say(line: &str) {
    if verbosity() != Verbosity::Quiet {
        anstream::eprintln!("{line}");
    }
}

struct Silent;

impl Progress for Silent {}

/// Whether there is a bar.
fn resolve(is_terminal: bool, is_ci: bool) -> bool {
    is_terminal && !is_ci
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_bar_on_a_terminal_that_is_not_ci() {
        for (is_terminal, is_ci, bar) in
            [(true, false, true), (true, true, false), (false, false, false), (false, true, false)]
        {
            assert_eq!(resolve(is_terminal, is_ci), bar);
        }
    }
}
