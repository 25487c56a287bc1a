//! What about a machine makes results noisy. The host reads the files that the checks name; here they
//! are judged, from their text alone.
//!
//! A check is one file of `checks/` and one line of its list.

mod checks;
mod diagnosis;
mod facts;
pub mod parse;
mod terminal;

pub use checks::CHECKS;
pub use diagnosis::{Diagnosis, Point, State};
pub use facts::{Facts, component_matches};
pub use terminal::terminal;

/// One thing that is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// Its name, here, in reports and in `docs/machine.md`.
    pub name: &'static str,
    /// The files that it reads; `*` stands for any characters within one component of a path.
    pub reads: &'static [&'static str],
    /// Why it matters.
    pub why: &'static str,
    judge: fn(&Facts) -> Seen,
}

/// What a check saw.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Seen {
    state: State,
    found: String,
    mend: String,
}

impl Seen {
    fn ok(found: impl Into<String>) -> Self {
        Self { state: State::Ok, found: found.into(), mend: String::new() }
    }

    fn unknown(found: impl Into<String>) -> Self {
        Self { state: State::Unknown, found: found.into(), mend: String::new() }
    }

    fn advice(found: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { state: State::Advice, found: found.into(), mend: mend.into() }
    }

    fn blocking(found: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { state: State::Blocking, found: found.into(), mend: mend.into() }
    }
}

/// Judges everything.
pub fn diagnose(facts: &Facts) -> Diagnosis {
    let points = CHECKS
        .iter()
        .map(|check| {
            let Seen { state, found, mend } = (check.judge)(facts);
            Point { name: check.name.to_owned(), state, found, why: check.why.to_owned(), mend }
        })
        .collect();
    Diagnosis { schema: diagnosis::SCHEMA.to_owned(), points }
}

#[cfg(test)]
mod tests;
