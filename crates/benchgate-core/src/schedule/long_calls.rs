//! Calls of a pilot with more iterations than a slice has, for benchmarks whose iterations depend on their number: each slice
//! is a call, which begins again, so of a list of inputs, one for each iteration, it comes to the first only.

use super::slices::{
    FEW_OF_SETTLED, Pilot, PilotSlices, SHORT, Slice, Slices, WHOLE, slowest, whole_number,
};
use crate::model::{Side, Sides};

/// One call of each side with more iterations than a slice has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LongCall {
    /// Iterations of it.
    pub iterations: u64,
    /// What it took; `None` of a side that does not take part.
    pub slices: Sides<Option<Slice>>,
}

/// Length of the longest call of a pilot, in ns: less than a sample of Criterion takes with its own settings, 50 ms.
const LONG_CALL: f64 = 20e6;

/// A call is made longer than 20 ms for this many iterations, as a list of long inputs may have, but not longer than the longest
/// sample of Criterion.
const OF_A_LIST: f64 = 64.0;
const LONGEST_CALL: f64 = 100e6;

/// The next call of a pilot has at most this often the iterations of the last one, so that those of a bench that become
/// slower and slower end in time.
const LONGER_CALL: u64 = 6;

/// Iterations that take this often as long in a long call, or this often as short, depend on their number. At 1.25, compared
/// with the shortest slices, a pair of the lab's kernels took 154 ms in place of 95 on a machine with neighbours.
pub(super) const NOT_LINEAR: f64 = 1.5;

/// Head to base in a long call, as a multiple of head to base in slices, from which on the calls are measured. Less of it is
/// not seen.
pub(super) const APART: f64 = 1.05;

/// The same as a multiple of head to base in the first slices of a process, which is what other processes measure. The sides ran
/// them one after the other, so the machine may have changed between.
pub(super) const APART_FROM_FIRST: f64 = 1.1;

impl Slices {
    /// Iterations of the next call, of which the last one shows whether an iteration takes as long in a long call.
    pub fn next_long_call(
        &self,
        slices: PilotSlices,
        pilot: &Sides<Pilot>,
        calls: &[LongCall],
    ) -> Option<u64> {
        let of_pilot = slowest(pilot, |pilot| pilot.settled(|slice| slice.whole));
        let pilot = Called { iterations: slices.iterations.max(1), took: of_pilot };
        let mut called = std::iter::once(pilot).chain(calls.iter().map(Called::of)).rev();
        let (last, before) = (called.next()?, called.next());
        let Called { iterations, took } = match before {
            // Slices may have more iterations than those of the pilot.
            None => pilot.at(self.iterations),
            Some(_) => last,
        };
        // Of no time nothing follows.
        if took.is_nan() || took <= 0.0 {
            return None;
        }
        let length = (OF_A_LIST * took / iterations as f64).clamp(LONG_CALL, LONGEST_CALL);
        let growth = before.map_or(1.0, |before| before.growth(last));
        let most = whole_number(iterations as f64 * (length / took).powf(1.0 / growth));
        let next = iterations.saturating_mul(LONGER_CALL);
        // What is left for a last call of less than twice as many is taken at once, once it is known how they grow.
        let is_last = before.is_some() && most < next.saturating_mul(2);
        let next = if is_last { most } else { most.min(next) };
        (next >= iterations.saturating_mul(2)).then_some(next)
    }

    /// The sides whose iterations seem to take another time in the last call, which is to be repeated.
    pub fn seem_another(slices: PilotSlices, pilot: &Sides<Pilot>, last: &LongCall) -> Sides<bool> {
        let longer = last.iterations as f64 / slices.iterations.max(1) as f64;
        Sides::new(Side::Base, Side::Head).map(|side| {
            let Some(slice) = last.slices[side] else { return false };
            let ratio = slice.timed / (pilot[side].usual() * longer);
            // NaN compares with nothing.
            !ratio.is_nan() && !(1.0 / NOT_LINEAR..=NOT_LINEAR).contains(&ratio)
        })
    }

