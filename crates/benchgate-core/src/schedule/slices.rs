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

impl Slice {
    /// What was not timed, in ns; none of a value that is longer than the call, as a sum over threads is.
    fn set_up(&self) -> f64 {
        (self.whole - self.timed).max(0.0)
    }

    /// What the two slices took at most, each part by itself: a trial must not depend on which side was slower.
    pub fn most(self, other: Self) -> Self {
        let timed = self.timed.max(other.timed);
        Self { timed, whole: timed + self.set_up().max(other.set_up()) }
    }
}

/// What a slice took at most on either side, by which the length of an iteration is found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// Iterations of it.
    pub iterations: u64,
    /// What it took.
    pub slice: Slice,
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

/// Slices of one side with equal iterations, in the order in which they are run: as many of both sides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pilot {
    /// In turn, each while the other side waits. They come first: what a process does once at its beginning is no
    /// cost of taking turns.
    pub alone: Vec<Slice>,
    /// Each right after one of the other side's.
    pub after_other: Vec<Slice>,
    /// Whether repeats did not show that it is slower right after the other one.
    pub settles_at_once: bool,
}

/// The slices of a pilot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PilotSlices {
    /// Iterations of each.
    pub iterations: u64,
    /// Slices of each side alone.
    pub alone: usize,
    /// Slices of each side by turns.
    pub turns: usize,
    /// Set-up that every iteration has, in ns; what else is not timed is of the call.
    pub set_up: f64,
}

/// Length of a slice in ns. At half a millisecond pairs scatter least, measured with the lab's kernels.
pub(super) const SHORT: f64 = 0.5e6;

/// No slice is made longer than this for its set-up or for what is not timed before it, in ns: what disturbs the machine
/// for as long meets one side alone.
const LONG: f64 = 10e6;

/// A first iteration that is no short one is tried again, but for one of this length with its set-up, in ns: where all are as
/// long, it costs as much once more.
const LONGEST_OF_FIRST: f64 = 1e9;

/// How long a pilot lets a side run alone, in ns. A processor learns the branches of 1,600 sorts of 16
/// numbers each within 30 ms.
const SETTLING: f64 = 40e6;

/// Most slices of a pilot by turns.
const TURNS: usize = 6;

/// Timed ns of one side of a pair, for iterations that are shorter than a slice.
const TIMED: f64 = 12e6;

/// Timed ns of one side of a pair, for longer iterations.
const TIMED_OF_LONG: f64 = 60e6;

/// Ns of one side of a pair with set-up and untimed iterations, which limits the number of slices.
pub(super) const WHOLE: f64 = 120e6;

/// Ns of a slice whose iterations have a set-up each: with more of them it is no smaller part.
const WHOLE_OF_SLICE: f64 = 30e6;

/// Set-up that grows by this factor from the first trial to the last one is of the iterations. That of the call scatters by
/// less.
const GROWN: f64 = 1.2;

/// What grows by less is not seen beside a set-up of the call, so slices have at most this often the iterations of a pilot.
const LONGER: f64 = 4.0;

/// A side that is no more than this share slower right after the other one's slice has nothing to reload or to learn:
/// quartiles of a pilot scatter by as much.
pub(super) const DEAR: f64 = 0.03;

/// Slices of a pilot that are looked at together, so that a disturbed one tells nothing.
const WINDOW: usize = 5;

/// Untimed iterations, as a multiple of those after which a pilot had settled.
const UNTIMED: f64 = 1.25;

/// A side that waits and uses this share of a processor is stopped: threads of a pool that have just ended their work
/// use less, and signals cost a few microseconds a slice.
const BUSY: f64 = 0.1;

/// A slice that takes this often what its iterations took in the pilot has iterations that become slower and slower, as those
/// that add to one text.
const SLOWER: f64 = 2.0;

/// Slices of a side; fewer only when each takes long. With twice as many pairs scatter as much: walks differ by more than the
/// slices of one.
const MOST: f64 = 12.0;
const FEW: f64 = 6.0;

