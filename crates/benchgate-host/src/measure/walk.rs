//! Walks: base and head alive at the same time, led through the benchmarks of a suite slice by slice. One walk gives one
//! pair of each benchmark that it measures. Noise that lasts longer than a slice meets both sides.

mod pair;
mod pilot;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use benchgate_core::model::{BenchmarkKey, Held, Identity, Metric, Side, Sides, SuiteKey};
use benchgate_core::schedule::{Gathered, Nuisance, Slice, Slices, Values, Waiting, fits};

use crate::HostError;
use crate::harness::{Failure, Led, Process, TO_END};
use crate::system::platform;

/// The sides that take part: both, or the only side with the benchmark.
pub(super) type Taking<T> = Sides<Option<T>>;

/// The slices of each side; none of a side that does not take part.
type Run = Sides<Vec<Slice>>;

/// What a side did wrong.
pub(super) type Fault = (Side, Failure);

/// The current walk, and how each benchmark is led.
#[derive(Default)]
pub(super) struct Walks {
    walk: Option<Walk>,
    slices: BTreeMap<BenchmarkKey, Way>,
    /// Most memory of a suite's processes so far, by the newest side's name.
    held: BTreeMap<SuiteKey, Held>,
}

/// How a benchmark is led.
#[derive(Clone)]
struct Way {
    slices: Slices,
    /// What its process gathers, and the iterations before the slices of a new one.
    gathered: Gathered,
    /// Whether one thread does all the work on both sides.
    has_one_thread: bool,
    /// Whether a side that waits uses a processor, and is stopped meanwhile.
    is_busy_waiting: bool,
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
    /// Bytes that the policy lets both sides hold; `None` for what is available.
    pub(super) memory: Option<u64>,
    pub(super) scratch: &'a Path,
}

/// The values of both sides of one benchmark.
pub(super) struct LedPair {
    pub(super) values: Taking<Values>,
    /// Means of all slices.
    pub(super) averages: Taking<f64>,
    pub(super) identity: Identity,
    /// Memory of the processes of the suite so far; zero of a side that does not take part.
    pub(super) held: Held,
}

/// Processes that are alive at the same time.
struct Walk {
    suites: Taking<SuiteKey>,
    processes: Taking<Process>,
    /// Processors that the gate may use; none if the system does not report them.
    processors: Vec<usize>,
    /// Whether sides are stopped while they wait.
    stops: bool,
    /// Whether the benchmark measures time.
    is_time: bool,
    /// Whether a side came to its end without the benchmark.
    is_past: bool,
    /// Iterations of the benchmark at which the sides wait, the most of either side.
    ran: Sides<u64>,
}

/// Why a time has no ratio.
const NO_TIME: &str = "it reports that no time passed";

/// Why a quantity that is no time has no ratio.
const NOTHING: &str = "it reports a value of 0, which cannot be compared";

impl Leading<'_> {
    /// What each side measures.
    fn metrics(&self) -> Taking<Metric> {
        Sides::new(Side::Base, Side::Head)
            .map(|side| Some(self.suites[side]?.metric(&self.keys[side]?.id)))
    }
}

impl Walks {
    /// Whether the current walk comes to a benchmark.
    pub(super) fn reaches(&self, leading: &Leading<'_>) -> bool {
        self.walk.as_ref().is_some_and(|walk| walk.reaches(leading))
    }

