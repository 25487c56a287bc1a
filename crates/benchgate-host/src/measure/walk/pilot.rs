//! How a benchmark is led is found out before its first pair: the length of an iteration, of its slices, and of what comes
//! before them untimed.

use std::time::{Duration, Instant};

use benchgate_core::model::{Side, Sides};
use benchgate_core::schedule::{
    Gathered, LongCall, Pilot, PilotSlices, Repeat, Slice, Slices, Trial, Waiting,
};

use super::{Fault, Leading, Walk, Way};
use crate::HostError;

/// Less than this is no work: both sides wait while their clocks are read.
const OF_CLOCKS: Duration = Duration::from_micros(1);

/// Slices of each side beside a long call: one may be disturbed.
const SHORT_ONES: usize = 5;

impl Walk {
    /// Finds out how the benchmark is led: as many iterations on both sides.
    pub(super) fn pilot(
        &mut self,
        leading: &Leading<'_>,
        deadline: Instant,
    ) -> Result<Result<Way, Fault>, HostError> {
        let order = [leading.first, leading.first.other()];
        let before = self.time_of_other_threads();
        let children = self.children();
        let tried = match self.trials(order, deadline)? {
            Ok(tried) => tried,
            Err(fault) => return Ok(Err(fault)),
        };
        let has_one_thread = self.has_worked_alone(before, children);
        self.meet(leading, has_one_thread);
        let slices = Slices::of_pilot(&tried);
        let PilotSlices { iterations, alone, turns, .. } = slices;
        let mut pilots = Sides { base: Pilot::default(), head: Pilot::default() };
        let mut waiting = Sides { base: Waiting::default(), head: Waiting::default() };
        for side in order.into_iter().flat_map(|side| std::iter::repeat_n(side, alone)) {
            match self.timed_slice(side, iterations, 0, deadline)? {
                Some(Ok(slice)) => pilots[side].alone.push(slice),
                Some(Err(failure)) => return Ok(Err((side, failure))),
                None => {}
            }
        }
        for side in std::iter::repeat_n(order, turns).flatten() {
            let before = self.time_of_waiting(side);
            match self.timed_slice(side, iterations, 0, deadline)? {
                Some(Ok(slice)) => {
                    self.add_waiting(&mut waiting[side.other()], side, before, slice);
                    pilots[side].after_other.push(slice);
                }
                Some(Err(failure)) => return Ok(Err((side, failure))),
                None => {}
            }
        }
        let is_busy_waiting = waiting.iter().any(|(_, waiting)| Slices::is_busy(*waiting));
        let untimed = Slices::after(slices, &pilots).untimed;
        if let Err(fault) = self.repeat_settling(order, untimed, slices, &mut pilots, deadline)? {
            return Ok(Err(fault));
        }
        let planned = Slices::after(slices, &pilots);
        let planned = match self.try_slices(order, planned, slices, &pilots, deadline)? {
            Ok(planned) => planned,
            Err(fault) => return Ok(Err(fault)),
        };
        let tried = self.try_long_calls(order, planned, slices, &pilots, deadline)?;
        // It may start its threads late, after thousands of iterations.
        let has_one_thread = has_one_thread && self.has_worked_alone(before, children);
        let gathered = Gathered::over(self.ran.base.max(self.ran.head));
        Ok(tried.map(|slices| Way { slices, gathered, has_one_thread, is_busy_waiting }))
    }

    /// Runs slices with more and more iterations, until they tell how long one is.
    fn trials(
        &mut self,
        order: [Side; 2],
        deadline: Instant,
    ) -> Result<Result<Vec<Trial>, Fault>, HostError> {
        let mut tried = Vec::new();
        while let Some(iterations) = Slices::next_trial(&tried) {
            let call = match self.call(order, iterations, 0, deadline)? {
                Ok(call) => call,
                Err(fault) => return Ok(Err(fault)),
            };
            let nothing = Slice { timed: 0.0, whole: 0.0 };
            let slice = call.iter().filter_map(|(_, slice)| *slice).fold(nothing, Slice::most);
            tried.push(Trial { iterations, slice });
        }
        Ok(Ok(tried))
    }

    /// Whether the first thread of each side has done all work since this was the time of the other threads and the trace of
    /// children: work in child processes is not work in one thread, either.
    fn has_worked_alone(&self, before: Option<Duration>, children: Option<u64>) -> bool {
        let by_others = before.zip(self.time_of_other_threads());
        by_others.is_some_and(|(before, after)| after.saturating_sub(before) < OF_CLOCKS)
            && children.zip(self.children()).is_some_and(|(before, after)| before == after)
    }

