//! The adaptive loop: screening pairs for undecided benchmarks, confirmation pairs for candidates, no more
//! pairs for the rest.

use std::collections::{BTreeMap, BTreeSet};

use super::draw::{Draw, Nuisance};
use super::item::{Goal, Item, Measurements, Values};
use super::relation::{PAIRS_FOR_RULE, Relation};
use crate::judge::{Known, Limited};
use crate::model::{Metric, Shard, Side, Sides, Stage};

/// A unit of work: a benchmark, and the order in which its sides run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Index of the benchmark, in the order given to [`Plan::new`].
    pub benchmark: usize,
    /// The stage that it belongs to.
    pub stage: Stage,
    /// Number of this turn among those of its benchmark and stage, from zero.
    pub pair: u32,
    /// The side that runs first.
    pub first: Side,
    /// Settings for both sides.
    pub nuisance: Nuisance,
    /// The layout of the code of both sides: 0 is that of the files that were built. `None` in screening, and where
    /// layouts are not varied.
    pub layout: Option<u32>,
}

/// The values of a turn.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// Both sides.
    Pair {
        /// Their values.
        values: Sides<Values>,
        /// The means of all the time that each was timed for, where the harness gives them.
        averages: Option<Sides<f64>>,
    },
    /// Values of the only side that has the benchmark.
    Round(Values),
    /// No value: the benchmark is not measured again.
    Failed,
}

impl Reading {
    /// Nanoseconds per iteration of both sides.
    pub fn of_times(pair: Sides<f64>) -> Self {
        let values = pair.map(|ns| Values::from([(Metric::TIME, ns)]));
        Self::Pair { values, averages: None }
    }
}

/// Once this share of the time is spent, candidates get their confirmation pairs: a slowdown that is
/// suspected but not proven would not be useful. Without a candidate, screening continues.
const SCREENING_SHARE: f64 = 0.7;

/// A process that takes longer is slow: its settings are drawn so that it does not take much longer.
const SLOW_SECONDS: f64 = 1.0;

/// Turns of all benchmarks: pair after pair, within a pair every benchmark once, so that each is
/// spread over the whole run and a slow phase of the machine affects all of them. Benchmarks that are
/// suspects after a first look get their screening pairs before the others continue.
#[derive(Clone, Debug)]
pub struct Plan {
    items: Vec<Item>,
    most: u32,
    draw: Draw,
    stage: Stage,
    relations: Vec<Relation>,
    /// Benchmarks that follow each other, by index: those of a walk, in its order. Each is in one.
    walks: Vec<Vec<usize>>,
    /// Rotations that were begun, the order of this one, and the next place in it.
    rotations: u64,
    order: Vec<usize>,
    next: usize,
    /// Candidates, once all are known, and rules: they share the error of the run.
    family: usize,
    /// Shards of the run: they share its error too.
    shards: usize,
    /// Earlier attempts on the same base and head.
    attempts: usize,
    /// Layouts that confirmation pairs take in turn; `None` where layouts are not varied.
    layouts: Option<u32>,
    /// The benchmark that was measured last: once all were looked at for candidates, only it can have become one.
    last: Option<usize>,
    has_looked: bool,
}

impl Plan {
    /// A plan for these benchmarks, with at most `most` screening pairs, and confirmation pairs as
    /// [`Stage::most`] says.
    pub fn new(goals: Vec<Goal>, most: u32, seed: u64) -> Self {
        let most = most.max(1);
        Self {
            relations: Vec::new(),
            walks: (0..goals.len()).map(|index| vec![index]).collect(),
            rotations: 0,
            order: (0..goals.len()).collect(),
            items: goals.into_iter().map(Item::new).collect(),
            most,
            draw: Draw::new(seed),
            stage: Stage::Screening,
            next: 0,
            family: 0,
            shards: 1,
            attempts: 0,
            layouts: None,
            last: None,
            has_looked: false,
        }
    }

    /// Compares benchmarks for rules: in an order that is drawn for every rotation, and with the
    /// pairs that prove an exceeded limit.
    #[must_use]
    pub fn with_relations(mut self, relations: Vec<Relation>) -> Self {
        self.relations = relations;
        self.draw_order();
        self
    }

    /// Leads benchmarks one after the other: every rotation takes those of a walk in its order. Benchmarks that
    /// no walk has are walks of one. Relations are given afterwards.
    #[must_use]
    pub fn with_walks(mut self, walks: Vec<Vec<usize>>) -> Self {
        let led: BTreeSet<usize> = walks.iter().flatten().copied().collect();
        let unled = (0..self.items.len()).filter(|index| !led.contains(index));
        self.walks = walks.into_iter().chain(unled.map(|index| vec![index])).collect();
        self.order = self.walks.concat();
        self
    }

    /// Plans one shard of a run, with its share of the error.
    #[must_use]
    pub fn of_shard(mut self, shard: Option<Shard>) -> Self {
        self.shards = shard.map_or(1, |shard| shard.of as usize);
        self
    }

    /// Runs confirmation pairs in this number of layouts of the code, each taken once before any is taken again;
    /// with 0, all in that of the built files.
    #[must_use]
    pub fn with_layouts(mut self, layouts: u32) -> Self {
        self.layouts = Some(layouts);
        self
    }

    /// Continues this number of attempts on the same base and head, with the values they measured of each benchmark, in the
    /// order given to [`Plan::new`]: what they settled is not measured again, unless a rule needs it. Relations are
    /// given before.
    #[must_use]
    pub fn after(mut self, attempts: usize, known: Vec<BTreeMap<Metric, Known>>) -> Self {
        self.attempts = attempts;
        let most = self.most as usize;
        for (item, known) in self.items.iter_mut().zip(known) {
            item.resume(attempts, known, most);
        }
        for relation in self.relations.clone() {
            if self.limited(&relation, Side::Head).exceeds(relation.limit) {
                self.extend_to(&relation, PAIRS_FOR_RULE as usize);
            }
        }
        self
    }

