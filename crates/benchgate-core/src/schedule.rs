//! What to run next. Asked and told, it runs nothing itself, so whole gates are simulated in tests.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::model::Side;

/// One unit of work: a benchmark, and the order in which its sides run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Index of the benchmark, in the order given to [`Schedule::new`].
    pub benchmark: usize,
    /// Number of this turn among those of its benchmark, from zero.
    pub pair: u32,
    /// The side that runs first.
    pub first: Side,
}

/// Turns of all benchmarks: pair after pair, within a pair every benchmark once, so that each
/// benchmark is spread over the whole run and a slow minute of the machine does not meet one alone.
#[derive(Clone, Debug)]
pub struct Schedule {
    pairs: u32,
    live: Vec<bool>,
    next: usize,
    pair: u32,
    random: ChaCha8Rng,
}

impl Schedule {
    /// A fixed number of pairs for each of `benchmarks`; the order of the sides is drawn from `seed`.
    pub fn new(benchmarks: usize, pairs: u32, seed: u64) -> Self {
        Self {
            pairs,
            live: vec![true; benchmarks],
            next: 0,
            pair: 0,
            random: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// The benchmark needs no more turns.
    pub fn retire(&mut self, benchmark: usize) {
        if let Some(live) = self.live.get_mut(benchmark) {
            *live = false;
        }
    }

    /// Turns still to come, the benchmarks retired so far left out.
    pub fn remaining(&self) -> usize {
        let live = |from: usize| self.live.iter().skip(from).filter(|live| **live).count();
        let whole_pairs = self.pairs.saturating_sub(self.pair + 1) as usize;
        if self.pair >= self.pairs { 0 } else { live(self.next) + whole_pairs * live(0) }
    }

    /// The next turn; `None` when all is measured.
    pub fn next_turn(&mut self) -> Option<Turn> {
        while self.pair < self.pairs {
            while self.next < self.live.len() {
                let benchmark = self.next;
                self.next += 1;
                // Drawn for retired benchmarks too: one that fails does not change the others' order.
                let first = if self.random.next_u32() & 1 == 0 { Side::Base } else { Side::Head };
                if self.live[benchmark] {
                    return Some(Turn { benchmark, pair: self.pair, first });
                }
            }
            self.next = 0;
            self.pair += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turns(mut schedule: Schedule) -> Vec<Turn> {
        std::iter::from_fn(|| schedule.next_turn()).collect()
    }

    #[test]
    fn every_benchmark_gets_its_pairs_in_rotation() {
        let order: Vec<_> =
            turns(Schedule::new(3, 2, 1)).iter().map(|t| (t.pair, t.benchmark)).collect();
        assert_eq!(order, [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]);
    }

    #[test]
    fn the_same_seed_gives_the_same_order_on_every_platform() {
        let first: String = turns(Schedule::new(2, 8, 7))
            .iter()
            .map(|t| if t.first == Side::Base { 'b' } else { 'h' })
            .collect();
        insta::assert_snapshot!(first, @"hbbhhhhbbhbhhhbh");
    }

    #[test]
    fn either_side_goes_first_about_as_often() {
        let all = turns(Schedule::new(10, 100, 42));
        let base = all.iter().filter(|t| t.first == Side::Base).count();
        assert!((430..=570).contains(&base), "{base} of 1000");
    }

    #[test]
    fn a_retired_benchmark_gets_no_more_turns_and_the_others_keep_their_order() {
        let mut schedule = Schedule::new(2, 20, 3);
        schedule.next_turn();
        schedule.retire(0);
        let kept: Vec<_> = turns(schedule).iter().map(|t| (t.benchmark, t.first)).collect();
        let all: Vec<_> = turns(Schedule::new(2, 20, 3))
            .iter()
            .filter(|t| t.benchmark == 1)
            .map(|t| (t.benchmark, t.first))
            .collect();
        assert_eq!(kept, all);
    }

    #[test]
    fn what_remains_counts_down_to_nothing() {
        let mut schedule = Schedule::new(2, 3, 3);
        let mut counts = vec![schedule.remaining()];
        while schedule.next_turn().is_some() {
            counts.push(schedule.remaining());
        }
        assert_eq!(counts, [6, 5, 4, 3, 2, 1, 0]);
        assert_eq!(schedule.remaining(), 0);
        assert_eq!(Schedule::new(0, 3, 3).remaining(), 0);
    }
}
