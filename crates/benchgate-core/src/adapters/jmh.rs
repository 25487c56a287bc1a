//! The JSON that JMH 1.x writes, the harness of the Java virtual machine.
//!
//! Its score is a mean and its error may be no number at all, so only raw data is read: one value per fork and
//! iteration. A fork is a process, and its value is the lower quartile of its iterations, as it is elsewhere.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::critcmp::recorded;
use super::entries::{self, usable};
use crate::json::{self, FormatError, positive};
use crate::model::{BenchmarkKey, Metric, Recorded};
use crate::stats;

/// The metric of the profiler `gc`; older versions put a dot in the middle of the line before it.
const ALLOCATED: [&str; 2] = ["gc.alloc.rate.norm", "·gc.alloc.rate.norm"];

/// Bytes that JMH itself may allocate in an iteration: they are taken off.
const OWN_BYTES: f64 = 8192.0;

/// Objects begin at multiples of this number of bytes; a remainder below it comes from JMH itself.
const GRAIN: f64 = 8.0;

/// An entry of a file.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    benchmark: String,
    mode: String,
    #[serde(default)]
    params: BTreeMap<String, String>,
    #[serde(default = "one")]
    threads: f64,
    #[serde(default)]
    measurement_time: String,
    primary_metric: Primary,
    #[serde(default)]
    secondary_metrics: BTreeMap<String, Secondary>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Primary {
    score_unit: String,
    #[serde(default)]
    raw_data: Vec<Vec<f64>>,
    /// In the mode `sample`: of each fork and iteration, values and how often they occurred.
    #[serde(default)]
    raw_data_histogram: Vec<Vec<Vec<(f64, f64)>>>,
}

/// A metric that is not needed may hold anything; that of the profiler holds numbers.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Secondary {
    score_unit: String,
    #[serde(default)]
    raw_data: Vec<Vec<serde_json::Value>>,
}

/// A benchmark of a file.
struct Benchmark {
    /// Nanoseconds per operation of each fork and iteration.
    forks: Vec<Vec<f64>>,
    /// Bytes per operation, if they were counted.
    allocated: Option<f64>,
    /// The mode and the threads: the inverse of a rate of several threads is not the time of an operation.
    conditions: String,
}

fn one() -> f64 {
    1.0
}

/// The id of a benchmark: its name, and `/key=value` for each parameter.
pub(super) fn id(name: &str, params: &BTreeMap<String, String>) -> String {
    params.iter().fold(name.to_owned(), |id, (key, value)| format!("{id}/{key}={value}"))
}

/// The values of the only benchmark of a file.
///
/// # Errors
/// Names what is missing or wrong.
pub fn round(bytes: &[u8], wanted: &str) -> Result<BTreeMap<Metric, f64>, FormatError> {
    let read = read(&json::without_nan(bytes)?)?;
    let benchmarks: Vec<(String, Benchmark)> =
        read.into_iter().map(|(id, read)| Ok((id, read?))).collect::<Result<_, FormatError>>()?;
    let [(id, Benchmark { forks, allocated, .. })] = benchmarks.as_slice() else {
        return Err(FormatError::whole(format!(
            "{} results, and one was asked for",
            benchmarks.len()
        )));
    };
    if id != wanted {
        let problem = format!("it is about `{id}`, and was asked for `{wanted}`");
        return Err(FormatError::at("benchmark", problem));
    }
    let [fork] = forks.as_slice() else {
        let problem = format!("{} forks, and one was asked for", forks.len());
        return Err(FormatError::at("primaryMetric.rawData", problem));
    };
    let mut values = BTreeMap::from([(Metric::TIME, of_fork(fork)?)]);
    values.extend(allocated.map(|bytes| (Metric::ALLOC_BYTES, bytes)));
    Ok(values)
}

/// Whether a file is a list of benchmarks, or an empty one: a log may begin with a bracket, too.
pub fn is_spoken(bytes: &[u8]) -> bool {
    let text = json::beginning(bytes);
    let first = text.trim_start().strip_prefix('[').map(str::trim_start);
    first.is_some_and(|first| {
        first.starts_with(']') || (first.starts_with('{') && first.contains("\"benchmark\""))
    })
}

/// Everything that a file of JMH's says of times. A benchmark without a usable one is refused by its name.
///
/// # Errors
/// When it is not a list of benchmarks.
pub fn record(bytes: &[u8]) -> Result<Recorded, FormatError> {
    let mut record = Recorded::default();
    for (id, read) in read(&json::without_nan(bytes)?)? {
        let values = read.and_then(|Benchmark { forks, conditions, .. }| {
            let mut values = recorded(forks.concat());
            let rounds: Vec<f64> =
                forks.iter().map(|fork| of_fork(fork)).collect::<Result<_, _>>()?;
            // One process says nothing about another.
            values.rounds = if rounds.len() > 1 { rounds } else { Vec::new() };
            values.conditions = conditions;
            Ok(values)
        });
        record.add(BenchmarkKey::of_id(id), usable("primaryMetric", values));
    }
    Ok(record)
}

fn of_fork(iterations: &[f64]) -> Result<f64, FormatError> {
    stats::quantile(iterations, 0.25)
        .ok_or_else(|| FormatError::at("primaryMetric.rawData", "a fork without iterations"))
}

/// A benchmark by its id, or why it has no value.
type Named = (String, Result<Benchmark, FormatError>);

