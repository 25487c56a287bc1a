//! Rounds of several commits as pairs of two of them.
//!
//! A commit is compared with both ends, and not with their mean: where processes are slow at times, the mean of two is
//! slower than one more often than not, and a test of the mean would call unchanged commits fast. Two values of
//! the same code are exchangeable, so that the sign test of a pair is exact for any noise.

use crate::judge::Pairs;
use crate::judge::looks::{BOUND_ERROR, PROVEN_SHARE, confirmation_share};
use crate::model::{Rounds, Stage};
use crate::policy::Thresholds;

/// The share of a slowdown that a part of it has at least: what is smaller is the layout's, or another commit's.
const PART: f64 = 0.25;

/// Sizes from which a commit counts as slower.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sizes {
    /// The note threshold, as a logarithm.
    pub(super) note: f64,
    /// Half of it, which must be excluded.
    pub(super) half: f64,
}

impl Sizes {
    pub(super) fn of(thresholds: Thresholds) -> Self {
        Self { note: thresholds.note.ln_1p(), half: (thresholds.note * PROVEN_SHARE).ln_1p() }
    }

    /// Returns the size, as a logarithm, that a part of a slowdown of this size must exceed.
    pub(super) fn part(self, log: f64) -> f64 {
        self.half.max(log * PART)
    }
}

/// The rounds at a look.
pub(super) struct Look<'a> {
    members: &'a [usize],
    rounds: &'a [Vec<f64>],
    pub(super) is_last: bool,
}

impl<'a> Look<'a> {
    pub(super) fn len(&self) -> usize {
        self.rounds.len()
    }

    /// Two of the commits; `None` where one of them is not among them, or without a round.
    pub(super) fn pairs(&self, base: usize, head: usize) -> Option<Pairs> {
        let at = |commit| self.members.iter().position(|member| *member == commit);
        let (base, head) = (at(base)?, at(head)?);
        let [base, head] = [base, head]
            .map(|at| self.rounds.iter().filter_map(|round| round.get(at).copied()).collect());
        Pairs::new(&Rounds { base, head })
    }

    /// Whether a pair is slower by more than this, with its share of this error.
    pub(super) fn is_slower(&self, pairs: &Pairs, log: f64, error: f64) -> bool {
        pairs.p_value(log) <= error * confirmation_share(self.len())
    }

    /// The looks at up to `most` rounds of these commits, as far as they are measured; then the number of rounds that
    /// the next look needs, if there is one.
    pub(super) fn all(
        members: &'a [usize],
        rounds: &'a [Vec<f64>],
        most: usize,
    ) -> (Vec<Self>, Option<usize>) {
        let (mut looks, mut at) = (Vec::new(), 0);
        while at < most {
            at = Stage::Confirmation.next_look(at, most);
            let Some(rounds) = rounds.get(..at) else { return (looks, Some(at)) };
            looks.push(Self { members, rounds, is_last: at >= most });
        }
        (looks, None)
    }
}

/// Whether a slowdown above a size is excluded.
pub(super) fn is_ruled_out(pairs: &Pairs, log: f64) -> bool {
    pairs.effect(BOUND_ERROR).bounds.upper < log
}

/// Rounds that would prove a change of this size: the bounds narrow with the root of their number.
pub(super) fn needed(pairs: &Pairs, half: f64, error: f64) -> Option<usize> {
    let bounds = pairs.effect(error * confirmation_share(pairs.len())).bounds;
    let width = pairs.estimate - bounds.lower;
    let margin = pairs.estimate - half;
    if !width.is_finite() || margin <= 0.0 {
        return None;
    }
    let rounds = pairs.len() as f64 * (width / margin).powi(2);
    (rounds <= 1e6).then_some(rounds.ceil() as usize)
}
