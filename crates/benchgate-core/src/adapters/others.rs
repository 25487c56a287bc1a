//! Records of other tools that `compare` reads: hyperfine, google/benchmark, cargo-criterion, and the text of bencher
//! and libtest. Which one a file is of is known by its content.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::critcmp::recorded;
use crate::json::{self, FormatError, positive};
use crate::model::{BenchmarkKey, Recorded, RecordedBenchmark};
use crate::stats;

/// How much of a file is looked at to know its format.
const LOOKED_AT: usize = 64 << 10;

/// Nanoseconds of a second.
const SECOND: f64 = 1e9;

/// Reads a record of another tool; `None` where it is of none of these.
pub fn record(bytes: &[u8]) -> Option<Result<Recorded, FormatError>> {
    let start = String::from_utf8_lossy(bytes.get(..LOOKED_AT).unwrap_or(bytes));
    let has = |keys: &[&str]| keys.iter().all(|key| start.contains(&format!("\"{key}\"")));
    let is_object = start.trim_start().starts_with('{');
    if is_object && has(&["results", "command", "mean"]) {
        Some(hyperfine(bytes))
    } else if is_object && has(&["context", "num_cpus", "benchmarks"]) {
        Some(google(bytes))
    } else if is_object && has(&["reason", "measured_values"]) {
        Some(cargo_criterion(&String::from_utf8_lossy(bytes)))
    } else if !is_object {
        let text = String::from_utf8_lossy(bytes);
        text.lines().any(|line| bencher_line(line).is_some()).then(|| bencher(&text))
    } else {
        None
    }
}

/// Benchmarks by id; one that is there twice cannot be told apart.
#[derive(Default)]
struct Records(BTreeMap<BenchmarkKey, RecordedBenchmark>);

impl Records {
    fn add(&mut self, at: &str, id: &str, record: RecordedBenchmark) -> Result<(), FormatError> {
        positive(at, record.mean)?;
        match self.0.insert(BenchmarkKey::new("", "", id), record) {
            None => Ok(()),
            Some(_) => Err(FormatError::at(at, format!("`{id}` is there twice"))),
        }
    }

    fn done(self) -> Result<Recorded, FormatError> {
        if self.0.is_empty() {
            return Err(FormatError::whole("it holds no benchmark"));
        }
        Ok(Recorded { benchmarks: self.0, ..Recorded::default() })
    }
}

/// One figure without rounds.
fn single(mean: f64, std_dev: f64) -> RecordedBenchmark {
    RecordedBenchmark { mean, std_dev, rounds: Vec::new() }
}

#[derive(Deserialize)]
struct Hyperfine {
    results: Vec<HyperfineResult>,
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
    let file: Hyperfine = json::parse(bytes)?;
    let mut records = Records::default();
    for (index, result) in file.results.into_iter().enumerate() {
        let text = |value: &serde_json::Value| {
            value.as_str().map_or_else(|| value.to_string(), str::to_owned)
        };
        // A parameter that is no part of the command tells two of the same name apart.
        let of_parameters = result.parameters.iter().map(|(name, value)| (name, text(value)));
        let id = of_parameters
            .filter(|(_, value)| !result.command.contains(value.as_str()))
            .fold(result.command.clone(), |id, (name, value)| format!("{id}/{name}={value}"));
        if result.exit_codes.iter().any(|code| *code != Some(0)) {
            let problem = format!("a run of `{id}` failed, and its time is not that of its work");
            return Err(FormatError::at(format!("results[{index}].exit_codes"), problem));
        }
        let times = result.times.unwrap_or_default();
        for time in &times {
            positive(&format!("results[{index}].times"), *time)?;
        }
        let record = match times.len() {
            0 | 1 => single(result.mean * SECOND, result.stddev.unwrap_or_default() * SECOND),
            _ => recorded(times.iter().map(|time| time * SECOND).collect()),
        };
        records.add(&format!("results[{index}].mean"), &id, record)?;
    }
    records.done()
}

#[derive(Deserialize)]
struct Google {
    benchmarks: Vec<GoogleRun>,
}

#[derive(Deserialize)]
struct GoogleRun {
    name: String,
    run_name: Option<String>,
    #[serde(default)]
    run_type: String,
    #[serde(default)]
    aggregate_name: String,
    #[serde(default)]
    error_occurred: bool,
    real_time: Option<f64>,
    #[serde(default)]
    time_unit: String,
}

