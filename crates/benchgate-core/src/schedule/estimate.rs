//! How long a run will probably take, from the result of the last one.

use std::collections::BTreeMap;

use crate::model::{BenchmarkKey, Evidence, Rounds, SuiteKey};
use crate::result::RunResult;
use crate::shards::Load;

/// The probable wall time of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Seconds for building both sides.
    pub build: f64,
    /// Seconds for measuring; `None` where the last run measured nothing that would be measured now.
    pub measure: Option<f64>,
    /// Benchmarks of the last run that would be measured, of all suites together.
    pub benchmarks: usize,
    /// The benchmarks that the last run did not measure, such as those of identical suites.
    pub unmeasured: usize,
}

/// Estimates a run that measures the benchmarks that are `wanted`: each takes as many rounds as in the last
/// run, and a round as long as its rounds did on average.
pub fn estimate(last: &RunResult, wanted: impl Fn(&BenchmarkKey) -> bool) -> Estimate {
    // One round gives values of several metrics.
    let mut rounds: BTreeMap<BenchmarkKey, usize> = BTreeMap::new();
    for report in &last.benchmarks {
        let of_metric = if report.metric.is_count() { 0 } else { launches(&report.evidence) };
        let most = rounds.entry(report.key()).or_default();
        *most = of_metric.max(*most);
    }
    let all: usize = rounds.values().sum();
    rounds.retain(|key, _| wanted(key));
    let wanted: usize = rounds.values().sum();
    let measure = (wanted > 0).then(|| last.seconds.measure * wanted as f64 / all as f64);
    let unmeasured = rounds.values().filter(|launches| **launches == 0).count();
    Estimate { build: last.seconds.build, measure, benchmarks: rounds.len(), unmeasured }
}

/// Returns the time of each suite that a run measured, for [`share_out`](crate::shards::share_out): each has as
/// large a share of building as the others, and each benchmark of measuring as of the rounds.
pub fn loads(last: &RunResult) -> Vec<Load> {
    let mut suites: BTreeMap<SuiteKey, BTreeMap<String, usize>> = BTreeMap::new();
    for report in &last.benchmarks {
        let benchmarks = suites.entry(report.key().suite_key()).or_default();
        // One round gives values of several metrics.
        let most = benchmarks.entry(report.id.clone()).or_default();
        *most = launches(&report.evidence).max(*most);
    }
    let rounds: usize = suites.values().flat_map(BTreeMap::values).sum();
    let is_measured = |benchmarks: &BTreeMap<String, usize>| benchmarks.values().any(|it| *it > 0);
    let measured = suites.values().filter(|suite| is_measured(suite)).count();
    let building = last.seconds.build / measured as f64;
    let measuring = |launches: usize| last.seconds.measure * launches as f64 / rounds as f64;
    suites
        .into_iter()
        .map(|(key, benchmarks)| match is_measured(&benchmarks) {
            false => Load::of_benchmarks(key, benchmarks.into_keys().collect()),
            true => {
                let seconds = |(id, launches)| (id, measuring(launches));
                Load { key, building, benchmarks: benchmarks.into_iter().map(seconds).collect() }
            }
        })
        .collect()
}

fn launches(evidence: &Evidence) -> usize {
    let of = |rounds: &Rounds| rounds.base.len() + rounds.head.len();
    of(&evidence.rounds) + of(&evidence.confirmation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;

    #[test]
    fn a_run_takes_the_time_of_the_rounds_that_it_repeats() {
        // 15 pairs each, and 30 confirmation pairs of the first: 180 rounds.
        let mut last = samples::many(4, 1);
        last.seconds.build = 60.0;
        last.seconds.measure = 180.0;
        let all = estimate(&last, |_| true);
        assert_eq!((all.build, all.measure), (60.0, Some(180.0)));
        assert_eq!((all.benchmarks, all.unmeasured), (4, 0));
        let slow = &last.benchmarks[0].id;
        let faster = estimate(&last, |key| key.id != *slow);
        assert_eq!((faster.measure, faster.benchmarks), (Some(90.0), 3));
    }

    #[test]
    fn a_suite_takes_its_share_of_the_rounds_and_of_building() {
        let mut last = samples::many(4, 1);
        last.seconds.build = 60.0;
        last.seconds.measure = 180.0;
        let suites = ["slow", "fast", "fast", "idle"];
        for (report, suite) in last.benchmarks.iter_mut().zip(suites) {
            report.suite = suite.to_owned();
        }
        last.benchmarks[3].evidence = Evidence::default();
        // 90 rounds of 150 for the first, 60 for the two of the second.
        let loads: Vec<_> = loads(&last)
            .into_iter()
            .map(|load| (load.key.suite.clone(), load.seconds().round()))
            .collect();
        let idle = Load::of_benchmarks(SuiteKey::of_all(), ["one".to_owned()].into()).seconds();
        assert_eq!(
            loads,
            [
                ("fast".to_owned(), 102.0),
                ("idle".to_owned(), idle.round()),
                ("slow".to_owned(), 138.0)
            ]
        );
    }

    #[test]
    fn what_was_not_measured_is_not_guessed() {
        let mut last = samples::many(2, 1);
        for report in &mut last.benchmarks {
            report.evidence = Evidence::default();
        }
        let estimated = estimate(&last, |_| true);
        assert_eq!((estimated.measure, estimated.benchmarks, estimated.unmeasured), (None, 2, 2));
    }
}
