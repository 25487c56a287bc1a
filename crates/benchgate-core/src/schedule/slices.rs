//! How a benchmark is led in slices: the iterations of one, the untimed ones before it, and how many a pair takes.
//!
//! A slice that follows one of the other side begins with that side's data in the cache, and with what the processor has
//! learned of that side's branches. What it costs to reload and to learn its own is no part of the benchmark, and hides a
//! part of a slowdown. So a pilot lets each side run alone until it settles: where that makes it faster, slices have as
//! many untimed iterations before them.

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

/// Slices of one side with equal iterations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pilot {
    /// Each right after one of the other side's.
    pub after_other: Vec<Slice>,
    /// One after the other, while the other side waits.
    pub alone: Vec<Slice>,
}

/// Length of a slice in ns. At half a millisecond pairs scatter least, measured with the lab's kernels.
const SHORT: f64 = 0.5e6;

/// No slice is made longer than this, in ns.
const LONG: f64 = 10e6;

/// How long a pilot lets a side run alone, in ns. A processor learns the branches of 1,600 sorts of 16
/// numbers each within 30 ms.
const SETTLING: f64 = 40e6;

/// Slices of a pilot right after the other side's.
const TURNS: usize = 6;

/// Timed ns of one side of a pair, for iterations that are shorter than a slice.
const TIMED: f64 = 12e6;

/// Timed ns of one side of a pair, for longer iterations.
const TIMED_OF_LONG: f64 = 60e6;

/// Ns of one side of a pair with set-up and untimed iterations, which limits the number of slices.
const WHOLE: f64 = 120e6;

/// A side that settles at a speed that is faster by no more than this share has settled from the beginning: quartiles of
/// a pilot scatter by as much.
const DEAR: f64 = 0.03;

/// Slices of a pilot that are looked at together, so that a disturbed one tells nothing.
const WINDOW: usize = 5;

/// Untimed iterations to those after which a pilot had settled.
const UNTIMED: f64 = 1.25;

/// A side that waits and uses this share of a processor is stopped: threads of a pool that have just ended their work
/// use less, and signals cost a few microseconds a slice.
const BUSY: f64 = 0.1;

