//! Records of other tools that `compare` reads: hyperfine, google/benchmark and cargo-criterion, and the text of bencher
//! and libtest. Which one a file is of is known by its content. A benchmark without a usable value is refused by its name,
//! and the others of the file are read.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::critcmp::recorded;
use super::entries::{self, Entry, name_of, usable};
use super::libtest;
use crate::json::{self, FormatError, positive};
use crate::model::{BenchmarkKey, Recorded, RecordedBenchmark};

/// Nanoseconds of a second.
const SECOND: f64 = 1e9;

/// Reads a record of another tool; `None` if it is of none of these.
pub fn record(bytes: &[u8]) -> Option<Result<Recorded, FormatError>> {
    let start = json::beginning(bytes);
    let has = |keys: &[&str]| keys.iter().all(|key| start.contains(&format!("\"{key}\"")));
    let read = if !start.trim_start().starts_with('{') {
        Ok(libtest::record(&String::from_utf8_lossy(bytes))?)
    } else if has(&["results", "command", "mean"]) {
        hyperfine(bytes)
    } else if has(&["context", "num_cpus", "benchmarks"]) {
        google(bytes)
    } else if has(&["reason", "measured_values"]) {
        Ok(cargo_criterion(&String::from_utf8_lossy(bytes)))
    } else {
        return None;
    };
    Some(read.and_then(|record| match record.is_empty() {
        true => Err(FormatError::whole("it holds no benchmark")),
        false => Ok(record),
    }))
}

/// Each value is a round; one alone says nothing about another.
fn rounds(times: Vec<f64>) -> RecordedBenchmark {
    match times.as_slice() {
        [one] => RecordedBenchmark::single(*one, 0.0),
        _ => recorded(times),
    }
}

#[derive(Deserialize)]
struct Hyperfine<'a> {
    #[serde(borrow)]
    results: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct HyperfineResult {
    command: String,
    mean: f64,
    stddev: Option<f64>,
    times: Option<Vec<f64>>,
    #[serde(default)]
    exit_codes: Vec<Option<i32>>,
    #[serde(default)]
    parameters: BTreeMap<String, serde_json::Value>,
}

/// Every run of a command is a round.
fn hyperfine(bytes: &[u8]) -> Result<Recorded, FormatError> {
    let text = json::without_nan(bytes)?;
    let file: Hyperfine<'_> = json::parse_borrowed(&text)?;
    // A parameter that is not part of the command distinguishes two of the same name.
    let id = |result: &HyperfineResult| result.command.clone() + &result.parameters(false);
    let mut entries = entries::read(file.results, "results", "command", id);
    entries::distinguish(&mut entries, |result| result.parameters(true));
    let mut record = Recorded::default();
    for Entry { at, id, content } in entries {
        let values = content.and_then(|result| result.values(&at));
        record.add(BenchmarkKey::of_id(id), usable(&format!("{at}.mean"), values));
    }
    Ok(record)
}

impl HyperfineResult {
    /// The parameters whose value the command has in it, or those whose value it does not have.
    fn parameters(&self, within: bool) -> String {
        let text = |value: &serde_json::Value| {
            value.as_str().map_or_else(|| value.to_string(), str::to_owned)
        };
        let all = self.parameters.iter().map(|(name, value)| (name, text(value)));
        all.filter(|(_, value)| self.command.contains(value) == within)
            .map(|(name, value)| format!("/{name}={value}"))
            .collect()
    }

    fn values(self, at: &str) -> Result<RecordedBenchmark, FormatError> {
        if self.exit_codes.iter().any(|code| *code != Some(0)) {
            let problem = "a run failed, and its time is not that of its work";
            return Err(FormatError::at(format!("{at}.exit_codes"), problem));
        }
        let times = self.times.unwrap_or_default();
        let key = format!("{at}.times");
        for time in &times {
            if *time == 0.0 {
                let problem = "a run took 0 s, without the shell's start; with `-N` there is none";
                return Err(FormatError::at(key, problem));
            }
            positive(&key, *time)?;
            positive(&key, time * SECOND)?;
        }
        Ok(match times.len() {
            0 | 1 => RecordedBenchmark::single(
                self.mean * SECOND,
                self.stddev.unwrap_or_default() * SECOND,
            ),
            _ => recorded(times.iter().map(|time| time * SECOND).collect()),
        })
    }
}

#[derive(Deserialize)]
struct Google<'a> {
    #[serde(borrow)]
    benchmarks: Vec<&'a RawValue>,
}

/// A line of a benchmark: a repetition, or a figure of all of them. A figure that is not read may be anything.
#[derive(Deserialize)]
struct GoogleRun {
    #[serde(default)]
    run_type: String,
    #[serde(default)]
    aggregate_name: String,
    #[serde(default)]
    repetition_index: Option<u64>,
    #[serde(default)]
    error_occurred: bool,
    #[serde(default)]
    error_message: String,
    #[serde(default)]
    skipped: bool,
    #[serde(default)]
    skip_message: String,
    real_time: Option<f64>,
    #[serde(default)]
    time_unit: String,
}

