//! The adaptive loop: pairs for what is undecided, fresh pairs for what seems different, none for the
//! rest.

use super::draw::{Draw, Nuisance};
use super::item::{Goal, Item, Outcome, State};
use crate::judge::Stage;
use crate::model::Side;

/// One unit of work: a benchmark, and the order in which its sides run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Index of the benchmark, in the order given to [`Plan::new`].
    pub benchmark: usize,
    /// What for.
    pub stage: Stage,
    /// Number of this turn among those of its benchmark and stage, from zero.
    pub pair: u32,
    /// The side that runs first.
    pub first: Side,
    /// Settings for both sides.
    pub nuisance: Nuisance,
}

/// What a turn gave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Seen {
    /// Nanoseconds per iteration of base and head.
    Pair([f64; 2]),
    /// The value of the only side that there is.
    Round(f64),
    /// No value: nothing more is asked of the benchmark.
    Nothing,
}

/// Once this share of the time is spent, what seems different gets its fresh pairs: a slowdown that is
/// seen and never proven would help nobody.
const SCREENING_SHARE: f64 = 0.7;

/// A process that takes longer is slow: its settings are drawn so that it does not take much longer.
const SLOW_SECONDS: f64 = 1.0;

/// Turns of all benchmarks: pair after pair, within a pair every benchmark once, so that each is
/// spread over the whole run and a slow minute of the machine does not meet one alone. Those that a
/// first look finds suspicious get their first pairs before the others go on.
#[derive(Clone, Debug)]
pub struct Plan {
    items: Vec<Item>,
    most: u32,
    draw: Draw,
    stage: Stage,
    next: usize,
    /// Candidates, once all are known: they share the error of the run.
    family: usize,
}

impl Plan {
    /// A plan for these benchmarks, with at most `most` first pairs, and as [`Stage::most`] says fresh ones.
    pub fn new(goals: Vec<Goal>, most: u32, seed: u64) -> Self {
        let most = most.max(1);
        Self {
            items: goals.into_iter().map(|goal| Item::new(goal, most as usize)).collect(),
            most,
            draw: Draw::new(seed),
            stage: Stage::Screening,
            next: 0,
            family: 0,
        }
    }

    /// The next turn; `None` when nothing is open.
    pub fn next_turn(&mut self) -> Option<Turn> {
        loop {
            while self.next < self.items.len() {
                let benchmark = self.next;
                self.next += 1;
                if self.is_due(benchmark) {
                    return Some(self.turn(benchmark));
                }
            }
            self.next = 0;
            if self.items.iter().all(|item| !item.is_open(self.stage)) {
                match self.stage {
                    Stage::Screening => self.start_confirmation(),
                    Stage::Confirmation => return None,
                }
            }
        }
    }

    fn is_due(&self, benchmark: usize) -> bool {
        let item = &self.items[benchmark];
        item.is_open(self.stage)
            && !(self.stage == Stage::Screening
                && item.can_wait()
                && self.items.iter().any(Item::is_waited_for))
    }

    /// Says what a turn gave, and how long its slowest process took.
    pub fn tell(&mut self, turn: &Turn, seen: Seen, seconds: f64) {
        let (most, family) = (self.most as usize, self.family);
        let Some(item) = self.items.get_mut(turn.benchmark) else { return };
        item.is_slow |= seconds > SLOW_SECONDS;
        match seen {
            Seen::Nothing => item.state = State::Settled,
            Seen::Round(value) => item.add_round(value),
            Seen::Pair(values) => item.add_pair(turn.stage, values, most, family),
        }
    }

    /// Says which share of the time is spent; 1 or more ends everything.
    pub fn spend(&mut self, share: f64) {
        let most = self.most as usize;
        let is_compared = self.items.iter().any(|item| matches!(item.goal, Goal::Compare { .. }));
        if share >= SCREENING_SHARE && self.stage == Stage::Screening && is_compared {
            for item in self.items.iter_mut().filter(|item| item.state == State::Measuring) {
                item.cut(most);
            }
        }
        if share >= 1.0 {
            for item in self.items.iter_mut().filter(|item| item.state != State::Settled) {
                item.end();
            }
        }
    }

    /// Turns until the next look of everything that is open: how much is left at the least.
    pub fn remaining(&self) -> usize {
        self.items.iter().map(|item| item.remaining(self.stage)).sum()
    }

    /// What was measured, in the order of the benchmarks.
    pub fn into_outcomes(self) -> Vec<Outcome> {
        self.items.into_iter().map(|item| item.outcome).collect()
    }

    fn turn(&mut self, benchmark: usize) -> Turn {
        let (stage, item) = (self.stage, &mut self.items[benchmark]);
        let pair = item.turns;
        item.turns += 1;
        Turn {
            benchmark,
            stage,
            pair,
            first: self.draw.first(stage, pair, benchmark),
            nuisance: self.draw.nuisance(stage, pair, item.is_slow),
        }
    }

    fn start_confirmation(&mut self) {
        self.stage = Stage::Confirmation;
        self.family = self.items.iter().filter(|item| item.state == State::Candidate).count();
    }
}

#[cfg(test)]
mod tests;
