//! What exact counts say: no estimate, no bounds, no floor.

use crate::model::{Change, Finding, Level, Metric};
use crate::policy::Limits;

/// Counts of two runs of each side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counted {
    /// Of the base.
    pub base: [f64; 2],
    /// Of the head.
    pub head: [f64; 2],
}

impl Counted {
    /// Head against base, exactly; `None` from nothing to something, which is no percentage, and where
    /// a count is not the same twice.
    pub fn change(&self) -> Option<Change> {
        let (Some(base), Some(head)) = (same(self.base), same(self.head)) else { return None };
        let estimate = if base == head {
            0.0
        } else if base == 0.0 {
            return None;
        } else {
            head / base - 1.0
        };
        Some(Change { estimate, lower: Some(estimate), upper: Some(estimate) })
    }

    /// What is proven, and why.
    pub fn judge(&self, metric: Metric, limits: &Limits) -> (Finding, String) {
        let unit = metric.unit();
        let (base, head) = match (same(self.base), same(self.head)) {
            (Some(base), Some(head)) => (base, head),
            (base, _) => {
                let (side, [first, second]) =
                    if base.is_none() { ("base", self.base) } else { ("head", self.head) };
                let reason = format!("{first} and {second} {unit} in two runs of {side}");
                return (Finding::NonDeterministic, reason);
            }
        };
        if base == 0.0 && head > 0.0 {
            return (Finding::Critical, format!("from nothing to {head} {unit}"));
        }
        let Some(Change { estimate, .. }) = self.change() else {
            return (Finding::Unchanged, format!("{head} {unit}, the same twice on both sides"));
        };
        let level = Level::DESCENDING.into_iter().find(|l| estimate > limits.thresholds.of(*l));
        let finding = match level {
            Some(level) => level.into(),
            None if estimate < -limits.thresholds.note => Finding::Improved,
            None => Finding::Unchanged,
        };
        (finding, format!("{base} to {head} {unit}, the same twice on both sides"))
    }
}

fn same([first, second]: [f64; 2]) -> Option<f64> {
    (first == second).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_judged_exactly() {
        let table: String = [
            ([10.0, 10.0], [10.0, 10.0]),
            ([0.0, 0.0], [0.0, 0.0]),
            ([0.0, 0.0], [1.0, 1.0]),
            ([1000.0, 1000.0], [1001.0, 1001.0]),
            ([100.0, 100.0], [103.0, 103.0]),
            ([100.0, 100.0], [106.0, 106.0]),
            ([100.0, 100.0], [111.0, 111.0]),
            ([100.0, 100.0], [90.0, 90.0]),
            ([1.0, 1.0], [0.0, 0.0]),
            ([10.0, 10.0], [10.0, 11.0]),
            ([9.0, 10.0], [10.0, 10.0]),
        ]
        .map(|(base, head)| {
            let counted = Counted { base, head };
            let (finding, reason) = counted.judge(Metric::AllocBlocks, &Limits::default());
            let change = counted.change().map(|c| c.estimate);
            format!("{base:?} {head:?}: {} ({change:?}) {reason}\n", finding.name())
        })
        .concat();
        insta::assert_snapshot!(table);
    }
}
