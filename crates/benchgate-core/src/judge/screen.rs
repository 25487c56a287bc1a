//! The first measurement of a benchmark: most are unchanged and show it at once; the others are
//! candidates, to be measured again with fresh pairs, or stay open.

use super::looks::{CANDIDATE_ERROR, LAST_CANDIDATE_ERROR, NEXT_LEVEL_ERROR, RULED_OUT_ERROR};
use super::pairs::Pairs;
use super::time::{BOUND_ERROR, MIN_PAIRS, percent};
use crate::model::Level;
use crate::policy::Limits;

/// What the first pairs of a benchmark say at a look.
#[derive(Clone, Debug, PartialEq)]
pub enum Screened {
    /// Nothing yet: more pairs.
    Open,
    /// A slowdown is ruled out; why.
    Unchanged(String),
    /// It seems slower, or faster: fresh pairs decide.
    Candidate,
    /// The pairs came to their end and show neither; why.
    Undecided(String),
}

/// Looks at the pairs measured so far; `last` when there will be no more.
pub fn screen(pairs: &Pairs, limits: &Limits, last: bool) -> Screened {
    let note = limits.thresholds.note.ln_1p();
    let highest = pairs.bounds(RULED_OUT_ERROR).upper;
    if highest.is_finite() {
        if highest < note && pairs.estimate >= -note {
            return Screened::Unchanged(ruled_out(highest));
        }
        if pairs.is_below_floor(highest, limits) && pairs.is_below_floor(pairs.estimate, limits) {
            let most = pairs.base_ns * highest.exp_m1().max(0.0);
            return Screened::Unchanged(format!(
                "at most {most:.2} ns per iteration slower, which is below the floor of {} ns",
                limits.floor_ns
            ));
        }
    }
    if pairs.len() >= MIN_PAIRS && is_candidate(pairs, limits, last) {
        return Screened::Candidate;
    }
    if last { at_the_end(pairs, limits) } else { Screened::Open }
}

fn is_candidate(pairs: &Pairs, limits: &Limits, last: bool) -> bool {
    if pairs.is_below_floor(pairs.estimate, limits) {
        return false;
    }
    if pairs.is_proven_faster(limits, CANDIDATE_ERROR) {
        return true;
    }
    let error = if last { LAST_CANDIDATE_ERROR } else { CANDIDATE_ERROR };
    let Some(level) = pairs.proven_level(limits, error) else { return false };
    // A candidate of a lower level waits until the next one is unlikely: what the fresh pairs have to
    // show, they show the sooner.
    let next = match level {
        Level::Critical => return true,
        Level::Warning => Level::Critical,
        Level::Note => Level::Warning,
    };
    last || pairs.bounds(NEXT_LEVEL_ERROR).upper < limits.thresholds.of(next).ln_1p()
}

/// What pairs say that neither rule a note out nor make a candidate.
fn at_the_end(pairs: &Pairs, limits: &Limits) -> Screened {
    let note = limits.thresholds.note.ln_1p();
    let bounds = pairs.bounds(BOUND_ERROR);
    if !bounds.upper.is_finite() {
        let n = pairs.len();
        let s = if n == 1 { "" } else { "s" };
        return Screened::Undecided(format!("{n} pair{s} are too few to bound the change"));
    }
    let fail_at = limits.thresholds.of(limits.fail_on).ln_1p();
    if pairs.estimate <= note && bounds.upper < fail_at {
        return Screened::Unchanged(ruled_out(bounds.upper));
    }
    let most = percent(bounds.upper.exp_m1());
    Screened::Undecided(if pairs.estimate > note {
        let certain = match bounds.lower {
            lower if lower > 0.0 => format!("only {}", percent(lower.exp_m1())),
            _ => "nothing".to_owned(),
        };
        format!("slower by the estimate, but {certain} is certain; up to {most} is possible")
    } else {
        format!("a slowdown of up to {most} is possible")
    })
}

pub(super) fn ruled_out(upper: f64) -> String {
    format!("a slowdown above {} is ruled out", percent(upper.exp_m1()))
}