/// What a file says of one benchmark.
#[derive(Default)]
struct GoogleBenchmark {
    at: String,
    repetitions: Vec<f64>,
    indices: BTreeSet<u64>,
    mean: Option<f64>,
    refused: Option<FormatError>,
}

/// Every repetition is a round; of a file with aggregates alone, the mean is all there is.
fn google(bytes: &[u8]) -> Result<Recorded, FormatError> {
    let text = json::without_nan(bytes)?;
    let file: Google<'_> = json::parse_borrowed(&text)?;
    let mut benchmarks: BTreeMap<String, GoogleBenchmark> = BTreeMap::new();
    for (index, raw) in file.benchmarks.into_iter().enumerate() {
        let at = format!("benchmarks[{index}]");
        let entry: Result<GoogleRun, _> = json::parse_entry(&at, raw.get());
        // Of a fitted curve, `BigO` and `RMS`, the name is that of a family, which is not measured.
        if entry.as_ref().is_ok_and(|run| ["BigO", "RMS"].contains(&&*run.aggregate_name)) {
            continue;
        }
        let benchmark =
            benchmarks.entry(name_of(raw.get(), &["run_name", "name"], &at)).or_default();
        let added = entry.and_then(|run| benchmark.add(&at, &run));
        benchmark.at = at;
        if let Err(error) = added {
            benchmark.refused.get_or_insert(error);
        }
    }
    let mut record = Recorded::default();
    for (id, benchmark) in benchmarks {
        let GoogleBenchmark { at, repetitions, mean, refused, .. } = benchmark;
        let values = match (refused, mean) {
            (Some(refused), _) => Err(refused),
            (None, Some(mean)) if repetitions.is_empty() => {
                Ok(RecordedBenchmark::single(mean, 0.0))
            }
            (None, None) if repetitions.is_empty() => {
                Err(FormatError::at(&at, "neither a repetition nor their mean is there"))
            }
            _ => Ok(rounds(repetitions)),
        };
        record.add(BenchmarkKey::of_id(id), usable(&at, values));
    }
    Ok(record)
}

impl GoogleBenchmark {
    fn add(&mut self, at: &str, run: &GoogleRun) -> Result<(), FormatError> {
        let because = |what: &str, why: &str| match why {
            "" => FormatError::at(at, what),
            why => FormatError::at(at, format!("{what}: {why}")),
        };
        if run.error_occurred {
            return Err(because("it ended with an error", &run.error_message));
        }
        if run.skipped {
            return Err(because("it was skipped", &run.skip_message));
        }
        let is_aggregate = run.run_type == "aggregate";
        if is_aggregate && run.aggregate_name != "mean" {
            return Ok(());
        }
        let unit = match run.time_unit.as_str() {
            "" | "ns" => 1.0,
            "us" => 1e3,
            "ms" => 1e6,
            "s" => SECOND,
            other => {
                let problem = format!("invalid unit `{other}`: expected ns, us, ms or s");
                return Err(FormatError::at(format!("{at}.time_unit"), problem));
            }
        };
        let key = format!("{at}.real_time");
        let time = run.real_time.ok_or_else(|| FormatError::at(&key, "not a number"))?;
        let time = positive(&key, time * unit)?;
        if is_aggregate {
            self.mean = Some(time);
            return Ok(());
        }
        self.repetitions.push(time);
        match run.repetition_index.is_none_or(|index| self.indices.insert(index)) {
            true => Ok(()),
            false => Err(FormatError::at(at, "two benchmarks have this name")),
        }
    }
}

#[derive(Deserialize)]
struct CriterionMessage {
    reason: String,
    #[serde(default)]
    iteration_count: Vec<f64>,
    #[serde(default)]
    measured_values: Vec<f64>,
    #[serde(default)]
    unit: String,
}

/// The lines of `cargo criterion --message-format=json`: each benchmark is one process.
fn cargo_criterion(text: &str) -> Recorded {
    let mut record = Recorded::default();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| line.starts_with('{')) {
        let at = format!("line {}", number + 1);
        let message = json::parse_entry::<CriterionMessage>(&at, line);
        // A line that cannot be read may be of a benchmark.
        if message.as_ref().is_ok_and(|message| message.reason != "benchmark-complete") {
            continue;
        }
        let values = message.and_then(|message| message.values(&at));
        record.add(BenchmarkKey::of_id(name_of(line, &["id"], &at)), usable(&at, values));
    }
    record
}

impl CriterionMessage {
    fn values(self, at: &str) -> Result<RecordedBenchmark, FormatError> {
        if self.unit != "ns" {
            let problem = format!("it is in `{}`: only nanoseconds are compared", self.unit);
            return Err(FormatError::at(at, problem));
        }
        let of_iteration = self.measured_values.iter().zip(&self.iteration_count);
        let times: Result<Vec<f64>, _> =
            of_iteration.map(|(time, count)| positive(at, time / count)).collect();
        let values = recorded(times?);
        if values.rounds.is_empty() {
            return Err(FormatError::at(at, "it has no values"));
        }
        Ok(RecordedBenchmark::single(values.mean, values.std_dev))
    }
}

#[cfg(test)]
mod tests;