/// Every repetition is a round; of a file with aggregates alone, the mean is all there is.
fn google(bytes: &[u8]) -> Result<Recorded, FormatError> {
    let file: Google = json::parse(bytes)?;
    let mut repetitions: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    let mut means: BTreeMap<String, f64> = BTreeMap::new();
    for (index, run) in file.benchmarks.into_iter().enumerate() {
        let at = format!("benchmarks[{index}]");
        let id = run.run_name.unwrap_or_else(|| run.name.clone());
        if run.error_occurred {
            return Err(FormatError::at(at, format!("`{id}` ended with an error")));
        }
        let is_aggregate = run.run_type == "aggregate";
        if is_aggregate && run.aggregate_name != "mean" {
            continue;
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
        let time = run.real_time.ok_or_else(|| FormatError::at(&key, "it is missing"))?;
        let time = positive(&key, time)? * unit;
        if is_aggregate {
            means.insert(id, time);
        } else {
            repetitions.entry(id).or_default().push(time);
        }
    }
    let mut records = Records::default();
    for (id, mean) in means.iter().filter(|(id, _)| !repetitions.contains_key(*id)) {
        records.add("benchmarks", id, single(*mean, 0.0))?;
    }
    for (id, times) in repetitions {
        let record = match times.as_slice() {
            [one] => single(*one, 0.0),
            _ => recorded(times),
        };
        records.add("benchmarks", &id, record)?;
    }
    records.done()
}

#[derive(Deserialize)]
struct CriterionMessage {
    reason: String,
    #[serde(default)]
    id: String,
    #[serde(default)]
    iteration_count: Vec<f64>,
    #[serde(default)]
    measured_values: Vec<f64>,
    #[serde(default)]
    unit: String,
}

/// The lines of `cargo criterion --message-format=json`: each benchmark is one process.
fn cargo_criterion(text: &str) -> Result<Recorded, FormatError> {
    let mut records = Records::default();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| line.starts_with('{')) {
        let at = format!("line {}", number + 1);
        let wrong = |error: FormatError| FormatError::at(&at, error.to_string());
        let message: CriterionMessage = json::parse(line.as_bytes()).map_err(wrong)?;
        if message.reason != "benchmark-complete" {
            continue;
        }
        if message.unit != "ns" {
            let problem = format!("`{}` is in `{}`: expected ns", message.id, message.unit);
            return Err(FormatError::at(at, problem));
        }
        let of_iteration = message.measured_values.iter().zip(&message.iteration_count);
        let times: Vec<f64> = of_iteration.map(|(time, count)| time / count).collect();
        let Some(mean) = stats::mean(&times) else {
            return Err(FormatError::at(at, format!("`{}` has no values", message.id)));
        };
        records.add(&at, &message.id, single(mean, recorded(times).std_dev))?;
    }
    records.done()
}

/// Id and the rest of a line such as `test a ... bench:   1,234.5 ns/iter (+/- 56)`.
fn bencher_value(line: &str) -> Option<(&str, &str)> {
    line.trim().strip_prefix("test ")?.split_once(" ... bench: ")
}

/// Id, nanoseconds and deviation of such a line.
fn bencher_line(line: &str) -> Option<(&str, f64, f64)> {
    let (id, rest) = bencher_value(line)?;
    let number = |text: &str| text.trim().replace(',', "").parse::<f64>().ok();
    let (time, rest) = rest.split_once(" ns/iter")?;
    let deviation = rest.trim().strip_prefix("(+/- ").and_then(|rest| rest.split_once(')'));
    let deviation = deviation.and_then(|(deviation, _)| number(deviation)).unwrap_or_default();
    Some((id.trim(), number(time)?, deviation))
}

