//! Rounds as a plan asks for them. What it sees it tells the plan; it judges nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use benchgate_core::adapters::criterion::Identity;
use benchgate_core::model::{BenchmarkKey, Finding, Metric, Side};
use benchgate_core::policy::Measure;
use benchgate_core::result::SuiteReport;
use benchgate_core::schedule::{Nuisance, Outcome, Plan, Seen, Turn};

use crate::sides::Executable;
use crate::suite::{Asked, Failure, Round, Suite};
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

/// What was measured of one benchmark.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// Its pairs, or the rounds of the only side that has it.
    pub outcome: Outcome,
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
    pub fn of<'a>(
        executables: impl IntoIterator<Item = &'a Executable>,
        measure: &Measure,
        scratch: &Path,
        progress: &dyn Progress,
    ) -> Result<Self, HostError> {
        let mut inventory = Self::default();
        for executable in executables {
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

    /// Takes over what another inventory says of these suites: they are the same executables.
    pub fn take_over(&mut self, other: &Self, is_same: impl Fn(&str, &str) -> bool) {
        let of = |key: &BenchmarkKey| is_same(&key.package, &key.suite);
        let suites = other.suites.iter().filter(|((package, suite), _)| is_same(package, suite));
        self.suites.extend(suites.map(|(key, suite)| (key.clone(), suite.clone())));
        let benchmarks = other.benchmarks.iter().filter(|(key, _)| of(key));
        self.benchmarks.extend(benchmarks.map(|(key, title)| (key.clone(), title.clone())));
        let counts = other.counts.iter().filter(|(key, _)| of(key));
        self.counts.extend(counts.map(|(key, counts)| (key.clone(), counts.clone())));
        let left_out = other.suites_left_out.iter();
        self.suites_left_out
            .extend(left_out.filter(|suite| is_same(&suite.package, &suite.suite)).cloned());
    }

    /// The keys of all its benchmarks.
    pub fn keys(&self) -> BTreeSet<BenchmarkKey> {
        self.benchmarks.keys().cloned().collect()
    }

    /// What was counted, twice, of each benchmark of the suites that count allocations.
    pub fn counts(&self) -> &BTreeMap<BenchmarkKey, BTreeMap<Metric, [f64; 2]>> {
        &self.counts
    }

    /// The suite of a benchmark and the title to ask it with; `None` when it has no value to give.
    pub fn suite_and_title(&self, key: &BenchmarkKey) -> Option<(&Suite, &str)> {
        let suite = self.suites.get(&(key.package.clone(), key.suite.clone()))?;
        let title = self.benchmarks.get(key)?.as_deref().ok()?;
        Some((suite, title))
    }

    fn round(
        &self,
        key: &BenchmarkKey,
        measure: &Measure,
        nuisance: Nuisance,
        scratch: &Path,
    ) -> Result<Result<Round, Failure>, HostError> {
        let suite = self.suites.get(&(key.package.clone(), key.suite.clone()));
        match (suite, self.benchmarks.get(key)) {
            (Some(suite), Some(Ok(title))) => suite.round(title, measure, nuisance, scratch),
            (_, Some(Err(failure))) => Ok(Err(failure.clone())),
            _ => Ok(Err(Failure { reason: "it is not there".into(), output: String::new() })),
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
    /// Who listens.
    pub progress: &'a dyn Progress,
}

/// Runs all turns of a plan over `work`; the plan was made for as many benchmarks.
///
/// # Errors
/// When interrupted, or when files of our own cannot be used.
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
    // What is left of the time when measuring begins is what is shared out.
    let started = Instant::now();
    let left = settings.budget.map(|(began, given)| {
        given.saturating_sub(started.saturating_duration_since(began)).as_secs_f64()
    });
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
        let (seen, seconds) = run_turn([base, head], item, &turn, settings, slot)?;
        plan.tell(&turn, seen, seconds);
        done += 1;
    }
    settings.progress.done();
    for (slot, outcome) in measured.iter_mut().zip(plan.into_outcomes()) {
        slot.outcome = outcome;
    }
    Ok(measured)
}

/// Both sides, or the one that there is. A pair counts whole or not at all.
fn run_turn(
    inventories: [&Inventory; 2],
    item: &Work,
    turn: &Turn,
    settings: &Settings<'_>,
    slot: &mut Measured,
) -> Result<(Seen, f64), HostError> {
    let mut values = [None, None];
    let mut slowest = 0.0_f64;
    for side in [turn.first, turn.first.other()] {
        let key = match side {
            Side::Base => &item.base,
            Side::Head => &item.head,
        };
        let Some(key) = key else { continue };
        let inventory = inventories[side as usize];
        match inventory.round(key, settings.measure, turn.nuisance, settings.scratch)? {
            Ok(round) => {
                values[side as usize] = Some(round.value);
                slowest = slowest.max(round.seconds);
                slot.identity = Some(round.identity);
            }
            Err(failure) => {
                let reason = format!("{} (round {})", failure.reason, turn.pair + 1);
                slot.failure = Some((side, Failure { reason, ..failure }));
                return Ok((Seen::Nothing, slowest));
            }
        }
    }
    let seen = match values {
        [Some(base), Some(head)] => Seen::Pair([base, head]),
        [Some(value), None] | [None, Some(value)] => Seen::Round(value),
        [None, None] => Seen::Nothing,
    };
    Ok((seen, slowest))
}
