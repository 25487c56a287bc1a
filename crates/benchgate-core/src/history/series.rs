//! The records of a history as one chain for each benchmark and metric.

use std::collections::{BTreeMap, BTreeSet};

use super::record::{Ratio, Record, Row};
use super::shifts::{Increment, Shift, shifts};
use crate::model::BenchmarkKey;

/// Standard errors on either side of a 95 % interval.
const REACH: f64 = 1.959_964;

/// The benchmark and metric of a chain.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SeriesKey {
    /// The benchmark.
    pub benchmark: BenchmarkKey,
    /// Name of the metric.
    pub metric: String,
    /// Its unit.
    pub unit: String,
}

/// A run of a chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Its number in [`History::runs`].
    pub run: usize,
    /// The measured value; `None` where both sides are the same machine code.
    pub value: Option<f64>,
    /// The change since the point before, of paired rounds; `None` if this run was not compared with it.
    pub increment: Option<Increment>,
    /// Whether the level continues from the point before: by the increment, or by two baselines of one machine.
    pub follows: bool,
    /// ln of the value compared with the first point's, over all that follows.
    pub level: f64,
}

/// All runs of one benchmark and metric.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// The oldest first.
    pub points: Vec<Point>,
}

/// Something that changed and is not the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The first run with it.
    pub run: usize,
    /// Its description: `kernel Linux 6.1 → Linux 6.6`.
    pub what: String,
}

/// A history.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    /// A record for each commit that was measured, in the order of the commits.
    pub runs: Vec<Record>,
    /// By benchmark.
    pub series: BTreeMap<SeriesKey, Series>,
    /// The oldest first.
    pub events: Vec<Event>,
}

impl History {
    /// The records of these commits, the oldest first. Of several records of a commit the last one counts.
    pub fn of(records: Vec<Record>, commits: &[String]) -> Self {
        let places: BTreeMap<&str, usize> =
            commits.iter().enumerate().map(|(at, commit)| (commit.as_str(), at)).collect();
        let mut of_commits: BTreeMap<usize, Record> = BTreeMap::new();
        for record in records {
            let Some(place) = places.get(record.commit.as_str()) else { continue };
            let is_newer = of_commits.get(place).is_none_or(|known| known.time <= record.time);
            if is_newer {
                of_commits.insert(*place, record);
            }
        }
        Self::chained(of_commits.into_values().collect())
    }

    /// Committed baselines. Those of one machine are distinguished by their values alone, which proves nothing.
    pub fn of_baselines(records: Vec<Record>, commits: &[String]) -> Self {
        let place = |record: &Record| commits.iter().position(|commit| *commit == record.commit);
        let mut runs: Vec<(usize, Record)> =
            records.into_iter().filter_map(|record| Some((place(&record)?, record))).collect();
        // One machine after the other, so that each is a chain.
        runs.sort_by(|(a, one), (b, other)| (&one.machine, a).cmp(&(&other.machine, b)));
        Self::chained(runs.into_iter().map(|(_, record)| record).collect())
    }

    fn chained(runs: Vec<Record>) -> Self {
        let mut series: BTreeMap<SeriesKey, Series> = BTreeMap::new();
        for (run, record) in runs.iter().enumerate() {
            let before = run.checked_sub(1).and_then(|before| runs.get(before));
            let link = match before {
                Some(before) if before.commit == record.base => Link::Pairs,
                Some(before) if record.base.is_empty() && before.machine == record.machine => {
                    Link::Values
                }
                _ => Link::None,
            };
            add(&mut series, run, record, link);
        }
        let events =
            runs.windows(2).enumerate().flat_map(|(at, two)| events(at + 1, two)).collect();
        Self { runs, series, events }
    }
}

/// How a run hangs together with the one before.
#[derive(Clone, Copy, PartialEq)]
enum Link {
    /// Compared with the previous one.
    Pairs,
    /// Both are baselines of one machine.
    Values,
    None,
}

fn add(series: &mut BTreeMap<SeriesKey, Series>, run: usize, record: &Record, link: Link) {
    for suite in &record.suites {
        for (id, rows) in &suite.benchmarks {
            let benchmark = BenchmarkKey::new(&*suite.package, &*suite.suite, &**id);
            for Row(metric, value, ratio) in rows {
                let Some((name, unit)) = record.metrics.get(*metric) else { continue };
                let key = SeriesKey {
                    benchmark: benchmark.clone(),
                    metric: name.clone(),
                    unit: unit.clone(),
                };
                let increment = ratio.filter(|_| link == Link::Pairs).and_then(increment);
                let series = series.entry(key).or_default();
                match link {
                    Link::Values => series.push_value(run, *value),
                    _ => series.push(run, Some(*value), increment),
                }
            }
            if rows.is_empty() {
                add_same(series, run, link, |key| *key == benchmark);
            }
        }
    }
    for (package, suite) in &record.identical {
        add_same(series, run, link, |key| key.package == *package && key.suite == *suite);
    }
}

