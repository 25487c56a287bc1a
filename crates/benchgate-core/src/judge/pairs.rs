//! Pairs of rounds as evidence: one log-ratio each, their median, and exact bounds of it.

use super::effect::Effect;
use super::looks::{BOUND_ERROR, INTERVAL_ERROR, PROVEN_SHARE};
use crate::model::{Change, Rounds};
use crate::policy::Limits;
use crate::stats::{self, Bounds};

/// Log-ratios of head to base, one per pair.
#[derive(Clone, Debug, PartialEq)]
pub struct Pairs {
    logs: Vec<f64>,
    base: f64,
    /// Median of the logs: a process that is slow throughout moves one vote and not the average.
    pub estimate: f64,
}

impl Pairs {
    /// From rounds in which equal indices belong together; `None` without a pair.
    pub fn new(rounds: &Rounds) -> Option<Self> {
        let logs: Vec<f64> =
            rounds.base.iter().zip(&rounds.head).map(|(base, head)| (head / base).ln()).collect();
        let estimate = stats::median(&logs)?;
        Some(Self { base: stats::median(&rounds.base)?, estimate, logs })
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

    /// Whether nothing changed, with bounds that are each wrong with at most [`BOUND_ERROR`].
    pub(super) fn are_unchanged(&self, limits: &Limits) -> bool {
        self.effect(BOUND_ERROR).is_unchanged(limits)
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