    /// Ends the current walk: the next benchmark is reached by a new one.
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
        let begins = !self.reaches(leading);
        if begins {
            self.end()?;
            if !self.fits(leading) {
                return self.measure_in_turn(leading, deadline);
            }
            match Walk::start(leading, deadline)? {
                Ok(walk) => self.walk = Some(walk),
                Err(fault) => return Ok(Err(fault)),
            }
        }
        let known = self.way(leading);
        let Some(walk) = &mut self.walk else { return Ok(Err(nobody())) };
        let led = walk.measure(leading, known, deadline)?;
        let Ok((pair, way)) = led else {
            let is_past = walk.is_past;
            // What is left of a walk in which a side failed is not led on.
            self.walk = None;
            // A bench that goes over a map has another order in each process: a new one comes to all of them.
            if is_past && !begins {
                return self.measure(leading);
            }
            return Ok(led.map(|(pair, _)| pair));
        };
        Ok(Ok(self.learned(leading, pair, way)))
    }

    /// Whether both sides may be alive at the same time.
    fn fits(&self, leading: &Leading<'_>) -> bool {
        if leading.keys.both().is_none() {
            return true;
        }
        let listed = leading.suites.map(|suite| suite.map_or(0, Led::peak));
        let listed = Held { peaks: listed, in_turn: false };
        let newest = leading.keys.newest().map(|key| key.suite_key());
        let known = newest.and_then(|suite| self.held.get(&suite)).copied().unwrap_or_default();
        fits(known.most(listed), leading.memory, platform::available_memory())
    }

    /// Leads one side through its slices, and the other one when the first process has ended: their times are further
    /// apart, so pairs scatter more, and a pair is still a pair.
    fn measure_in_turn(
        &mut self,
        leading: &Leading<'_>,
        deadline: Instant,
    ) -> Result<Result<LedPair, Fault>, HostError> {
        let mut known = self.way(leading);
        let mut whole: Option<LedPair> = None;
        for side in [leading.first, leading.first.other()] {
            let alone = leading.alone(side);
            let mut walk = match Walk::start(&alone, deadline)? {
                Ok(walk) => walk,
                Err(fault) => return Ok(Err(fault)),
            };
            let (pair, way) = match walk.measure(&alone, known.take(), deadline)? {
                Ok(led) => led,
                Err(fault) => return Ok(Err(fault)),
            };
            walk.end()?;
            // As many slices and iterations on both sides.
            known = Some(way);
            whole = Some(match whole {
                None => LedPair { held: Held { in_turn: true, ..pair.held }, ..pair },
                Some(first) => first.with(side, pair),
            });
        }
        let (Some(pair), Some(way)) = (whole, known) else { return Ok(Err(nobody())) };
        Ok(Ok(self.learned(leading, pair, way)))
    }

    /// How a benchmark is led, once that is known.
    fn way(&self, leading: &Leading<'_>) -> Option<Way> {
        leading.keys.newest().and_then(|key| self.slices.get(*key).cloned())
    }

    /// Keeps how a benchmark is led and what its suite's processes held.
    fn learned(&mut self, leading: &Leading<'_>, pair: LedPair, way: Way) -> LedPair {
        let Some(key) = leading.keys.newest() else { return pair };
        self.slices.insert((*key).clone(), way);
        let held = self.held.entry(key.suite_key()).or_default();
        *held = held.most(pair.held);
        LedPair { held: *held, ..pair }
    }
}

impl Leading<'_> {
    /// The same of one side only.
    fn alone(&self, side: Side) -> Self {
        let mut alone = Leading { ..*self };
        alone.keys[side.other()] = None;
        alone.suites[side.other()] = None;
        alone
    }
}

impl LedPair {
    /// Adds a side that was led after this one.
    fn with(mut self, side: Side, mut other: Self) -> Self {
        self.values[side] = other.values[side].take();
        self.averages[side] = other.averages[side];
        self.held = self.held.most(other.held);
        self
    }
}

impl Walk {
    fn start(leading: &Leading<'_>, deadline: Instant) -> Result<Result<Self, Fault>, HostError> {
        let suites = leading.keys.map(|key| key.map(BenchmarkKey::suite_key));
        let processors = platform::processors().unwrap_or_default();
        let mut walk = Self {
            suites,
            processes: Sides { base: None, head: None },
            processors,
            stops: false,
            is_time: true,
            is_past: false,
            ran: Sides::new(0, 0),
        };
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
        known: Option<Way>,
        deadline: Instant,
    ) -> Result<Result<(LedPair, Way), Fault>, HostError> {
        let identity = match self.arrive(leading, deadline)? {
            Ok(identity) => identity,
            Err(fault) => return Ok(Err(fault)),
        };
        let metrics = leading.metrics();
        self.is_time =
            metrics.iter().all(|(_, it)| it.as_ref().is_none_or(|it| *it == Metric::TIME));
        let measured = self.measure_here(leading, known, deadline);
        // What comes next may have threads.
        self.run_on(&self.processors.clone());
        let held = self.held();
        Ok(measured?.map(|(run, way)| {
            let slices = way.slices;
            let of_each = slices.values(&run);
            let values =
                metrics.zip(of_each).map(|(metric, value)| Some(Values::from([(metric?, value?)])));
            let averages = run.map(|run| slices.average(&run));
            (LedPair { values, averages, identity, held }, way)
        }))
    }

