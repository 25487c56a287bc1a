//! How a benchmark is led in slices: the iterations of one, the untimed ones before it, and how many a pair takes.
//!
//! A slice that follows one of the other side begins with that side's data in the cache. What it costs to reload its own
//! is the same on both sides, and hides a part of a slowdown. So the length is the benchmark's: where the beginning of a
//! slice is dear, it is longer and has untimed iterations before it.

use crate::model::Sides;
use crate::stats;

/// The slices of one benchmark in one pair, the same on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slices {
    /// Timed iterations of each.
    pub iterations: u64,
    /// Untimed iterations before them.
    pub untimed: u64,
    /// Number of slices of each side.
    pub count: u32,
}

/// A slice that was run: nanoseconds of its timed iterations, and of everything, set-up included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slice {
    /// Of the timed iterations.
    pub timed: f64,
    /// Of the whole call.
    pub whole: f64,
}

/// What the threads of a side that waits did during slices of the other side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Waiting {
    /// CPU time that they used, in ns.
    pub used: f64,
    /// Time of the slices, in ns.
    pub slices: f64,
    /// How often it was looked whether one of them runs.
    pub looks: u32,
    /// How often one did, or waited for a processor: on a machine that has other work it may have got none.
    pub running: u32,
}

/// Slices of one side with equal iterations: some right after one of the other side, some after one of its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pilot {
    /// After the other side's.
    pub after_other: Vec<Slice>,
    /// After its own.
    pub after_own: Vec<Slice>,
}

/// Length of a slice in ns. At half a millisecond pairs scatter least, measured with the lab's kernels.
const SHORT: f64 = 0.5e6;

/// No slice is made longer than this, in ns: at 10 ms a kernel that fills the last level of the cache reads within a
/// tenth of its slowdown.
const LONG: f64 = 10e6;

/// Timed ns of one side of a pair, for iterations that are shorter than a slice.
const TIMED: f64 = 12e6;

/// Timed ns of one side of a pair, for longer iterations.
const TIMED_OF_LONG: f64 = 60e6;

/// Ns of one side of a pair with set-up and untimed iterations, which limits the number of slices.
const WHOLE: f64 = 120e6;

/// A slice of the shortest length whose reloading is a smaller share of it stays as short: the medians of a pilot scatter
/// by as much.
const DEAR: f64 = 0.03;

/// A side that waits and uses this share of a processor is stopped: threads of a pool that have just ended their work
/// use less, and signals cost a few microseconds a slice.
const BUSY: f64 = 0.1;

/// A longer slice is as long that the reloading is this share of it.
const RELOADING: f64 = 0.005;

/// Slices of a side; fewer only when each takes long.
const MOST: f64 = 24.0;
const FEW: f64 = 6.0;

/// Most iterations of a slice: nothing is as short as a tenth of a nanosecond.
const MOST_ITERATIONS: f64 = 1e8;

impl Slices {
    /// One iteration: with it a pilot begins.
    pub fn first() -> Self {
        Self { iterations: 1, untimed: 0, count: 1 }
    }

    /// The iterations to try after slices that took `timed` ns on the slower side; `None` once they tell how long an
    /// iteration is.
    pub fn after_trial(iterations: u64, timed: f64) -> Option<u64> {
        if timed >= SHORT / 4.0 || iterations as f64 >= MOST_ITERATIONS {
            return None;
        }
        let predicted = (iterations as f64 * SHORT / timed.max(1.0)).min(iterations as f64 * 10.0);
        Some(whole_number(predicted).max(iterations + 1))
    }

    /// The iterations that take as long as the shortest slice, at `ns` an iteration.
    pub fn shortest(ns: f64) -> u64 {
        whole_number(SHORT / ns)
    }

    /// How many slices of each kind a pilot takes, at `ns` an iteration: reloading does not matter to a long one.
    pub fn of_pilot(ns: f64) -> usize {
        if ns > SHORT * 2.0 { 1 } else { 5 }
    }

