//! The input of a search, the next result that it needs, and its progress.

use crate::model::{Change, Stage};
use crate::policy::Thresholds;
use crate::result::{BisectRefusal, BisectStep, FoundStep};
use crate::schedule::{Draw, Nuisance};

/// A history to search, and the settings of the search.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    /// Index of the bad commit; 0 is the good one.
    pub bad: usize,
    /// The sizes of slowdowns.
    pub thresholds: Thresholds,
    /// The maximum number of rounds of one step.
    pub most: usize,
    /// The probability that a commit is named, or a set, that a slowdown did not come with.
    pub error: f64,
    /// Seed of all draws.
    pub seed: u64,
}

/// The next result that a search needs.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// Build this commit.
    Build(usize),
    /// Count the instructions of this commit.
    Count(usize),
    /// Measure a round of each of these commits.
    Measure(Round),
}

/// A round of several commits.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// The step that it belongs to.
    pub step: usize,
    /// The commits, oldest first.
    pub members: Vec<usize>,
    /// Rounds that the step has so far.
    pub round: usize,
    /// Rounds after which the search looks at them.
    pub until: usize,
}

/// The progress of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// The next result that is needed; `None` when the search has ended.
    pub next: Option<Next>,
    /// The rounds of the good and the bad commit that were compared first, as pairs.
    pub change: Option<Change>,
    /// The reason why there is nothing to search.
    pub refused: Option<BisectRefusal>,
    /// Steps so far, in order.
    pub steps: Vec<BisectStep>,
    /// Slowdowns found so far, the oldest first.
    pub found: Vec<FoundStep>,
}

/// Maximum number of rounds of one step that have separate draws: twice the maximum number of pairs of a policy.
const MOST_ROUNDS: u64 = 2_048;

impl Round {
    /// The order in which the members are run, and the settings that all of them have in this round.
    pub fn draw(&self, seed: u64, is_slow: bool) -> (Vec<usize>, Nuisance) {
        let number = (self.step as u64).wrapping_mul(MOST_ROUNDS).wrapping_add(self.round as u64);
        let draw = Draw::new(seed);
        let nuisance = draw.nuisance(Stage::Confirmation, number as u32, is_slow);
        (draw.order(number, self.members.len()), nuisance)
    }
}