/// Slices of a side; fewer only when each takes long.
const MOST: f64 = 24.0;
const FEW: f64 = 4.0;

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

    /// How many slices of each side a pilot takes by turns, at `ns` an iteration.
    pub fn turns_of_pilot(ns: f64) -> usize {
        ((SETTLING / ns.max(SHORT)).round() as usize).clamp(1, TURNS)
    }

    /// Whether a side has run alone for long enough to have settled.
    pub fn has_settled(alone: &[Slice]) -> bool {
        let sum = |of: fn(&Slice) -> f64| alone.iter().map(of).sum::<f64>();
        // A routine may be a small part of its set-up, or take no time at all.
        sum(|slice| slice.timed.max(SHORT / 4.0)) >= SETTLING
            || sum(|slice| slice.whole) >= 2.0 * SETTLING
    }

    /// The slices of a benchmark, after a pilot of `iterations` an each side.
    pub fn after(iterations: u64, pilot: &Sides<Pilot>) -> Self {
        let timed = slowest(pilot, |pilot| pilot.settled(|slice| slice.timed));
        let set_up = slowest(pilot, |pilot| pilot.settled(|slice| slice.whole - slice.timed));
        let settling = pilot.base.unsettled().max(pilot.head.unsettled()) as u64;
        let iteration = (timed / iterations.max(1) as f64).max(f64::MIN_POSITIVE);
        let untimed = ((settling * iterations) as f64 * UNTIMED).min(MOST_ITERATIONS) as u64;
        // A slice is worth its set-up, and half of what is not timed.
        let before = untimed as f64 * iteration;
        let length = set_up.max(before / 2.0).clamp(SHORT, LONG);
        let iterations = whole_number(length / iteration);
        let length = iterations as f64 * iteration;
        let most = if length > LONG {
            (TIMED_OF_LONG / length).clamp(2.0, FEW)
        } else {
            (TIMED / length).clamp(FEW, MOST)
        };
        let each = length + before + set_up.max(0.0);
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
        stats::quantile(&self.each(slices), 0.25)
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

impl Pilot {
    /// Of the last quarter of the time alone: what a slice takes then.
    fn settled(&self, of: impl Fn(&Slice) -> f64) -> f64 {
        let last = (self.alone.len() / 4).max(WINDOW).min(self.alone.len());
        lower_quartile(&self.alone[self.alone.len() - last..], of)
    }

    /// The slices alone after which the side was as fast as it is in the end; none where it begins as fast.
    fn unsettled(&self) -> usize {
        // Two windows are needed to see a difference.
        if self.alone.len() < 2 * WINDOW {
            return 0;
        }
        let timed = |slice: &Slice| slice.timed;
        let settled = self.settled(timed) * (1.0 + DEAR);
        let is_slower = |slices: &[Slice]| lower_quartile(slices, timed) > settled;
        if !is_slower(&self.after_other) {
            return 0;
        }
        // The first, and not the last that is slower: what disturbs a slice makes it longer, never shorter.
        let mut windows = self.alone.windows(WINDOW);
        windows.position(|slices| !is_slower(slices)).map_or(self.alone.len(), |first| first + 1)
    }
}

fn lower_quartile(slices: &[Slice], of: impl Fn(&Slice) -> f64) -> f64 {
    let values: Vec<f64> = slices.iter().map(of).collect();
    stats::quantile(&values, 0.25).unwrap_or(0.0)
}

fn slowest(pilot: &Sides<Pilot>, of: impl Fn(&Pilot) -> f64) -> f64 {
    of(&pilot.base).max(of(&pilot.head))
}

/// At least 1; what is no number is 1.
fn whole_number(number: f64) -> u64 {
    if number.is_nan() { 1 } else { number.round().clamp(1.0, MOST_ITERATIONS) as u64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pilot of both sides alike: ns of a slice once the side has settled, what one takes in addition right after the
    /// other side's and in the first slices alone, how many these are, and the set-up.
    fn pilot(timed: f64, more: f64, unsettled: usize, set_up: f64) -> Sides<Pilot> {
        let slice = |timed: f64| Slice { timed, whole: timed + set_up };
        let mut pilot = Pilot { after_other: vec![slice(timed + more); 6], alone: Vec::new() };
        while !Slices::has_settled(&pilot.alone) {
            let more = if pilot.alone.len() < unsettled { more } else { 0.0 };
            pilot.alone.push(slice(timed + more));
        }
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
            ("1 us", 500, pilot(0.5e6, 0.0, 0, 0.0), (500, 0, 24)),
            ("reloading within the first slice", 500, pilot(0.5e6, 1e5, 1, 0.0), (500, 625, 24)),
            ("reloading of 6 ms", 500, pilot(0.5e6, 2e4, 12, 0.0), (3_125, 6_250, 4)),
            ("branches learned in 30 ms", 500, pilot(0.5e6, 1e6, 20, 0.0), (5_625, 11_250, 4)),
            ("slow from beginning to end", 500, pilot(0.5e6, 1e6, 1_000, 0.0), (167, 0, 24)),
            ("reloading within the scatter", 500, pilot(0.5e6, 1e4, 40, 0.0), (500, 0, 24)),
            ("set-up of 2 ms", 500, pilot(0.5e6, 0.0, 0, 2e6), (2_000, 0, 6)),
            ("set-up of 1 s: two slices", 500, pilot(0.5e6, 0.0, 0, 1e9), (10_000, 0, 2)),
            ("iterations of 5 ms", 1, pilot(5e6, 0.0, 0, 0.0), (1, 0, 4)),
            ("iterations of 130 ms", 1, pilot(130e6, 0.0, 0, 0.0), (1, 0, 2)),
            ("no time at all", 1, pilot(0.0, 0.0, 0, 0.0), (100_000_000, 0, 24)),
        ];
        for (name, iterations, pilot, (expected, untimed, count)) in cases {
            let slices = Slices::after(iterations, &pilot);
            assert_eq!(slices, Slices { iterations: expected, untimed, count }, "{name}");
        }
    }

    #[test]
    fn of_two_sides_the_one_that_settles_later_says_how_both_are_led() {
        let early = pilot(0.5e6, 0.0, 0, 0.0).base;
        let late = pilot(0.5e6, 1e5, 12, 0.0).base;
        let expected = Slices::after(500, &Sides::new(late.clone(), late.clone()));
        assert!(expected.untimed > 0);
        assert_eq!(Slices::after(500, &Sides::new(early.clone(), late.clone())), expected);
        assert_eq!(Slices::after(500, &Sides::new(late, early)), expected);
    }

    #[test]
    fn one_disturbed_slice_of_a_pilot_changes_nothing() {
        for at in 0..80 {
            let mut pilots = pilot(0.5e6, 0.0, 0, 0.0);
            pilots.head.alone[at].timed *= 10.0;
            pilots.head.after_other[at % 6].timed *= 10.0;
            assert_eq!(Slices::after(500, &pilots).untimed, 0, "slice {at}");
        }
    }

    #[test]
    fn a_pilot_ends_also_where_nothing_is_timed_or_the_set_up_is_long() {
        let slices = |timed: f64, whole: f64| {
            let mut alone = Vec::new();
            while !Slices::has_settled(&alone) {
                alone.push(Slice { timed, whole });
            }
            alone.len()
        };
        assert_eq!(slices(0.5e6, 0.5e6), 80);
        assert_eq!(slices(0.0, 0.0), 320);
        assert_eq!(slices(1e3, 1e9), 1);
        assert_eq!(slices(f64::NAN, f64::NAN), 320);
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
