//! The confirmation: new pairs prove the change that screening suggested, or do not. The screening pairs
//! are not used again: the candidate was chosen because of them.

use super::looks::{NEXT_LEVEL_ERROR, PROVEN_SHARE, RUN_ERROR};
use super::minority::Minority;
use super::pairs::Pairs;
use super::words::{Words, percent};
use crate::model::{Finding, Level};
use crate::policy::Limits;
use crate::stats::{self, Bounds};

/// The outcome of a look at the confirmation pairs.
#[derive(Clone, Debug, PartialEq)]
pub enum Confirmed {
    /// Nothing yet: more pairs are needed.
    Open,
    /// The finding and its reason.
    Settled(Finding, String),
}

/// A candidate's share of the error of a run, which candidates and rules have together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// This number of tests share the error equally (Bonferroni): enough to stop early.
    Of(usize),
    /// All tests are known and corrected for (Holm).
    Corrected {
        /// Whether this one's p-value survives the correction.
        survives: bool,
    },
}

/// Judges the confirmation pairs measured so far, with their means where a minority is looked for; `last` when no more
/// follow.
pub fn confirm(
    pairs: &Pairs,
    minority: Option<&Minority<'_>>,
    limits: &Limits,
    family: Family,
    last: bool,
) -> Confirmed {
    let confirmed = by_values(pairs, limits, family, last);
    let Confirmed::Settled(finding @ (Finding::Unchanged | Finding::NotSlower), reason) =
        &confirmed
    else {
        return confirmed;
    };
    if let Some(proven) = minority.and_then(Minority::proven) {
        let reason = format!("{proven}; by the values {reason}");
        return Confirmed::Settled(Finding::Note, reason);
    }
    if !last && minority.is_some_and(Minority::is_open) {
        return Confirmed::Open;
    }
    let reason = format!("confirmation pairs did not confirm the suspected change: {reason}");
    Confirmed::Settled(*finding, reason)
}

/// The finding by the values alone; the reason of a slowdown that is ruled out does not yet mention that it was suspected.
fn by_values(pairs: &Pairs, limits: &Limits, family: Family, last: bool) -> Confirmed {
    if let Some(effect) = pairs.unchanged(limits) {
        let reason = effect.ruled_out_at_look(limits);
        let reason = pairs.ruled_out_beside_interval(reason, &effect);
        return Confirmed::Settled(Finding::Unchanged, reason);
    }
    let effect = pairs.confirmed();
    if effect.is_faster(limits) {
        let reason = pairs.ruled_out_beside_interval(effect.faster(limits), &effect);
        return Confirmed::Settled(Finding::Improved, reason);
    }
    if let Some(level) = effect.level(limits)
        && let Some(found) = proven(pairs, limits, level, family, last)
    {
        return found;
    }
    if last { at_the_end(pairs, limits) } else { Confirmed::Open }
}

/// The p-value against a slowdown of at most half the failing threshold, over all looks of the
/// confirmation.
pub(super) fn p_value(pairs: &Pairs, limits: &Limits) -> f64 {
    let half = limits.thresholds.of(limits.fail_on) * PROVEN_SHARE;
    pairs.confirmed_p(half.ln_1p())
}

/// Whether each candidate of a run, in order, survives the correction for the others, at this error of the run.
pub(super) fn survivors(p_values: &[f64], error: f64) -> Vec<bool> {
    stats::holm(p_values, error)
}

fn proven(
    pairs: &Pairs,
    limits: &Limits,
    level: Level,
    family: Family,
    last: bool,
) -> Option<Confirmed> {
    let effect = pairs.confirmed();
    let least = percent(effect.bounds.lower.exp_m1());
    let settled = |finding: Finding, reason| Some(Confirmed::Settled(finding, reason));
    let proven_from = Bounds { upper: f64::INFINITY, ..effect.bounds };
    let word = Words::of(limits).slower;
    let slower = || pairs.beside_interval(effect.slower(level, limits), proven_from);
    if level >= limits.fail_on {
        let survives = match family {
            Family::Of(tests) => p_value(pairs, limits) * tests.max(1) as f64 <= RUN_ERROR,
            Family::Corrected { survives } => survives,
        };
        let higher = higher_is_possible(pairs, limits, level);
        return match (survives, last) {
            (true, _) if last || !higher => settled(level.into(), slower()),
            (false, true) => settled(
                Finding::Inconclusive,
                format!(
                    "at least {least} {word} on its own, but not significant after correction for all candidates and rules"
                ),
            ),
            _ => None,
        };
    }
    // Green means that the failing level is ruled out, also for a smaller proven slowdown.
    let fail_at = limits.thresholds.of(limits.fail_on);
    if pairs.bounded().rules_out_level(limits.fail_on, limits) {
        return (last || !higher_is_possible(pairs, limits, level))
            .then(|| Confirmed::Settled(level.into(), slower()));
    }
    let open = format!("{}, and {} is not ruled out", slower(), percent(fail_at));
    if last { settled(level.into(), open) } else { None }
}

/// Whether the estimate is near enough to the next level that more pairs may show it.
fn higher_is_possible(pairs: &Pairs, limits: &Limits, level: Level) -> bool {
    let Some(next) = level.higher() else { return false };
    !pairs.effect(NEXT_LEVEL_ERROR).rules_out_level(next, limits)
}

fn at_the_end(pairs: &Pairs, limits: &Limits) -> Confirmed {
    let effect = pairs.bounded();
    if effect.is_not_slower(limits) {
        let finding = match effect.is_faster_by_estimate(limits) {
            true => Finding::NotSlower,
            false => Finding::Unchanged,
        };
        let reason = pairs.ruled_out_beside_interval(effect.not_slower(limits), &effect);
        return Confirmed::Settled(finding, reason);
    }
    let upper = effect.bounds.upper;
    let reason = if upper.is_finite() {
        let most = percent(upper.exp_m1());
        format!(
            "the screening pairs seemed different, the confirmation pairs do not prove it; up to {most} is possible at 99 % confidence"
        )
    } else {
        "the screening pairs seemed different, but there were too few confirmation pairs to prove it"
            .to_owned()
    };
    Confirmed::Settled(Finding::Inconclusive, reason)
}
