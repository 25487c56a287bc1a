//! Every benchmark and metric, as a table that can be filtered and sorted.

use maud::{Markup, html};

use super::look;
use super::name::Names;
use crate::plot::Tone;
use crate::report::summary;
use crate::report::text::{count, interval, more_instructions, one_line, percent, value};
use crate::result::{BenchmarkReport, RunResult};

/// Above this the rows that need no look are counted only, so that the page opens quickly.
const MOST_ROWS: usize = 2_000;

pub(super) fn rows(result: &RunResult, names: &Names) -> Markup {
    let is_folded = result.benchmarks.len() > MOST_ROWS;
    let mut shown: Vec<&BenchmarkReport> = result
        .benchmarks
        .iter()
        .filter(|row| !is_folded || look::tone(row) != Tone::Even)
        .collect();
    // What fails comes first, then what is worth a look, the worst first.
    shown.sort_by_key(|row| (!row.blocking, !summary::is_alarming(row), row.finding));
    let folded = result.benchmarks.len() - shown.len();
    let counted = shown.iter().any(|row| row.evidence.instructions.is_some());
    let mut columns = vec![
        ("finding", "finding"),
        ("name", "benchmark"),
        ("base", "base"),
        ("head", "head"),
        ("change", "change"),
        ("lower", "95 % interval, %"),
        ("pairs", "pairs"),
    ];
    if counted {
        columns.push(("instructions", "instructions"));
    }
    html! {
        section aria-labelledby="benchmarks" {
            h2 id="benchmarks" tabindex="-1" { "All benchmarks" }
            @if folded > 0 {
                p { (folded) " that need no look are not shown here; they are in the data below and in result.json." }
            }
            div class="controls" hidden {
                label { "Name contains " input type="search" id="filter" autocomplete="off" spellcheck="false"; }
                label { "Finding " select id="finding" { option value="" { "all" } } }
                span id="matches" role="status" {}
            }
            (look::scrolling("table stacked", "Table of all benchmarks", &html! {
                table id="rows" {
                    caption { (count(shown.len(), "row")) ": one for each benchmark and metric" }
                    thead { tr {
                        @for (key, name) in columns { th scope="col" class=[(!matches!(key, "finding" | "name")).then_some("n")] data-key=(key) { (name) } }
                    } }
                    tbody { @for row in shown { (line(row, names, counted)) } }
                }
            }))
        }
    }
}

fn line(row: &BenchmarkReport, names: &Names, counted: bool) -> Markup {
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    let amount = |side: Option<f64>| value(&row.metric, &row.unit, side);
    let change = row.change.as_ref();
    html! {
        tr title=(one_line(&row.reason)) {
            td data-v=(row.finding.name()) { (look::badge(look::tone(row), row.finding.name())) }
            th scope="row" { (names.code(row)) }
            td class="n" data-v=(number(row.base)) { (amount(row.base)) }
            td class="n" data-v=(number(row.head)) { (amount(row.head)) }
            td class="n" data-v=(number(change.map(|change| change.estimate))) {
                (change.map_or_else(|| "–".to_owned(), |change| percent(change.estimate)))
            }
            td class="n" data-v=(number(change.and_then(|change| change.lower))) {
                (interval(row).unwrap_or_else(|| "–".to_owned()))
            }
            td class="n" data-v=(row.pairs) { @if row.pairs > 0 { (row.pairs) } @else { "–" } }
            @if counted {
                td class="n" data-v=(number(row.evidence.more_instructions())) { (more_instructions(row)) }
            }
        }
    }
}