    /// Runs calls with more iterations than the slices have, which are as long where an iteration takes another time in them.
    fn try_long_calls(
        &mut self,
        order: [Side; 2],
        slices: Slices,
        of_pilot: PilotSlices,
        pilots: &Sides<Pilot>,
        deadline: Instant,
    ) -> Result<Result<Slices, Fault>, HostError> {
        let mut calls: Vec<LongCall> = Vec::new();
        while let Some(iterations) = slices.next_long_call(of_pilot, pilots, &calls) {
            match self.call(order, iterations, 0, deadline)? {
                Ok(slices) => calls.push(LongCall { iterations, slices }),
                Err(fault) => return Ok(Err(fault)),
            }
        }
        let Some(last) = calls.last() else { return Ok(Ok(slices)) };
        let [usual, seen] = [of_pilot.iterations, last.iterations];
        let seem = Slices::seem_another(of_pilot, pilots, last);
        for side in order.into_iter().filter(|side| seem[*side]) {
            let repeat = |walk: &mut Self| {
                let took = walk.after_other(side, [(usual, 0), (seen, 0)], deadline)?;
                Ok(took.map(|took| took.map(|[usual, seen]| Repeat { seen, usual })))
            };
            match self.repeat(Slices::is_long_call_another, repeat)? {
                Ok(true) => return Ok(Ok(Slices::as_long_as(last))),
                Ok(false) => {}
                Err(fault) => return Ok(Err(fault)),
            }
        }
        let first = slices.first_head_to_base(pilots);
        if !Slices::seem_apart(of_pilot, pilots, first, last) {
            return Ok(Ok(slices));
        }
        let repeat = |walk: &mut Self| walk.head_to_base(order, [usual, seen], deadline);
        let apart = self.repeat(|repeats| Slices::are_apart(repeats, first), repeat)?;
        Ok(apart.map(|are| if are { Slices::as_long_as(last) } else { slices }))
    }

    /// Looks again whether each side is slower right after the other one.
    fn repeat_settling(
        &mut self,
        order: [Side; 2],
        untimed: u64,
        of_pilot: PilotSlices,
        pilots: &mut Sides<Pilot>,
        deadline: Instant,
    ) -> Result<Result<(), Fault>, HostError> {
        let PilotSlices { iterations, .. } = of_pilot;
        for side in order {
            if !pilots[side].seems_to_settle() {
                continue;
            }
            let repeat = |walk: &mut Self| {
                let took =
                    walk.after_other(side, [(iterations, 0), (iterations, untimed)], deadline)?;
                Ok(took.map(|took| took.map(|[seen, usual]| Repeat { seen, usual })))
            };
            match self.repeat(Slices::settles, repeat)? {
                Ok(settles) => pilots[side].settles_at_once = !settles,
                Err(fault) => return Ok(Err(fault)),
            }
        }
        Ok(Ok(()))
    }

    /// Repeats what a pilot seems to show until that is decided; it is not so where a side does not take part.
    fn repeat(
        &mut self,
        decide: impl Fn(&[Repeat]) -> Option<bool>,
        repeat: impl Fn(&mut Self) -> Result<Result<Option<Repeat>, Fault>, HostError>,
    ) -> Result<Result<bool, Fault>, HostError> {
        let mut repeats = Vec::new();
        loop {
            if let Some(decided) = decide(&repeats) {
                return Ok(Ok(decided));
            }
            match repeat(self)? {
                Ok(Some(repeat)) => repeats.push(repeat),
                Ok(None) => return Ok(Ok(false)),
                Err(fault) => return Ok(Err(fault)),
            }
        }
    }

    /// Ns per iteration of two calls of a side after one of the other side's: timed iterations, and untimed ones before them.
    fn after_other(
        &mut self,
        side: Side,
        calls: [(u64, u64); 2],
        deadline: Instant,
    ) -> Result<Result<Option<[f64; 2]>, Fault>, HostError> {
        let [(first, _), _] = calls;
        if let Some(Err(failure)) = self.timed_slice(side.other(), first, 0, deadline)? {
            return Ok(Err((side.other(), failure)));
        }
        let mut took = [0.0; 2];
        for (took, (iterations, untimed)) in took.iter_mut().zip(calls) {
            match self.timed_slice(side, iterations, untimed, deadline)? {
                Some(Ok(slice)) => *took = slice.timed / iterations as f64,
                Some(Err(failure)) => return Ok(Err((side, failure))),
                None => return Ok(Ok(None)),
            }
        }
        Ok(Ok(Some(took)))
    }

    /// Head to base in some short calls, and in a long one.
    fn head_to_base(
        &mut self,
        order: [Side; 2],
        [few, many]: [u64; 2],
        deadline: Instant,
    ) -> Result<Result<Option<Repeat>, Fault>, HostError> {
        let mut ratios = Vec::new();
        for iterations in std::iter::repeat_n(few, SHORT_ONES).chain([many]) {
            match self.call(order, iterations, 0, deadline)? {
                Ok(Sides { base: Some(base), head: Some(head) }) => {
                    ratios.push(head.timed / base.timed);
                }
                Ok(_) => return Ok(Ok(None)),
                Err(fault) => return Ok(Err(fault)),
            }
        }
        let seen = ratios.split_off(SHORT_ONES);
        Ok(Ok(Some(Repeat::of(&ratios, &seen))))
    }

    /// Runs slices as planned, and with fewer iterations as long as these take longer than those of the pilot did.
    fn try_slices(
        &mut self,
        order: [Side; 2],
        mut slices: Slices,
        of_pilot: PilotSlices,
        pilots: &Sides<Pilot>,
        deadline: Instant,
    ) -> Result<Result<Slices, Fault>, HostError> {
        while slices.is_longer_than(of_pilot) {
            let call = match self.call(order, slices.iterations, slices.untimed, deadline)? {
                Ok(call) => call,
                Err(fault) => return Ok(Err(fault)),
            };
            let whole = call.iter().filter_map(|(_, slice)| slice.map(|slice| slice.whole));
            let took = whole.fold(0.0, f64::max);
            match slices.fewer(of_pilot, pilots, took) {
                Some(fewer) => slices = fewer,
                None => break,
            }
        }
        Ok(Ok(slices))
    }
}
