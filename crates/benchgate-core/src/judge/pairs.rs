//! Pairs of rounds as evidence: one log-ratio each, their median, and exact bounds of it.

use super::effect::Effect;
use super::looks::{
    Attempt, BOUND_ERROR, INTERVAL_ERROR, PROVEN_SHARE, RULED_OUT_ERROR, RUN_ERROR,
};
use super::words::percent;
use crate::model::{Change, Evidence, Rounds, Stage};
use crate::policy::Limits;
use crate::stats::{self, Bounds};

/// Log-ratios of head to base, one per pair.
#[derive(Clone, Debug, PartialEq)]
pub struct Pairs {
    logs: Vec<f64>,
    base: f64,
    /// Of the attempts that measured any.
    ends: Vec<End>,
    /// Median of the logs: a process that is slow throughout moves one vote and not the average.
    pub estimate: f64,
}

/// The end of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct End {
    attempt: Attempt,
    /// Its pairs.
    own: usize,
    /// With those of the attempts before it.
    all: usize,
}

impl End {
    fn confirmation_share(self) -> f64 {
        self.attempt.confirmation_share(self.own)
    }
}

impl Pairs {
    /// The pairs of one stage, with those of earlier attempts; `None` without a pair.
    pub fn of(evidence: &Evidence, stage: Stage) -> Option<Self> {
        Self::at_ends(evidence.stage(stage), evidence, stage)
    }

    /// The means of these pairs; `None` where not every pair has one.
    pub fn of_averages(evidence: &Evidence, stage: Stage) -> Option<Self> {
        Self::at_ends(evidence.averages(stage)?, evidence, stage)
    }

    /// Pairs of rounds, with the attempts that measured those of one stage.
    fn at_ends(rounds: &Rounds, evidence: &Evidence, stage: Stage) -> Option<Self> {
        let mut all = 0;
        let end = |(attempt, own): (Attempt, usize)| {
            all += own;
            (own > 0).then_some(End { attempt, own, all })
        };
        let ends = Attempt::all().zip(evidence.attempts(stage)).filter_map(end).collect();
        Some(Self { ends, ..Self::new(rounds)? })
    }

    /// From rounds of one attempt, in which equal indices belong together; `None` without a pair.
    pub fn new(rounds: &Rounds) -> Option<Self> {
        let logs: Vec<f64> =
            rounds.base.iter().zip(&rounds.head).map(|(base, head)| (head / base).ln()).collect();
        let estimate = stats::median(&logs)?;
        let ends = vec![End { attempt: Attempt::FIRST, own: logs.len(), all: logs.len() }];
        Some(Self { base: stats::median(&rounds.base)?, estimate, logs, ends })
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
        self.over_attempts(|end| BOUND_ERROR * end.attempt.bound_share())
    }

    /// The change with bounds that rule a slowdown out at a look, with at most [`RULED_OUT_ERROR`], in a later attempt
    /// less.
    fn ruled_out(&self) -> Effect {
        self.over_attempts(|end| RULED_OUT_ERROR * end.attempt.bound_share())
    }

    /// The change, if this look rules a slowdown above the note threshold out. A clear speed-up is not unchanged.
    pub(super) fn unchanged(&self, limits: &Limits) -> Option<Effect> {
        let effect = self.ruled_out();
        let is_unchanged =
            effect.rules_out(limits.thresholds.note) && !effect.is_faster_by_estimate(limits);
        is_unchanged.then_some(effect)
    }

    /// The change with bounds that prove one, with this look's share of [`RUN_ERROR`].
    pub(super) fn confirmed(&self) -> Effect {
        self.confirmed_at(RUN_ERROR)
    }

    /// Like `confirmed`, with this look's share of another error.
    pub(super) fn confirmed_at(&self, error: f64) -> Effect {
        self.over_attempts(|end| error * end.confirmation_share())
    }

    /// The p-value of "slower by at most `log`", over all looks of the confirmation.
    pub(super) fn confirmed_p(&self, log: f64) -> f64 {
        self.confirmed_p_of(|logs| stats::sign_p(logs, log))
    }

    /// Like `confirmed_p`, for another test.
    pub(super) fn confirmed_p_of(&self, test: impl Fn(&[f64]) -> f64) -> f64 {
        let p = |end: &End| test(self.until(*end)) / end.confirmation_share();
        self.ends.iter().map(p).fold(1.0, f64::min)
    }

    /// The change with the bounds that hold at the ends of all attempts, each with its share of the error: what one of
    /// them proved, a later attempt that is cut short does not take back.
    fn over_attempts(&self, error: impl Fn(End) -> f64) -> Effect {
        let mut bounds = Bounds { lower: f64::NEG_INFINITY, upper: f64::INFINITY };
        for end in &self.ends {
            let Bounds { lower, upper } = stats::median_bounds(self.until(*end), error(*end));
            bounds = Bounds { lower: bounds.lower.max(lower), upper: bounds.upper.min(upper) };
        }
        Effect { estimate: self.estimate, bounds, base: self.base }
    }

    fn until(&self, end: End) -> &[f64] {
        self.logs.get(..end.all).unwrap_or(&self.logs)
    }

    /// Whether earlier attempts measured some of them.
    pub(super) fn is_pooled(&self) -> bool {
        self.ends.iter().any(|end| end.attempt != Attempt::FIRST)
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

    /// Adds to a reason if the interval that is shown with it goes beyond the bounds that decided, which are infinite
    /// if they did not: the errors differ, and an attempt proves by its pairs alone.
    pub(super) fn beside_interval(&self, reason: String, decided: Bounds) -> String {
        let Bounds { lower, upper } = self.effect(INTERVAL_ERROR).bounds;
        let shown = |log: f64| percent(log.exp_m1());
        let differs = |is_beyond: bool, shown_at: f64, decided: f64| {
            is_beyond && decided.is_finite() && shown(shown_at) != shown(decided)
        };
        let end = if differs(upper > decided.upper, upper, decided.upper) {
            format!("ends at {}", shown(upper))
        } else if differs(lower < decided.lower, lower, decided.lower) {
            format!("begins at {}", shown(lower))
        } else {
            return reason;
        };
        let confidence = percent(1.0 - INTERVAL_ERROR);
        let pairs = if self.is_pooled() { " by the pairs of all attempts" } else { "" };
        format!("{reason}; the 95 % interval {end}, with {confidence} for each of its ends{pairs}")
    }

    /// Like `beside_interval`, for a slowdown that an upper bound rules out.
    pub(super) fn ruled_out_beside_interval(&self, reason: String, effect: &Effect) -> String {
        self.beside_interval(reason, Bounds { lower: f64::NEG_INFINITY, ..effect.bounds })
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