    /// The slices of a benchmark, after a pilot of `iterations` an each side.
    pub fn after(iterations: u64, pilot: &Sides<Pilot>) -> Self {
        let timed = slowest(pilot, |pilot| median(&pilot.after_own, |slice| slice.timed));
        let reloading = slowest(pilot, |pilot| {
            let after = |slices: &[Slice]| median(slices, |slice| slice.timed);
            after(&pilot.after_other) - after(&pilot.after_own)
        });
        let set_up =
            slowest(pilot, |pilot| median(&pilot.after_own, |slice| slice.whole - slice.timed));
        let iteration = (timed / iterations.max(1) as f64).max(f64::MIN_POSITIVE);
        let is_dear = reloading > timed * DEAR;
        let wanted = if is_dear { reloading / RELOADING } else { SHORT };
        // A slice is worth its set-up.
        let length = wanted.max(set_up).clamp(SHORT, LONG);
        let iterations = whole_number(length / iteration);
        let untimed = if is_dear { whole_number(iterations as f64 / 2.0) } else { 0 };
        let length = iterations as f64 * iteration;
        let most = if length > LONG {
            (TIMED_OF_LONG / length).clamp(2.0, FEW)
        } else {
            (TIMED / length).clamp(FEW, MOST)
        };
        let each = length + untimed as f64 * iteration + set_up.max(0.0);
        let affordable = (WHOLE / each).max(2.0);
        Self { iterations, untimed, count: most.min(affordable).round() as u32 }
    }

    /// Whether a waiting side disturbs the running one.
    pub fn is_busy(waiting: Waiting) -> bool {
        let Waiting { used, slices, looks, running } = waiting;
        used > slices * BUSY || running > looks / 2
    }

    /// Ns per iteration of a side: the lower quartile of its slices. What disturbs a slice makes it longer, never shorter.
    pub fn value(&self, slices: &[Slice]) -> Option<f64> {
        let mut each = self.each(slices);
        each.sort_by(f64::total_cmp);
        // Between the nearest ranks, so that few slices give no step.
        let at = each.len().checked_sub(1)? as f64 * 0.25;
        let below = *each.get(at.floor() as usize)?;
        let above = *each.get(at.ceil() as usize)?;
        Some(below + (above - below) * at.fract())
    }

    /// Ns per iteration of a side over all of its slices: what is slow now and then is in it, and is not in the value.
    pub fn average(&self, slices: &[Slice]) -> Option<f64> {
        stats::mean(&self.each(slices))
    }

    /// Ns per iteration of each slice.
    fn each(&self, slices: &[Slice]) -> Vec<f64> {
        slices.iter().map(|slice| slice.timed / self.iterations.max(1) as f64).collect()
    }
}

fn slowest(pilot: &Sides<Pilot>, of: impl Fn(&Pilot) -> f64) -> f64 {
    of(&pilot.base).max(of(&pilot.head))
}

fn median(slices: &[Slice], of: impl Fn(&Slice) -> f64) -> f64 {
    let values: Vec<f64> = slices.iter().map(of).collect();
    stats::median(&values).unwrap_or(0.0)
}

