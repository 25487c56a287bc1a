//! Draws from the seed: which side runs first, and the nuisance settings.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::model::{Side, Stage};

/// Settings that do not change the work and yet change its speed: they change what a harness allocates
/// before it measures. With one fixed setting every process repeats the same heap, and the
/// answer is precise and wrong; drawn again for every pair, and equal on both sides of it, their
/// influence is in the spread of the pairs, where the bounds see it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Nuisance {
    /// Samples of one process in addition to the policy's.
    pub more_samples: u32,
    /// Bytes by which a path or a variable of the process is longer.
    pub padding: u32,
}

/// Sample counts differ by less than this.
const SAMPLES: u32 = 16;

/// Like `SAMPLES`, for a benchmark whose process takes more than a second: each of its samples is expensive.
const SAMPLES_OF_SLOW: u32 = 4;

/// Path lengths differ by less than this: four steps of a 16-byte allocator bin.
const PATHS: u32 = 64;

/// Draws that depend only on the seed, the stage and the numbers of pair and benchmark, not on the other
/// benchmarks.
#[derive(Clone, Debug)]
pub struct Draw {
    seeded: ChaCha8Rng,
}

impl Draw {
    /// The draws of a seed.
    pub fn new(seed: u64) -> Self {
        Self { seeded: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// A draw for all benchmarks of a rotation, so that they can be compared with each other.
    pub fn nuisance(&self, stage: Stage, pair: u32, is_slow: bool) -> Nuisance {
        let mut random = self.of_pair(stage, pair);
        let samples = if is_slow { SAMPLES_OF_SLOW } else { SAMPLES };
        Nuisance { more_samples: random.next_u32() % samples, padding: random.next_u32() % PATHS }
    }

    /// The side that goes first.
    pub(super) fn first(&self, stage: Stage, pair: u32, benchmark: usize) -> Side {
        let mut random = self.of_pair(stage, pair);
        // The first words are used for the nuisance settings.
        random.set_word_pos(2 + benchmark as u128);
        if random.next_u32() & 1 == 0 { Side::Base } else { Side::Head }
    }

    /// The order of this number of benchmarks in a rotation: with a fixed order, what changes steadily during a rotation
    /// would always favour the same side of a rule.
    pub fn order(&self, rotation: u64, benchmarks: usize) -> Vec<usize> {
        let mut random = self.seeded.clone();
        // Pairs use the streams that begin at zero.
        random.set_stream(u64::MAX - rotation);
        random.set_word_pos(0);
        let mut order: Vec<usize> = (0..benchmarks).collect();
        for last in (1..benchmarks).rev() {
            order.swap(last, (random.next_u64() % (last as u64 + 1)) as usize);
        }
        order
    }

    fn of_pair(&self, stage: Stage, pair: u32) -> ChaCha8Rng {
        let mut random = self.seeded.clone();
        let stage = match stage {
            Stage::Screening => 0,
            Stage::Confirmation => 1,
        };
        random.set_stream(u64::from(pair) * 2 + stage);
        random.set_word_pos(0);
        random
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_draws_on_every_platform() {
        let draw = Draw::new(7);
        let sides: String = (0..16)
            .map(|pair| draw.first(Stage::Screening, pair, 3))
            .map(|side| if side == Side::Base { 'b' } else { 'h' })
            .collect();
        insta::assert_snapshot!(sides);
        let nuisance = draw.nuisance(Stage::Confirmation, 4, false);
        insta::assert_snapshot!(format!("{nuisance:?}"));
    }

    #[test]
    fn every_order_of_a_rotation_is_drawn_about_as_often() {
        let draw = Draw::new(3);
        let mut drawn = std::collections::BTreeMap::new();
        for rotation in 0..6_000 {
            *drawn.entry(draw.order(rotation, 3)).or_insert(0) += 1;
        }
        assert_eq!(drawn.len(), 6);
        assert!(drawn.values().all(|times| (900..=1_100).contains(times)), "{drawn:?}");
        assert_eq!(draw.order(7, 1), [0]);
    }

    #[test]
    fn either_side_goes_first_about_as_often() {
        let draw = Draw::new(42);
        let base = (0..1000)
            .filter(|i| draw.first(Stage::Screening, i / 10, (i % 10) as usize) == Side::Base)
            .count();
        assert!((440..=560).contains(&base), "{base} of 1000");
    }

    #[test]
    fn every_setting_is_drawn_eventually() {
        let draw = Draw::new(1);
        let all: Vec<_> = (0..2000).map(|p| draw.nuisance(Stage::Screening, p, false)).collect();
        for samples in 0..SAMPLES {
            assert!(all.iter().any(|n| n.more_samples == samples), "{samples}");
        }
        for path in 0..PATHS {
            assert!(all.iter().any(|n| n.padding == path), "{path}");
        }
        assert!(all.iter().all(|n| n.more_samples < SAMPLES && n.padding < PATHS));
        assert!((0..100).all(|p| draw.nuisance(Stage::Screening, p, true).more_samples < 4));
    }
}
