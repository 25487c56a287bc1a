//! Walks: base and head alive at the same time, led through the benchmarks of a suite slice by slice. One walk gives one
//! pair of each benchmark that it measures. Noise that lasts longer than a slice meets both sides.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use benchgate_core::model::{BenchmarkKey, Identity, Metric, Side, Sides, SuiteKey};
use benchgate_core::schedule::{Nuisance, Pilot, Slice, Slices, Values};

use crate::HostError;
use crate::harness::{Failure, Led, Process, TO_END, identity};

/// The sides that take part: both, or the only one that has the benchmark.
pub(super) type Taking<T> = Sides<Option<T>>;

/// What a side did wrong.
pub(super) type Fault = (Side, Failure);

/// The walk that goes on, and how each benchmark is led.
#[derive(Default)]
pub(super) struct Walks {
    walk: Option<Walk>,
    slices: BTreeMap<BenchmarkKey, Slices>,
}

/// A benchmark, and how it is led.
pub(super) struct Leading<'a> {
    pub(super) keys: Taking<&'a BenchmarkKey>,
    pub(super) suites: Taking<&'a Led>,
    /// The side of the first slice.
    pub(super) first: Side,
    pub(super) nuisance: Nuisance,
    /// How long it may take to reach and to measure it.
    pub(super) timeout: Duration,
    pub(super) scratch: &'a Path,
}

/// The values of both sides of one benchmark.
pub(super) struct LedPair {
    pub(super) values: Taking<Values>,
    pub(super) identity: Identity,
}

/// Processes that are alive at the same time.
struct Walk {
    suites: Taking<SuiteKey>,
    processes: Taking<Process>,
}

impl Walks {
    /// Whether the walk that goes on comes to a benchmark.
    pub(super) fn reaches(&self, leading: &Leading<'_>) -> bool {
        self.walk.as_ref().is_some_and(|walk| walk.reaches(leading))
    }

    /// Ends the walk that goes on: the next benchmark is reached by a new one.
    ///
    /// # Errors
    /// When interrupted.
    pub(super) fn end(&mut self) -> Result<(), HostError> {
        self.walk.take().map_or(Ok(()), Walk::end)
    }

    /// Leads to a benchmark and through its slices.
    ///
    /// # Errors
    /// When interrupted, or when files of our own cannot be used.
    pub(super) fn measure(
        &mut self,
        leading: &Leading<'_>,
    ) -> Result<Result<LedPair, Fault>, HostError> {
        let deadline = Instant::now() + leading.timeout;
        if !self.reaches(leading) {
            self.end()?;
            match Walk::start(leading, deadline)? {
                Ok(walk) => self.walk = Some(walk),
                Err(fault) => return Ok(Err(fault)),
            }
        }
        let Some(walk) = &mut self.walk else { return Ok(Err(nobody())) };
        let known = leading.keys.newest().and_then(|key| self.slices.get(*key).copied());
        let led = walk.measure(leading, known, deadline)?;
        let Ok((pair, slices)) = led else {
            // What is left of a walk in which a side failed is not led on.
            self.walk = None;
            return Ok(led.map(|(pair, _)| pair));
        };
        if let Some(key) = leading.keys.newest() {
            self.slices.insert((*key).clone(), slices);
        }
        Ok(Ok(pair))
    }
}

impl Walk {
    fn start(leading: &Leading<'_>, deadline: Instant) -> Result<Result<Self, Fault>, HostError> {
        let suites = leading.keys.map(|key| key.map(BenchmarkKey::suite_key));
        let mut walk = Self { suites, processes: Sides { base: None, head: None } };
        for side in [leading.first, leading.first.other()] {
            let Some(suite) = leading.suites[side] else { continue };
            match suite.start(leading.scratch, &leading.nuisance, deadline)? {
                Ok(process) => walk.processes[side] = Some(process),
                Err(failure) => return Ok(Err((side, failure))),
            }
        }
        Ok(Ok(walk))
    }

    /// Whether every side that takes part is led by this walk and comes to the benchmark yet.
    fn reaches(&self, leading: &Leading<'_>) -> bool {
        leading.keys.iter().all(|(side, key)| {
            let suite = key.map(BenchmarkKey::suite_key);
            if suite != self.suites[side] {
                return false;
            }
            let Some((key, suite)) = key.zip(leading.suites[side]) else { return true };
            let at = self.processes[side].as_ref().and_then(Process::arrived);
            let at = at.map(|benchmark| benchmark.ordinal);
            suite.position(&key.id).is_some_and(|position| at.is_none_or(|at| at < position))
        })
    }

