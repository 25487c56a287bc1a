//! What a CPU counted in the rounds of a benchmark, as one figure a side.

use crate::model::{Counters, Counts, Sides};
use crate::stats;

/// The medians over the rounds of both sides; `None` where one has none.
pub fn counters(counts: Sides<&[Counts]>) -> Option<Counters> {
    let median = |of: fn(&Counts) -> Option<f64>| {
        let values = |counts: &[Counts]| counts.iter().filter_map(of).collect::<Vec<_>>();
        counts.map(|counts| stats::median(&values(counts))).both()
    };
    Some(Counters {
        rounds: counts.map(|counts| u32::try_from(counts.len()).unwrap_or(u32::MAX)),
        cycles: median(|counts| Some(counts.cycles))?,
        instructions: median(|counts| Some(counts.instructions))?,
        branch_misses: median(|counts| counts.branch_misses),
        cache_misses: median(|counts| counts.cache_misses),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(cycles: f64, branch_misses: Option<f64>) -> Counts {
        Counts { cycles, instructions: 2_000.0, branch_misses, cache_misses: None }
    }

    #[test]
    fn the_middle_round_of_each_side_is_taken_and_what_is_not_counted_is_left_out() {
        let base = [1_000.0, 800.0, 9_000.0].map(|cycles| counts(cycles, Some(4.0)));
        let head = [counts(1_250.0, None), counts(1_250.0, Some(10.0))];
        let found = counters(Sides::new(&base, &head)).unwrap();
        assert_eq!(found.rounds, Sides::new(3, 2));
        assert_eq!(found.cycles, Sides::new(1_000.0, 1_250.0));
        assert_eq!(found.branch_misses, Some(Sides::new(4.0, 10.0)));
        assert_eq!(found.cache_misses, None);
        assert_eq!(counters(Sides::new(&base, &[])), None);
    }
}
