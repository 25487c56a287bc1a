//! Explains benchmarks of two sides that are built.

use std::collections::BTreeSet;
use std::time::Duration;

use benchgate_core::explain::{Counted, allocations, explain, hints};
use benchgate_core::model::{BenchmarkKey, Metric, Side, Sides};
use benchgate_core::result::{Explanation, RunResult};
use benchgate_host::evidence::explain::{Benchmark, count, count_often, moved_lines};
use benchgate_host::evidence::heap::{Counting, profile_twice};
use benchgate_host::measure::Inventory;
use benchgate_host::sides::{BuildDir, BuiltSide};
use benchgate_host::{Availability, HostError, Progress};

use crate::building::{Prepared, scratch};

/// Flagged benchmarks that a run of the gate explains; `benchgate explain` explains the others.
const MOST_EXPLAINED: usize = 10;

/// Longest count of a benchmark that a run of the gate explains: it takes four of a long one, and a minute in all.
pub(crate) const LONGEST_OF_GATE: Duration = Duration::from_secs(15);

/// Metrics that allocation sites explain.
const ALLOCATED: [Metric; 2] = [Metric::ALLOC_BLOCKS, Metric::ALLOC_BYTES];

/// Two sides.
pub(crate) struct Explaining<'a> {
    pub(crate) sides: &'a Sides<Prepared>,
    pub(crate) build_dir: &'a BuildDir,
    /// Maximum time of one count.
    pub(crate) timeout: Duration,
}

impl Explaining<'_> {
    /// Explains what a result flags: more time, and more allocations, as long as it is not late.
    pub(crate) fn flagged(
        &self,
        result: &RunResult,
        is_late: &dyn Fn() -> bool,
        progress: &dyn Progress,
    ) -> Result<Vec<Explanation>, HostError> {
        let keys = flagged(result);
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        progress.phase("explaining what is flagged");
        let mut explanations = Vec::new();
        for key in keys.into_iter().take(MOST_EXPLAINED) {
            if is_late() {
                break;
            }
            // A benchmark that was renamed is rare, and explained by its command.
            match self.explain(Sides::new(&key, &key)) {
                Err(HostError::Interrupted) => break,
                explanation => explanations.push(explanation?),
            }
        }
        progress.done();
        Ok(explanations)
    }

    /// Explains one benchmark.
    pub(crate) fn explain(&self, keys: Sides<&BenchmarkKey>) -> Result<Explanation, HostError> {
        match self.attempt(keys) {
            Ok(explanation) => Ok(explanation),
            Err(Stop::Unavailable(reason)) => Ok(Explanation::unavailable(keys.head, reason)),
            Err(Stop::Host(error)) => Err(error),
        }
    }

    fn attempt(&self, keys: Sides<&BenchmarkKey>) -> Result<Explanation, Stop> {
        let counting = self.sides.as_ref().zip(keys).map(|(prepared, key)| counting(prepared, key));
        match counting.both() {
            Some(counting) => self.sites(keys.head, counting),
            None => self.functions(keys),
        }
    }

    /// Where the difference of its allocations sits.
    fn sites(
        &self,
        key: &BenchmarkKey,
        sides: Sides<(&BuiltSide, Counting<'_>, Option<f64>)>,
    ) -> Result<Explanation, Stop> {
        let scratch = scratch(self.build_dir);
        let counted = sides.as_ref().map(|(.., counted)| *counted).both();
        let sides = sides.try_map(|side, (built, counting, _)| {
            let profiles = profile_twice(counting, self.timeout, &scratch)?;
            let profiles = profiles.into_result().map_err(|reason| unavailable(side, &reason))?;
            Ok::<_, Stop>((built, profiles))
        })?;
        let moved = moved_lines(sides.as_ref().map(|(built, profiles)| {
            let allocations = profiles.first.iter().chain(&profiles.second);
            let stacks = allocations.flat_map(|allocation| &allocation.stack);
            (*built, stacks)
        }))?;
        Ok(allocations(key, sides.as_ref().map(|(_, profiles)| profiles), counted, &moved))
    }

    /// Where the difference of its instructions sits.
    fn functions(&self, keys: Sides<&BenchmarkKey>) -> Result<Explanation, Stop> {
        let scratch = scratch(self.build_dir);
        let sides = self.sides.as_ref().zip(keys).try_map(|side, (prepared, key)| {
            let (built, benchmark) = benchmark(prepared, key)
                .ok_or_else(|| unavailable(side, "it is not measured in rounds"))?;
            let counts = count_often(benchmark, self.timeout, &scratch)?;
            let counts = counts.into_result().map_err(|reason| unavailable(side, &reason))?;
            Ok::<_, Stop>((built, benchmark, counts))
        })?;
        let moved = moved_lines(sides.as_ref().map(|(built, _, counts)| {
            (*built, counts.iter().flat_map(|count: &Counted| count.chains.values().flatten()))
        }))?;
        let counts = sides.as_ref().map(|(.., counts)| &**counts);
        let mut explanation = explain(keys.head, counts, &moved);
        if explanation.is_flat {
            let simulated = sides.try_map(|_, (_, benchmark, _)| {
                count(benchmark, self.timeout, &scratch.join("simulated"), true)
            })?;
            if let Some(simulated) = simulated.map(Availability::available).both() {
                explanation.hints = hints(simulated.as_ref());
            }
        }
        Ok(explanation)
    }
}