/// Every entry by its id. A method that was run in several modes, or by several numbers of threads, is as many benchmarks.
fn read(text: &str) -> Result<Vec<Named>, FormatError> {
    let list: Vec<&RawValue> = json::parse_list(text)?;
    if list.is_empty() {
        return Err(FormatError::whole(
            "the list is empty: no benchmark gave a result. JMH ends with exit code 0 all the same, unless it \
             is called with `-foe true`",
        ));
    }
    let of_entry = |entry: &Entry| id(&entry.benchmark, &entry.params);
    let mut entries = entries::read(list, "", "benchmark", of_entry);
    entries::distinguish(&mut entries, |entry| format!("/mode={}", entry.mode));
    entries::distinguish(&mut entries, |entry| format!("/threads={}", entry.threads));
    let checked = |entries::Entry { at, id, content }: entries::Entry<Entry>| {
        let within = |error: FormatError| error.within(&at);
        (id, content.and_then(|entry: Entry| entry.checked().map_err(within)))
    };
    Ok(entries.into_iter().map(checked).collect())
}

impl Entry {
    fn checked(self) -> Result<Benchmark, FormatError> {
        let (scale, is_rate) = scale(&self.primary_metric.score_unit).ok_or_else(|| {
            let unit = &self.primary_metric.score_unit;
            let problem =
                format!("unknown unit `{unit}`: expected a time per `op`, or `ops` per time");
            FormatError::at("primaryMetric.scoreUnit", problem)
        })?;
        let Primary { raw_data, raw_data_histogram, .. } = &self.primary_metric;
        let (key, raw) = match raw_data.is_empty() {
            false => ("rawData", raw_data.clone()),
            true => ("rawDataHistogram", means(raw_data_histogram)),
        };
        if raw.is_empty() || raw.iter().any(Vec::is_empty) {
            let problem = "no iteration: nothing was measured";
            return Err(FormatError::at(format!("primaryMetric.{key}"), problem));
        }
        let mut forks = Vec::with_capacity(raw.len());
        for (fork, iterations) in raw.iter().enumerate() {
            let mut of_fork = Vec::with_capacity(iterations.len());
            for (iteration, value) in iterations.iter().enumerate() {
                let key = format!("primaryMetric.{key}[{fork}][{iteration}]");
                let value = positive(&key, *value)?;
                // The inverse of a rate can overflow: then there is no time.
                of_fork.push(positive(&key, if is_rate { scale / value } else { scale * value })?);
            }
            forks.push(of_fork);
        }
        let allocated = self.allocated(&forks)?;
        let threads = if self.threads == 1.0 { "thread" } else { "threads" };
        let conditions = format!("`{}` of {} {threads}", self.mode, self.threads);
        Ok(Benchmark { forks, allocated, conditions })
    }

    /// Bytes that an operation allocates, without those of JMH: it allocates the same in each iteration, and what
    /// another thread allocates meanwhile is added, so that the least is nearest.
    fn allocated(&self, forks: &[Vec<f64>]) -> Result<Option<f64>, FormatError> {
        let secondary =
            ALLOCATED.iter().find_map(|name| self.secondary_metrics.get_key_value(*name));
        let Some((name, Secondary { score_unit, raw_data })) = secondary else { return Ok(None) };
        let at = |part: &str| format!("secondaryMetrics.{name}.{part}");
        if score_unit != "B/op" {
            let problem = format!("unknown unit `{score_unit}`: expected `B/op`");
            return Err(FormatError::at(at("scoreUnit"), problem));
        }
        let values = raw_data.iter().flatten();
        let numbers: Option<Vec<f64>> = values.map(serde_json::Value::as_f64).collect();
        let least = numbers.and_then(|numbers| numbers.into_iter().min_by(f64::total_cmp));
        let Some(least) = least.filter(|least| *least >= 0.0) else {
            return Err(FormatError::at(at("rawData"), "expected numbers from 0 on"));
        };
        let slowest = forks.iter().flatten().copied().fold(0.0, f64::max);
        let operations =
            duration(&self.measurement_time).map(|iteration| iteration * self.threads / slowest);
        // In the mode of single shots an iteration is one operation.
        let overhead = OWN_BYTES / operations.unwrap_or(1.0).max(1.0);
        Ok(Some(((least - overhead).max(0.0) / GRAIN).round() * GRAIN))
    }
}

/// The mean of each histogram.
fn means(forks: &[Vec<Vec<(f64, f64)>>]) -> Vec<Vec<f64>> {
    let mean = |histogram: &Vec<(f64, f64)>| {
        let count: f64 = histogram.iter().map(|(_, count)| count).sum();
        histogram.iter().map(|(value, count)| value * count).sum::<f64>() / count
    };
    forks.iter().map(|iterations| iterations.iter().map(mean).collect()).collect()
}

/// The number that makes nanoseconds per operation of a score, and whether the score is a rate.
fn scale(unit: &str) -> Option<(f64, bool)> {
    match unit.split_once('/')? {
        ("ops", time) => Some((nanoseconds(time)?, true)),
        (time, "op") => Some((nanoseconds(time)?, false)),
        _ => None,
    }
}

/// Nanoseconds of a text such as `100 ms`.
fn duration(text: &str) -> Option<f64> {
    let (number, unit) = text.split_once(' ')?;
    Some(number.parse::<f64>().ok()? * nanoseconds(unit)?)
}

fn nanoseconds(unit: &str) -> Option<f64> {
    match unit {
        "ns" => Some(1.0),
        "us" | "µs" => Some(1e3),
        "ms" => Some(1e6),
        "s" => Some(1e9),
        "m" | "min" => Some(60e9),
        "h" | "hr" => Some(3600e9),
        "day" => Some(86_400e9),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
