//! Comma-separated values: one row for each benchmark and metric, for a spreadsheet or a script.

use super::{Options, one_line};
use crate::result::RunResult;

const HEADER: &str =
    "package,suite,id,metric,unit,finding,blocking,base,head,change,lower,upper,pairs,reason";

/// Numbers are in the row's unit, changes are fractions, and what is not known is empty.
pub(super) fn csv(result: &RunResult, _: &Options<'_>) -> String {
    let mut text = format!("{HEADER}\n");
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    for report in &result.benchmarks {
        let change = report.change;
        let cells = [
            cell(&report.package),
            cell(&report.suite),
            cell(&report.id),
            cell(report.metric.name()),
            cell(&report.unit),
            cell(report.finding.name()),
            report.blocking.to_string(),
            number(report.base),
            number(report.head),
            number(change.map(|change| change.estimate)),
            number(change.and_then(|change| change.lower)),
            number(change.and_then(|change| change.upper)),
            report.pairs.to_string(),
            cell(&report.reason),
        ];
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}

/// A text on one line. A spreadsheet computes what begins like a formula, and anyone may name a benchmark.
fn cell(text: &str) -> String {
    let text = one_line(text);
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t']);
    let mark = if is_formula { "'" } else { "" };
    match is_formula || text.contains([',', '"', '\'']) {
        true => format!("\"{mark}{}\"", text.replace('"', "\"\"")),
        false => text.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;
    use crate::result::BenchmarkReport;

    #[test]
    fn every_benchmark_and_metric_is_a_row() {
        let result = samples::regression();
        let text = csv(&result, &Options::default());
        let (header, rows) = text.split_once('\n').unwrap();
        assert_eq!(header, HEADER);
        for (row, report) in rows.lines().zip(&result.benchmarks) {
            let BenchmarkReport { id, finding, blocking, .. } = report;
            let (metric, unit) = (report.metric.name(), &report.unit);
            let middle = format!("{id},{metric},{unit},{},{blocking},", finding.name());
            assert!(row.contains(&middle), "{row}");
        }
        assert_eq!(rows.lines().count(), result.benchmarks.len());
    }

    #[test]
    fn no_text_can_start_a_cell_a_row_or_a_formula() {
        let hostile = csv(&samples::with_text("=1+1,\"x\"\n@y"), &Options::default());
        let rows = samples::with_text("a").benchmarks.len() + 1;
        assert_eq!(hostile.lines().count(), rows);
        assert_eq!(cell("=1+1"), "\"'=1+1\"");
        assert_eq!(cell("a,\"b\""), "\"a,\"\"b\"\"\"");
        assert_eq!(cell("plain/id"), "plain/id");
    }
}
