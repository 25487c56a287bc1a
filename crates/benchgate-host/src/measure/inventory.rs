//! Suites and benchmarks of a side's executables.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use benchgate_core::model::{BenchmarkKey, Metric, SkipReason, SuiteKey, Twice};
use benchgate_core::policy::{HarnessName, Measure};
use benchgate_core::result::SuiteReport;

use super::named::{named, names_folders, without};
use crate::harness::{self, Failure, Opened, Request, Round, Suite, outlasting};
use crate::sides::Executable;
use crate::{HostError, Progress};

/// How long a suite takes to say what it holds before its set-up is named as the cause.
const LONG_LISTING: Duration = Duration::from_secs(2);

/// Says why a suite takes long in every process, and what its author can do.
fn long_set_up(key: &SuiteKey, elapsed: Duration, is_led: bool) -> String {
    let when = if is_led { "once for all benchmarks" } else { "before each round" };
    format!(
        "{key} took {:.0} s to list its benchmarks: what it sets up outside of them runs in every process, {when} too; \
         set it up on first use, in a `std::sync::LazyLock` that the benchmark reads",
        elapsed.as_secs_f64()
    )
}

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
        HarnessName::ALL.iter().map(|name| name.name()).collect::<Vec<_>>().join(", ")
    )
}

/// The suites, benchmarks and counts of one side's executables.
#[derive(Default)]
pub struct Inventory {
    suites: BTreeMap<SuiteKey, Arc<dyn Suite>>,
    counts: BTreeMap<BenchmarkKey, BTreeMap<Metric, Twice<f64>>>,
    /// Suites that are skipped or failed.
    pub suites_left_out: Vec<SuiteReport>,
    /// Benchmarks that have another id at each listing.
    unstable: BTreeSet<BenchmarkKey>,
}

/// Why a benchmark that has another id at each listing is skipped.
pub const UNSTABLE: &str = "its id is another one each time the suite is listed, so nothing can be compared with it: \
                            give it a fixed id";

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
            let started = Instant::now();
            let opened = harness::open(executable, measure, scratch)?;
            let elapsed = started.elapsed();
            if elapsed > LONG_LISTING
                && let Opened::Sampled(suite) = &opened
            {
                progress.notice(&long_set_up(key, elapsed, suite.led().is_some()));
            }
            match opened {
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
                    let ids = counts.keys().map(|id| without(id, &executable.own_folders));
                    let shown: BTreeSet<String> = ids.collect();
                    let is_unique = shown.len() == counts.len();
                    let name = |id: String| {
                        if is_unique { without(&id, &executable.own_folders) } else { id }
                    };
                    let of_suite =
                        counts.into_iter().map(|(id, twice)| (key.benchmark(name(id)), twice));
                    inventory.counts.extend(of_suite);
                }
                // The ids of a led suite are the process's own: it is measured in another way.
                Opened::Sampled(suite) if suite.led().is_some() && names_folders(&*suite) => {
                    let reason = "its ids hold the path of its checkout".to_owned();
                    let failed = SuiteReport::failed(key.clone(), reason, String::new());
                    inventory.suites_left_out.push(failed);
                }
                Opened::Sampled(suite) => {
                    inventory.suites.insert(key.clone(), named(suite));
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

    /// Lists those suites again that have benchmarks which the other side lacks, where that side has others: an id that is
    /// not listed again holds the time of day, a random number or an address.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub fn find_unstable(
        &mut self,
        other: &Self,
        measure: &Measure,
        scratch: &Path,
    ) -> Result<(), HostError> {
        for (key, suite) in &self.suites {
            let Some(of_other) = other.suites.get(key) else { continue };
            let (own, theirs) = (suite.benchmarks(), of_other.benchmarks());
            let alone: Vec<&String> = own.keys().filter(|id| !theirs.contains_key(*id)).collect();
            if alone.is_empty() || theirs.keys().all(|id| own.contains_key(id)) {
                continue;
            }
            let Opened::Sampled(again) = harness::open(suite.executable(), measure, scratch)?
            else {
                continue;
            };
            let again = named(again);
            let again = again.benchmarks();
            let gone: Vec<&String> =
                alone.into_iter().filter(|id| !again.contains_key(*id)).collect();
            // One that is gone, and no other in its place, was there once: that is no new name.
            let fresh =
                again.keys().filter(|id| !own.contains_key(*id) && !theirs.contains_key(*id));
            if fresh.count() >= gone.len() {
                self.unstable.extend(gone.into_iter().map(|id| key.benchmark(&**id)));
            }
        }
        Ok(())
    }

    /// Whether a benchmark has another id at each listing.
    pub fn is_unstable(&self, key: &BenchmarkKey) -> bool {
        self.unstable.contains(key)
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

    /// Inventories of the suites that give times.
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

    /// The place of a benchmark in the order of its executable; `None` if it is not led.
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
