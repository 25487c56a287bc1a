//! Rounds as a plan asks for them. What it reads it gives to the plan; it judges nothing.

mod forecast;
mod turn;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use benchgate_core::adapters::criterion::Identity;
use benchgate_core::model::{
    BenchmarkKey, Finding, Metric, Pace, Side, Sides, SkipReason, SuiteKey, Twice,
};
use benchgate_core::policy::Measure;
use benchgate_core::result::SuiteReport;
use benchgate_core::schedule::{Measurements, Plan};

use self::forecast::Forecast;
use self::turn::Running;
use crate::harness::{self, Failure, Opened, Request, Round, Suite};
use crate::journal::Journal;
use crate::sides::Executable;
use crate::{HostError, Progress};

/// What one side's executables hold.
#[derive(Default)]
pub struct Inventory {
    suites: BTreeMap<SuiteKey, Arc<dyn Suite>>,
    counts: BTreeMap<BenchmarkKey, BTreeMap<Metric, Twice<f64>>>,
    /// Suites that are left out or failed.
    pub suites_left_out: Vec<SuiteReport>,
}

/// What was measured of one benchmark.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// Its pairs, or the rounds of the only side that has it.
    pub measurements: Measurements,
    /// Which benchmark it is, as baselines name it.
    pub identity: Option<Identity>,
    /// The side and the reason, when it gave no value.
    pub failure: Option<(Side, Failure)>,
    /// The metrics of the first round of each side.
    metrics: Sides<Vec<Metric>>,
    /// What sets how long its rounds take, once its first round told.
    pace: Option<Pace>,
}

/// One benchmark to measure, by its key on each side that takes part.
pub type Work = Sides<Option<BenchmarkKey>>;

impl Inventory {
    /// Asks every executable of a side.
    ///
    /// # Errors
    /// When interrupted, or when an executable cannot be started.
    pub fn of<'a>(
        executables: impl IntoIterator<Item = &'a Executable>,
        measure: &Measure,
        scratch: &Path,
        progress: &dyn Progress,
    ) -> Result<Self, HostError> {
        let mut inventory = Self::default();
        for executable in executables {
            let key = &executable.key;
            progress.line(&format!("asking {key} what it holds"));
            match harness::open(executable, measure, scratch)? {
                Opened::Other => {
                    let known: Vec<_> = harness::names().collect();
                    let reason = format!(
                        "it speaks none of the harnesses that benchgate knows ({})",
                        known.join(", ")
                    );
                    let skip = Some(SkipReason::UnknownHarness);
                    inventory.leave_out(key, Finding::Skipped, skip, Failure::new(reason));
                }
                Opened::Failed(failure) => {
                    inventory.leave_out(key, Finding::Failed, None, failure);
                }
                Opened::Counted(counts) => {
                    let of_suite = counts.into_iter().map(|(id, twice)| (key.benchmark(id), twice));
                    inventory.counts.extend(of_suite);
                }
                Opened::Sampled(suite) => {
                    inventory.suites.insert(key.clone(), suite);
                }
            }
        }
        Ok(inventory)
    }

    fn leave_out(
        &mut self,
        key: &SuiteKey,
        finding: Finding,
        skip: Option<SkipReason>,
        failure: Failure,
    ) {
        self.suites_left_out.push(SuiteReport {
            package: key.package.clone(),
            suite: key.suite.clone(),
            finding,
            skip,
            reason: failure.reason,
            output: failure.output,
        });
    }

    /// Takes over what another inventory says of these suites: they are the same executables.
    pub fn take_over(&mut self, other: &Self, is_same: impl Fn(&SuiteKey) -> bool) {
        let suites = other.suites.iter().filter(|(key, _)| is_same(key));
        self.suites.extend(suites.map(|(key, suite)| (key.clone(), Arc::clone(suite))));
        let counts = other.counts.iter().filter(|(key, _)| is_same(&key.suite_key()));
        self.counts.extend(counts.map(|(key, counts)| (key.clone(), counts.clone())));
        let left_out = other.suites_left_out.iter().filter(|suite| is_same(&suite.key()));
        self.suites_left_out.extend(left_out.cloned());
    }

    /// The keys of all its benchmarks that are measured in rounds.
    pub fn keys(&self) -> BTreeSet<BenchmarkKey> {
        let of_suite = |(key, suite): (&SuiteKey, &Arc<dyn Suite>)| {
            suite.benchmarks().keys().map(|id| key.benchmark(&**id)).collect::<Vec<_>>()
        };
        self.suites.iter().flat_map(of_suite).collect()
    }

    /// Those of the suites that give times.
    pub fn timed_keys(&self) -> BTreeSet<BenchmarkKey> {
        let mut keys = self.keys();
        keys.retain(|key| self.metric_of(&key.suite_key()) == Some(Metric::TIME));
        keys
    }

    /// What was counted, twice, of each benchmark of the suites that count.
    pub fn counts(&self) -> &BTreeMap<BenchmarkKey, BTreeMap<Metric, Twice<f64>>> {
        &self.counts
    }

    /// The metric under which a benchmark of a suite is named when it has no value.
    pub fn metric_of(&self, suite: &SuiteKey) -> Option<Metric> {
        if let Some(suite) = self.suites.get(suite) {
            return suite.metrics().first().cloned();
        }
        let (_, counts) = self.counts.iter().find(|(key, _)| key.is_of(suite))?;
        counts.keys().next().cloned()
    }

    /// The suite of a benchmark; `None` when the benchmark has no value to give.
    pub fn suite_of(&self, key: &BenchmarkKey) -> Option<&dyn Suite> {
        let suite = self.suites.get(&key.suite_key())?;
        suite.benchmarks().get(&key.id)?.as_ref().ok()?;
        Some(&**suite)
    }

    fn round(
        &self,
        key: &BenchmarkKey,
        request: &Request<'_>,
    ) -> Result<Result<Round, Failure>, HostError> {
        let missing = || Ok(Err(Failure::new("it is not there")));
        let Some(suite) = self.suites.get(&key.suite_key()) else { return missing() };
        match suite.benchmarks().get(&key.id) {
            Some(Ok(())) => {
                let nuisance = suite.draws().of(request.nuisance);
                suite.round(&key.id, &Request { nuisance, ..*request })
            }
            Some(Err(failure)) => Ok(Err(failure.clone())),
            None => missing(),
        }
    }
}

