//! Pairs of rounds as evidence: one log-ratio each, their median, and exact bounds of it.

use super::looks::INTERVAL_ERROR;
use super::time::BOUND_ERROR;
use crate::model::{Change, Finding, Level};
use crate::policy::Limits;
use crate::result::Rounds;
use crate::stats::{self, Bounds};

/// The share of a threshold that must lie below the lower bound. The whole threshold in the bound
/// would lose half of the slowdowns that are truly above it.
pub const PROVEN_SHARE: f64 = 0.5;

/// Log-ratios of head to base, one per pair.
#[derive(Clone, Debug, PartialEq)]
pub struct Pairs {
    logs: Vec<f64>,
    /// Median of the base in nanoseconds: the scale of the absolute floor.
    pub base_ns: f64,
    /// Median of the logs: a process that is slow throughout moves one vote and not the average.
    pub estimate: f64,
}

impl Pairs {
    /// From rounds in which equal indices belong together; `None` without a pair.
    pub fn new(rounds: &Rounds) -> Option<Self> {
        let logs: Vec<f64> =
            rounds.base.iter().zip(&rounds.head).map(|(base, head)| (head / base).ln()).collect();
        let estimate = stats::median(&logs)?;
        Some(Self { base_ns: stats::median(&rounds.base)?, estimate, logs })
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.logs.len()
    }

    /// Whether there are none; a value of this type always has some.
    pub fn is_empty(&self) -> bool {
        self.logs.is_empty()
    }

    /// Bounds of the change, each wrong with at most `error`.
    pub fn bounds(&self, error: f64) -> Bounds {
        stats::median_bounds(&self.logs, error)
    }

    /// The p-value of "slower by at most `log`".
    pub fn p_value(&self, log: f64) -> f64 {
        stats::sign_p(&self.logs, log)
    }

    /// The change as fractions, with its 95 % interval.
    pub fn change(&self) -> Change {
        let Bounds { lower, upper } = self.bounds(INTERVAL_ERROR);
        Change::from_log(self.estimate, lower, upper)
    }

    /// Whether so many nanoseconds per iteration are beneath notice.
    pub fn is_below_floor(&self, log: f64, limits: &Limits) -> bool {
        (self.base_ns * log.exp_m1()).abs() < limits.floor_ns
    }

    /// The highest level whose threshold the estimate exceeds, and half of it the lower bound.
    pub fn proven_level(&self, limits: &Limits, error: f64) -> Option<Level> {
        let lower = self.bounds(error).lower;
        Level::DESCENDING.into_iter().find(|level| {
            let size = limits.thresholds.of(*level);
            self.estimate > size.ln_1p() && lower > (size * PROVEN_SHARE).ln_1p()
        })
    }

    /// Whether a finding below the failing level leaves that level possible: then it is neither red nor
    /// green.
    pub fn leaves_open(&self, finding: Finding, limits: &Limits) -> bool {
        let fail_at = limits.thresholds.of(limits.fail_on).ln_1p();
        finding.level().is_some_and(|level| level < limits.fail_on)
            && self.bounds(BOUND_ERROR).upper >= fail_at
    }

    /// Whether a speed-up is proven as a slowdown at the note level would be.
    pub fn is_proven_faster(&self, limits: &Limits, error: f64) -> bool {
        let note = limits.thresholds.note;
        self.estimate < -note.ln_1p() && self.bounds(error).upper < -(note * PROVEN_SHARE).ln_1p()
    }

    /// The smallest slowdown, as a fraction, that pairs with this scatter prove; `None` when they are
    /// too few to prove any.
    pub fn detectable(&self, limits: &Limits, error: f64) -> Option<f64> {
        let Bounds { lower, upper } = self.bounds(error);
        if !lower.is_finite() {
            return None;
        }
        // The wider half: what a benchmark could have shown must not hang on which side of its centre
        // the slow processes happened to fall.
        let width = (self.estimate - lower).max(upper - self.estimate);
        let note = limits.thresholds.note;
        Some((width + (note * PROVEN_SHARE).ln_1p()).exp_m1().max(note))
    }
}
