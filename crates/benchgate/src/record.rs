//! Rounds of one side alone: for a baseline, or to be held against one.

use benchgate_core::adapters::critcmp::{self, BaselineBenchmark};
use benchgate_core::judge::{Match, Observed, new_ones, unmatched};
use benchgate_core::model::{BenchmarkKey, Metric, Recorded};
use benchgate_core::schedule::{Goal, Plan};
use benchgate_host::measure::{Inventory, Settings, Work, measure};

use crate::error::CommandError;
use crate::observe::{Bench, failure, no_time};
use crate::session::scratch;

/// Rounds of one side, and what is to be said of the benchmarks that have none.
pub(crate) struct Recording {
    /// By package and suite.
    pub(crate) benchmarks: Vec<(String, String, BaselineBenchmark)>,
    pub(crate) others: Vec<Observed>,
    /// Those that the time was too short for.
    pub(crate) cut: Vec<BenchmarkKey>,
}

/// Measures everything that one side has.
pub(crate) fn record(
    inventory: &Inventory,
    matches: Vec<Match>,
    bench: &Bench<'_>,
) -> Result<Recording, CommandError> {
    let candidates = new_ones(&matches);
    let (mut work, mut others, mut cut) = (Vec::new(), Vec::new(), Vec::new());
    for matched in matches {
        match matched {
            Match::New(key) => work.push(Work { base: None, head: Some(key) }),
            other => others.push(unmatched(other, &candidates)),
        }
    }
    let Bench { policy, .. } = bench;
    let goals = vec![Goal::Record(policy.measure.rounds); work.len()];
    let plan = Plan::new(goals, policy.measure.pairs, bench.seed);
    let settings = Settings {
        measure: &policy.measure,
        budget: bench.budget,
        scratch: &scratch(bench.workshop),
        progress: bench.progress,
    };
    let measured = measure(&Inventory::default(), inventory, &work, plan, &settings)?;
    let mut benchmarks = Vec::new();
    for (work, measured) in work.into_iter().zip(measured) {
        let Some(key) = work.head else { continue };
        if measured.outcome.is_cut {
            cut.push(key.clone());
        }
        match (failure(&measured), measured.identity) {
            (None, Some(identity)) => {
                let benchmark = BaselineBenchmark { identity, rounds: measured.outcome.rounds };
                benchmarks.push((key.package, key.suite, benchmark));
            }
            (failed, _) => {
                let outcome = failed.unwrap_or_else(no_time);
                others.push(Observed { key, metric: Metric::Time, outcome });
            }
        }
    }
    Ok(Recording { benchmarks, others, cut })
}

/// What was measured, as it would be read back from a file.
pub(crate) fn recorded(benchmarks: Vec<(String, String, BaselineBenchmark)>) -> Recorded {
    let benchmarks = benchmarks
        .into_iter()
        .map(|(package, suite, benchmark)| {
            let key = BenchmarkKey::new(package, suite, benchmark.identity.full_id);
            (key, critcmp::recorded(benchmark.rounds))
        })
        .collect();
    Recorded { benchmarks, ..Recorded::default() }
}
