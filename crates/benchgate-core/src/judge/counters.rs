//! What a CPU counted in the pairs of a benchmark, as one figure a side.

use crate::model::{CpuCounters, CpuCounts, Side, Sides};
use crate::stats;

/// The medians over pairs; `None` if there are none. A count that one of the rounds lacks is omitted.
pub fn counters(pairs: &[Sides<CpuCounts>]) -> Option<CpuCounters> {
    let medians = |ratio: fn(&CpuCounts) -> Option<f64>| {
        let of_pair = |pair: &Sides<CpuCounts>| pair.as_ref().map(ratio).both();
        let ratios: Vec<Sides<f64>> = pairs.iter().map(of_pair).collect::<Option<_>>()?;
        let median =
            |side: Side| stats::median(&ratios.iter().map(|r| r[side]).collect::<Vec<_>>());
        Sides::new(median(Side::Base), median(Side::Head)).both()
    };
    Some(CpuCounters {
        pairs: u32::try_from(pairs.len()).unwrap_or(u32::MAX),
        instructions_per_cycle: medians(CpuCounts::instructions_per_cycle)?,
        branch_misses_per_1000: medians(CpuCounts::branch_misses_per_1000),
        cache_misses_per_1000: medians(CpuCounts::cache_misses_per_1000),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(cycles: [f64; 2], cache_misses: Option<f64>) -> Sides<CpuCounts> {
        let [base, head] = cycles;
        Sides::new(base, head).map(|cycles| CpuCounts {
            cycles,
            instructions: 2_000.0,
            branch_misses: Some(4.0),
            cache_misses,
        })
    }

    #[test]
    fn the_middle_pair_is_taken_and_what_one_round_does_not_count_is_left_out() {
        let pairs = [
            pair([1_000.0, 1_250.0], Some(2.0)),
            pair([800.0, 1_250.0], None),
            pair([9_000.0, 1_000.0], Some(2.0)),
        ];
        let medians = counters(&pairs).unwrap();
        assert_eq!(medians.pairs, 3);
        assert_eq!(medians.instructions_per_cycle, Sides::new(2.0, 1.6));
        assert_eq!(medians.branch_misses_per_1000, Some(Sides::new(2.0, 2.0)));
        assert_eq!(medians.cache_misses_per_1000, None);
    }

    #[test]
    fn without_pairs_or_cycles_there_is_nothing() {
        assert_eq!(counters(&[]), None);
        assert_eq!(counters(&[pair([0.0, 1_000.0], None)]), None);
    }
}