    /// Whether the sides seem to be further apart in the last call than in slices, which is to be repeated: the inputs that only
    /// long calls come to may be those that became slower.
    pub fn seem_apart(
        slices: PilotSlices,
        pilot: &Sides<Pilot>,
        first: f64,
        last: &LongCall,
    ) -> bool {
        let (Some(base), Some(head)) = (last.slices.base, last.slices.head) else { return false };
        let longer = last.iterations as f64 / slices.iterations.max(1) as f64;
        let usual = pilot.head.usual() / pilot.base.usual();
        let is_apart = |from: f64, by: f64| {
            let ratio = head.timed / base.timed / from;
            !ratio.is_nan() && ratio.max(1.0 / ratio) > by
        };
        longer > 1.0 && (is_apart(usual, APART) || is_apart(first, APART_FROM_FIRST))
    }

    /// Slices as long as a call.
    pub fn as_long_as(call: &LongCall) -> Self {
        let whole = longest(&call.slices).max(SHORT);
        let count = (WHOLE / whole).min(FEW_OF_SETTLED) / 2.0;
        let iterations = call.iterations;
        Self { iterations, untimed: 0, count: count.floor().max(1.0) as u32 * 2 }
    }
}

/// Iterations of a call, and the ns that it took.
#[derive(Clone, Copy)]
struct Called {
    iterations: u64,
    took: f64,
}

impl Called {
    fn of(call: &LongCall) -> Self {
        Self { iterations: call.iterations, took: longest(&call.slices) }
    }

    /// A call of other iterations that take as long each.
    fn at(self, iterations: u64) -> Self {
        Self { iterations, took: self.took / self.iterations as f64 * iterations as f64 }
    }

    /// The power of its iterations with which time grows up to another call: 2 for those that add to one text. Not below 1.
    fn growth(self, to: Self) -> f64 {
        let longer = to.iterations as f64 / self.iterations as f64;
        let power = (to.took / self.took).ln() / longer.ln();
        // Also what is no number.
        power.max(1.0)
    }
}

