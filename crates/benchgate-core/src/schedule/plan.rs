//! The adaptive loop: pairs for what is undecided, fresh pairs for what seems different, none for the
//! rest.

use super::draw::{Draw, Nuisance};
use crate::judge::{Confirmed, Family, Pairs, Screened, Sequence, Stage, confirm, screen};
use crate::model::Side;
use crate::policy::Limits;

/// What one benchmark is measured for.
#[derive(Clone, Debug, PartialEq)]
pub enum Goal {
    /// Base and head are held against each other.
    Compare {
        /// What it is held to.
        limits: Limits,
        /// Pairs before the first look: a rule about the benchmark needs its values.
        at_least: u32,
    },
    /// One side has it: so many rounds.
    Record(u32),
}

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

/// Once this share of the time is spent, what seems different gets its fresh pairs: a slowdown that is
/// seen and never proven would help nobody.
const SCREENING_SHARE: f64 = 0.7;

/// A process that takes longer is slow: its settings are drawn so that it does not take much longer.
const SLOW_SECONDS: f64 = 1.0;

/// Turns of all benchmarks: pair after pair, within a pair every benchmark once, so that each is
/// spread over the whole run and a slow minute of the machine does not meet one alone.
#[derive(Clone, Debug)]
pub struct Plan {
    items: Vec<Item>,
    /// In which order benchmarks come within a pair.
    order: Vec<usize>,
    most: u32,
    draw: Draw,
    stage: Stage,
    pair: u32,
    next: usize,
    /// Candidates, once all are known: they share the error of the run.
    family: usize,
}

#[derive(Clone, Debug)]
struct Item {
    goal: Goal,
    state: State,
    outcome: Outcome,
    is_slow: bool,
    /// Turns after which something happens next.
    look_at: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Measuring,
    Candidate,
    Settled,
}

impl Plan {
    /// A plan for these benchmarks, with at most `most` pairs a stage.
    pub fn new(goals: Vec<Goal>, most: u32, seed: u64) -> Self {
        let most = most.max(1);
        let item = |goal| Item {
            look_at: match &goal {
                Goal::Compare { at_least, .. } => {
                    Stage::Screening.next_look(at_least.saturating_sub(1) as usize, most as usize)
                }
                Goal::Record(rounds) => *rounds as usize,
            },
            goal,
            state: State::Measuring,
            outcome: Outcome::default(),
            is_slow: false,
        };
        Self {
            order: (0..goals.len()).collect(),
            items: goals.into_iter().map(item).collect(),
            most,
            draw: Draw::new(seed),
            stage: Stage::Screening,
            pair: 0,
            next: 0,
            family: 0,
        }
    }

    /// These come first within every pair: what is known to be suspicious is measured whatever
    /// becomes of the time.
    pub fn prefer(&mut self, benchmarks: &[usize]) {
        self.order.sort_by_key(|benchmark| !benchmarks.contains(benchmark));
    }

    /// The next turn; `None` when nothing is open.
    pub fn next_turn(&mut self) -> Option<Turn> {
        loop {
            while let Some(benchmark) = self.order.get(self.next).copied() {
                self.next += 1;
                if self.items[benchmark].is_open(self.stage) {
                    return Some(self.turn(benchmark));
                }
            }
            self.next = 0;
            self.pair += 1;
            if self.items.iter().all(|item| !item.is_open(self.stage)) {
                match self.stage {
                    Stage::Screening => self.start_confirmation(),
                    Stage::Confirmation => return None,
                }
            }
        }
    }

    /// Says what a turn gave, and how long its slowest process took.
    pub fn tell(&mut self, turn: &Turn, seen: Seen, seconds: f64) {
        let (most, family) = (self.most as usize, self.family);
        let Some(item) = self.items.get_mut(turn.benchmark) else { return };
        item.is_slow |= seconds > SLOW_SECONDS;
        match seen {
            Seen::Nothing => item.state = State::Settled,
            Seen::Round(value) => {
                item.outcome.rounds.push(value);
                if item.outcome.rounds.len() >= item.look_at {
                    item.state = State::Settled;
                }
            }
            Seen::Pair(values) => {
                item.outcome.sequence.push(turn.stage, values);
                item.look(turn.stage, most, family);
            }
        }
    }