/// Limit for slices with untimed iterations before them.
pub(super) const FEW_OF_SETTLED: f64 = 4.0;

/// Most iterations of a slice: nothing is as short as a tenth of a nanosecond.
const MOST_ITERATIONS: f64 = 1e8;

impl Slices {
    /// The iterations to try next; `None` once the trials tell how long an iteration is.
    pub fn next_trial(tried: &[Trial]) -> Option<u64> {
        let Some(&Trial { iterations, slice }) = tried.last() else { return Some(1) };
        // What the first iteration does once, as making its data, is no length of an iteration.
        if tried.len() == 1 && slice.timed >= SHORT / 4.0 && slice.whole < LONGEST_OF_FIRST {
            return Some(1);
        }
        let tried = without_first(tried);
        if iterations as f64 >= MOST_ITERATIONS {
            return None;
        }
        // Of one trial it is not known whether the set-up is of the call or of the iteration.
        if tried.len() == 1 && slice.set_up() > slice.timed.max(SHORT) {
            return Some(iterations * 2);
        }
        if slice.timed >= SHORT / 4.0 {
            return None;
        }
        let tried_with = iterations as f64;
        let predicted = (tried_with * SHORT / slice.timed.max(1.0)).min(tried_with * 10.0);
        let most = most_iterations(slice.timed / tried_with, set_up_of_iteration(tried));
        if most <= tried_with {
            return None;
        }
        Some(whole_number(predicted.min(most)).max(iterations + 1))
    }

    /// The slices of a pilot, after trials.
    pub fn of_pilot(tried: &[Trial]) -> PilotSlices {
        let first = Trial { iterations: 1, slice: Slice { timed: 0.0, whole: 0.0 } };
        let Trial { iterations, slice } = *tried.last().unwrap_or(&first);
        let iterations = iterations.max(1) as f64;
        let iteration = slice.timed / iterations;
        let set_up = set_up_of_iteration(without_first(tried));
        let of_call = (slice.set_up() - set_up * iterations).max(0.0);
        let shortest = whole_number((SHORT / iteration).min(most_iterations(iteration, set_up)));
        let timed = iteration * shortest as f64;
        // A routine may be a small part of its set-up.
        let each = timed.max((timed + set_up * shortest as f64 + of_call) / 2.0);
        let alone = (SETTLING / each.max(SHORT)) as usize;
        let turns = alone.clamp(1, TURNS);
        PilotSlices { iterations: shortest, alone: alone.max(1), turns, set_up }
    }

    /// The slices of a benchmark, after a pilot.
    pub fn after(slices: PilotSlices, pilot: &Sides<Pilot>) -> Self {
        let of_pilot = slices.iterations.max(1) as f64;
        let iteration = slowest(pilot, |pilot| pilot.settled(|slice| slice.timed)) / of_pilot;
        let iteration = iteration.max(f64::MIN_POSITIVE);
        let set_up = slowest(pilot, |pilot| pilot.settled(Slice::set_up)).max(0.0) / of_pilot;
        let of_iteration = slices.set_up.min(set_up).max(0.0);
        let of_call = (set_up - of_iteration) * of_pilot;
        let settling = slowest(pilot, |pilot| pilot.unsettled() as f64) * of_pilot;
        let untimed = (settling * UNTIMED).min(MOST_ITERATIONS) as u64;
        // A slice is worth the set-up of its call, and half of what is not timed before it.
        let before = untimed as f64 * iteration;
        let length = of_call.max(before / 2.0).clamp(SHORT, LONG);
        let is_short = of_call <= SHORT;
        let longest = if is_short { f64::MAX } else { (of_pilot * LONGER).max(untimed as f64) };
        let most = most_iterations(iteration, of_iteration).min(longest);
        let iterations = whole_number((length / iteration).min(most));
        let length = iterations as f64 * iteration;
        let few = if untimed > 0 { FEW_OF_SETTLED } else { FEW };
        let most = if length > LONG {
            (TIMED_OF_LONG / length).clamp(2.0, few)
        } else {
            (TIMED / length).clamp(few, MOST)
        };
        let calls = if untimed > 0 { 2.0 } else { 1.0 };
        let whole = (iterations + untimed) as f64 * (iteration + of_iteration) + of_call * calls;
        // Even: each side comes first as often as the other one.
        let count = (most.round().min(WHOLE / whole) / 2.0).floor().max(1.0) as u32 * 2;
        Self { iterations, untimed, count }
    }