fn bencher(text: &str) -> Result<Recorded, FormatError> {
    let mut records = Records::default();
    for (number, line) in text.lines().enumerate() {
        let at = || format!("line {}", number + 1);
        if let Some((id, time, deviation)) = bencher_line(line) {
            records.add(&at(), id, single(time, deviation))?;
        } else if let Some((id, found)) = bencher_value(line)
            && found.contains("/iter")
        {
            // A skipped line would be *missing*, or not compared at all.
            let found = found.trim();
            let what = format!("`{id}` is {found}: only nanoseconds per iteration are compared");
            return Err(FormatError::at(at(), what));
        }
    }
    records.done()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<String> {
        let record = record(text.as_bytes()).unwrap().unwrap();
        let row = |(key, it): (&BenchmarkKey, &RecordedBenchmark)| {
            format!("{}: {} {:?}", key.id, it.mean, it.rounds)
        };
        record.benchmarks.iter().map(row).collect()
    }

    #[test]
    fn a_line_in_another_unit_is_refused_and_not_left_out() {
        let text = "test a ... bench:         100 ns/iter (+/- 3)\ntest b ... bench: 288 cycles/iter (+/- 2)\n";
        let error = record(text.as_bytes()).unwrap().unwrap_err().to_string();
        assert!(error.contains("line 2") && error.contains("`b` is 288 cycles/iter"), "{error}");
    }

    #[test]
    fn each_run_of_hyperfine_is_a_round() {
        let text = r#"{"results":[{"command":"sort x","mean":0.002,"stddev":0.001,"median":0.002,"times":[0.001,0.003],
            "exit_codes":[0,0]},{"command":"sort","mean":0.5,"stddev":null,"parameters":{"n":"9"}}]}"#;
        assert_eq!(
            rows(text),
            ["sort x: 2000000 [1000000.0, 3000000.0]", "sort/n=9: 500000000 []"]
        );
    }

    #[test]
    fn a_command_that_failed_has_no_time() {
        for codes in ["[0,1]", "[null,0]"] {
            let text = format!(
                r#"{{"results":[{{"command":"sort","mean":1.0,"times":[1.0,1.0],"exit_codes":{codes}}}]}}"#
            );
            let error = record(text.as_bytes()).unwrap().unwrap_err().to_string();
            assert!(error.contains("results[0].exit_codes") && error.contains("`sort`"), "{error}");
        }
    }

    #[test]
    fn each_repetition_of_google_benchmark_is_a_round_and_aggregates_are_none() {
        let run = |more: &str| {
            format!(
                r#"{{"name":"BM_a/8","run_name":"BM_a/8",{more},"cpu_time":1.0,"time_unit":"us"}}"#
            )
        };
        let runs = [
            run(r#""run_type":"iteration","real_time":1.0"#),
            run(r#""run_type":"iteration","real_time":3.0"#),
            run(r#""run_type":"aggregate","aggregate_name":"mean","real_time":2.0"#),
            run(r#""run_type":"aggregate","aggregate_name":"cv","real_time":0.5"#),
        ];
        let file = |runs: &[String]| {
            format!(r#"{{"context":{{"num_cpus":8}},"benchmarks":[{}]}}"#, runs.join(","))
        };
        assert_eq!(rows(&file(&runs)), ["BM_a/8: 2000 [1000.0, 3000.0]"]);
        assert_eq!(rows(&file(&runs[2..])), ["BM_a/8: 2000 []"]);
    }

    #[test]
    fn lines_of_bencher_and_libtest_are_read_with_commas_and_fractions() {
        let text = "\nrunning 2 tests\ntest parse::big ... bench:   1,234,567 ns/iter (+/- 8,900) = 12 MB/s\n\
                    test parse::small ... bench:          12.34 ns/iter (+/- 0.50)\ntest x ... ignored\n";
        assert_eq!(rows(text), ["parse::big: 1234567 []", "parse::small: 12.34 []"]);
    }

    #[test]
    fn messages_of_cargo_criterion_are_read_by_iteration() {
        let text = r#"{"reason":"benchmark-complete","id":"g/a","iteration_count":[1,2],"measured_values":[3.0,10.0],"unit":"ns"}
{"reason":"group-complete","group_name":"g","benchmarks":["g/a"]}
"#;
        assert_eq!(rows(text), ["g/a: 4 []"]);
    }

    #[test]
    fn what_is_wrong_is_named_by_its_place() {
        let table: String = [
            r#"{"results":[{"command":"a","mean":0,"times":[]}]}"#,
            r#"{"results":[{"command":"a","mean":1,"times":[1,-1]}]}"#,
            r#"{"results":[{"command":"a","mean":1},{"command":"a","mean":1}]}"#,
            r#"{"context":{"num_cpus":1},"benchmarks":[{"name":"a","real_time":1,"time_unit":"days"}]}"#,
            r#"{"context":{"num_cpus":1},"benchmarks":[{"name":"a","error_occurred":true}]}"#,
            r#"{"reason":"benchmark-complete","id":"a","measured_values":[1],"iteration_count":[1],"unit":"cycles"}"#,
            "test a ... bench: 0 ns/iter (+/- 0)\n",
        ]
        .iter()
        .map(|text| format!("{}\n", record(text.as_bytes()).unwrap().unwrap_err()))
        .collect();
        insta::assert_snapshot!(table, @"
        `results[0].mean`: invalid time 0: must be > 0
        `results[0].times`: invalid time -1: must be > 0
        `results[1].mean`: `a` is there twice
        `benchmarks[0].time_unit`: invalid unit `days`: expected ns, us, ms or s
        `benchmarks[0]`: `a` ended with an error
        `line 1`: `a` is in `cycles`: expected ns
        `line 1`: invalid time 0: must be > 0
        ");
        assert!(record(b"").is_none() && record(b"words").is_none() && record(b"{}").is_none());
    }
}
