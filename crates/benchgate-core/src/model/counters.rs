//! What the counters of a CPU say about rounds.

use serde::{Deserialize, Serialize};

use super::Sides;

/// What a CPU counted in one round: in its process and those that it started, outside of the kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CpuCounts {
    /// Cycles of the clock.
    pub cycles: f64,
    /// Instructions that were executed.
    pub instructions: f64,
    /// Mispredicted branches; `None` if this CPU does not count them.
    pub branch_misses: Option<f64>,
    /// Cache misses of the last level; `None` if this CPU does not count them.
    pub cache_misses: Option<f64>,
}

impl CpuCounts {
    /// Instructions of one cycle; `None` if there were no cycles.
    pub fn instructions_per_cycle(&self) -> Option<f64> {
        (self.cycles > 0.0).then(|| self.instructions / self.cycles)
    }

    /// So much of something that was counted in 1,000 instructions.
    fn per_1000(&self, counted: Option<f64>) -> Option<f64> {
        counted.filter(|_| self.instructions > 0.0).map(|counted| counted / self.instructions * 1e3)
    }

    /// Branches that were predicted wrongly in 1,000 instructions.
    pub fn branch_misses_per_1000(&self) -> Option<f64> {
        self.per_1000(self.branch_misses)
    }

    /// Accesses to memory that no cache had in 1,000 instructions.
    pub fn cache_misses_per_1000(&self) -> Option<f64> {
        self.per_1000(self.cache_misses)
    }
}

/// What a CPU counted in the confirmation pairs of a benchmark: medians of the ratios of whole processes. A harness runs
/// for a time, so that amounts say nothing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CpuCounters {
    /// Pairs that were counted.
    pub pairs: u32,
    /// Instructions of one cycle.
    pub instructions_per_cycle: Sides<f64>,
    /// Mispredicted branches in 1,000 instructions, if this CPU counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch_misses_per_1000: Option<Sides<f64>>,
    /// Cache misses of the last level in 1,000 instructions, if this CPU counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_misses_per_1000: Option<Sides<f64>>,
}

impl CpuCounters {
    /// Every ratio of both sides, by its name in files.
    pub(crate) fn ratios(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let Self {
            pairs: _,
            instructions_per_cycle,
            branch_misses_per_1000,
            cache_misses_per_1000,
        } = *self;
        [
            ("instructions_per_cycle", Some(instructions_per_cycle)),
            ("branch_misses_per_1000", branch_misses_per_1000),
            ("cache_misses_per_1000", cache_misses_per_1000),
        ]
        .into_iter()
        .filter_map(|(name, sides)| Some((name, sides?)))
        .flat_map(|(name, Sides { base, head })| [(name, base), (name, head)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_counted_and_what_had_no_cycles_has_no_ratio() {
        let counts = CpuCounts {
            cycles: 1_000.0,
            instructions: 2_000.0,
            branch_misses: Some(4.0),
            cache_misses: None,
        };
        assert_eq!(counts.instructions_per_cycle(), Some(2.0));
        assert_eq!(counts.branch_misses_per_1000(), Some(2.0));
        assert_eq!(counts.cache_misses_per_1000(), None);
        let still = CpuCounts { cycles: 0.0, instructions: 0.0, ..counts };
        assert_eq!(still.instructions_per_cycle(), None);
        assert_eq!(still.branch_misses_per_1000(), None);
    }
}