    /// Head to base in the first slices alone of a pilot, as many as a pair has: a list of inputs that goes on from call to call
    /// begins with the same ones in each process. NaN without a side.
    pub fn first_head_to_base(&self, pilot: &Sides<Pilot>) -> f64 {
        let median = |side: &Pilot| {
            let first = side.alone.iter().take(self.count as usize).map(|slice| slice.timed);
            stats::median(&first.collect::<Vec<_>>()).unwrap_or(f64::NAN)
        };
        median(&pilot.head) / median(&pilot.base)
    }

    /// Whether a slice has enough more iterations than those of the pilot that their time must be measured.
    pub fn is_longer_than(&self, slices: PilotSlices) -> bool {
        self.iterations > 2 * slices.iterations.max(1)
    }

    /// Fewer iterations, after a slice of them with `took` ns for the whole call of its slower side; `None` if they took the time that
    /// the pilot predicts. How fast such iterations are depends on their number, so it is found before the first value.
    pub fn fewer(&self, slices: PilotSlices, pilot: &Sides<Pilot>, took: f64) -> Option<Self> {
        let longer = self.iterations as f64 / slices.iterations.max(1) as f64;
        let expected = slowest(pilot, |pilot| pilot.settled(|slice| slice.whole)) * longer;
        if !self.is_longer_than(slices) || took.is_nan() || took <= expected * SLOWER {
            return None;
        }
        // Time grows with the square of iterations that each take as much longer as there were others before.
        let factor = (expected / took).sqrt();
        let iterations = whole_number(self.iterations as f64 * factor);
        Some(Self { iterations, untimed: (self.untimed as f64 * factor) as u64, ..*self })
    }

    /// Whether a waiting side disturbs the running one.
    pub fn is_busy(waiting: Waiting) -> bool {
        let Waiting { used, slices, looks, running } = waiting;
        // One look alone may meet a thread on its way to sleep.
        used > slices * BUSY || (looks > 1 && running > looks / 2)
    }

    /// Whether each side runs a slice more at the beginning, which does not count: a process makes tables and takes its memory in
    /// the first one. Of few slices, it would be half of what is compared.
    pub fn has_one_before(&self) -> bool {
        f64::from(self.count) <= FEW
    }
}

impl Pilot {
    fn windows(&self) -> impl DoubleEndedIterator<Item = &[Slice]> + ExactSizeIterator {
        self.alone.windows((self.alone.len() / 2).clamp(1, WINDOW))
    }

    /// Median of what a slice takes in the second half of the time alone.
    pub(super) fn usual(&self) -> f64 {
        let half = &self.alone[self.alone.len() / 2..];
        let timed: Vec<f64> = half.iter().map(|slice| slice.timed).collect();
        stats::median(&timed).unwrap_or(0.0)
    }

    /// What a slice takes in the second half of the time alone, where it is shortest: what disturbs it makes it longer.
    pub(super) fn settled(&self, of: impl Fn(&Slice) -> f64) -> f64 {
        let windows = self.windows();
        let half = windows.len().div_ceil(2);
        windows.rev().take(half).map(|slices| lower_quartile(slices, &of)).fold(f64::NAN, f64::min)
    }

    /// Whether the side seems to be slower right after the other one, which is to be repeated.
    pub fn seems_to_settle(&self) -> bool {
        self.unsettled() > 0
    }

