//! A history: lines for a terminal, JSON, and a folder of pages.

mod card;
mod site;
mod terminal;

use serde::Serialize;

pub(super) use self::card::of_card;
pub use self::site::site;
pub use self::terminal::terminal;
use super::text::{percent, short, value};
use crate::history::{ERROR, History, Series, SeriesKey, Shift};
use crate::json;
use crate::model::Metric;

/// A change in words: `+5.0 % ± 0.3 with b2c3d4e5f6 (2026-01-13)`.
fn in_words(history: &History, shift: &Shift) -> String {
    let commit = |run: usize| history.runs.get(run).map_or("?", |run| short(&run.commit));
    let size = size_of(shift);
    match shift.first == shift.last {
        true => format!("{size} with {} ({})", commit(shift.first), date(history, shift.first)),
        false => format!(
            "{size} over {} runs, from {} to {} ({} to {})",
            shift.last - shift.first + 1,
            commit(shift.first),
            commit(shift.last),
            date(history, shift.first),
            date(history, shift.last)
        ),
    }
}

fn size_of(shift: &Shift) -> String {
    let size = percent(shift.log.exp_m1());
    // Of a count there is nothing to be unsure of.
    if shift.error > 0.0 { format!("{size} ± {:.1}", shift.error * 100.0) } else { size }
}

/// The day of a run.
fn date(history: &History, run: usize) -> &str {
    history.runs.get(run).map_or("", |run| run.time.get(..10).unwrap_or(&run.time))
}

/// The name of a chain; the metric `time` is not part of it.
fn name(key: &SeriesKey) -> String {
    let metric = if key.metric == Metric::TIME.name() { "" } else { &key.metric };
    let suite = key.benchmark.suite_key();
    format!("{suite}: {} {metric}", key.benchmark.id).trim_end().to_owned()
}

/// The last value that was measured, in its unit.
fn last_value(key: &SeriesKey, series: &Series) -> String {
    let metric = Metric::known(&key.metric).or_else(|| Metric::named(&key.metric, &key.unit).ok());
    let metric = metric.unwrap_or(Metric::TIME);
    value(&metric, &key.unit, series.last_value())
}

/// The whole change of a chain.
fn whole(series: &Series) -> f64 {
    series.points.last().map_or(0.0, |last| last.level.exp_m1())
}

#[derive(Serialize)]
struct Json<'a> {
    schema: &'static str,
    error: f64,
    runs: Vec<JsonRun<'a>>,
    events: Vec<JsonEvent<'a>>,
    series: Vec<JsonSeries<'a>>,
}

#[derive(Serialize)]
struct JsonRun<'a> {
    commit: &'a str,
    base: &'a str,
    time: &'a str,
}

#[derive(Serialize)]
struct JsonEvent<'a> {
    run: usize,
    what: &'a str,
}

#[derive(Serialize)]
struct JsonSeries<'a> {
    package: &'a str,
    suite: &'a str,
    id: &'a str,
    metric: &'a str,
    unit: &'a str,
    /// Run, value, ln of the level.
    points: Vec<(usize, Option<f64>, f64)>,
    shifts: Vec<Shift>,
}

/// Everything, for programs: runs, events, and the points and changes of each chain.
pub fn json(history: &History) -> String {
    let series = history.series.iter().map(|(key, series)| JsonSeries {
        package: &key.benchmark.package,
        suite: &key.benchmark.suite,
        id: &key.benchmark.id,
        metric: &key.metric,
        unit: &key.unit,
        points: series.points.iter().map(|at| (at.run, at.value, at.level)).collect(),
        shifts: series.shifts(ERROR),
    });
    let runs = &history.runs;
    let all = Json {
        schema: "benchgate.chains/1",
        error: ERROR,
        runs: runs
            .iter()
            .map(|run| JsonRun { commit: &run.commit, base: &run.base, time: &run.time })
            .collect(),
        events: history.events.iter().map(|e| JsonEvent { run: e.run, what: &e.what }).collect(),
        series: series.collect(),
    };
    json::one_line(&all, 4_096) + "\n"
}

#[cfg(test)]
mod tests;
