//! Explains benchmarks of two sides that are built.

use std::time::Duration;

use benchgate_core::explain::{explain, hints};
use benchgate_core::model::{BenchmarkKey, Metric, Sides};
use benchgate_core::result::{Explanation, RunResult};
use benchgate_host::explain::{Benchmark, count, count_often, moved_lines};
use benchgate_host::sides::{BuildDir, BuiltSide};
use benchgate_host::{HostError, Progress};

use crate::session::{Prepared, scratch};

/// Flagged benchmarks that a run of the gate explains; `benchgate explain` explains the others.
const MOST_EXPLAINED: usize = 10;

/// Longest count of a benchmark that a run of the gate explains: it takes four of a long one, and a minute in all.
pub(crate) const LONGEST_OF_GATE: Duration = Duration::from_secs(15);

/// Two sides.
pub(crate) struct Explaining<'a> {
    pub(crate) sides: &'a Sides<Prepared>,
    pub(crate) build_dir: &'a BuildDir,
    /// Maximum time of one count.
    pub(crate) timeout: Duration,
}

impl Explaining<'_> {
    /// Explains what a result flags: the times that are slower, as long as it is not late.
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
        progress.phase("explaining slower benchmarks");
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
        let scratch = scratch(self.build_dir);
        let sides = self.sides.as_ref().zip(keys).try_map(|side, (prepared, key)| {
            let unavailable =
                |reason: String| Stop::Unavailable(format!("{}: {reason}", side.name()));
            let (built, benchmark) = benchmark(prepared, key)
                .ok_or_else(|| unavailable("it is not measured in rounds".to_owned()))?;
            let counts = count_often(benchmark, self.timeout, &scratch)?.map_err(unavailable)?;
            Ok::<_, Stop>((built, benchmark, counts))
        })?;
        let moved = moved_lines(sides.as_ref().map(|(built, _, counts)| (*built, &**counts)))?;
        let counts = sides.as_ref().map(|(.., counts)| &**counts);
        let mut explanation = explain(keys.head, counts, &moved);
        if explanation.is_flat {
            let simulated = sides.try_map(|_, (_, benchmark, _)| {
                count(benchmark, self.timeout, &scratch.join("simulated"), true)
            })?;
            if let Sides { base: Ok(base), head: Ok(head) } = &simulated {
                explanation.hints = hints(Sides::new(base, head));
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

/// The benchmarks whose time a result flags, those that fail first.
pub(crate) fn flagged(result: &RunResult) -> Vec<BenchmarkKey> {
    let mut rows: Vec<_> = result
        .benchmarks
        .iter()
        .filter(|row| row.metric == Metric::TIME && row.finding.level().is_some())
        .collect();
    rows.sort_by_key(|row| !row.blocking);
    rows.into_iter().map(|row| row.key()).collect()
}

fn benchmark<'a>(
    side: &'a Prepared,
    key: &'a BenchmarkKey,
) -> Option<(&'a BuiltSide, Benchmark<'a>)> {
    let built = side.built.as_ref()?;
    let suite = side.inventory.suite_of(key)?;
    Some((built, Benchmark { suite, id: &key.id, checkout: built.folder() }))
}