/// Ns of the whole call of the side that took longer; 0 without a side.
fn longest(call: &Sides<Option<Slice>>) -> f64 {
    call.iter().filter_map(|(_, slice)| Some(slice.as_ref()?.whole)).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pilot of both sides alike, whose slices alone all take this, in ns.
    fn even(timed: f64, alone: usize) -> Sides<Pilot> {
        let slice = Slice { timed, whole: timed };
        let pilot =
            Pilot { alone: vec![slice; alone], after_other: vec![slice], settles_at_once: false };
        Sides::new(pilot.clone(), pilot)
    }

    /// The calls after such a pilot, by the ns that a call of some iterations takes.
    fn all_calls(
        slices: Slices,
        of_pilot: PilotSlices,
        pilots: &Sides<Pilot>,
        takes: impl Fn(f64) -> f64,
    ) -> Vec<LongCall> {
        let mut calls: Vec<LongCall> = Vec::new();
        while let Some(iterations) = slices.next_long_call(of_pilot, pilots, &calls) {
            let took = takes(iterations as f64);
            let slice = Some(Slice { timed: took, whole: took });
            calls.push(LongCall { iterations, slices: Sides::new(slice, slice) });
            assert!(calls.len() < 10, "{calls:?}");
        }
        calls
    }

    /// The calls of a pilot of 0.5 ms slices with 500 iterations each, by the ns that a call of some iterations takes,
    /// and the slices if repeats show the same.
    fn long_calls(takes: impl Fn(f64) -> f64) -> (Vec<u64>, Slices) {
        let pilots = even(0.5e6, 80);
        let of_pilot = PilotSlices { iterations: 500, alone: 80, turns: 6, set_up: 0.0 };
        let slices = Slices { iterations: 500, untimed: 0, count: 12 };
        let calls = all_calls(slices, of_pilot, &pilots, takes);
        let last = calls.last().unwrap();
        let seems = Slices::seem_another(of_pilot, &pilots, last);
        assert_eq!(seems.base, seems.head);
        let after = if seems.base { Slices::as_long_as(last) } else { slices };
        (calls.iter().map(|call| call.iterations).collect(), after)
    }

    #[test]
    fn iterations_that_take_another_time_in_a_long_call_are_measured_in_long_calls() {
        let short = Slices { iterations: 500, untimed: 0, count: 12 };
        let long = Slices { iterations: 20_000, untimed: 0, count: 4 };
        assert_eq!(long_calls(|n| n * 1e3), (vec![3_000, 20_000], short));
        let later = |n: f64| n.min(8_000.0) * 1e3 + (n - 8_000.0).max(0.0) * 3e3;
        assert_eq!(long_calls(later), (vec![3_000, 20_000], Slices { count: 2, ..long }));
        let sooner = |n: f64| n.min(3_000.0) * 1e3 + (n - 3_000.0).max(0.0) * 0.8e3;
        assert_eq!(long_calls(sooner).1, short);
        let sooner = |n: f64| n.min(3_000.0) * 1e3 + (n - 3_000.0).max(0.0) * 0.5e3;
        assert_eq!(long_calls(sooner), (vec![3_000, 20_000], long));
        assert_eq!(long_calls(|_| f64::NAN).1, short);
    }

    #[test]
    fn sides_that_are_further_apart_in_a_long_call_seem_so_whatever_the_calls_take() {
        let mut pilots = even(0.5e6, 80);
        for slice in &mut pilots.head.alone {
            slice.timed *= 1.2;
        }
        let of_pilot = PilotSlices { iterations: 500, alone: 80, turns: 6, set_up: 0.0 };
        let seem = |base: f64, head: f64| {
            let slice = |timed| Some(Slice { timed, whole: timed });
            let slices = Sides::new(slice(base), slice(head));
            Slices::seem_apart(
                of_pilot,
                &pilots,
                f64::NAN,
                &LongCall { iterations: 18_000, slices },
            )
        };
        assert!(!seem(18e6, 1.2 * 18e6) && !seem(27e6, 1.2 * 27e6));
        assert!(!seem(18e6, 1.24 * 18e6));
        assert!(seem(18e6, 1.3 * 18e6) && seem(18e6, 18e6));
        assert!(!seem(f64::NAN, 18e6));
        // As in all slices, and not as in the first ones.
        let slice = |timed| Some(Slice { timed, whole: timed });
        let slices = Sides::new(slice(18e6), slice(1.2 * 18e6));
        let call = LongCall { iterations: 18_000, slices };
        let seem = |first| Slices::seem_apart(of_pilot, &pilots, first, &call);
        assert!(seem(1.0) && seem(1.4) && !seem(1.2) && !seem(1.15));
        let alone = LongCall { iterations: 18_000, slices: Sides { base: None, head: None } };
        assert!(!Slices::seem_apart(of_pilot, &pilots, f64::NAN, &alone));
    }

    #[test]
    fn iterations_that_become_slower_and_slower_end_the_calls_in_time() {
        let (calls, slices) = long_calls(|n| n * n);
        assert_eq!((calls, slices.iterations), (vec![3_000], 3_000));
        // Of long ones there are fewer, and a list of them may be as long.
        let called = |iteration: f64, power: i32| {
            let pilots = even(iteration, 9);
            let of_pilot = PilotSlices { iterations: 1, alone: 9, turns: 3, set_up: 0.0 };
            let slices = Slices { iterations: 1, untimed: 0, count: 6 };
            let takes = |iterations: f64| iteration * iterations.powi(power);
            let calls = all_calls(slices, of_pilot, &pilots, takes);
            let longest = calls.last().map_or(0.0, |call| longest(&call.slices));
            // Of the first call it is not known how they grow.
            let known = if calls.len() > 1 { 1.1 } else { LONGER_CALL as f64 };
            assert!(longest <= known * LONGEST_CALL, "{calls:?}");
            calls.iter().map(|call| call.iterations).collect::<Vec<_>>()
        };
        assert_eq!(called(0.1e6, 1), [6, 36, 200]);
        assert_eq!(called(0.1e6, 2), [6, 20]);
        assert_eq!(called(1e6, 1), [6, 64]);
        assert_eq!(called(1e6, 2), [6]);
        assert_eq!(called(2e6, 1), [6, 50]);
        assert_eq!(called(2e6, 2), [6]);
        assert_eq!(called(9e6, 2), [6]);
        assert_eq!(called(20e6, 1), [5]);
        assert_eq!(called(80e6, 1), [] as [u64; 0]);
        // An iteration as long as a long call is one.
        let pilots = even(130e6, 1);
        let of_pilot = PilotSlices { iterations: 1, alone: 1, turns: 1, set_up: 0.0 };
        let slices = Slices { iterations: 1, untimed: 0, count: 2 };
        assert_eq!(slices.next_long_call(of_pilot, &pilots, &[]), None);
    }
}
