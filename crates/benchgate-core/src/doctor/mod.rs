//! The sources of noise on a machine. The host reads the files that the checks name; here they are
//! judged from their text alone.
//!
//! A check is one file of `checks/` and one line of its list.

mod check;
mod checks;
mod diagnosis;
mod facts;
mod terminal;

pub use check::Check;
use check::Observation;
pub use checks::{CHECKS, while_measuring};
pub use diagnosis::{Diagnosis, Point, State};
pub use facts::{CpuCounting, Facts, component_matches};
pub use terminal::terminal;

/// Runs every check.
pub fn diagnose(facts: &Facts) -> Diagnosis {
    let points = CHECKS
        .iter()
        .map(|check| {
            let Observation { state, found, fix } = (check.judge)(facts);
            Point { name: check.name.to_owned(), state, found, why: check.why.to_owned(), fix }
        })
        .collect();
    Diagnosis { schema: diagnosis::SCHEMA.to_owned(), points }
}

#[cfg(test)]
mod tests;
