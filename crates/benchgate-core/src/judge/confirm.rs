//! The second measurement: fresh pairs prove what the first ones suggested, or do not. The first ones
//! are not used again: they were chosen for what they showed.

use super::looks::{NEXT_LEVEL_ERROR, RULED_OUT_ERROR, RUN_ERROR, confirmation_share};
use super::pairs::{PROVEN_SHARE, Pairs};
use super::screen::ruled_out;
use super::time::{BOUND_ERROR, percent};
use crate::model::{Finding, Level};
use crate::policy::Limits;
use crate::stats;

/// What fresh pairs say at a look.
#[derive(Clone, Debug, PartialEq)]
pub enum Confirmed {
    /// Nothing yet: more pairs.
    Open,
    /// This; why.
    Settled(Finding, String),
}

/// What the other candidates of a run leave of its error to this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// So many candidates share the error equally (Bonferroni): enough to stop early.
    Of(usize),
    /// All candidates are known, and this one's p-value stands among them, or does not (Holm).
    Stands(bool),
}

/// Looks at the fresh pairs measured so far; `last` when there will be no more.
pub fn confirm(fresh: &Pairs, limits: &Limits, family: Family, last: bool) -> Confirmed {
    let error = RUN_ERROR * confirmation_share(fresh.len());
    let note = limits.thresholds.note.ln_1p();
    let highest = fresh.bounds(RULED_OUT_ERROR).upper;
    if highest < note && fresh.estimate >= -note {
        return Confirmed::Settled(
            Finding::Unchanged,
            format!("fresh pairs did not confirm a first suspicion: {}", ruled_out(highest)),
        );
    }
    if fresh.is_below_floor(fresh.estimate, limits) {
        if highest.is_finite() && fresh.is_below_floor(highest, limits) {
            let reason = format!("below the floor of {} ns per iteration", limits.floor_ns);
            return Confirmed::Settled(Finding::Unchanged, reason);
        }
        return if last { at_the_end(fresh, limits) } else { Confirmed::Open };
    }
    if fresh.is_proven_faster(limits, error) {
        let least = percent(-fresh.bounds(error).upper.exp_m1());
        return Confirmed::Settled(
            Finding::Improved,
            format!("faster, by at least {least} for certain"),
        );
    }
    if let Some(level) = fresh.proven_level(limits, error)
        && let Some(found) = proven(fresh, limits, level, family, last)
    {
        return found;
    }
    if last { at_the_end(fresh, limits) } else { Confirmed::Open }
}

/// The chance that a benchmark which does not exceed half of its failing threshold shows this, over all
/// looks of its confirmation.
pub fn p_value(fresh: &Pairs, limits: &Limits) -> f64 {
    let half = limits.thresholds.of(limits.fail_on) * PROVEN_SHARE;
    (fresh.p_value(half.ln_1p()) / confirmation_share(fresh.len())).min(1.0)
}

/// Of all candidates of a run, in order, which ones stand beside the others.
pub fn standing(p_values: &[f64]) -> Vec<bool> {
    stats::holm(p_values, RUN_ERROR)
}

fn proven(
    fresh: &Pairs,
    limits: &Limits,
    level: Level,
    family: Family,
    last: bool,
) -> Option<Confirmed> {
    let error = RUN_ERROR * confirmation_share(fresh.len());
    let size = percent(limits.thresholds.of(level));
    let least = percent(fresh.bounds(error).lower.exp_m1());
    let settled = |finding: Finding, reason| Some(Confirmed::Settled(finding, reason));
    let slower =
        || format!("slower than {size} by the estimate, and by at least {least} for certain");
    if level >= limits.fail_on {
        let (stands, among) = match family {
            Family::Of(candidates) => {
                (p_value(fresh, limits) * candidates.max(1) as f64 <= RUN_ERROR, candidates)
            }
            Family::Stands(stands) => (stands, 0),
        };
        let higher = higher_is_possible(fresh, limits, level);
        return match (stands, last) {
            (true, _) if last || !higher => settled(level.into(), slower()),
            (false, true) => settled(
                Finding::Inconclusive,
                format!(
                    "slower by at least {least} for itself, but among {} the pairs are too few to be \
                     certain of it",
                    if among > 0 {
                        format!("{among} candidates")
                    } else {
                        "all candidates".to_owned()
                    }
                ),
            ),
            _ => None,
        };
    }
    // Green says that the failing level is ruled out, also for what is slower by less.
    let fail_at = limits.thresholds.of(limits.fail_on);
    if fresh.bounds(BOUND_ERROR).upper < fail_at.ln_1p() {
        return (last || !higher_is_possible(fresh, limits, level))
            .then(|| Confirmed::Settled(level.into(), slower()));
    }
    let open = format!("{}, and {} is not ruled out", slower(), percent(fail_at));
    if last { settled(level.into(), open) } else { None }
}

/// Whether the estimate is near enough to the next level that more pairs may show it.
fn higher_is_possible(fresh: &Pairs, limits: &Limits, level: Level) -> bool {
    let next = match level {
        Level::Critical => return false,
        Level::Warning => Level::Critical,
        Level::Note => Level::Warning,
    };
    fresh.bounds(NEXT_LEVEL_ERROR).upper >= limits.thresholds.of(next).ln_1p()
}

fn at_the_end(fresh: &Pairs, limits: &Limits) -> Confirmed {
    let note = limits.thresholds.note.ln_1p();
    let fail_at = limits.thresholds.of(limits.fail_on).ln_1p();
    let bounds = fresh.bounds(BOUND_ERROR);
    if fresh.estimate <= note && bounds.upper < fail_at {
        let reason =
            format!("fresh pairs did not confirm a first suspicion: {}", ruled_out(bounds.upper));
        return Confirmed::Settled(Finding::Unchanged, reason);
    }
    let reason = if bounds.upper.is_finite() {
        let most = percent(bounds.upper.exp_m1());
        format!(
            "the first pairs seemed different, fresh ones do not prove it; up to {most} is possible"
        )
    } else {
        "the first pairs seemed different, and there were too few fresh ones to prove it".to_owned()
    };
    Confirmed::Settled(Finding::Inconclusive, reason)
}
