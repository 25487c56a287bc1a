//! Judges exact counts: no estimate, no bounds, no floor.

use crate::model::{Change, Finding, Level, Metric, Sides, Twice};
use crate::policy::Limits;

/// Counts of two runs of each side.
pub type Counted = Sides<Twice<f64>>;

impl Counted {
    /// The exact change from base to head; `None` where the base is 0, which has no percentage, and where a
    /// count differs between its two runs.
    pub fn change(self) -> Option<Change> {
        let Sides { base, head } = self.map(Twice::agreed).both()?;
        let estimate = if base == head {
            0.0
        } else if base == 0.0 {
            return None;
        } else {
            head / base - 1.0
        };
        Some(Change { estimate, lower: Some(estimate), upper: Some(estimate) })
    }

    /// Returns the finding and its reason.
    pub fn judge(self, metric: &Metric, limits: &Limits) -> (Finding, String) {
        let unit = metric.unit();
        if let Some((side, count)) = self.iter().find(|(_, count)| count.agreed().is_none()) {
            let Twice { first, second } = count;
            let reason = format!("{first} and {second} {unit} in two runs of {}", side.name());
            return (Finding::NonDeterministic, reason);
        }
        let Sides { base: Twice { first: base, .. }, head: Twice { first: head, .. } } = self;
        if base == 0.0 && head > 0.0 {
            return (Finding::Critical, format!("from 0 to {head} {unit}"));
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
            let twice = |[first, second]: [f64; 2]| Twice::new(first, second);
            let counted = Counted::new(twice(base), twice(head));
            let (finding, reason) = counted.judge(&Metric::ALLOC_BLOCKS, &Limits::default());
            let change = counted.change().map(|c| c.estimate);
            format!("{base:?} {head:?}: {} ({change:?}) {reason}\n", finding.name())
        })
        .concat();
        insta::assert_snapshot!(table);
    }
}
