//! What the CPU counted in the rounds of a benchmark, in words.

use crate::model::{Counters, Sides};

/// One line; `None` where nothing of it can be compared.
pub(super) fn line(counters: &Counters) -> Option<String> {
    let of = |sides: Option<Sides<f64>>, what: &str| {
        sides.map(|Sides { base, head }| format!("{base:.2} → {head:.2} {what}"))
    };
    let misses: Vec<String> = [
        of(counters.branch_misses_per_1000(), "branch misses"),
        of(counters.cache_misses_per_1000(), "cache misses"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let cycles = of(counters.instructions_per_cycle(), "instructions per cycle");
    let misses =
        (!misses.is_empty()).then(|| format!("{} per 1,000 instructions", misses.join(" and ")));
    let parts: Vec<String> = cycles.into_iter().chain(misses).collect();
    (!parts.is_empty()).then(|| format!("the CPU counted {}", parts.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;

    #[test]
    fn what_the_cpu_does_not_count_is_not_said() {
        let all = samples::counters();
        let without = Counters { branch_misses: None, ..all };
        let only = Counters { cache_misses: None, ..without };
        let nothing = Counters { cycles: Sides::default(), ..only };
        let said = [all, without, only, nothing].map(|counters| format!("{:?}\n", line(&counters)));
        insta::assert_snapshot!(said.concat(), @r#"
        Some("the CPU counted 2.50 → 2.00 instructions per cycle, 1.20 → 5.00 branch misses and 0.20 → 0.22 cache misses per 1,000 instructions")
        Some("the CPU counted 2.50 → 2.00 instructions per cycle, 0.20 → 0.22 cache misses per 1,000 instructions")
        Some("the CPU counted 2.50 → 2.00 instructions per cycle")
        None
        "#);
    }
}
