//! The files that Criterion 0.3 to 0.8 writes for one benchmark.
//!
//! `benchmark.json` names it, `sample.json` holds the measured values. Estimates, confidence intervals
//! and p-values are not used for judging: Criterion draws them from a single process, with a seed from
//! the clock.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::estimates::Estimates;
use crate::json::{self, EMPTY, FormatError, positive};
use crate::model::{Identity, RecordedBenchmark};
use crate::stats;

/// Reads a `benchmark.json`: which benchmark a folder belongs to.
///
/// # Errors
/// Names the key that is missing or wrong.
pub fn identity(text: &[u8]) -> Result<Identity, FormatError> {
    parse(text)
}

#[derive(Deserialize)]
struct Sample {
    iters: Vec<f64>,
    times: Vec<f64>,
}

/// What one process measured of a benchmark.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampled {
    /// The value of the round: the lower quartile of time per iteration, in nanoseconds.
    pub value: f64,
    /// Nanoseconds of all samples together: the process ran at least that long.
    pub total: f64,
}

/// The value of one round: the lower quartile of time per iteration, in nanoseconds.
///
/// The lower quartile shrugs off the slow batches of a process that was preempted, where a mean is
/// dragged along; a minimum would hang on one lucky batch.
///
/// # Errors
/// As [`sampled`].
pub fn round_value(sample: &[u8]) -> Result<f64, FormatError> {
    sampled(sample, &[]).map(|sampled| sampled.value)
}

/// Reads a `sample.json`; `limits` are the times in nanoseconds that Criterion was given.
///
/// # Errors
/// Names the key when counts are zero or negative, times are, or the two lists differ in length; and when what is
/// written was not measured: all samples are the same, or the value is one of the limits. Criterion 0.4 writes 1 ms
/// twice with `--quick` where the first iteration takes longer than the measuring time.
pub fn sampled(sample: &[u8], limits: &[f64]) -> Result<Sampled, FormatError> {
    let Sample { iters, times } = parse(sample)?;
    if iters.len() != times.len() {
        return Err(FormatError::whole(format!(
            "{} iteration counts and {} times: the file is torn",
            iters.len(),
            times.len()
        )));
    }
    let mut values = Vec::with_capacity(times.len());
    for (index, (iterations, time)) in iters.iter().zip(&times).enumerate() {
        let iterations = positive(&format!("iters[{index}]"), *iterations)?;
        values.push(positive(&format!("times[{index}]"), *time)? / iterations);
    }
    let value = stats::quantile(&values, 0.25)
        .ok_or_else(|| FormatError::at("times", "no sample: nothing was measured"))?;
    // Of clocks that tick once a nanosecond no two samples of several iterations agree to the last digit.
    let is_constant = values.iter().all(|other| *other == value);
    if let (true, [_, _, ..]) = (is_constant, values.as_slice()) {
        return Err(FormatError::at(
            "times",
            format!(
                "all {} samples are {value} ns per iteration: a constant was written, and nothing measured",
                values.len()
            ),
        ));
    }
    if limits.contains(&value) {
        return Err(FormatError::at(
            "times",
            format!("{value} ns is a time that the harness was given, and was not measured"),
        ));
    }
    Ok(Sampled { value, total: times.iter().sum() })
}

/// Reads an `estimates.json`.
///
/// # Errors
/// Names the key that is missing, wrong or no time.
pub fn estimates(text: &[u8]) -> Result<RecordedBenchmark, FormatError> {
    let (mean, std_dev) = parse::<Estimates>(text)?.checked()?;
    Ok(RecordedBenchmark::single(mean, std_dev))
}

fn parse<T: DeserializeOwned>(file: &[u8]) -> Result<T, FormatError> {
    if file.is_empty() {
        return Err(FormatError::whole(format!(
            "{EMPTY}; Criterion empties the files of a baseline that is saved under the name `new`"
        )));
    }
    json::parse_large(file)
}