    /// Most memory of each side's process so far; zero where it is not known.
    fn held(&self) -> Held {
        let peak = |process: &Process| platform::peak_memory(process.number());
        let peaks =
            self.processes.as_ref().map(|it| it.as_ref().and_then(peak).unwrap_or_default());
        Held { peaks, in_turn: false }
    }

    /// Has both sides run on one processor, another one for each walk, if one thread does the work: two processors are
    /// rarely equally fast, and one of them may be shared with another machine.
    fn meet(&self, leading: &Leading<'_>, has_one_thread: bool) {
        let number = leading.nuisance.padding as usize;
        let one = number.checked_rem(self.processors.len()).map(|at| self.processors[at]);
        if let (Some(one), true) = (one, has_one_thread) {
            self.run_on(&[one]);
        }
    }

    /// Where the system refuses, sides run where it puts them.
    fn run_on(&self, processors: &[usize]) {
        if processors.is_empty() {
            return;
        }
        for number in self.numbers() {
            let _ = platform::run_first_thread_on(number, processors);
        }
    }

    /// The numbers of the processes.
    fn numbers(&self) -> impl Iterator<Item = u32> {
        self.processes.iter().filter_map(|(_, process)| process.as_ref().map(Process::number))
    }

    /// CPU time of the other threads of all sides; `None` if unknown.
    fn time_of_other_threads(&self) -> Option<Duration> {
        self.numbers().map(platform::time_of_other_threads).sum()
    }

    /// What changes when a process of either side starts others or waits for them; `None` where it is not known.
    fn children(&self) -> Option<u64> {
        self.numbers().map(platform::trace_of_children).sum()
    }

    /// CPU time of the threads of the side that waits while this one runs.
    fn time_of_waiting(&self, side: Side) -> Option<Duration> {
        let waiting = self.processes[side.other()].as_ref()?;
        platform::time_of_other_threads(waiting.number())
    }

    /// Adds what the side that waits did while this one ran a slice.
    fn add_waiting(
        &self,
        waiting: &mut Waiting,
        side: Side,
        before: Option<Duration>,
        slice: Slice,
    ) {
        if let Some((before, after)) = before.zip(self.time_of_waiting(side)) {
            waiting.used += after.saturating_sub(before).as_nanos() as f64;
            waiting.slices += slice.whole;
        }
        let other = self.processes[side.other()].as_ref();
        if let Some(runs) =
            other.and_then(|process| platform::another_thread_runs(process.number()))
        {
            waiting.looks += 1;
            waiting.running += u32::from(runs);
        }
    }

    /// Leads every side to the benchmark; past others, which run nothing.
    fn arrive(
        &mut self,
        leading: &Leading<'_>,
        deadline: Instant,
    ) -> Result<Result<Identity, Fault>, HostError> {
        let mut identity = None;
        for side in [Side::Base, Side::Head] {
            let (Some(key), Some(led), Some(process)) =
                (leading.keys[side], leading.suites[side], &mut self.processes[side])
            else {
                continue;
            };
            loop {
                match process.arrive(deadline)? {
                    Ok(Some(benchmark)) if benchmark.id == key.id => {
                        identity = Some(led.identity(&key.id));
                        break;
                    }
                    Ok(Some(_)) => {}
                    Ok(None) => {
                        self.is_past = true;
                        let reason = "it listed this benchmark and did not come to it again";
                        return Ok(Err((side, Failure::new(reason))));
                    }
                    Err(failure) => return Ok(Err((side, failure))),
                }
            }
        }
        Ok(identity.ok_or_else(nobody))
    }

