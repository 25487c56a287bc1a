//! A summary of a result for programs: the verdict and its numbers, as JSON.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Options, line, meaning, summary};
use crate::exit::Exit;
use crate::json;
use crate::model::{Finding, Verdict};
use crate::result::{Method, RunResult, Seconds};

/// Value of the key `schema`.
pub const SUMMARY_SCHEMA: &str = "benchgate.summary/1";

#[derive(Serialize)]
struct Summary<'a> {
    schema: &'static str,
    verdict: Verdict,
    exit: u8,
    headline: String,
    line: &'a str,
    /// Without those that no benchmark has.
    findings: BTreeMap<&'static str, usize>,
    base: &'a str,
    head: &'a str,
    method: Method,
    seconds: Seconds,
}

/// A JSON object on one line.
pub(super) fn summary(result: &RunResult, options: &Options<'_>) -> String {
    let findings = Finding::ALL
        .into_iter()
        .map(|finding| (finding.name(), summary::number(result, finding)))
        .filter(|(_, number)| *number > 0);
    let line = line::line(result, options);
    let summary = Summary {
        schema: SUMMARY_SCHEMA,
        verdict: result.verdict,
        exit: Exit::from(result.verdict).code(),
        headline: meaning::headline(result),
        line: line.trim_end(),
        findings: findings.collect(),
        base: &result.base.commit,
        head: &result.head.commit,
        method: result.method,
        seconds: result.seconds,
    };
    // Only strings and finite numbers: serializing cannot fail.
    let mut text = json::one_line(&summary, 1_024);
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn a_summary_is_one_line_of_json_with_the_exit_code_of_its_verdict() {
        let lines: String = [samples::regression(), samples::incomplete(), samples::pass()]
            .iter()
            .map(|result| summary(result, &Options::default()))
            .collect();
        insta::assert_snapshot!(lines);
    }

    #[test]
    fn every_benchmark_is_counted_once() {
        let result = samples::regression();
        let summary = summary(&result, &Options::default());
        let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
        let counts = summary["findings"].as_object().unwrap().values();
        let total: u64 = counts.map(|count| count.as_u64().unwrap()).sum();
        assert_eq!(total, result.benchmarks.len() as u64);
    }
}