    fn measure(
        &mut self,
        leading: &Leading<'_>,
        known: Option<Slices>,
        deadline: Instant,
    ) -> Result<Result<(LedPair, Slices), Fault>, HostError> {
        let identity = match self.arrive(leading, deadline)? {
            Ok(identity) => identity,
            Err(fault) => return Ok(Err(fault)),
        };
        let slices = match known {
            Some(slices) => slices,
            None => match self.pilot(leading.first, deadline)? {
                Ok(slices) => slices,
                Err(fault) => return Ok(Err(fault)),
            },
        };
        let mut run = Sides { base: Vec::new(), head: Vec::new() };
        for number in 0..slices.count {
            // By turns, and each in turn first: a side meets a slice of the other one as often as one of its own.
            let first = if number % 2 == 0 { leading.first } else { leading.first.other() };
            for side in [first, first.other()] {
                match self.slice(side, slices.iterations, slices.untimed, deadline)? {
                    Some(Ok(slice)) => run[side].push(slice),
                    Some(Err(failure)) => return Ok(Err((side, failure))),
                    None => {}
                }
            }
        }
        let values = run.map(|run: Vec<Slice>| {
            slices.value(&run).map(|value| Values::from([(Metric::TIME, value)]))
        });
        Ok(Ok((LedPair { values, identity }, slices)))
    }

    /// Leads every side to the benchmark; past others, which run nothing.
    fn arrive(
        &mut self,
        leading: &Leading<'_>,
        deadline: Instant,
    ) -> Result<Result<Identity, Fault>, HostError> {
        let mut found = None;
        for side in [Side::Base, Side::Head] {
            let (Some(key), Some(process)) = (leading.keys[side], &mut self.processes[side]) else {
                continue;
            };
            loop {
                match process.arrive(deadline)? {
                    Ok(Some(benchmark)) if benchmark.id == key.id => {
                        found = Some(identity(&benchmark));
                        break;
                    }
                    Ok(Some(_)) => {}
                    Ok(None) => {
                        let reason = "it listed this benchmark and did not come to it again";
                        return Ok(Err((side, Failure::new(reason))));
                    }
                    Err(failure) => return Ok(Err((side, failure))),
                }
            }
        }
        Ok(found.ok_or_else(nobody))
    }

    /// Finds out how the benchmark is led: as many iterations on both sides.
    fn pilot(
        &mut self,
        first: Side,
        deadline: Instant,
    ) -> Result<Result<Slices, Fault>, HostError> {
        let order = [first, first.other()];
        let mut iterations = Slices::first().iterations;
        let mut slowest;
        loop {
            let mut timed = 0.0_f64;
            for side in order {
                match self.slice(side, iterations, 0, deadline)? {
                    Some(Ok(slice)) => timed = timed.max(slice.timed),
                    Some(Err(failure)) => return Ok(Err((side, failure))),
                    None => {}
                }
            }
            slowest = timed / iterations as f64;
            match Slices::after_trial(iterations, timed) {
                Some(more) => iterations = more,
                None => break,
            }
        }
        let iterations = Slices::shortest(slowest);
        let mut pilots = Sides { base: Pilot::default(), head: Pilot::default() };
        for _ in 0..Slices::of_pilot(slowest) {
            for side in order {
                for is_own in [false, true] {
                    let pilot = &mut pilots[side];
                    let slices = if is_own { &mut pilot.after_own } else { &mut pilot.after_other };
                    match self.slice(side, iterations, 0, deadline)? {
                        Some(Ok(slice)) => slices.push(slice),
                        Some(Err(failure)) => return Ok(Err((side, failure))),
                        None => {}
                    }
                }
            }
        }
        Ok(Ok(Slices::after(iterations, &pilots)))
    }

    /// Runs a slice of a side; `None` of one that does not take part.
    fn slice(
        &mut self,
        side: Side,
        iterations: u64,
        untimed: u64,
        deadline: Instant,
    ) -> Result<Option<Result<Slice, Failure>>, HostError> {
        let Some(process) = &mut self.processes[side] else { return Ok(None) };
        process.run(iterations, untimed, deadline).map(Some)
    }

    fn end(self) -> Result<(), HostError> {
        let Sides { base, head } = self.processes;
        [base, head].into_iter().flatten().try_for_each(|process| process.end(TO_END).map(drop))
    }
}

/// A turn without a side, which no plan has.
fn nobody() -> Fault {
    (Side::Head, Failure::new("no side takes part"))
}
