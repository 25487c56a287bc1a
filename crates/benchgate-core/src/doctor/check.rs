//! A check, and its outcome.

use super::diagnosis::State;
use super::facts::Facts;

/// A source of noise.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// Its name, here, in reports and in `docs/machine.md`.
    pub name: &'static str,
    /// The files that it reads; `*` matches any characters within one component of a path.
    pub reads: &'static [&'static str],
    /// The reason why it matters.
    pub why: &'static str,
    pub(super) judge: fn(&Facts) -> Observation,
}

/// The outcome of a check on one machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Observation {
    pub(super) state: State,
    pub(super) found: String,
    pub(super) fix: String,
}

impl Observation {
    pub(super) fn ok(found: impl Into<String>) -> Self {
        Self { state: State::Ok, found: found.into(), fix: String::new() }
    }

    pub(super) fn unknown(found: impl Into<String>) -> Self {
        Self { state: State::Unknown, found: found.into(), fix: String::new() }
    }

    pub(super) fn advice(found: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { state: State::Advice, found: found.into(), fix: fix.into() }
    }

    pub(super) fn blocking(found: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { state: State::Blocking, found: found.into(), fix: fix.into() }
    }
}
