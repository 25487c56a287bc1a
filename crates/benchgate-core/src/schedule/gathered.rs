//! What a process gathers over its iterations: a cache that fills, a list that grows. The first process of a benchmark has
//! run a pilot, and the others are new. Where iterations take another time after as many as the pilot ran, each process
//! runs as many before its slices: Criterion warms up for seconds.

use super::repeats::{Repeat, differ};
use crate::model::{Side, Sides};

/// Whether iterations take another time in a process that has run as many as the pilot did.
#[derive(Clone, Debug, PartialEq)]
pub struct Gathered {
    /// Iterations of the pilot.
    iterations: u64,
    /// The first values of each side after as many.
    after_pilot: Sides<Option<f64>>,
    /// Values of new processes, and of the same ones after as many iterations.
    repeats: Sides<Vec<Repeat>>,
    /// New processes whose values are like those after the pilot.
    alike: usize,
    /// What was decided.
    is_slow_to_gather: Option<bool>,
}

/// What takes this often as long, or this often as short, is not alike.
const NOT_ALIKE: f64 = 1.1;

/// New processes that are alike, until nothing more is compared: one alone may be disturbed in the other direction.
const ENOUGH_ALIKE: usize = 3;

impl Gathered {
    /// Of a pilot with this number of iterations.
    pub fn over(iterations: u64) -> Self {
        Self {
            iterations,
            after_pilot: Sides { base: None, head: None },
            repeats: Sides { base: Vec::new(), head: Vec::new() },
            alike: 0,
            is_slow_to_gather: None,
        }
    }

    /// Iterations that a new process runs before its slices, by the sides that take part: also where the value after
    /// them is not known of each.
    pub fn before(&self, takes_part: Sides<bool>) -> u64 {
        let is_unknown = |side: Side| takes_part[side] && self.after_pilot[side].is_none();
        let runs = self.is_slow_to_gather == Some(true)
            || is_unknown(Side::Base)
            || is_unknown(Side::Head);
        if runs { self.iterations } else { 0 }
    }

    /// Iterations of the pilot.
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// Keeps the first values after as many iterations.
    pub fn keep(&mut self, values: Sides<Option<f64>>) {
        for (side, value) in values.iter() {
            self.after_pilot[side] = self.after_pilot[side].or(*value);
        }
    }

    /// Whether values of a new process are unlike those after the pilot, so that the same process is to be measured again
    /// after as many iterations.
    pub fn seems_unlike(&mut self, new: Sides<Option<f64>>) -> bool {
        if self.is_slow_to_gather.is_some() {
            return false;
        }
        let is_unlike = new.iter().any(|(side, new)| {
            let ratio = new.zip(self.after_pilot[side]).map(|(new, after)| new / after);
            // NaN compares with nothing.
            ratio.is_some_and(|ratio| ratio.max(1.0 / ratio) > NOT_ALIKE)
        });
        self.alike += usize::from(!is_unlike);
        if self.alike >= ENOUGH_ALIKE {
            self.is_slow_to_gather = Some(false);
        }
        is_unlike
    }

    /// Adds values of a new process, and of the same one after as many iterations as the pilot had.
    pub fn add(&mut self, new: Sides<Option<f64>>, after: Sides<Option<f64>>) {
        for (side, pair) in new.zip(after).iter() {
            let repeat = pair.0.zip(pair.1).map(|(seen, usual)| Repeat { seen, usual });
            self.repeats[side].extend(repeat);
        }
        let decided = self.repeats.as_ref().map(|repeats| differ(repeats, NOT_ALIKE));
        let is_without = |side: Side| self.repeats[side].is_empty();
        let is_alike = |side: Side| decided[side] == Some(false) || is_without(side);
        if decided.iter().any(|(_, decided)| *decided == Some(true)) {
            self.is_slow_to_gather = Some(true);
        } else if is_alike(Side::Base) && is_alike(Side::Head) {
            self.is_slow_to_gather = Some(false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks of new processes with such values, and later ones: how many were measured again, and iterations before the
    /// next one.
    fn walks(of_pilot: f64, walks: &[(f64, f64)]) -> (usize, u64) {
        let both = |value: f64| Sides::new(Some(2.0), Some(value));
        let mut gathered = Gathered::over(1_000);
        let takes_part = Sides::new(true, true);
        assert_eq!(gathered.before(takes_part), 1_000);
        gathered.keep(both(of_pilot));
        let mut again = 0;
        for (new, after) in walks {
            if gathered.before(takes_part) > 0 {
                break;
            }
            if gathered.seems_unlike(both(*new)) {
                gathered.add(both(*new), both(*after));
                again += 1;
            }
        }
        (again, gathered.before(takes_part))
    }

    #[test]
    fn a_side_that_takes_another_time_after_the_pilots_iterations_runs_as_many_in_each_process() {
        assert_eq!(walks(3.0, &[(2.0, 3.0); 9]), (5, 1_000));
        assert_eq!(walks(2.0, &[(3.0, 2.0); 9]), (5, 1_000));
        // One process that was disturbed does not hide it.
        let [calm, disturbed] = [(2.0, 3.0), (3.0, 3.0)];
        assert_eq!(walks(3.0, &[calm, disturbed, disturbed, calm, calm, calm, calm]), (5, 1_000));
        assert_eq!(walks(3.0, &[calm, calm, (2.0, 2.0), calm, calm, calm, calm]), (6, 1_000));
    }

    #[test]
    fn a_pilot_that_was_disturbed_costs_two_walks() {
        assert_eq!(walks(3.0, &[(2.0, 2.0); 9]), (2, 0));
        assert_eq!(walks(2.0, &[(2.0, 2.0); 9]), (0, 0));
        assert_eq!(walks(2.0, &[(2.1, 9.0); 9]), (0, 0));
        assert_eq!(walks(2.0, &[(f64::NAN, 2.0); 9]), (0, 0));
        // Once by chance, and then alike.
        assert_eq!(
            walks(2.0, &[(2.0, 2.0), (2.5, 2.0), (2.0, 2.0), (2.0, 2.0), (9.0, 2.0)]),
            (1, 0)
        );
    }

    #[test]
    fn a_side_that_is_measured_after_the_other_one_runs_the_pilots_iterations_too() {
        let mut gathered = Gathered::over(1_000);
        gathered.keep(Sides { base: Some(2.0), head: None });
        assert_eq!(gathered.before(Sides::new(true, false)), 0);
        assert_eq!(gathered.before(Sides::new(false, true)), 1_000);
        gathered.keep(Sides { base: Some(9.0), head: Some(2.0) });
        assert_eq!(gathered.before(Sides::new(true, true)), 0);
        assert!(!gathered.seems_unlike(Sides { base: Some(2.0), head: None }));
        // Sides that take turns are decided by those that were compared.
        for _ in 0..5 {
            let new = Sides { base: Some(4.0), head: None };
            assert!(gathered.seems_unlike(new));
            gathered.add(new, Sides { base: Some(2.0), head: None });
        }
        assert_eq!(gathered.before(Sides::new(false, true)), 1_000);
    }
}
