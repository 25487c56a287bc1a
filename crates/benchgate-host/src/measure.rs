//! Rounds over a schedule. What it sees it hands on; it judges nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use benchgate_core::adapters::criterion::Identity;
use benchgate_core::model::{BenchmarkKey, Finding, Metric, Side};
use benchgate_core::policy::Measure;
use benchgate_core::result::SuiteReport;
use benchgate_core::schedule::Schedule;

use crate::sides::BuiltSide;
use crate::suite::{Asked, Failure, Suite};
use crate::{HostError, Progress};

/// What one side's executables hold.
#[derive(Default)]
pub struct Inventory {
    suites: BTreeMap<(String, String), Suite>,
    benchmarks: BTreeMap<BenchmarkKey, Result<String, Failure>>,
    counts: BTreeMap<BenchmarkKey, BTreeMap<Metric, [f64; 2]>>,
    /// Suites that are left out or failed.
    pub suites_left_out: Vec<SuiteReport>,
}

/// The rounds of one benchmark.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// Values of the base, where it was measured.
    pub base: Vec<f64>,
    /// Values of the head; with both sides, equal indices belong together.
    pub head: Vec<f64>,
    /// What Criterion says it is.
    pub identity: Option<Identity>,
    /// The side and the reason, when it gave no value.
    pub failure: Option<(Side, Failure)>,
}

/// One benchmark to measure, by its key on each side that takes part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Work {
    /// Key on the base.
    pub base: Option<BenchmarkKey>,
    /// Key on the head.
    pub head: Option<BenchmarkKey>,
}

impl Inventory {
    /// Asks every executable of a side.
    ///
    /// # Errors
    /// When interrupted, or when an executable cannot be started.
    pub fn of(
        side: &BuiltSide,
        measure: &Measure,
        scratch: &Path,
        progress: &dyn Progress,
    ) -> Result<Self, HostError> {
        let mut inventory = Self { suites_left_out: side.left_out.clone(), ..Self::default() };
        for executable in &side.executables {
            let (package, suite) = (executable.package.clone(), executable.suite.clone());
            progress.line(&format!("asking {package}.{suite} what it holds"));
            let mut leave_out = |finding, failure: Failure| {
                inventory.suites_left_out.push(SuiteReport {
                    package: package.clone(),
                    suite: suite.clone(),
                    finding,
                    reason: failure.reason,
                    output: failure.output,
                });
            };
            match Suite::ask(executable.clone(), measure, scratch)? {
                Asked::Other(reason) => {
                    leave_out(Finding::Skipped, Failure { reason, output: String::new() });
                }
                Asked::Failed(failure) => leave_out(Finding::Failed, failure),
                Asked::Allocations([first, second]) => {
                    for ((id, first), second) in first.into_iter().zip(second.into_values()) {
                        let twice = first
                            .into_iter()
                            .zip(second.into_values())
                            .map(|((metric, first), second)| (metric, [first, second]))
                            .collect();
                        inventory.counts.insert(BenchmarkKey::new(&package, &suite, id), twice);
                    }
                }
                Asked::Criterion(asked) => {
                    for (id, title) in asked.benchmarks(measure, scratch)? {
                        let key = BenchmarkKey::new(&package, &suite, id);
                        inventory.benchmarks.insert(key, title);
                    }
                    inventory.suites.insert((package, suite), asked);
                }
            }
        }
        Ok(inventory)
    }

    /// The keys of all its benchmarks.
    pub fn keys(&self) -> BTreeSet<BenchmarkKey> {
        self.benchmarks.keys().cloned().collect()
    }

    /// What was counted, twice, of each benchmark of the suites that count allocations.
    pub fn counts(&self) -> &BTreeMap<BenchmarkKey, BTreeMap<Metric, [f64; 2]>> {
        &self.counts
    }

    fn round(
        &self,
        key: &BenchmarkKey,
        measure: &Measure,
        scratch: &Path,
    ) -> Result<Result<crate::suite::Round, Failure>, HostError> {
        let suite = self.suites.get(&(key.package.clone(), key.suite.clone()));
        match (suite, self.benchmarks.get(key)) {
            (Some(suite), Some(Ok(title))) => suite.round(title, measure, scratch),
            (_, Some(Err(failure))) => Ok(Err(failure.clone())),
            _ => Ok(Err(Failure { reason: "it is not there".into(), output: String::new() })),
        }
    }
}

/// Runs all turns of a schedule over `work`; the schedule was made for as many benchmarks.
///
/// # Errors
/// When interrupted, or when files of our own cannot be used.
pub fn measure(
    base: &Inventory,
    head: &Inventory,
    work: &[Work],
    mut schedule: Schedule,
    settings: &Measure,
    scratch: &Path,
    progress: &dyn Progress,
) -> Result<Vec<Measured>, HostError> {
    let mut measured = vec![Measured::default(); work.len()];
    progress.phase("measuring");
    let mut done = 0;
    while let Some(turn) = schedule.next_turn() {
        let item = &work[turn.benchmark];
        let slot = &mut measured[turn.benchmark];
        if let Some(key) = item.head.as_ref().or(item.base.as_ref()) {
            progress.turn(done, done + 1 + schedule.remaining(), key);
        }
        let mut pair = [None, None];
        for side in [turn.first, turn.first.other()] {
            let (inventory, key) = match side {
                Side::Base => (base, &item.base),
                Side::Head => (head, &item.head),
            };
            let Some(key) = key else { continue };
            match inventory.round(key, settings, scratch)? {
                Ok(round) => {
                    pair[side as usize] = Some(round.value);
                    slot.identity = Some(round.identity);
                }
                Err(failure) => {
                    let reason = format!("{} (round {})", failure.reason, turn.pair + 1);
                    slot.failure = Some((side, Failure { reason, ..failure }));
                    schedule.retire(turn.benchmark);
                    break;
                }
            }
        }
        // A pair counts whole or not at all.
        if slot.failure.is_none() {
            slot.base.extend(pair[Side::Base as usize]);
            slot.head.extend(pair[Side::Head as usize]);
        }
        done += 1;
    }
    progress.done();
    Ok(measured)
}
