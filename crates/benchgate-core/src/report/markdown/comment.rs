//! The Markdown report on one screen: the verdict, a table of what needs a look, and everything else folded.

use std::collections::BTreeMap;

use super::bars::bars;
use super::capped::Capped;
use super::details::details;
use super::escape::{code, inline, output_block};
use super::rows::{Columns, finding_mark, name, of_change, rule_line, suite_line, waiver_line};
use super::{Additions, explained, fold_the_rest, head};
use crate::model::{BenchmarkKey, Finding, Metric};
use crate::report::naming::Naming;
use crate::report::{counters, explanation, summary, waivers};
use crate::result::{BenchmarkReport, Method, RuleState, RunResult, SuiteReport};

/// Rows that need a look and do not fail: more are folded.
const MOST_OTHERS: usize = 8;
/// Notices that are not folded.
const MOST_NOTICES: usize = 4;
const HEADER: &str = "| Benchmark | change [95 % interval] | where, or why not |\n|---|---|---|\n";

/// Writes in the order of importance, so that the least important is cut. Failing rows are never folded.
pub(in crate::report) fn comment(
    result: &RunResult,
    limit: usize,
    additions: &Additions<'_>,
) -> String {
    let mut text = Capped::new(limit);
    text.block(&head(result, &additions.under_headline));
    let naming = Naming::of(result);
    for rule in summary::alarming_rules(result) {
        text.row(&rule_line(rule), rule.state == RuleState::Violated);
    }
    let alarming = summary::alarming(result);
    let failing = alarming.iter().filter(|row| row.blocking).count();
    let (shown, others) = alarming.split_at(alarming.len().min(failing + MOST_OTHERS));
    if !shown.is_empty() {
        text.block(HEADER);
        for row in shown {
            text.row(&line(result, naming, row), row.blocking);
        }
        text.block("\n");
    }
    let (failed, quiet): (Vec<_>, Vec<_>) =
        result.suites.iter().partition(|suite| !is_left_out(suite));
    failed.iter().for_each(|suite| text.row(&suite_line(suite), true));
    let printed = alarming.iter().filter(|row| !row.output.is_empty());
    let mut outputs: Vec<String> =
        printed.map(|row| output_block(&name(naming, row), &row.output)).collect();
    // The first is what a reader looks for, and the others are often the same.
    if !outputs.is_empty() && failed.is_empty() {
        text.block(&outputs.remove(0));
    }
    for waiver in waivers::alarming(result) {
        text.block(&waiver_line(waiver));
    }
    let notice = |notice: &String| format!("> {}\n\n", inline(notice));
    let (notices, more) = result.notices.split_at(result.notices.len().min(MOST_NOTICES));
    notices.iter().for_each(|one| text.block(&notice(one)));
    text.folded("More notices", "", more.iter().map(notice));
    text.folded("Also to look at", HEADER, others.iter().map(|row| line(result, naming, row)));
    to_do(&mut text, &alarming, additions);
    text.folded("What they printed", "", outputs.into_iter());
    text.folded("Suites that were not measured", "", quiet.into_iter().map(suite_line));
    folded(&mut text, result, &alarming, naming);
    text.block(&details(result, additions.again));
    text.finish()
}

/// A row of the table that is not folded.
fn line(result: &RunResult, naming: Naming, row: &BenchmarkReport) -> String {
    format!(
        "| {} {} {} | {} | {} |\n",
        finding_mark(row.finding, row.blocking),
        row.finding.name(),
        name(naming, row),
        of_change(row, "**"),
        place(result, row),
    )
}

/// Where most of a difference sits, or why that is not known; of what was not compared, why.
fn place(result: &RunResult, row: &BenchmarkReport) -> String {
    let lines = result.explanation(row).map(|found| explanation::summary(found, row, code, inline));
    match lines.as_deref() {
        _ if !row.is_worse_by_change() => inline(&row.reason),
        Some([first, ..]) => first.clone(),
        Some([]) => "no function stands out".to_owned(),
        None if row.metric == Metric::TIME && result.method == Method::Paired => {
            format!("not looked for: {}", code("benchgate explain"))
        }
        None => "–".to_owned(),
    }
}

/// Whether a suite has no values because none were wanted.
fn is_left_out(suite: &SuiteReport) -> bool {
    matches!(suite.finding, Finding::Identical | Finding::Skipped)
}

/// How to accept what fails, and how to measure it again.
fn to_do(text: &mut Capped, alarming: &[&BenchmarkReport], additions: &Additions<'_>) {
    let Some(block) = additions.per_failing else { return };
    let mut failing: BTreeMap<BenchmarkKey, Vec<&BenchmarkReport>> = BTreeMap::new();
    for row in alarming.iter().filter(|row| row.blocking) {
        failing.entry(row.key()).or_default().push(row);
    }
    // All of a benchmark where its first is.
    let rows = alarming.iter().filter_map(|row| failing.remove(&row.key()));
    let blocks: Vec<String> = rows.map(|rows| block(&rows)).filter(|b| !b.is_empty()).collect();
    let title = match additions.above_failing.is_empty() {
        true => "Measure it again",
        false => "Accept it, or measure it again",
    };
    text.folded(title, &additions.above_failing, blocks.into_iter());
}

/// Everything else.
fn folded(text: &mut Capped, result: &RunResult, alarming: &[&BenchmarkReport], naming: Naming) {
    let columns = Columns::of(result, naming);
    let header =
        format!("{}{}", bars(alarming, naming).unwrap_or_default(), columns.alarming_header());
    text.folded("Numbers and limits", &header, alarming.iter().map(|row| columns.alarming(row)));
    let explanations: Vec<String> = alarming
        .iter()
        .filter_map(|row| Some(explained(row, result.explanation(row)?, naming)))
        .filter(|lines| !lines.is_empty())
        .collect();
    text.folded("Where it sits", "", explanations.into_iter());
    let counted: Vec<String> = alarming
        .iter()
        .filter(|row| row.blocking)
        .filter_map(|row| Some((row, row.evidence.counters.as_ref()?)))
        .map(|(row, found)| format!("In {}, {}.\n\n", name(naming, row), counters::line(found)))
        .collect();
    text.folded("Counters of the processor", "", counted.into_iter());
    fold_the_rest(text, result, columns);
}
