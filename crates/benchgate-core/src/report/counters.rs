//! What the CPU counted in the rounds of a benchmark, in words.

use crate::model::{CpuCounters, Sides};

/// A line, without an end.
pub(super) fn line(counters: &CpuCounters) -> String {
    let of = |sides: Sides<f64>| format!("{:.2} → {:.2}", sides.base, sides.head);
    let misses = [
        (counters.branch_misses_per_1000, "branch misses"),
        (counters.cache_misses_per_1000, "cache misses"),
    ];
    let misses: Vec<String> = misses
        .into_iter()
        .filter_map(|(sides, what)| Some(format!("{} {what}", of(sides?))))
        .collect();
    let misses = match misses.join(" and ") {
        none if none.is_empty() => none,
        misses => format!(", {misses} in 1,000 instructions"),
    };
    let per_cycle = of(counters.instructions_per_cycle);
    format!("the CPU counted {per_cycle} instructions per cycle{misses}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;

    #[test]
    fn what_the_cpu_does_not_count_is_not_said() {
        let all = samples::counters();
        let without = CpuCounters { branch_misses_per_1000: None, ..all };
        let only = CpuCounters { cache_misses_per_1000: None, ..without };
        let lines = [all, without, only].map(|counters| line(&counters) + "\n");
        insta::assert_snapshot!(lines.concat(), @"
        the CPU counted 2.50 → 2.00 instructions per cycle, 1.20 → 5.00 branch misses and 0.20 → 0.22 cache misses in 1,000 instructions
        the CPU counted 2.50 → 2.00 instructions per cycle, 0.20 → 0.22 cache misses in 1,000 instructions
        the CPU counted 2.50 → 2.00 instructions per cycle
        ");
    }
}
