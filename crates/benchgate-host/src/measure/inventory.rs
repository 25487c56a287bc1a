//! Suites and benchmarks of a side's executables.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use benchgate_core::model::{BenchmarkKey, Metric, SkipReason, SuiteKey, Twice};
use benchgate_core::policy::{HarnessName, Measure};
use benchgate_core::result::SuiteReport;

use crate::harness::{self, Failure, Opened, Request, Round, Suite, outlasting};
use crate::sides::Executable;
use crate::{HostError, Progress};

/// Why a suite without benchmarks is not measured.
const EMPTY: &str =
    "it registers no benchmark on this machine: `cargo bench` measures nothing of it either";

/// Why a suite of Criterion that does not read its arguments is not measured, and what its author can do.
const UNASKED: &str = "it measures whatever it is asked, because its `main` does not read its arguments: write \
                       `Criterion::default().configure_from_args()` there, or use `criterion_main!`";

/// Why a suite of no harness is not measured, and what its author can do.
fn other() -> String {
    format!(
        "it speaks none of the harnesses that benchgate knows ({}); a `[[suite]]` of benchgate.toml with \
         `harness = \"command\"` measures a whole process of it",
        HarnessName::ALL.map(HarnessName::name).join(", ")
    )
}

/// The suites, benchmarks and counts of one side's executables.
#[derive(Default)]
pub struct Inventory {
    suites: BTreeMap<SuiteKey, Arc<dyn Suite>>,
    counts: BTreeMap<BenchmarkKey, BTreeMap<Metric, Twice<f64>>>,
    /// Suites that are left out or failed.
    pub suites_left_out: Vec<SuiteReport>,
}

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
                Opened::Other => inventory.skip(key, SkipReason::UnknownHarness, other()),
                Opened::Unasked => {
                    inventory.skip(key, SkipReason::UnknownHarness, UNASKED.to_owned());
                }
                Opened::Empty => inventory.skip(key, SkipReason::NoBenchmarks, EMPTY.to_owned()),
                Opened::Failed(failure) => {
                    let Failure { reason, output, .. } = failure;
                    let failed = SuiteReport::failed(key.clone(), reason, output);
                    inventory.suites_left_out.push(failed);
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

    fn skip(&mut self, key: &SuiteKey, why: SkipReason, reason: String) {
        self.suites_left_out.push(SuiteReport::skipped(key.clone(), why, reason));
    }

    /// Whether it has a suite whose benchmarks are measured or counted.
    pub fn has(&self, key: &SuiteKey) -> bool {
        self.suites.contains_key(key) || self.counts.keys().any(|counted| counted.is_of(key))
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

    /// Returns the counts of each benchmark of the suites that count, two of each metric.
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

    /// The place of a benchmark in the order of its executable; `None` of one that is not led.
    pub fn position(&self, key: &BenchmarkKey) -> Option<u64> {
        self.suite_of(key)?.led()?.position(&key.id)
    }

    /// Measures one benchmark in one process.
    pub(crate) fn round(
        &self,
        key: &BenchmarkKey,
        request: &Request<'_>,
    ) -> Result<Result<Round, Failure>, HostError> {
        let missing = || Ok(Err(Failure::new("it is not there")));
        let Some(suite) = self.suites.get(&key.suite_key()) else { return missing() };
        match suite.benchmarks().get(&key.id) {
            Some(Ok(())) => {
                let nuisance = suite.draws().of(request.nuisance);
                let round = suite.round(&key.id, &Request { nuisance, ..*request })?;
                Ok(round.and_then(|round| match impossible(&round) {
                    Some(reason) => Err(Failure::new(reason)),
                    None => Ok(round),
                }))
            }
            Some(Err(failure)) => Ok(Err(failure.clone())),
            None => missing(),
        }
    }
}

/// Why a time of a round cannot have passed in its process.
fn impossible(round: &Round) -> Option<String> {
    let times = round.values.iter().filter(|(metric, _)| metric.is_duration());
    times.filter_map(|(_, ns)| outlasting(*ns, round.seconds)).next()
}