/// Names that Criterion keeps for itself: a baseline of that name destroys data or is never read.
///
/// # Errors
/// Says what Criterion would do.
pub fn check_baseline_name(name: &str) -> Result<(), FormatError> {
    let problem = match name {
        "" => "a baseline needs a name",
        "new" => "Criterion copies a baseline `new` onto itself and empties its files",
        "change" => "Criterion keeps `change` for its own comparison and critcmp never reads it",
        "report" => "Criterion keeps `report` for its plots",
        "." | ".." => "a baseline name is a folder name",
        name if name.contains(['/', '\\']) => {
            "a slash makes a nested folder, of which critcmp shows the last part only"
        }
        _ => return Ok(()),
    };
    Err(FormatError::whole(format!(
        "`{name}` cannot be a baseline name: {problem}; choose another"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Throughput;

    #[test]
    fn a_round_is_the_lower_quartile_of_time_per_iteration() {
        let sample = br#"{"sampling_mode":"Linear","iters":[1,2,3,4,5],"times":[10,22,36,52,70]}"#;
        // 10, 11, 12, 13, 14 per iteration.
        assert_eq!(round_value(sample), Ok(11.0));
    }

    #[test]
    fn a_constant_of_the_harness_is_not_a_measurement() {
        // What Criterion 0.4.0 writes with `--quick` where an iteration outlasts the measuring time.
        let placeholder = br#"{"iters":[1,1],"times":[1000000,1000000]}"#;
        let error = sampled(placeholder, &[]).unwrap_err().to_string();
        assert!(error.contains("all 2 samples are 1000000 ns per iteration"), "{error}");
        let limit = br#"{"iters":[1,1,1],"times":[10000000,10000000,10000001]}"#;
        let error = sampled(limit, &[2e6, 1e7]).unwrap_err().to_string();
        assert!(error.contains("10000000 ns is a time that the harness was given"), "{error}");
        assert_eq!(sampled(limit, &[2e6]), Ok(Sampled { value: 1e7, total: 30_000_001.0 }));
        // One that was preempted once, and one sample alone, are measurements.
        assert!(sampled(br#"{"iters":[1,1],"times":[5,6]}"#, &[]).is_ok());
        assert!(sampled(br#"{"iters":[3],"times":[9]}"#, &[]).is_ok());
    }

    #[test]
    fn a_sample_that_measured_nothing_is_an_error_that_names_the_key() {
        let table: String = [
            "",
            "{",
            r#"{"iters":[],"times":[]}"#,
            r#"{"iters":[1],"times":[]}"#,
            r#"{"iters":[0],"times":[5]}"#,
            r#"{"iters":[1,1],"times":[5,0]}"#,
            r#"{"iters":[1],"times":[-5]}"#,
            r#"{"iters":[1],"times":[null]}"#,
            r#"{"iters":[1],"times":[NaN]}"#,
            r#"{"iters":[1],"times":[1e999]}"#,
            r#"{"iters":[1],"times":["5"]}"#,
            r#"{"times":[5]}"#,
        ]
        .iter()
        .map(|text| format!("{text}\n    -> {}\n", round_value(text.as_bytes()).unwrap_err()))
        .collect();
        insta::assert_snapshot!(table);
    }

    #[test]
    fn every_throughput_kind_of_criterion_is_read() {
        let identity = |throughput: &str| {
            identity(
                format!(
                    r#"{{"group_id":"g","function_id":null,"value_str":null,"full_id":"g",
                    "directory_name":"g","title":"g","throughput":{throughput}}}"#
                )
                .as_bytes(),
            )
            .unwrap()
            .throughput()
        };
        let some = |bytes, elements| Some(Throughput { bytes, elements });
        assert_eq!(identity("null"), None);
        assert_eq!(identity(r#"{"Bytes":64}"#), some(Some(64), None));
        assert_eq!(identity(r#"{"BytesDecimal":64}"#), some(Some(64), None));
        assert_eq!(identity(r#"{"Elements":3}"#), some(None, Some(3)));
        assert_eq!(identity(r#"{"Bits":3}"#), some(None, None));
        assert_eq!(
            identity(r#"{"ElementsAndBytes":{"elements":4,"bytes":16}}"#),
            some(Some(16), Some(4))
        );
    }

    #[test]
    fn names_that_criterion_keeps_for_itself_are_refused() {
        for name in ["new", "change", "report", "a/b", "a\\b", "", ".", ".."] {
            assert!(check_baseline_name(name).is_err(), "{name}");
        }
        assert_eq!(check_baseline_name("main"), Ok(()));
    }
}
