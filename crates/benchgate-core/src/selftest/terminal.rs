//! Two tables for a terminal.

use std::borrow::Cow;
use std::fmt::Write as _;

use anstyle::Style;

use super::{Copied, SelfTest, percent};
use crate::model::{Finding, Verdict};
use crate::report::{Table, one_line};

/// The report; `width` is the number of columns of the terminal.
pub fn terminal(selftest: &SelfTest, width: Option<u16>) -> String {
    let mut text = String::new();
    if !selftest.benchmarks.is_empty() {
        text.push_str("Every benchmark compared with a copy of itself:\n\n");
        let rows = selftest.benchmarks.iter().filter(|b| b.finding != Finding::Skipped).map(row);
        let header = ["finding", "benchmark", "smallest slowdown", "pairs", "seconds"];
        text.push_str(&table(&header, rows, &[2, 3, 4], width));
        text.push('\n');
    }
    for benchmark in selftest.benchmarks.iter().filter(|b| needs_explanation(b)) {
        let _ = writeln!(text, "{}: {}", one_line(&name(benchmark)), one_line(&benchmark.reason));
    }
    for suite in &selftest.suites {
        let _ = writeln!(
            text,
            "suite {}.{} is {}: {}",
            one_line(&suite.package),
            one_line(&suite.suite),
            suite.finding.name(),
            one_line(&suite.reason)
        );
        for line in suite.output.lines() {
            let _ = writeln!(text, "    | {}", one_line(line));
        }
    }
    if !selftest.canaries.is_empty() {
        text.push_str("Changes of known effect:\n\n");
        let rows = selftest.canaries.iter().map(|canary| {
            let cells = [canary.state.name(), &canary.canary, &canary.expected, &canary.seen];
            cells.map(|cell| one_line(cell).into_owned()).to_vec()
        });
        text.push_str(&table(&["", "canary", "expected", "seen"], rows, &[], width));
        text.push('\n');
    }
    let verdict = match selftest.verdict() {
        Verdict::Pass => "pass: every report of the gate was correct",
        Verdict::Inconclusive => "inconclusive: some results could not be proven on this machine",
        Verdict::Incomplete | Verdict::Regression => {
            "incomplete: a canary was missed, an alarm was false, or something could not run"
        }
    };
    let _ = writeln!(text, "{verdict}\n  {}", selftest.line());
    text
}

fn row(benchmark: &Copied) -> Vec<String> {
    vec![
        benchmark.finding.name().to_owned(),
        one_line(&name(benchmark)).into_owned(),
        benchmark.detectable.map_or_else(|| "–".to_owned(), percent),
        benchmark.pairs.to_string(),
        format!("{:.1}", benchmark.seconds),
    ]
}

fn name(benchmark: &Copied) -> String {
    let Copied { id, metric, .. } = benchmark;
    if metric.is_count() { format!("{id} {}", metric.name()) } else { id.clone() }
}

fn needs_explanation(benchmark: &Copied) -> bool {
    benchmark.is_false_alarm()
        || matches!(
            benchmark.finding,
            Finding::Failed | Finding::Inconclusive | Finding::NonDeterministic
        )
}

fn table(
    header: &[&str],
    rows: impl Iterator<Item = Vec<String>>,
    right: &[usize],
    width: Option<u16>,
) -> String {
    let mut table = Table::new(header, right);
    for row in rows {
        table.row(row.into_iter().map(Cow::Owned));
    }
    table.text(width, |_| Style::new())
}