/// Both sides are the same machine code.
fn add_same(
    series: &mut BTreeMap<SeriesKey, Series>,
    run: usize,
    link: Link,
    is_of: impl Fn(&BenchmarkKey) -> bool,
) {
    let exact = (link == Link::Pairs).then_some(Increment::EXACT);
    let same = series.iter_mut().filter(|(key, _)| is_of(&key.benchmark));
    same.for_each(|(_, series)| series.push(run, None, exact));
}

/// `None` where the rounds were too few for an interval.
fn increment(ratio: Ratio) -> Option<Increment> {
    let (lower, upper) = ratio.interval()?;
    let log = ratio.log();
    let [below, above] = [log - lower, upper - log].map(|side| side.max(0.0) / REACH);
    Some(Increment { log, below, above })
}

fn events(run: usize, two: &[Record]) -> Vec<Event> {
    let [before, after] = two else { return Vec::new() };
    [
        ("machine", &before.machine, &after.machine),
        ("kernel", &before.kernel, &after.kernel),
        ("compiler", &before.rustc, &after.rustc),
        ("benchgate", &before.version, &after.version),
    ]
    .into_iter()
    .filter(|(_, before, after)| before != after)
    .map(|(name, before, after)| Event { run, what: format!("{name} {before} → {after}") })
    .collect()
}

impl Series {
    fn push(&mut self, run: usize, value: Option<f64>, increment: Option<Increment>) {
        let last = self.points.last();
        // A run in which the benchmark was not measured is between them: what changed there is not known.
        let follows = last.is_some_and(|last| last.run + 1 == run);
        let increment = increment.filter(|_| follows);
        let level = last.map_or(0.0, |last| last.level) + increment.map_or(0.0, |at| at.log);
        self.points.push(Point { run, value, increment, follows: increment.is_some(), level });
    }

    fn push_value(&mut self, run: usize, value: f64) {
        let last = self.points.last();
        let ratio =
            last.and_then(|last| Some((value / last.value?).ln())).filter(|log| log.is_finite());
        let level = last.map_or(0.0, |last| last.level) + ratio.unwrap_or(0.0);
        let follows = ratio.is_some();
        self.points.push(Point { run, value: Some(value), increment: None, follows, level });
    }

    /// The changes of its level, by the runs that they came with; the error is that of the whole chain.
    pub fn shifts(&self, error: f64) -> Vec<Shift> {
        let known: Vec<&[Point]> = self
            .points
            .split(|point| point.increment.is_none())
            .filter(|part| !part.is_empty())
            .collect();
        let parts = known.len().max(1) as f64;
        known
            .into_iter()
            .flat_map(|part| {
                let increments: Vec<Increment> =
                    part.iter().filter_map(|point| point.increment).collect();
                let run = |at: usize| part.get(at).map_or(0, |point| point.run);
                shifts(&increments, error / parts)
                    .into_iter()
                    .map(move |shift| Shift {
                        first: run(shift.first),
                        last: run(shift.last),
                        ..shift
                    })
                    .collect::<Vec<_>>()
            })
            .collect()
    }

    /// The last value that was measured.
    pub fn last_value(&self) -> Option<f64> {
        self.points.iter().rev().find_map(|point| point.value)
    }