    /// Says which share of the time is spent; 1 or more ends everything.
    pub fn spend(&mut self, share: f64) {
        let most = self.most as usize;
        if share >= SCREENING_SHARE && self.stage == Stage::Screening {
            for item in self.items.iter_mut().filter(|item| item.state == State::Measuring) {
                item.cut(most);
            }
        }
        if share >= 1.0 {
            for item in self.items.iter_mut().filter(|item| item.state != State::Settled) {
                item.outcome.is_cut = true;
                item.state = State::Settled;
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

    fn turn(&self, benchmark: usize) -> Turn {
        let (stage, pair) = (self.stage, self.pair);
        Turn {
            benchmark,
            stage,
            pair,
            first: self.draw.first(stage, pair, benchmark),
            nuisance: self.draw.nuisance(stage, pair, self.items[benchmark].is_slow),
        }
    }

    fn start_confirmation(&mut self) {
        self.stage = Stage::Confirmation;
        self.pair = 0;
        self.family = self.items.iter().filter(|item| item.state == State::Candidate).count();
    }
}

impl Item {
    fn is_open(&self, stage: Stage) -> bool {
        match stage {
            Stage::Screening => self.state == State::Measuring,
            Stage::Confirmation => self.state == State::Candidate,
        }
    }

    /// Looks at the pairs when a look has come.
    fn look(&mut self, stage: Stage, most: usize, family: usize) {
        let measured = self.outcome.sequence.rounds(stage).base.len();
        if measured < self.look_at.min(most) {
            return;
        }
        self.look_at = stage.next_look(measured, most);
        let last = measured >= most;
        match stage {
            Stage::Screening => match self.screened(last) {
                Some(Screened::Open) | None => {}
                Some(Screened::Candidate) => {
                    self.state = State::Candidate;
                    self.look_at = Stage::Confirmation.next_look(0, most);
                }
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
    fn cut(&mut self, most: usize) {
        self.look_at = Stage::Confirmation.next_look(0, most);
        self.state = match self.screened(true) {
            Some(Screened::Candidate) => State::Candidate,
            Some(Screened::Unchanged(_)) => State::Settled,
            Some(Screened::Undecided(_) | Screened::Open) | None => {
                self.outcome.is_cut = true;
                State::Settled
            }
        };
    }

    fn remaining(&self, stage: Stage) -> usize {
        let measured = match (&self.goal, self.is_open(stage)) {
            (_, false) => return 0,
            (Goal::Record(_), true) => self.outcome.rounds.len(),
            (Goal::Compare { .. }, true) => self.outcome.sequence.rounds(stage).base.len(),
        };
        self.look_at.saturating_sub(measured)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Finding;

    fn compare() -> Goal {
        Goal::Compare { limits: Limits::default(), at_least: 0 }
    }

    /// Runs a plan on benchmarks whose pairs come from `ratio`; gives what was run, and what is left.
    fn run(mut plan: Plan, mut ratio: impl FnMut(&Turn) -> f64) -> (Vec<Turn>, Vec<Outcome>) {
        let mut turns = Vec::new();
        while let Some(turn) = plan.next_turn() {
            plan.tell(&turn, Seen::Pair([1000.0, 1000.0 * ratio(&turn)]), 0.04);
            turns.push(turn);
            assert!(turns.len() < 100_000, "it does not end");
        }
        (turns, plan.into_outcomes())
    }

    fn finding(outcome: &Outcome) -> Finding {
        outcome.sequence.conclude(&Limits::default(), true).unwrap().finding
    }

    fn pairs(outcome: &Outcome) -> [usize; 2] {
        let Sequence { screening, confirmation } = &outcome.sequence;
        [screening.base.len(), confirmation.base.len()]
    }

    #[test]
    fn what_is_unchanged_gets_six_pairs_and_what_is_slower_fresh_ones() {
        let plan = Plan::new(vec![compare(), compare(), compare()], 60, 1);
        let (turns, outcomes) = run(plan, |turn| [1.0, 1.2, 0.8][turn.benchmark]);
        let told: Vec<_> = outcomes.iter().map(|o| (finding(o), pairs(o))).collect();
        assert_eq!(
            told,
            [
                (Finding::Unchanged, [6, 0]),
                (Finding::Critical, [10, 15]),
                (Finding::Improved, [10, 15])
            ]
        );
        // In rotation, and the fresh pairs after all first ones.
        let order: String = turns.iter().take(9).map(|t| t.benchmark.to_string()).collect();
        assert_eq!(order, "012012012");
        assert!(turns.is_sorted_by_key(|turn| turn.stage == Stage::Confirmation));
    }

    #[test]
    fn nothing_is_measured_beyond_the_most_pairs() {
        // Two modes, as far apart as possible: never decided.
        let scattered = |turn: &Turn| if turn.pair.is_multiple_of(2) { 0.7 } else { 1.4 };
        for (most, expected) in [(60, [60, 0]), (22, [22, 0]), (8, [8, 0]), (1, [1, 0])] {
            let (_, outcomes) = run(Plan::new(vec![compare()], most, 1), scattered);
            assert_eq!(pairs(&outcomes[0]), expected);
            assert_eq!(finding(&outcomes[0]), Finding::Inconclusive);
        }
    }

    #[test]
    fn a_rule_about_a_benchmark_gets_its_pairs_though_it_is_decided() {
        let goal = Goal::Compare { limits: Limits::default(), at_least: 9 };
        let (_, outcomes) = run(Plan::new(vec![goal], 60, 1), |_| 1.0);
        assert_eq!(pairs(&outcomes[0]), [10, 0]);
    }

    #[test]
    fn what_only_one_side_has_gets_its_rounds_beside_the_pairs() {
        let mut plan = Plan::new(vec![compare(), Goal::Record(3)], 60, 1);
        while let Some(turn) = plan.next_turn() {
            let seen = [Seen::Pair([1.0, 1.0]), Seen::Round(7.0)][turn.benchmark];
            plan.tell(&turn, seen, 0.04);
        }
        assert_eq!(plan.into_outcomes()[1].rounds, [7.0; 3]);
    }

    #[test]
    fn a_benchmark_that_fails_is_left_alone_and_the_others_keep_their_draws() {
        let both = || Plan::new(vec![compare(), compare()], 60, 3);
        let (all, _) = run(both(), |_| 1.0);
        let mut plan = both();
        let mut kept = Vec::new();
        while let Some(turn) = plan.next_turn() {
            let seen = if turn.benchmark == 0 { Seen::Nothing } else { Seen::Pair([1.0, 1.0]) };
            plan.tell(&turn, seen, 0.04);
            kept.push(turn);
        }
        assert_eq!(kept.iter().filter(|turn| turn.benchmark == 0).count(), 1);
        let second = |turns: &[Turn]| -> Vec<Turn> {
            turns.iter().filter(|turn| turn.benchmark == 1).copied().collect()
        };
        assert_eq!(second(&kept), second(&all));
    }

    #[test]
    fn when_the_time_is_short_candidates_are_proven_and_the_rest_is_named() {
        let mut plan = Plan::new(vec![compare(), compare(), compare()], 60, 1);
        let mut turns = 0;
        while let Some(turn) = plan.next_turn() {
            // Slower; scattered; slower, and it fails to be proven in time.
            let ratio =
                [1.2, if turn.pair.is_multiple_of(2) { 0.7 } else { 1.4 }, 1.2][turn.benchmark];
            plan.tell(&turn, Seen::Pair([1000.0, 1000.0 * ratio]), 0.04);
            turns += 1;
            plan.spend(f64::from(turns) / 60.0);
        }
        assert_eq!(turns, 60);
        let outcomes = plan.into_outcomes();
        let told: Vec<_> = outcomes.iter().map(|o| (finding(o), pairs(o), o.is_cut)).collect();
        insta::assert_debug_snapshot!(told);
    }

    #[test]
    fn what_is_suspicious_comes_first() {
        let mut plan = Plan::new(vec![compare(), compare(), compare()], 60, 1);
        plan.prefer(&[2]);
        let (turns, _) = run(plan, |_| 1.0);
        let order: String = turns.iter().take(6).map(|t| t.benchmark.to_string()).collect();
        assert_eq!(order, "201201");
    }

    #[test]
    fn what_remains_is_known_until_the_next_look() {
        let mut plan = Plan::new(vec![compare(), Goal::Record(2)], 60, 1);
        assert_eq!(plan.remaining(), 8);
        while let Some(turn) = plan.next_turn() {
            let seen = [Seen::Pair([1.0, 1.0]), Seen::Round(7.0)][turn.benchmark];
            plan.tell(&turn, seen, 0.04);
        }
        assert_eq!(plan.remaining(), 0);
        assert_eq!(Plan::new(Vec::new(), 60, 1).next_turn(), None);
    }

    #[test]
    fn a_machine_that_changes_in_the_middle_of_a_run_is_never_a_regression() {
        type Noise = fn(&Turn, Side) -> f64;
        let machines: [(&str, Noise); 4] = [
            // Everything takes 1.6 times as long from the fourth pair on, in the middle of a pair.
            ("throttled", |turn, side| {
                let late = turn.pair > 3 || (turn.pair == 3 && side != turn.first);
                if late { 1600.0 } else { 1000.0 }
            }),
            (
                "suspended",
                |turn, side| {
                    if turn.pair == 2 && side == Side::Head { 9e12 } else { 1000.0 }
                },
            ),
            ("loaded for five pairs", |turn, side| {
                let (n, second) = (turn.pair, f64::from(u8::from(side != turn.first)));
                if (2..7).contains(&n) { 1500.0 + 700.0 * second } else { 1000.0 }
            }),
            ("ever slower", |turn, side| {
                1000.0 * 1.02_f64.powi(2 * turn.pair as i32 + i32::from(side != turn.first))
            }),
        ];
        for (what, noise) in machines {
            for seed in 0..50 {
                let mut plan = Plan::new(vec![compare(); 4], 60, seed);
                while let Some(turn) = plan.next_turn() {
                    let pair = [noise(&turn, Side::Base), noise(&turn, Side::Head)];
                    plan.tell(&turn, Seen::Pair(pair), 0.04);
                }
                for outcome in plan.into_outcomes() {
                    let found = finding(&outcome);
                    assert!(found.level().is_none(), "{what}, seed {seed}: {found:?}");
                }
            }
        }
    }

    #[test]
    fn what_a_plan_stops_at_is_what_its_values_come_to() {
        // The loop ends where the judge, who sees the values alone, says the same.
        for seed in 0..200 {
            let ratio = |turn: &Turn| {
                let wave = f64::from((turn.pair * 7 + seed as u32) % 11) / 11.0 - 0.5;
                1.0 + f64::from(turn.benchmark as u32) * 0.02 + wave * 0.08
            };
            let (_, outcomes) = run(Plan::new(vec![compare(); 8], 60, seed), ratio);
            let limits = Limits::default();
            for outcome in outcomes {
                let found = outcome.sequence.conclude(&limits, true).unwrap();
                let [screened, confirmed] = pairs(&outcome);
                if found.finding == Finding::Inconclusive {
                    assert!(screened == 60 || confirmed == 60, "{found:?}");
                }
                assert!(!outcome.is_cut);
            }
        }
    }
}
