//! The slices of one pair: after the pilot, or in processes in which none ran.

use std::time::Instant;

use benchgate_core::model::Sides;
use benchgate_core::schedule::Slices;

use super::{Fault, Leading, Run, Walk, Way};
use crate::HostError;

impl Walk {
    /// Runs the slices of the benchmark at which every side waits.
    pub(super) fn measure_here(
        &mut self,
        leading: &Leading<'_>,
        known: Option<Way>,
        deadline: Instant,
    ) -> Result<Result<(Run, Way), Fault>, HostError> {
        self.ran = Sides::new(0, 0);
        let Some(way) = known else {
            self.stops = false;
            let mut way = match self.pilot(leading, deadline)? {
                Ok(way) => way,
                Err(fault) => return Ok(Err(fault)),
            };
            let run = self.slices(leading, &way, deadline)?;
            return Ok(run.map(|run| {
                way.gathered.keep(way.slices.values(&run));
                (run, way)
            }));
        };
        self.meet(leading, way.has_one_thread);
        self.measure_anew(leading, way, deadline)
    }

    /// Runs slices in processes in which no pilot ran: after as many iterations as it had, where that makes a difference.
    fn measure_anew(
        &mut self,
        leading: &Leading<'_>,
        mut way: Way,
        deadline: Instant,
    ) -> Result<Result<(Run, Way), Fault>, HostError> {
        let before = way.gathered.before(leading.keys.map(|key| key.is_some()));
        let first = before.max(u64::from(way.slices.has_one_before()));
        if let Err(fault) = self.run_untimed(leading, &way, first, deadline)? {
            return Ok(Err(fault));
        }
        let run = match self.slices(leading, &way, deadline)? {
            Ok(run) => run,
            Err(fault) => return Ok(Err(fault)),
        };
        let new = way.slices.values(&run);
        if before > 0 {
            way.gathered.keep(new);
            return Ok(Ok((run, way)));
        }
        if !way.gathered.seems_unlike(new) {
            return Ok(Ok((run, way)));
        }
        let iterations = way.gathered.iterations();
        if let Err(fault) = self.run_untimed(leading, &way, iterations, deadline)? {
            return Ok(Err(fault));
        }
        Ok(self.slices(leading, &way, deadline)?.map(|run| {
            way.gathered.add(new, way.slices.values(&run));
            (run, way)
        }))
    }

    /// Runs slices of at least this number of iterations in all, whose times do not count.
    fn run_untimed(
        &mut self,
        leading: &Leading<'_>,
        way: &Way,
        iterations: u64,
        deadline: Instant,
    ) -> Result<Result<(), Fault>, HostError> {
        self.stops = way.is_busy_waiting;
        let of_each = way.slices.iterations + way.slices.untimed;
        for _ in 0..iterations.div_ceil(of_each.max(1)) {
            let order = [leading.first, leading.first.other()];
            let run = self.call(order, way.slices.iterations, way.slices.untimed, deadline)?;
            if let Err(fault) = run {
                return Ok(Err(fault));
            }
        }
        Ok(Ok(()))
    }

    /// Runs the slices of a pair.
    fn slices(
        &mut self,
        leading: &Leading<'_>,
        way: &Way,
        deadline: Instant,
    ) -> Result<Result<Run, Fault>, HostError> {
        self.stops = way.is_busy_waiting;
        let Slices { iterations, untimed, count } = way.slices;
        let mut run = Sides { base: Vec::new(), head: Vec::new() };
        for number in 0..count {
            // By turns, and each in turn first: a side meets a slice of the other side as often as its own.
            let first = if number % 2 == 0 { leading.first } else { leading.first.other() };
            let slice =
                |walk: &mut Self, side| walk.value_of_slice(side, iterations, untimed, deadline);
            let slices = match self.each([first, first.other()], slice)? {
                Ok(slices) => slices,
                Err(fault) => return Ok(Err(fault)),
            };
            slices.iter().for_each(|(side, slice)| run[side].extend(*slice));
        }
        Ok(Ok(run))
    }
}
