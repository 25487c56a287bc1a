//! Pairs of rounds as evidence: one log-ratio each, their median, and exact bounds of it.

use super::effect::Effect;
use super::looks::{
    Attempt, BOUND_ERROR, INTERVAL_ERROR, PROVEN_SHARE, RULED_OUT_ERROR, RUN_ERROR,
};
use crate::model::{Change, Evidence, Rounds, Stage};
use crate::policy::Limits;
use crate::stats::{self, Bounds};

/// Log-ratios of head to base, one per pair.
#[derive(Clone, Debug, PartialEq)]
pub struct Pairs {
    logs: Vec<f64>,
    base: f64,
    attempt: Attempt,
    /// Median of the logs: a process that is slow throughout moves one vote and not the average.
    pub estimate: f64,
}

impl Pairs {
    /// The pairs of one stage, with those of earlier attempts; `None` without a pair.
    pub fn of(evidence: &Evidence, stage: Stage) -> Option<Self> {
        let attempt = Attempt::last(evidence.attempts(stage));
        Some(Self { attempt, ..Self::new(evidence.stage(stage))? })
    }

    /// From rounds of one attempt, in which equal indices belong together; `None` without a pair.
    pub fn new(rounds: &Rounds) -> Option<Self> {
        let logs: Vec<f64> =
            rounds.base.iter().zip(&rounds.head).map(|(base, head)| (head / base).ln()).collect();
        let estimate = stats::median(&logs)?;
        let attempt = Attempt::first(logs.len());
        Some(Self { base: stats::median(&rounds.base)?, estimate, logs, attempt })
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.logs.len()
    }

    /// Always false: a value of this type has at least one pair.
    pub fn is_empty(&self) -> bool {
        self.logs.is_empty()
    }

    /// The log-ratios, in the order in which they were measured.
    pub fn logs(&self) -> &[f64] {
        &self.logs
    }

    /// The change with bounds that are each wrong with at most `error`.
    pub fn effect(&self, error: f64) -> Effect {
        let bounds = stats::median_bounds(&self.logs, error);
        Effect { estimate: self.estimate, bounds, base: self.base }
    }

    /// The change with bounds that rule a slowdown out, or the failing level: each is wrong with at most
    /// [`BOUND_ERROR`], in a later attempt less.
    pub(super) fn bounded(&self) -> Effect {
        self.effect(BOUND_ERROR * self.attempt.bound_share())
    }

    /// The change with bounds that rule a slowdown out at a look, with at most [`RULED_OUT_ERROR`], in a later attempt
    /// less.
    pub(super) fn ruled_out(&self) -> Effect {
        self.effect(RULED_OUT_ERROR * self.attempt.bound_share())
    }

    /// The change with bounds that prove one, with this look's share of [`RUN_ERROR`].
    pub(super) fn confirmed(&self) -> Effect {
        self.effect(RUN_ERROR * self.attempt.confirmation_share())
    }

    /// The attempt that measured the last of them.
    pub(super) fn attempt(&self) -> Attempt {
        self.attempt
    }

    /// The p-value of "slower by at most `log`".
    pub fn p_value(&self, log: f64) -> f64 {
        stats::sign_p(&self.logs, log)
    }

    /// The change as fractions, with its 95 % interval.
    pub fn change(&self) -> Change {
        let Bounds { lower, upper } = self.effect(INTERVAL_ERROR).bounds;
        Change::from_log(self.estimate, lower, upper)
    }

    /// The smallest slowdown, as a fraction, that pairs with this scatter prove; `None` when they are
    /// too few to prove any.
    pub fn detectable(&self, limits: &Limits, error: f64) -> Option<f64> {
        let Bounds { lower, upper } = self.effect(error).bounds;
        if !lower.is_finite() {
            return None;
        }
        // The wider half: the detectable slowdown must not depend on which side of the centre the
        // slow processes happened to fall.
        let width = (self.estimate - lower).max(upper - self.estimate);
        let note = limits.thresholds.note;
        Some((width + (note * PROVEN_SHARE).ln_1p()).exp_m1().max(note))
    }
}
