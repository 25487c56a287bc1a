//! Judges counts: no estimate, no bounds, no floor.
//!
//! A program that counts exactly is run twice, and its counts are the same. One whose counts vary, to a larger value with
//! probability q, seems changed with q²(1−q)²: no error of the run covers that. What a virtual machine allocates
//! is counted in every round, and now and then it adds a few bytes itself: such counts are compared by
//! their ranges. Two ranges of eight rounds that do not touch come about by chance once in twelve thousand times.

use super::looks::MIN_PAIRS;
use crate::model::{Change, Finding, Level, Metric, Rounds, Side, Sides, Twice};
use crate::policy::Limits;
use crate::stats;

/// Counts of both sides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counted {
    rounds: Rounds,
}

/// How the counts of both sides are to each other.
enum Relation {
    /// A side that was run twice counted two things.
    NonDeterministic(Side, Twice<f64>),
    /// They are one, or their ranges touch.
    Same(f64),
    /// From one to another.
    Changed(Sides<f64>),
    /// Too few rounds for counts that scatter.
    Open,
}

impl Counted {
    /// Of two runs of each side.
    pub fn twice(base: Twice<f64>, head: Twice<f64>) -> Self {
        Self { rounds: Sides::new(base, head).map(Twice::to_vec) }
    }

    /// Of the rounds of each side; `None` where one was not counted twice.
    pub fn of_rounds(rounds: Rounds) -> Option<Self> {
        let is_counted = rounds.iter().all(|(_, counts)| counts.len() >= 2);
        is_counted.then_some(Self { rounds })
    }

    /// Whether more rounds would say no more.
    pub fn is_settled(rounds: &Rounds) -> bool {
        rounds.iter().all(|(_, counts)| !counts.is_empty())
            && (rounds.iter().all(|(_, counts)| is_constant(counts))
                || rounds.base.len() >= MIN_PAIRS)
    }

    /// The counts, one of each run or round.
    pub fn rounds(&self) -> &Rounds {
        &self.rounds
    }

    /// Returns the count to show for each side.
    pub fn shown(&self) -> Sides<Option<f64>> {
        match self.relation() {
            Relation::Changed(both) => both.map(Some),
            Relation::Same(count) => Sides::new(Some(count), Some(count)),
            Relation::NonDeterministic(..) | Relation::Open => {
                self.rounds.as_ref().map(|counts| counts.first().copied())
            }
        }
    }

    /// The exact change from base to head; `None` where the base is 0, which has no percentage, and where a
    /// side has no count.
    pub fn change(&self) -> Option<Change> {
        let estimate = match self.relation() {
            Relation::Same(_) => 0.0,
            Relation::Changed(Sides { base, head }) if base != 0.0 => head / base - 1.0,
            Relation::Changed(_) | Relation::NonDeterministic(..) | Relation::Open => return None,
        };
        Some(Change { estimate, lower: Some(estimate), upper: Some(estimate) })
    }

    /// Returns the finding and its reason.
    pub fn judge(&self, metric: &Metric, limits: &Limits) -> (Finding, String) {
        let unit = metric.unit();
        let Sides { base, head } = match self.relation() {
            Relation::NonDeterministic(side, Twice { first, second }) => {
                let reason = format!("{first} and {second} {unit} in two runs of {}", side.name());
                return (Finding::NonDeterministic, reason);
            }
            Relation::Open => {
                let reason = format!("{} scattered counts a side are too few", self.len());
                return (Finding::Inconclusive, reason);
            }
            Relation::Same(count) => {
                return (Finding::Unchanged, format!("{count} {unit}, {}", self.how_often()));
            }
            Relation::Changed(both) => both,
        };
        let Some(Change { estimate, .. }) = self.change() else {
            return (Finding::Critical, format!("from 0 to {head} {unit}"));
        };
        let level = Level::DESCENDING.into_iter().find(|l| estimate > limits.thresholds.of(*l));
        let finding = match level {
            Some(level) => level.into(),
            None if estimate < -limits.thresholds.note => Finding::Improved,
            None => Finding::Unchanged,
        };
        (finding, format!("{base} to {head} {unit}, {}", self.how_often()))
    }

