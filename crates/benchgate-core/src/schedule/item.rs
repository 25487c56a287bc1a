//! One benchmark of a plan: what it is measured for, and what is next for it.

use crate::judge::{Confirmed, Family, Pairs, Screened, Sequence, Stage, confirm, screen};
use crate::model::Level;
use crate::policy::Limits;
use crate::result::Rounds;
use crate::stats;

/// What one benchmark is measured for.
#[derive(Clone, Debug, PartialEq)]
pub enum Goal {
    /// Base and head are held against each other.
    Compare {
        /// What it is held to.
        limits: Limits,
        /// Pairs before the first look: a rule about the benchmark needs its values.
        at_least: u32,
        /// Median of the committed baseline of this machine, in nanoseconds per iteration.
        baseline: Option<f64>,
    },
    /// One side has it: so many rounds.
    Record(u32),
}

/// What a plan leaves of one benchmark.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Its pairs.
    pub sequence: Sequence,
    /// Rounds of a benchmark that only one side has.
    pub rounds: Vec<f64>,
    /// Whether the time ran out before it was settled.
    pub is_cut: bool,
}

/// Pairs of a first look: their median is not moved by one process that another one disturbed. It
/// decides nothing but who is measured first.
const FIRST_LOOK: usize = 3;

/// Pairs up to which the others wait for a suspect. Most are settled by then; one that is not, and
/// perhaps never will be, must not take the time of all.
const AHEAD: usize = 15;

/// Where a benchmark stands.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) goal: Goal,
    pub(super) state: State,
    pub(super) outcome: Outcome,
    pub(super) is_slow: bool,
    /// Whether the first look found the head slower than its base or than the committed baseline.
    is_suspect: bool,
    /// Turns of the present stage.
    pub(super) turns: u32,
    /// Turns after which something happens next.
    look_at: usize,
}

/// What a benchmark waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Measuring,
    Candidate,
    Settled,
}

impl Item {
    pub(super) fn new(goal: Goal, most: usize) -> Self {
        Self {
            look_at: match &goal {
                Goal::Compare { at_least, .. } => {
                    Stage::Screening.next_look(at_least.saturating_sub(1) as usize, most)
                }
                Goal::Record(rounds) => *rounds as usize,
            },
            goal,
            state: State::Measuring,
            outcome: Outcome::default(),
            is_slow: false,
            is_suspect: false,
            turns: 0,
        }
    }

    pub(super) fn is_open(&self, stage: Stage) -> bool {
        match stage {
            Stage::Screening => self.state == State::Measuring,
            Stage::Confirmation => self.state == State::Candidate,
        }
    }

    /// Whether the others wait for it.
    pub(super) fn is_waited_for(&self) -> bool {
        self.is_suspect && self.is_open(Stage::Screening) && (self.turns as usize) < AHEAD
    }

    /// Whether it can wait for the suspects: not before its first look, and not when a rule holds its
    /// values against those that others gave in the same turns.
    pub(super) fn can_wait(&self) -> bool {
        match &self.goal {
            Goal::Compare { at_least: 0, .. } => {
                !self.is_waited_for() && self.turns as usize >= FIRST_LOOK
            }
            Goal::Compare { .. } | Goal::Record(_) => false,
        }
    }

    pub(super) fn add_round(&mut self, value: f64) {
        self.outcome.rounds.push(value);
        if self.outcome.rounds.len() >= self.look_at {
            self.state = State::Settled;
        }
    }

    pub(super) fn add_pair(&mut self, stage: Stage, pair: [f64; 2], most: usize, family: usize) {
        self.outcome.sequence.push(stage, pair);
        let measured = self.outcome.sequence.rounds(stage).base.len();
        if stage == Stage::Screening && measured == FIRST_LOOK {
            self.is_suspect = self.seems_slower();
        }
        if measured >= self.look_at.min(stage.most(most)) {
            self.look(stage, measured, most, family);
        }
    }

    fn seems_slower(&self) -> bool {
        let Goal::Compare { limits, baseline, .. } = &self.goal else { return false };
        let Rounds { base, head } = &self.outcome.sequence.screening;
        let most = 1.0 + limits.thresholds.of(Level::Note);
        let ratios: Vec<f64> = base.iter().zip(head).map(|(base, head)| head / base).collect();
        let above_base = stats::median(&ratios).is_some_and(|ratio| ratio > most);
        let above_baseline = baseline
            .zip(stats::median(head))
            .is_some_and(|(baseline, head)| head > baseline * most);
        above_base || above_baseline
    }

    fn look(&mut self, stage: Stage, measured: usize, most: usize, family: usize) {
        self.look_at = stage.next_look(measured, stage.most(most));
        let last = measured >= stage.most(most);
        match stage {
            Stage::Screening => match self.screened(last) {
                Some(Screened::Open) | None => {}
                Some(Screened::Candidate) => self.become_candidate(most),
                Some(Screened::Unchanged(_) | Screened::Undecided(_)) => {
                    self.state = State::Settled;
                }
            },
            Stage::Confirmation => {
                if let Some(Confirmed::Settled(..)) = self.confirmed(family, last) {
                    self.state = State::Settled;
                }
            }
        }
    }

    fn become_candidate(&mut self, most: usize) {
        self.state = State::Candidate;
        self.turns = 0;
        let stage = Stage::Confirmation;
        self.look_at = stage.next_look(0, stage.most(most));
    }

    fn screened(&self, last: bool) -> Option<Screened> {
        let Goal::Compare { limits, .. } = &self.goal else { return None };
        Some(screen(&Pairs::new(&self.outcome.sequence.screening)?, limits, last))
    }

    fn confirmed(&self, family: usize, last: bool) -> Option<Confirmed> {
        let Goal::Compare { limits, .. } = &self.goal else { return None };
        let fresh = Pairs::new(&self.outcome.sequence.confirmation)?;
        Some(confirm(&fresh, limits, Family::Of(family), last))
    }

    /// The time for first pairs is over.
    pub(super) fn cut(&mut self, most: usize) {
        match self.screened(true) {
            Some(Screened::Candidate) => self.become_candidate(most),
            Some(Screened::Unchanged(_)) => self.state = State::Settled,
            Some(Screened::Undecided(_) | Screened::Open) | None => self.end(),
        }
    }

    /// All time is over.
    pub(super) fn end(&mut self) {
        self.outcome.is_cut = true;
        self.state = State::Settled;
    }

    /// Turns until the next look.
    pub(super) fn remaining(&self, stage: Stage) -> usize {
        let measured = match (&self.goal, self.is_open(stage)) {
            (_, false) => return 0,
            (Goal::Record(_), true) => self.outcome.rounds.len(),
            (Goal::Compare { .. }, true) => self.outcome.sequence.rounds(stage).base.len(),
        };
        self.look_at.saturating_sub(measured)
    }
}
