//! What the counters of a CPU say about rounds.

use serde::{Deserialize, Serialize};

use super::Sides;

/// What a CPU counted in one round: in its process and those that it started, outside of the kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// Cycles of the clock.
    pub cycles: f64,
    /// Instructions that were executed.
    pub instructions: f64,
    /// Branches that were predicted wrongly; `None` where this CPU does not count them.
    pub branch_misses: Option<f64>,
    /// Accesses to memory that no cache had; `None` where this CPU does not count them.
    pub cache_misses: Option<f64>,
}

/// The same over the rounds of a benchmark, medians. A harness runs for a time, so only their ratios can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Counters {
    /// Rounds that were counted.
    pub rounds: Sides<u32>,
    /// Cycles of the clock.
    pub cycles: Sides<f64>,
    /// Instructions that were executed.
    pub instructions: Sides<f64>,
    /// Branches that were predicted wrongly, where this CPU counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch_misses: Option<Sides<f64>>,
    /// Accesses to memory that no cache had, where this CPU counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_misses: Option<Sides<f64>>,
}

impl Counters {
    /// Instructions of one cycle, where there were cycles.
    pub fn instructions_per_cycle(&self) -> Option<Sides<f64>> {
        ratio(self.instructions, self.cycles, 1.0)
    }

    /// Branches that were predicted wrongly in 1,000 instructions.
    pub fn branch_misses_per_1000(&self) -> Option<Sides<f64>> {
        ratio(self.branch_misses?, self.instructions, 1e3)
    }

    /// Accesses to memory that no cache had in 1,000 instructions.
    pub fn cache_misses_per_1000(&self) -> Option<Sides<f64>> {
        ratio(self.cache_misses?, self.instructions, 1e3)
    }

    /// Every amount of both sides, by its name in files.
    pub(crate) fn amounts(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let Self { rounds: _, cycles, instructions, branch_misses, cache_misses } = *self;
        [
            ("cycles", Some(cycles)),
            ("instructions", Some(instructions)),
            ("branch_misses", branch_misses),
            ("cache_misses", cache_misses),
        ]
        .into_iter()
        .filter_map(|(name, sides)| Some((name, sides?)))
        .flat_map(|(name, Sides { base, head })| [(name, base), (name, head)])
    }
}

/// So much of the one for each `per` of the other.
fn ratio(of: Sides<f64>, to: Sides<f64>, per: f64) -> Option<Sides<f64>> {
    let ratio = |of: f64, to: f64| (to > 0.0).then(|| of / to * per);
    Sides::new(ratio(of.base, to.base), ratio(of.head, to.head)).both()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_cycles_or_instructions_there_is_no_ratio() {
        let counters = Counters {
            rounds: Sides::new(3, 3),
            cycles: Sides::new(1_000.0, 0.0),
            instructions: Sides::new(2_000.0, 4_000.0),
            branch_misses: Some(Sides::new(4.0, 0.0)),
            cache_misses: None,
        };
        assert_eq!(counters.instructions_per_cycle(), None);
        assert_eq!(counters.branch_misses_per_1000(), Some(Sides::new(2.0, 0.0)));
        assert_eq!(counters.cache_misses_per_1000(), None);
        let still = Counters { instructions: Sides::default(), ..counters };
        assert_eq!(still.branch_misses_per_1000(), None);
    }
}