    /// The slices alone after which the side is as fast as it is in the end; none if it is as fast by turns.
    fn unsettled(&self) -> usize {
        let timed = |slice: &Slice| slice.timed;
        let settled = self.settled(timed) * (1.0 + DEAR);
        // Two windows are needed to see a difference.
        if self.settles_at_once
            || self.alone.len() < 4
            || lower_quartile(&self.after_other, timed) <= settled
        {
            return 0;
        }
        // The first, and not the last that is slower: what disturbs a slice makes it longer, never shorter.
        let first = self.windows().position(|slices| lower_quartile(slices, timed) <= settled);
        let first = first.unwrap_or_default();
        let within = self.alone.iter().skip(first).position(|slice| slice.timed <= settled);
        (first + within.unwrap_or_default()).max(1)
    }
}

/// The trials without the first one where that was made again.
fn without_first(tried: &[Trial]) -> &[Trial] {
    match tried {
        [first, rest @ ..] if rest.first().is_some_and(|of| of.iterations == first.iterations) => {
            rest
        }
        tried => tried,
    }
}

/// Set-up of one iteration in ns, by what it grew from the first trial to the last one; 0 if it did not.
fn set_up_of_iteration(tried: &[Trial]) -> f64 {
    let [few, .., many] = tried else { return 0.0 };
    let (before, after) = (few.slice.set_up(), many.slice.set_up());
    let more = many.iterations.saturating_sub(few.iterations).max(1) as f64;
    if after > before * GROWN { (after - before) / more } else { 0.0 }
}

/// Iterations that fit into a slice, by what one takes with its set-up, in ns.
fn most_iterations(iteration: f64, set_up: f64) -> f64 {
    (WHOLE_OF_SLICE / (iteration + set_up)).max(1.0)
}

fn lower_quartile(slices: &[Slice], of: impl Fn(&Slice) -> f64) -> f64 {
    let values: Vec<f64> = slices.iter().map(of).collect();
    stats::quantile(&values, 0.25).unwrap_or(0.0)
}

pub(super) fn slowest(pilot: &Sides<Pilot>, of: impl Fn(&Pilot) -> f64) -> f64 {
    of(&pilot.base).max(of(&pilot.head))
}