    fn draw_order(&mut self) {
        if !self.relations.is_empty() {
            let drawn = self.draw.order(self.rotations, self.walks.len());
            self.order = drawn.iter().flat_map(|walk| self.walks[*walk].iter().copied()).collect();
            self.rotations += 1;
        }
    }

    /// The next turn; `None` when every benchmark is settled.
    pub fn next_turn(&mut self) -> Option<Turn> {
        loop {
            while let Some(&benchmark) = self.order.get(self.next) {
                self.next += 1;
                if self.is_due(benchmark) {
                    return Some(self.turn(benchmark));
                }
            }
            self.next = 0;
            self.draw_order();
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

    /// Records the reading of a turn, and the seconds of its slowest process. The layout of the turn is the layout that
    /// it ran in, which differs from the requested one if files cannot be linked again.
    pub fn record(&mut self, turn: &Turn, reading: Reading, seconds: f64) {
        let (most, family) = (self.most as usize, self.family);
        let Some(item) = self.items.get_mut(turn.benchmark) else { return };
        self.last = Some(turn.benchmark);
        item.is_slow |= seconds > SLOW_SECONDS;
        match reading {
            Reading::Failed => item.give_up(),
            Reading::Round(values) => item.add_round(values),
            Reading::Pair { values, averages } => {
                item.add_pair(turn.stage, turn.layout, values, averages, most, family);
            }
        }
        if turn.stage == Stage::Screening {
            self.relate(turn.benchmark);
        }
    }

    /// The tests that share the error of the run, given the candidates among them: what is decided corrects for the
    /// rules too, and what stops at less is not proven in the end.
    fn among(&self, candidates: usize) -> usize {
        (candidates + self.relations.len()) * self.shards
    }

    /// Asks for more pairs of the benchmarks of a rule that is exceeded and not proven. Which benchmarks become
    /// candidates is known after screening only, so the rule must be proven whichever do.
    fn relate(&mut self, benchmark: usize) {
        if !self.relations.iter().any(|relation| relation.is_about(benchmark)) {
            return;
        }
        let tests = self.among(self.items.iter().map(Item::most_tests).sum());
        let next = |relation: &Relation| {
            let limited =
                Sides::new(Side::Base, Side::Head).map(|side| self.limited(relation, side));
            let measured = limited.head.after(self.attempts);
            Some((relation.clone(), relation.next_look(&limited, measured, tests)?))
        };
        let about = self.relations.iter().filter(|relation| relation.is_about(benchmark));
        let more: Vec<(Relation, usize)> = about.filter_map(next).collect();
        for (relation, until) in more {
            self.extend_to(&relation, until.min(self.most as usize));
        }
    }

    /// The values of a side so far that a rule limits.
    fn limited(&self, relation: &Relation, side: Side) -> Limited {
        let rounds = |index: usize| self.items[index].side(&relation.metric, side);
        Limited::new(rounds(relation.this), relation.of.map(rounds))
    }

    fn extend_to(&mut self, relation: &Relation, until: usize) {
        for index in relation.benchmarks() {
            self.items[index].extend_to(&relation.metric, until);
        }
    }

    /// Records the share of the time that is spent; 1 or more ends the run.
    pub fn spend(&mut self, share: f64) {
        let most = self.most as usize;
        let is_over = share >= 1.0 || (share >= SCREENING_SHARE && self.has_candidates());
        if is_over && self.stage == Stage::Screening {
            for item in self.items.iter_mut().filter(|item| item.is_open(Stage::Screening)) {
                item.cut(most);
            }
        }
        if share >= 1.0 {
            let is_open =
                |item: &&mut Item| item.is_open(Stage::Screening) || item.candidates() > 0;
            for item in self.items.iter_mut().filter(is_open) {
                item.end();
            }
        }
    }

    /// Whether there would be something to confirm if screening ended now.
    fn has_candidates(&mut self) -> bool {
        let is_candidate = |item: &Item| item.candidates() > 0 || item.would_be_candidate();
        match (std::mem::replace(&mut self.has_looked, true), self.last) {
            (true, Some(last)) => is_candidate(&self.items[last]),
            _ => self.items.iter().any(is_candidate),
        }
    }

    /// Number of turns until the next look of every open benchmark: the minimum that is left.
    pub fn remaining(&self) -> usize {
        self.items.iter().map(|item| item.remaining(self.stage)).sum()
    }

    /// Like `remaining`, of one benchmark; zero of an index that is not there.
    pub fn remaining_of(&self, benchmark: usize) -> usize {
        self.items.get(benchmark).map_or(0, |item| item.remaining(self.stage))
    }

    /// The measurements, in the order of the benchmarks.
    pub fn into_measurements(self) -> Vec<Measurements> {
        self.items.into_iter().map(Item::into_measurements).collect()
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
            layout: self
                .layouts
                .filter(|_| stage == Stage::Confirmation)
                .map(|of| layout(pair, of)),
        }
    }

    fn start_confirmation(&mut self) {
        self.stage = Stage::Confirmation;
        let candidates: usize = self.items.iter().map(Item::tests).sum();
        self.family = self.among(candidates);
        // Confirmation pairs are numbered from zero: they are drawn separately.
        self.items.iter_mut().for_each(|item| item.turns = 0);
    }
}

/// The layout of a confirmation pair, from this number of layouts.
fn layout(pair: u32, of: u32) -> u32 {
    pair.checked_rem(of).map_or(0, |number| number + 1)
}

#[cfg(test)]
mod tests;