/// At least 1; what is no number is 1.
fn whole_number(number: f64) -> u64 {
    if number.is_nan() { 1 } else { number.round().clamp(1.0, MOST_ITERATIONS) as u64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pilot of both sides alike: ns of a slice after its own side's, what one after the other side's takes in
    /// addition, and the set-up.
    fn pilot(timed: f64, reloading: f64, set_up: f64) -> Sides<Pilot> {
        let slice = |timed: f64| Slice { timed, whole: timed + set_up };
        let pilot = Pilot {
            after_other: vec![slice(timed + reloading); 3],
            after_own: vec![slice(timed); 3],
        };
        Sides::new(pilot.clone(), pilot)
    }

    #[test]
    fn a_pilot_ends_when_a_slice_tells_how_long_an_iteration_is() {
        let mut tried = vec![1];
        // Three nanoseconds an iteration.
        while let Some(next) =
            Slices::after_trial(tried[tried.len() - 1], 3.0 * tried[tried.len() - 1] as f64)
        {
            tried.push(next);
        }
        assert_eq!(tried, [1, 10, 100, 1_000, 10_000, 100_000]);
        assert_eq!(Slices::after_trial(1, 125_000.0), None);
        // A routine that the optimiser removed takes no time, however often it runs.
        assert_eq!(Slices::after_trial(100_000_000, 0.0), None);
    }

    #[test]
    fn a_side_that_spins_while_it_waits_is_busy() {
        for (used, slices, running, looks, expected) in [
            (0.0, 0.0, 0, 0, false),
            (0.0, 1e6, 0, 10, false),
            (9e4, 1e6, 0, 10, false),
            (2e5, 1e6, 0, 10, true),
            (3e6, 1e6, 10, 10, true),
            // Threads of a pool that go to sleep, and one that spins and gets no processor.
            (0.0, 1e6, 5, 10, false),
            (0.0, 1e6, 6, 10, true),
        ] {
            let waiting = Waiting { used, slices, looks, running };
            assert_eq!(Slices::is_busy(waiting), expected, "{waiting:?}");
        }
    }

    #[test]
    fn slices_by_iteration_reloading_and_set_up() {
        let cases = [
            ("1 us", 500, pilot(0.5e6, 0.0, 0.0), (500, 0, 24)),
            (
                "reloading of 0.1 ms: the longest, with untimed ones",
                500,
                pilot(0.5e6, 1e5, 0.0),
                (10_000, 5_000, 6),
            ),
            ("reloading of 20 us", 500, pilot(0.5e6, 2e4, 0.0), (4_000, 2_000, 6)),
            ("reloading within the scatter", 500, pilot(0.5e6, 1e4, 0.0), (500, 0, 24)),
            ("set-up of 2 ms", 500, pilot(0.5e6, 0.0, 2e6), (2_000, 0, 6)),
            ("set-up of 1 s: two slices", 500, pilot(0.5e6, 0.0, 1e9), (10_000, 0, 2)),
            ("iterations of 5 ms", 1, pilot(5e6, 0.0, 0.0), (1, 0, 6)),
            ("iterations of 130 ms", 1, pilot(130e6, 0.0, 0.0), (1, 0, 2)),
            ("no time at all", 1, pilot(0.0, 0.0, 0.0), (100_000_000, 0, 24)),
        ];
        for (name, iterations, pilot, (expected, untimed, count)) in cases {
            let slices = Slices::after(iterations, &pilot);
            assert_eq!(slices, Slices { iterations: expected, untimed, count }, "{name}");
        }
    }

    #[test]
    fn the_value_is_the_lower_quartile_of_the_slices_per_iteration() {
        let slices = Slices { iterations: 10, untimed: 0, count: 5 };
        let run: Vec<Slice> =
            [50.0, 10.0, 20.0, 30.0, 40.0].map(|timed| Slice { timed, whole: timed }).to_vec();
        assert_eq!(slices.value(&run), Some(2.0));
        assert_eq!(slices.value(&run[..1]), Some(5.0));
        assert_eq!(slices.value(&[]), None);
    }

    #[test]
    fn the_average_is_of_all_slices_and_has_the_slow_ones() {
        let slices = Slices { iterations: 10, untimed: 0, count: 4 };
        let run: Vec<Slice> =
            [10.0, 10.0, 10.0, 90.0].map(|timed| Slice { timed, whole: timed }).to_vec();
        assert_eq!((slices.value(&run), slices.average(&run)), (Some(1.0), Some(3.0)));
        assert_eq!(slices.average(&[]), None);
    }
}