    /// Runs after which it is not known what changed.
    pub fn breaks(&self) -> BTreeSet<usize> {
        self.points.iter().skip(1).filter(|at| !at.follows).map(|at| at.run).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::{RECORD_SCHEMA, SuiteRecord};
    use super::*;

    fn commit(number: usize) -> String {
        format!("{number:040x}")
    }

    /// A run with one benchmark: its value and change in percent; without them it is identical.
    fn record(number: usize, measured: Option<(f64, f64)>) -> Record {
        let rows = measured.map(|(value, percent)| {
            let steps = ((percent / 100.0).ln_1p() * 1e5).round() as i32;
            Row(0, value, Some(Ratio(steps, Some(steps - 392), Some(steps + 392))))
        });
        Record {
            schema: RECORD_SCHEMA.to_owned(),
            commit: commit(number),
            base: commit(number - 1),
            time: "2026-01-01T00:00:00Z".to_owned(),
            machine: "m".to_owned(),
            kernel: "Linux 6.1".to_owned(),
            rustc: "rustc 1.95.0".to_owned(),
            version: "0.1.0".to_owned(),
            metrics: vec![("time".to_owned(), "ns".to_owned())],
            identical: Vec::new(),
            suites: vec![SuiteRecord {
                package: "p".to_owned(),
                suite: "s".to_owned(),
                benchmarks: BTreeMap::from([("decode".to_owned(), rows.into_iter().collect())]),
            }],
        }
    }

    fn history(records: Vec<Record>) -> History {
        History::of(records, &(0..100).map(commit).collect::<Vec<_>>())
    }

    fn only(history: &History) -> &Series {
        assert_eq!(history.series.len(), 1);
        history.series.first_key_value().unwrap().1
    }

    #[test]
    fn another_machine_is_an_event_and_no_change_of_the_code() {
        let mut records: Vec<Record> = (1..=20).map(|at| record(at, Some((100.0, 0.1)))).collect();
        for record in &mut records[10..] {
            record.machine = "faster".to_owned();
            record.suites[0].benchmarks.get_mut("decode").unwrap()[0].1 = 50.0;
        }
        let history = history(records);
        let events: Vec<_> = history.events.iter().map(|e| (e.run, e.what.as_str())).collect();
        assert_eq!(events, [(10, "machine m → faster")]);
        assert_eq!(only(&history).shifts(0.01), []);
        assert_eq!(only(&history).last_value(), Some(50.0));
    }

    #[test]
    fn a_change_is_found_at_its_run_and_identical_runs_are_exact() {
        let mut records: Vec<Record> = (1..=20).map(|at| record(at, None)).collect();
        records[0] = record(1, Some((100.0, 0.0)));
        records[12] = record(13, Some((105.0, 5.0)));
        let history = history(records);
        let shifts = only(&history).shifts(0.01);
        assert_eq!(shifts.iter().map(|s| (s.first, s.last)).collect::<Vec<_>>(), [(12, 12)]);
        assert!((only(&history).points[19].level - 0.05_f64.ln_1p()).abs() < 1e-5);
    }

    #[test]
    fn a_suite_that_no_change_could_reach_goes_on_at_its_level() {
        let mut records: Vec<Record> = (1..=5).map(|at| record(at, Some((100.0, 1.0)))).collect();
        records[2].suites.clear();
        records[2].identical = vec![("p".to_owned(), "s".to_owned())];
        let history = history(records);
        assert_eq!(only(&history).breaks(), BTreeSet::new());
        assert_eq!(only(&history).points[2].increment, Some(Increment::EXACT));
    }

    #[test]
    fn a_run_that_is_lost_is_a_break_and_nothing_is_made_up_for_it() {
        let mut records: Vec<Record> = (1..=20).map(|at| record(at, Some((100.0, 0.0)))).collect();
        records.remove(9);
        let history = history(records);
        assert_eq!(only(&history).breaks(), BTreeSet::from([9]));
        assert_eq!(only(&history).points[9].increment, None);
    }

    #[test]
    fn baselines_of_one_machine_are_a_chain_that_proves_nothing() {
        let of = |number: usize, value: f64, machine: &str| Record {
            base: String::new(),
            machine: machine.to_owned(),
            ..record(number, Some((value, 0.0)))
        };
        let records = vec![of(2, 110.0, "a"), of(1, 100.0, "a"), of(1, 7.0, "b")];
        let history = History::of_baselines(records, &(0..9).map(commit).collect::<Vec<_>>());
        let series = only(&history);
        assert_eq!(series.breaks(), BTreeSet::from([2]));
        assert!((series.points[1].level - 0.1_f64.ln_1p()).abs() < 1e-9);
        assert_eq!(series.shifts(0.01), []);
    }

    #[test]
    fn of_two_records_of_a_commit_the_later_counts_and_those_of_other_branches_do_not() {
        let later =
            Record { time: "2026-01-02T00:00:00Z".to_owned(), ..record(3, Some((7.0, 0.0))) };
        let elsewhere = Record { commit: "f".repeat(40), ..record(4, None) };
        let history = history(vec![later.clone(), record(3, Some((9.0, 0.0))), elsewhere]);
        assert_eq!(history.runs, [later]);
    }
}