/// Why there is no explanation.
enum Stop {
    /// The benchmark has none: the reason.
    Unavailable(String),
    Host(HostError),
}

impl From<HostError> for Stop {
    fn from(error: HostError) -> Self {
        Self::Host(error)
    }
}

fn unavailable(side: Side, reason: &str) -> Stop {
    Stop::Unavailable(format!("{}: {reason}", side.name()))
}

/// The benchmarks whose time or allocations a result flags, those that fail first.
pub(crate) fn flagged(result: &RunResult) -> Vec<BenchmarkKey> {
    let mut rows: Vec<_> = result
        .benchmarks
        .iter()
        .filter(|row| row.metric.is_explained() && row.finding.level().is_some())
        .collect();
    rows.sort_by_key(|row| !row.blocking);
    let mut keys: Vec<BenchmarkKey> = Vec::new();
    for key in rows.into_iter().map(|row| row.key()) {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
}

/// The benchmarks of one side that can be explained: those that are measured in rounds, and those whose allocations
/// are counted.
pub(crate) fn explainable(inventory: &Inventory) -> BTreeSet<BenchmarkKey> {
    let counted = inventory.counts().iter();
    let counted = counted.filter(|(_, counts)| counts.keys().any(|it| ALLOCATED.contains(it)));
    let mut keys = inventory.keys();
    keys.extend(counted.map(|(key, _)| key.clone()));
    keys
}

fn benchmark<'a>(
    side: &'a Prepared,
    key: &'a BenchmarkKey,
) -> Option<(&'a BuiltSide, Benchmark<'a>)> {
    let built = side.built.as_ref()?;
    let suite = side.inventory.suite_of(key)?;
    Some((built, Benchmark { suite, id: &key.id, checkout: built.folder() }))
}

/// Returns the side and the executable of a benchmark whose allocations are counted, and the number of blocks.
fn counting<'a>(
    side: &'a Prepared,
    key: &'a BenchmarkKey,
) -> Option<(&'a BuiltSide, Counting<'a>, Option<f64>)> {
    let built = side.built.as_ref()?;
    let counts = side.inventory.counts().get(key)?;
    let blocks = counts.get(&Metric::ALLOC_BLOCKS).map(|twice| twice.first);
    let executable = built.executables.iter().find(|it| key.is_of(&it.key))?;
    Some((built, Counting { executable, id: &key.id, checkout: built.folder() }, blocks))
}
