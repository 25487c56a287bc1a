//! Rounds of one side alone: for a baseline, or to be compared with one.

use benchgate_core::adapters::critcmp::{self, BaselineBenchmark};
use benchgate_core::judge::{Match, Observation, Outcome, new_ones, unmatched};
use benchgate_core::model::{BenchmarkKey, Metric, Recorded, SuiteKey};
use benchgate_core::schedule::{Goal, Plan};
use benchgate_host::measure::{Inventory, Settings, Work, measure};

use crate::building::scratch;
use crate::error::CommandError;
use crate::observe::{Bench, failure, no_time};

/// Rounds of one side, and what is to be said of the benchmarks that have none.
pub(crate) struct Recording {
    pub(crate) benchmarks: Vec<(SuiteKey, BaselineBenchmark)>,
    pub(crate) others: Vec<Observation>,
    /// Benchmarks that the time was too short for.
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
            Match::New(key) => work.push(Work::new(None, Some(key))),
            other => others.push(unmatched(other, &candidates, &Metric::TIME)),
        }
    }
    let Bench { policy, .. } = bench;
    let goals = vec![Goal::Record(policy.measure.rounds); work.len()];
    let plan = Plan::new(goals, policy.measure.pairs, bench.seed);
    let settings = Settings {
        measure: &policy.measure,
        budget: bench.budget,
        scratch: &scratch(bench.build_dir),
        journal: bench.journal,
        layouts: None,
        part: "rounds",
        progress: bench.progress,
    };
    let measured = measure(&Inventory::default(), inventory, &work, plan, &settings)?;
    let mut benchmarks = Vec::new();
    for (work, mut measured) in work.into_iter().zip(measured) {
        let Some(key) = work.head else { continue };
        if measured.measurements.is_cut {
            cut.push(key.clone());
        }
        let failed = failure(&measured);
        let rounds = measured.measurements.rounds.remove(&Metric::TIME);
        match (failed, measured.identity, rounds) {
            (None, Some(identity), Some(evidence)) => {
                let rounds = evidence.rounds.head;
                benchmarks.push((key.suite_key(), BaselineBenchmark { identity, rounds }));
            }
            // Of a custom measurement.
            (None, Some(_), None) => {
                let reason = "it measures no time, and a baseline holds times".to_owned();
                let outcome = Outcome::Skipped { reason };
                others.push(Observation { key, metric: Metric::TIME, outcome });
            }
            (failed, _, _) => {
                let outcome = failed.unwrap_or_else(no_time);
                others.push(Observation { key, metric: Metric::TIME, outcome });
            }
        }
    }
    Ok(Recording { benchmarks, others, cut })
}

/// Converts measurements to the values that would be read back from a file.
pub(crate) fn recorded(benchmarks: Vec<(SuiteKey, BaselineBenchmark)>) -> Recorded {
    let benchmarks = benchmarks
        .into_iter()
        .map(|(suite, benchmark)| {
            let key = suite.benchmark(benchmark.identity.full_id);
            (key, critcmp::recorded(benchmark.rounds))
        })
        .collect();
    Recorded { benchmarks, ..Recorded::default() }
}