/// At least 1; what is no number is 1.
pub(super) fn whole_number(number: f64) -> u64 {
    if number.is_nan() { 1 } else { number.round().clamp(1.0, MOST_ITERATIONS) as u64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pilot of both sides alike: ns of a slice once the side has settled, what one takes in addition right after the
    /// other side's and in the first slices alone, how many these are, and the set-up.
    fn pilot(timed: f64, more: f64, unsettled: usize, set_up: f64) -> Sides<Pilot> {
        let slice = |timed: f64| Slice { timed, whole: timed + set_up };
        let trial = Trial { iterations: 1, slice: slice(timed.max(SHORT)) };
        let PilotSlices { alone, turns, .. } = Slices::of_pilot(&[trial]);
        let more_at = |at: usize| if at < unsettled { more } else { 0.0 };
        let pilot = Pilot {
            alone: (0..alone).map(|at| slice(timed + more_at(at))).collect(),
            after_other: vec![slice(timed + more); turns],
            settles_at_once: false,
        };
        Sides::new(pilot.clone(), pilot)
    }

    /// Slices of a pilot of this number of iterations, each with this set-up.
    fn of(iterations: u64, set_up: f64) -> PilotSlices {
        PilotSlices { iterations, alone: 1, turns: 1, set_up }
    }

    /// The trials of a benchmark: ns of an iteration, of its set-up, and of the call's.
    fn trials(iteration: f64, set_up: f64, of_call: f64) -> Vec<Trial> {
        let mut tried = Vec::new();
        while let Some(iterations) = Slices::next_trial(&tried) {
            let timed = iterations as f64 * iteration;
            let whole = timed + iterations as f64 * set_up + of_call;
            tried.push(Trial { iterations, slice: Slice { timed, whole } });
        }
        tried
    }

    fn iterations_of(tried: &[Trial]) -> Vec<u64> {
        tried.iter().map(|trial| trial.iterations).collect()
    }

    #[test]
    fn a_pilot_ends_when_a_slice_tells_how_long_an_iteration_is() {
        // Three nanoseconds an iteration.
        assert_eq!(iterations_of(&trials(3.0, 0.0, 0.0)), [1, 10, 100, 1_000, 10_000, 100_000]);
        assert_eq!(iterations_of(&trials(125_000.0, 0.0, 0.0)), [1, 1]);
        // A routine that the optimiser removed takes no time, however often it runs.
        assert_eq!(iterations_of(&trials(0.0, 0.0, 0.0)).last(), Some(&100_000_000));
    }

    #[test]
    fn what_the_first_iteration_does_once_is_no_length_of_an_iteration() {
        let once = |once: f64, iteration: f64| {
            let mut tried = Vec::new();
            while let Some(iterations) = Slices::next_trial(&tried) {
                let first = if tried.is_empty() { once } else { 0.0 };
                let timed = iterations as f64 * iteration + first;
                tried.push(Trial { iterations, slice: Slice { timed, whole: timed } });
            }
            (iterations_of(&tried), Slices::of_pilot(&tried))
        };
        let (iterations, slices) = once(200e6, 1e3);
        assert_eq!(iterations, [1, 1, 10, 100, 500]);
        assert_eq!((slices.iterations, slices.alone), (500, 80));
        // All are as long, or the first is too long to try it again.
        assert_eq!(once(0.0, 20e6).0, [1, 1]);
        assert_eq!(once(2e9, 1e3).0, [1]);
        assert_eq!(once(1e6, 1e3).0, [1, 1, 10, 100, 500]);
    }

    #[test]
    fn a_set_up_of_the_iteration_ends_a_pilot_and_one_of_the_call_does_not() {
        for (name, iteration, set_up, of_call, expected) in [
            ("of the iteration", 20.0, 1e5, 0.0, vec![1, 10, 100, 300]),
            ("of a long one", 1e6, 1e9, 0.0, vec![1, 2]),
            ("of the call", 20.0, 0.0, 1e9, vec![1, 2, 20, 200, 2_000, 20_000]),
            ("of the call of a long one", 1e6, 0.0, 1e9, vec![1, 2]),
            ("of both", 20.0, 1e5, 1e6, vec![1, 2, 20, 200, 300]),
            ("of both, and the call's is large", 1e3, 1e6, 1e9, vec![1, 2, 20, 200]),
        ] {
            assert_eq!(iterations_of(&trials(iteration, set_up, of_call)), expected, "{name}");
        }
    }

    #[test]
    fn a_benchmark_with_a_dear_set_up_of_each_iteration_takes_no_longer_than_others() {
        for (iteration, set_up) in [(20.0, 1e5), (20.0, 1e6), (1e3, 1e6), (1e3, 2e4), (1e5, 3e6)] {
            let slices = Slices::of_pilot(&trials(iteration, set_up, 0.0));
            let slice = |iterations: u64| {
                let timed = iterations as f64 * iteration;
                Slice { timed, whole: timed + iterations as f64 * set_up }
            };
            assert!(slice(slices.iterations).whole <= 1.1 * WHOLE_OF_SLICE, "{slices:?}");
            let pilot = Pilot {
                alone: vec![slice(slices.iterations); slices.alone],
                after_other: vec![slice(slices.iterations); slices.turns],
                settles_at_once: false,
            };
            let Slices { iterations, untimed, count } =
                Slices::after(slices, &Sides::new(pilot.clone(), pilot));
            let whole = slice(iterations + untimed).whole * f64::from(count);
            assert!(whole <= 1.1 * WHOLE, "{iteration} {set_up}: {whole}");
        }
    }

    #[test]
    fn a_side_that_spins_while_it_waits_is_busy() {
        for (used, slices, running, looks, expected) in [
            (0.0, 0.0, 0, 0, false),
            (0.0, 1e6, 0, 10, false),
            (9e4, 1e6, 0, 10, false),
            (2e5, 1e6, 0, 10, true),
            (3e6, 1e6, 10, 10, true),
            (0.0, 5e6, 1, 1, false),
            // Threads of a pool that go to sleep, and a thread that spins and gets no processor.
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
            ("1 us", 500, pilot(0.5e6, 0.0, 0, 0.0), (500, 0, 12)),
            ("reloading within the first slice", 500, pilot(0.5e6, 1e5, 1, 0.0), (500, 625, 12)),
            ("reloading of 6 ms", 500, pilot(0.5e6, 2e4, 12, 0.0), (3_750, 7_500, 4)),
            ("branches learned in 30 ms", 500, pilot(0.5e6, 1e6, 20, 0.0), (6_250, 12_500, 4)),
            (
                "learned in more than can be afforded",
                500,
                pilot(0.5e6, 1e6, 39, 0.0),
                (10_000, 24_375, 2),
            ),
            ("slow from beginning to end", 500, pilot(0.5e6, 1e6, 1_000, 0.0), (167, 0, 12)),
            ("slower within the scatter", 500, pilot(0.5e6, 1e4, 40, 0.0), (500, 0, 12)),
            ("set-up of 2 ms", 500, pilot(0.5e6, 0.0, 0, 2e6), (2_000, 0, 6)),
            ("set-up of 1 s: two slices", 500, pilot(0.5e6, 0.0, 0, 1e9), (2_000, 0, 2)),
            ("iterations of 5 ms", 1, pilot(5e6, 0.0, 0, 0.0), (1, 0, 6)),
            ("iterations of 5 ms that settle", 1, pilot(5e6, 1e6, 2, 0.0), (1, 2, 4)),
            ("iterations of 130 ms", 1, pilot(130e6, 0.0, 0, 0.0), (1, 0, 2)),
            ("no time at all", 1, pilot(0.0, 0.0, 0, 0.0), (100_000_000, 0, 12)),
        ];
        for (name, iterations, pilot, (expected, untimed, count)) in cases {
            let slices = Slices::after(of(iterations, 0.0), &pilot);
            assert_eq!(slices, Slices { iterations: expected, untimed, count }, "{name}");
        }
    }

    #[test]
    fn iterations_that_each_take_longer_than_the_last_one_are_fewer() {
        // A pilot of 500 iterations in 0.5 ms, of which slices got 25 times as many, untimed ones included. `b.iter` on
        // one text that grows: the n-th iteration takes n times a share of the first.
        let pilots = pilot(0.5e6, 1e6, 20, 0.0);
        let many = Slices::after(of(500, 0.0), &pilots);
        assert_eq!((many.iterations, many.untimed), (6_250, 12_500));
        let grown = |slices: Slices| {
            let iterations = slices.iterations as f64;
            iterations * 1e3 * (iterations / 500.0)
        };
        let mut slices = many;
        let mut tries = 0;
        while let Some(fewer) = slices.fewer(of(500, 0.0), &pilots, grown(slices)) {
            assert!(fewer.iterations < slices.iterations, "{fewer:?}");
            slices = fewer;
            tries += 1;
        }
        assert_eq!((slices.iterations, slices.untimed, slices.count, tries), (940, 1_879, 4, 2));
        assert!(grown(slices) < 2e6);
    }

    #[test]
    fn iterations_that_took_what_the_pilot_says_stay_as_many() {
        let pilots = pilot(0.5e6, 1e6, 20, 0.0);
        let slices = Slices::after(of(500, 0.0), &pilots);
        for took in [0.0, 6.25e6, 12e6, f64::NAN] {
            assert_eq!(slices.fewer(of(500, 0.0), &pilots, took), None, "{took}");
        }
        // What has no more iterations than the pilot had is known from the pilot, and a disturbed slice tells nothing.
        let short = pilot(0.5e6, 0.0, 0, 0.0);
        let slices = Slices::after(of(500, 0.0), &short);
        assert_eq!(slices.fewer(of(500, 0.0), &short, 1e9), None);
        // A set-up of the call of 1 s.
        let set_up = pilot(0.5e6, 0.0, 0, 1e9);
        let slices = Slices::after(of(500, 0.0), &set_up);
        assert_eq!(slices.fewer(of(500, 0.0), &set_up, 1.1e9), None);
    }

    #[test]
    fn of_two_sides_the_one_that_settles_later_says_how_both_are_led() {
        let early = pilot(0.5e6, 0.0, 0, 0.0).base;
        let late = pilot(0.5e6, 1e5, 12, 0.0).base;
        let expected = Slices::after(of(500, 0.0), &Sides::new(late.clone(), late.clone()));
        assert!(expected.untimed > 0);
        assert_eq!(Slices::after(of(500, 0.0), &Sides::new(early.clone(), late.clone())), expected);
        assert_eq!(Slices::after(of(500, 0.0), &Sides::new(late, early)), expected);
    }

    #[test]
    fn untimed_iterations_reach_as_far_as_it_took_to_settle() {
        for slices in 1..60 {
            let untimed = Slices::after(of(100, 0.0), &pilot(0.5e6, 1e5, slices, 0.0)).untimed;
            assert!(untimed >= 100 * slices as u64, "{slices} slices: {untimed}");
        }
    }

    #[test]
    fn what_disturbs_a_pilot_for_ten_milliseconds_changes_nothing() {
        for at in 0..60 {
            let mut pilots = pilot(0.5e6, 0.0, 0, 0.0);
            for slice in &mut pilots.head.alone[at..at + 20] {
                slice.timed *= 10.0;
            }
            pilots.head.after_other[at % 6].timed *= 10.0;
            assert_eq!(Slices::after(of(500, 0.0), &pilots).untimed, 0, "from slice {at} on");
        }
    }

    #[test]
    fn what_repeats_do_not_show_changes_nothing() {
        let mut pilots = pilot(0.5e6, 1e6, 20, 0.0);
        assert!(pilots.base.seems_to_settle() && pilots.head.seems_to_settle());
        pilots.base.settles_at_once = true;
        assert_eq!(Slices::after(of(500, 0.0), &pilots).untimed, 12_500);
        pilots.head.settles_at_once = true;
        assert!(!pilots.head.seems_to_settle());
        assert_eq!(Slices::after(of(500, 0.0), &pilots).untimed, 0);
    }

    #[test]
    fn a_start_up_is_no_cost_of_taking_turns() {
        let mut pilots = pilot(0.5e6, 1e6, 20, 0.0);
        for pilot in [&mut pilots.base, &mut pilots.head] {
            pilot.after_other = vec![pilot.alone[79]; 6];
        }
        assert_eq!(Slices::after(of(500, 0.0), &pilots).untimed, 0);
    }

    #[test]
    fn a_set_up_of_every_iteration_bounds_the_untimed_ones_and_the_number_of_slices() {
        // 7.5 ms of set-up in each slice of 0.5 ms.
        let slices = Slices::after(of(100, 75e3), &pilot(0.5e6, 1e5, 5, 7.5e6));
        assert_eq!(slices, Slices { iterations: 313, untimed: 625, count: 2 });
    }

    #[test]
    fn the_slices_of_a_pilot_by_the_trial() {
        for (name, iterations, timed, whole, expected) in [
            ("1 us", 200, 2e5, 2e5, (500, 80, 6)),
            ("iterations of 5 ms", 1, 5e6, 5e6, (1, 8, 6)),
            ("iterations of 3 s", 1, 3e9, 3e9, (1, 1, 1)),
            ("a set-up of 3 s", 1, 5e5, 3e9, (1, 1, 1)),
            ("no time at all", 100_000_000, 0.0, 0.0, (100_000_000, 80, 6)),
            ("no number", 1, f64::NAN, f64::NAN, (1, 80, 6)),
        ] {
            let trial = Trial { iterations, slice: Slice { timed, whole } };
            let PilotSlices { iterations, alone, turns, .. } = Slices::of_pilot(&[trial]);
            assert_eq!((iterations, alone, turns), expected, "{name}");
        }
    }

    #[test]
    fn the_first_slice_of_a_process_does_not_count_where_it_would_be_one_of_few() {
        let of = |count| Slices { iterations: 1, untimed: 0, count }.has_one_before();
        assert_eq!([2, 4, 6, 8, 12].map(of), [true, true, true, false, false]);
    }
}
