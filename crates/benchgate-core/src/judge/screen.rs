//! The screening of a benchmark: for most, a slowdown is ruled out early; the others become candidates,
//! which are measured again with confirmation pairs, or remain inconclusive.

use super::looks::{
    CANDIDATE_ERROR, LAST_CANDIDATE_ERROR, MIN_PAIRS, NEAR_SHARE, NEXT_LEVEL_ERROR, RULED_OUT_FROM,
};
use super::minority::{Minority, Suspicion};
use super::pairs::Pairs;
use crate::policy::Limits;

/// The outcome of a look at the screening pairs of a benchmark.
#[derive(Clone, Debug, PartialEq)]
pub enum Screened {
    /// Nothing yet: more pairs are needed.
    Open,
    /// A slowdown is ruled out, and the estimate is no speed-up either; the reason.
    Unchanged(String),
    /// A slowdown is ruled out, and the estimate is a speed-up that is not proven; the reason.
    NotSlower(String),
    /// Seems slower, or faster: confirmation pairs decide.
    Candidate,
    /// The last pair was measured and neither is shown; the reason.
    Undecided(String),
}

/// Judges the pairs measured so far, with their means where a minority is looked for; `last` when no more follow.
pub fn screen(
    pairs: &Pairs,
    minority: Option<&Minority<'_>>,
    limits: &Limits,
    last: bool,
) -> Screened {
    let screened = by_values(pairs, limits, last);
    let (Screened::Unchanged(_) | Screened::NotSlower(_), Some(minority)) = (&screened, minority)
    else {
        return screened;
    };
    match minority.suspect(last) {
        Suspicion::None => screened,
        Suspicion::Open => Screened::Open,
        Suspicion::Candidate => Screened::Candidate,
    }
}

fn by_values(pairs: &Pairs, limits: &Limits, last: bool) -> Screened {
    if let Some(effect) = pairs.unchanged(limits) {
        let reason = effect.ruled_out_at_look(limits);
        return Screened::Unchanged(pairs.ruled_out_beside_interval(reason, &effect));
    }
    if pairs.len() >= MIN_PAIRS && is_candidate(pairs, limits, last) {
        return Screened::Candidate;
    }
    let note = limits.thresholds.note.ln_1p();
    let is_near = pairs.estimate.abs() <= note * NEAR_SHARE;
    if pairs.len() >= RULED_OUT_FROM && is_near {
        let effect = pairs.bounded();
        if effect.is_not_slower(limits) {
            let reason = effect.not_slower(limits);
            return Screened::Unchanged(pairs.ruled_out_beside_interval(reason, &effect));
        }
    }
    if last { at_the_end(pairs, limits) } else { Screened::Open }
}

fn is_candidate(pairs: &Pairs, limits: &Limits, last: bool) -> bool {
    let effect = pairs.effect(CANDIDATE_ERROR);
    if effect.is_faster(limits) {
        return true;
    }
    let error = if last { LAST_CANDIDATE_ERROR } else { CANDIDATE_ERROR };
    let Some(level) = pairs.effect(error).level(limits) else { return false };
    // A candidate of a lower level waits until the next level is unlikely: the confirmation then needs
    // fewer pairs.
    let Some(next) = level.higher() else { return true };
    last || pairs.effect(NEXT_LEVEL_ERROR).rules_out_level(next, limits)
}

/// The outcome of pairs that neither rule a note out nor make a candidate.
fn at_the_end(pairs: &Pairs, limits: &Limits) -> Screened {
    let effect = pairs.bounded();
    if !effect.bounds.upper.is_finite() {
        let n = pairs.len();
        let s = if n == 1 { "" } else { "s" };
        return Screened::Undecided(format!("{n} pair{s} are too few to bound the change"));
    }
    if effect.is_not_slower(limits) {
        let reason = pairs.ruled_out_beside_interval(effect.not_slower(limits), &effect);
        return match effect.is_faster_by_estimate(limits) {
            true => Screened::NotSlower(reason),
            false => Screened::Unchanged(reason),
        };
    }
    Screened::Undecided(effect.undecided(effect.bounds.lower, limits))
}
