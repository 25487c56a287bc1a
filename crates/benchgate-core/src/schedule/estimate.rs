//! How long a run will probably take, from the result of the last one.

use std::collections::{BTreeMap, BTreeSet};

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
/// run, and a round as long as those of its suite did on average.
pub fn estimate(last: &RunResult, wanted: impl Fn(&BenchmarkKey) -> bool) -> Estimate {
    // One round gives values of several metrics.
    let mut rounds: BTreeMap<BenchmarkKey, usize> = BTreeMap::new();
    for report in &last.benchmarks {
        let of_metric = if report.metric.is_count() { 0 } else { launches(&report.evidence) };
        let most = rounds.entry(report.key()).or_default();
        *most = of_metric.max(*most);
    }
    let seconds = seconds_of_benchmarks(last, &rounds);
    rounds.retain(|key, _| wanted(key));
    let is_measured = rounds.values().any(|launches| *launches > 0);
    let measure = is_measured.then(|| rounds.keys().filter_map(|key| seconds.get(key)).sum());
    let unmeasured = rounds.values().filter(|launches| **launches == 0).count();
    Estimate { build: last.seconds.build, measure, benchmarks: rounds.len(), unmeasured }
}

/// Returns the time of each suite that a run measured, for [`share_out`](crate::shards::share_out): each has as
/// large a share of building as the others, and each benchmark of its suite's measuring as of the suite's rounds.
pub fn loads(last: &RunResult) -> Vec<Load> {
    let mut rounds: BTreeMap<BenchmarkKey, usize> = BTreeMap::new();
    for report in &last.benchmarks {
        // One round gives values of several metrics.
        let most = rounds.entry(report.key()).or_default();
        *most = launches(&report.evidence).max(*most);
    }
    let seconds = seconds_of_benchmarks(last, &rounds);
    let mut suites: BTreeMap<SuiteKey, BTreeSet<&BenchmarkKey>> = BTreeMap::new();
    for key in rounds.keys() {
        suites.entry(key.suite_key()).or_default().insert(key);
    }
    let is_measured = |keys: &BTreeSet<&BenchmarkKey>| keys.iter().any(|key| rounds[key] > 0);
    let measured = suites.values().filter(|suite| is_measured(suite)).count();
    let building = last.seconds.build / measured as f64;
    suites
        .into_iter()
        .map(|(key, benchmarks)| match is_measured(&benchmarks) {
            false => {
                Load::of_benchmarks(key, benchmarks.iter().map(|key| key.id.clone()).collect())
            }
            true => {
                let of_each = benchmarks.into_iter().map(|key| (key.id.clone(), seconds[key]));
                Load { key, building, benchmarks: of_each.collect() }
            }
        })
        .collect()
}

/// Seconds of measuring each benchmark: of those of its suite as large a share as of the suite's rounds. Suites of which
/// the run does not say how long they took share what is left of it.
fn seconds_of_benchmarks(
    last: &RunResult,
    rounds: &BTreeMap<BenchmarkKey, usize>,
) -> BTreeMap<BenchmarkKey, f64> {
    let known: BTreeMap<SuiteKey, f64> =
        last.measured.iter().map(|suite| (suite.key(), suite.seconds)).collect();
    let rest = (last.seconds.measure - known.values().sum::<f64>()).max(0.0);
    // All that are not known are one.
    let part = |key: &BenchmarkKey| Some(key.suite_key()).filter(|suite| known.contains_key(suite));
    let mut of_part: BTreeMap<Option<SuiteKey>, usize> = BTreeMap::new();
    for (key, launches) in rounds {
        *of_part.entry(part(key)).or_default() += launches;
    }
    let seconds = |(key, launches): (&BenchmarkKey, &usize)| {
        let part = part(key);
        let whole = part.as_ref().map_or(rest, |suite| known[suite]);
        let share = *launches as f64 / of_part[&part].max(1) as f64;
        (key.clone(), whole * share)
    };
    rounds.iter().map(seconds).collect()
}

fn launches(evidence: &Evidence) -> usize {
    let of = |rounds: &Rounds| rounds.base.len() + rounds.head.len();
    of(&evidence.rounds) + of(&evidence.confirmation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;
    use crate::result::MeasuredSuite;

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
        *last.benchmarks[3].evidence = Evidence::default();
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
    fn a_suite_takes_the_seconds_that_it_took_and_the_others_share_the_rest() {
        let mut last = samples::many(4, 1);
        last.seconds.measure = 180.0;
        for (report, suite) in last.benchmarks.iter_mut().zip(["slow", "slow", "a", "b"]) {
            report.suite = suite.to_owned();
        }
        let slow = last.benchmarks[0].key().suite_key();
        last.measured = vec![MeasuredSuite::of(slow, 120.0, None)];
        // 90 rounds and 30 of the slow suite, 30 each of the others.
        let loads = loads(&last);
        let seconds: Vec<f64> =
            loads.iter().flat_map(|load| load.benchmarks.values().copied()).collect();
        assert_eq!(seconds, [30.0, 30.0, 90.0, 30.0]);
        let of_slow = estimate(&last, |key| key.suite == "slow");
        assert_eq!(of_slow.measure, Some(120.0));
    }

    #[test]
    fn what_was_not_measured_is_not_guessed() {
        let mut last = samples::many(2, 1);
        for report in &mut last.benchmarks {
            *report.evidence = Evidence::default();
        }
        let estimated = estimate(&last, |_| true);
        assert_eq!((estimated.measure, estimated.benchmarks, estimated.unmeasured), (None, 2, 2));
    }
}