/// How rounds are run.
pub struct Settings<'a> {
    /// Criterion's settings.
    pub measure: &'a Measure,
    /// When the time given began, and how long it is.
    pub budget: Option<(Instant, Duration)>,
    /// Where Criterion homes are.
    pub scratch: &'a Path,
    /// Where turns are kept while the run goes on.
    pub journal: Option<&'a Journal>,
    /// The part of the run, as the journal names it.
    pub part: &'a str,
    /// Who listens.
    pub progress: &'a dyn Progress,
}

/// Runs all turns of a plan over `work`; the plan was made for as many benchmarks.
///
/// # Errors
/// When files of our own cannot be used. A run that was interrupted ends with what it has by then.
pub fn measure(
    base: &Inventory,
    head: &Inventory,
    work: &[Work],
    mut plan: Plan,
    settings: &Settings<'_>,
) -> Result<Vec<Measured>, HostError> {
    let mut measured = vec![Measured::default(); work.len()];
    settings.progress.phase("measuring");
    let mut done = 0;
    let mut forecast = Forecast::new(work.len());
    // What is left of the time when measuring begins is what is shared out.
    let started = Instant::now();
    let left = settings.budget.map(|(began, given)| {
        given.saturating_sub(started.saturating_duration_since(began)).as_secs_f64()
    });
    let inventories = Sides::new(base, head);
    loop {
        if let Some(left) = left {
            let share = started.elapsed().as_secs_f64() / left;
            plan.spend(if left > 0.0 { share } else { f64::INFINITY });
        }
        let Some(turn) = plan.next_turn() else { break };
        let item = &work[turn.benchmark];
        if let Some(key) = item.head.as_ref().or(item.base.as_ref()) {
            settings.progress.turn(done, done + plan.remaining(), key);
        }
        let slot = &mut measured[turn.benchmark];
        let (reading, seconds) =
            match (Running { inventories, item, turn: &turn, settings }).run(slot) {
                // What there is, is kept: the caller sees that the run was interrupted.
                Err(HostError::Interrupted) => {
                    plan.spend(f64::INFINITY);
                    break;
                }
                ran => ran?,
            };
        plan.record(&turn, reading, seconds);
        done += 1;
        let lines = forecast.after(&turn, item, slot.pace, seconds, plan.remaining());
        lines.iter().for_each(|line| settings.progress.line(line));
    }
    settings.progress.done();
    for (slot, measurements) in measured.iter_mut().zip(plan.into_measurements()) {
        slot.measurements = measurements;
    }
    Ok(measured)
}