    fn len(&self) -> usize {
        self.rounds.base.len().min(self.rounds.head.len())
    }

    fn is_twice(&self) -> bool {
        self.rounds.iter().all(|(_, counts)| counts.len() == 2)
    }

    fn how_often(&self) -> String {
        match self.rounds.iter().all(|(_, counts)| is_constant(counts)) {
            true if self.is_twice() => "the same twice on both sides".to_owned(),
            true => format!("the same in {} rounds of both sides", self.len()),
            false => format!("the medians of {} rounds of both sides", self.len()),
        }
    }

    fn relation(&self) -> Relation {
        for (side, counts) in self.rounds.iter().filter(|_| self.is_twice()) {
            if let [first, second] = counts[..]
                && first != second
            {
                return Relation::NonDeterministic(side, Twice::new(first, second));
            }
        }
        let Some(ranges) = self.rounds.as_ref().map(|counts| range(counts)).both() else {
            return Relation::Open;
        };
        let Some(middles) = self.rounds.as_ref().map(|counts| stats::lower_median(counts)).both()
        else {
            return Relation::Open;
        };
        let ([least_base, most_base], [least_head, most_head]) = (ranges.base, ranges.head);
        if least_base <= most_head && least_head <= most_base {
            return Relation::Same(middles.base);
        }
        match Self::is_settled(&self.rounds) {
            true => Relation::Changed(middles),
            false => Relation::Open,
        }
    }
}

fn is_constant(counts: &[f64]) -> bool {
    counts.iter().all(|count| counts.first() == Some(count))
}

/// Minimum and maximum.
fn range(counts: &[f64]) -> Option<[f64; 2]> {
    let least = counts.iter().copied().min_by(f64::total_cmp)?;
    let most = counts.iter().copied().max_by(f64::total_cmp)?;
    Some([least, most])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(base: &[f64], head: &[f64]) -> String {
        let counted = Counted::of_rounds(Sides::new(base.to_vec(), head.to_vec())).unwrap();
        let (finding, reason) = counted.judge(&Metric::ALLOC_BLOCKS, &Limits::default());
        let change = counted.change().map(|c| c.estimate);
        format!("{base:?} {head:?}: {} ({change:?}) {reason}\n", finding.name())
    }

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
        .map(|(base, head)| row(&base, &head))
        .concat();
        insta::assert_snapshot!(table);
    }

    #[test]
    fn counts_of_many_rounds_changed_where_their_ranges_do_not_touch() {
        let eight = |odd: f64, usual: f64| [odd, usual, usual, usual, usual, usual, usual, usual];
        let table = [
            row(&[2448.0; 6], &[2448.0; 6]),
            row(&[0.0; 6], &[8.0; 6]),
            row(&[2448.0; 6], &[2800.0; 6]),
            row(&eight(2456.0, 2448.0), &[2448.0; 8]),
            row(&eight(2456.0, 2448.0), &[2456.0; 8]),
            row(&eight(2456.0, 2448.0), &eight(2808.0, 2800.0)),
            row(&eight(2456.0, 2448.0), &eight(2008.0, 2000.0)),
            row(&eight(2456.0, 2448.0)[..6], &eight(2808.0, 2800.0)[..6]),
        ]
        .concat();
        insta::assert_snapshot!(table);
    }

    #[test]
    fn counts_that_scatter_need_as_many_rounds_as_a_bound() {
        let settled = |base: &[f64], head: &[f64]| {
            Counted::is_settled(&Sides::new(base.to_vec(), head.to_vec()))
        };
        assert!(settled(&[8.0; 6], &[16.0; 6]));
        assert!(!settled(&[8.0, 16.0, 8.0], &[16.0; 3]));
        assert!(settled(&[8.0, 16.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0], &[16.0; 8]));
        assert!(!settled(&[], &[]));
    }
}