    /// Runs a slice of each side, which may report no time.
    fn call(
        &mut self,
        order: [Side; 2],
        iterations: u64,
        untimed: u64,
        deadline: Instant,
    ) -> Result<Result<Taking<Slice>, Fault>, HostError> {
        self.each(order, |walk, side| walk.slice(side, iterations, untimed, deadline))
    }

    /// Runs one slice of each side, in this order, up to one that fails.
    fn each(
        &mut self,
        order: [Side; 2],
        mut run: impl FnMut(&mut Self, Side) -> Result<Option<Result<Slice, Failure>>, HostError>,
    ) -> Result<Result<Taking<Slice>, Fault>, HostError> {
        let mut slices = Sides { base: None, head: None };
        for side in order {
            match run(self, side)? {
                Some(Ok(slice)) => slices[side] = Some(slice),
                Some(Err(failure)) => return Ok(Err((side, failure))),
                None => {}
            }
        }
        Ok(Ok(slices))
    }

    /// Runs a slice of a side, which has a value; `None` of one that does not take part.
    fn value_of_slice(
        &mut self,
        side: Side,
        iterations: u64,
        untimed: u64,
        deadline: Instant,
    ) -> Result<Option<Result<Slice, Failure>>, HostError> {
        let ran = self.run(side, iterations, untimed, deadline)?;
        let reason = if self.is_time { NO_TIME } else { NOTHING };
        Ok(ran.map(|ran| above_zero(ran, reason)))
    }

    /// Runs a slice of a side that took time; `None` of one that does not take part.
    fn timed_slice(
        &mut self,
        side: Side,
        iterations: u64,
        untimed: u64,
        deadline: Instant,
    ) -> Result<Option<Result<Slice, Failure>>, HostError> {
        let ran = self.slice(side, iterations, untimed, deadline)?;
        Ok(ran.map(|ran| above_zero(ran, NO_TIME)))
    }

    /// Runs a slice of a side, which may report no time; `None` of one that does not take part. Of a benchmark that measures
    /// no time, all of the call counts.
    fn slice(
        &mut self,
        side: Side,
        iterations: u64,
        untimed: u64,
        deadline: Instant,
    ) -> Result<Option<Result<Slice, Failure>>, HostError> {
        let ran = self.run(side, iterations, untimed, deadline)?;
        let length = |slice: Slice| Slice { timed: slice.whole, ..slice };
        Ok(ran.map(|ran| if self.is_time { ran } else { ran.map(length) }))
    }

    /// Runs a slice of a side; `None` of one that does not take part.
    fn run(
        &mut self,
        side: Side,
        iterations: u64,
        untimed: u64,
        deadline: Instant,
    ) -> Result<Option<Result<Slice, Failure>>, HostError> {
        let is_time = self.is_time;
        self.ran[side] += iterations + untimed;
        if let Some(waiting) = self.processes[side.other()].as_mut().filter(|_| self.stops) {
            waiting.pause();
        }
        let ran = self.processes[side]
            .as_mut()
            .map(|process| process.run(iterations, untimed, is_time, deadline))
            .transpose();
        // Whatever came of it: what is stopped could not be ended.
        if let Some(waiting) = self.processes[side.other()].as_mut().filter(|_| self.stops) {
            waiting.resume();
        }
        ran
    }

    fn end(self) -> Result<(), HostError> {
        let Sides { base, head } = self.processes;
        [base, head].into_iter().flatten().try_for_each(|process| process.end(TO_END).map(drop))
    }
}

/// A slice whose value has no ratio is no measurement, for this reason.
fn above_zero(ran: Result<Slice, Failure>, reason: &str) -> Result<Slice, Failure> {
    ran.and_then(|slice| match slice.timed <= 0.0 {
        true => Err(Failure::new(reason)),
        false => Ok(slice),
    })
}

/// A turn without a side, which no plan has.
fn nobody() -> Fault {
    (Side::Head, Failure::new("no side takes part"))
}
