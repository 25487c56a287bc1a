//! The top of the page: the verdict, what it rests on, and what to do next.

use maud::{Markup, html};

use super::look;
use super::name::Names;
use crate::model::{Change, Finding, Verdict};
use crate::report::again::again;
use crate::report::text::{count, interval, one_line, percent, seconds, size, value};
use crate::report::waivers::Way;
use crate::report::{Options, meaning, summary, waivers};
use crate::result::{BenchmarkReport, Origin, RunResult};

/// Maximum number of benchmarks that are described in sentences; the others have cards and rows.
const MOST_SENTENCES: usize = 6;
/// Maximum number of benchmarks whose lines of acceptance are shown: they are alike.
const MOST_ACCEPTED: usize = 20;

pub(super) fn verdict(result: &RunResult, options: &Options<'_>, names: &Names) -> Markup {
    let meaning = meaning::meaning(result);
    let tone = look::of_verdict(result.verdict);
    let failing: Vec<&BenchmarkReport> =
        summary::alarming(result).into_iter().filter(|row| row.blocking).collect();
    html! {
        header class={ "verdict " (tone.class()) } {
            p class="product" { "benchgate" }
            h1 { (look::verdict_badge(result.verdict)) ": " (meaning::headline(result)) }
            p { (summary::counts(result)) }
            p {
                "Base " (side(&result.base, options)) " → head " (side(&result.head, options))
                @if result.seconds.measure > 0.0 {
                    ". " (seconds(result.seconds.build)) " building, " (seconds(result.seconds.measure)) " measuring"
                }
                "."
                @if let Some(url) = options.run_url { " " a href=(url) { "The run" } "." }
            }
        }
        section aria-labelledby="answer" {
            h2 id="answer" { "What this says" }
            p { (look::prose(meaning.sentence)) }
            @if !failing.is_empty() {
                ul {
                    @for row in failing.iter().take(MOST_SENTENCES) { li { (sentence(row, names)) } }
                    @if failing.len() > MOST_SENTENCES {
                        li { (failing.len() - MOST_SENTENCES) " more, below." }
                    }
                }
            }
            p { (certainty(result)) }
            (actions(result, names, &meaning.next))
            @for waiver in waivers::alarming(result) { p { (look::prose(&waivers::line(waiver, str::to_owned))) } }
        }
    }
}

/// What to type and to paste, once for the whole page.
fn actions(result: &RunResult, names: &Names, next: &str) -> Markup {
    let way = Way::of(result);
    let mut accepted: Vec<String> = summary::alarming(result)
        .into_iter()
        .filter_map(|row| way.lines(result, names.naming(), row))
        .collect();
    let hidden = accepted.split_off(accepted.len().min(MOST_ACCEPTED)).len();
    let command = again(result, None).filter(|_| result.verdict != Verdict::Pass);
    html! {
        div class="actions" {
            h3 { "What to do next" }
            p { (look::prose(next)) }
            @if let Some(command) = command {
                p { "To measure all of it again:" }
                (look::copied(&command))
            }
            @if !accepted.is_empty() {
                // Many would take the plot off the first screen.
                details open[accepted.len() == 1] {
                    summary { "To accept what fails, " (way.place()) }
                    (look::copied(&accepted.join(way.between())))
                    @if hidden > 0 { p { (hidden) " more can be accepted alike." } }
                }
            }
        }
    }
}

fn side(origin: &Origin, options: &Options<'_>) -> Markup {
    let commit = look::commit(&origin.commit, options.run_url);
    html! {
        @if origin.name == origin.commit { (commit) }
        @else { code { (one_line(&origin.name)) } }
        @if !origin.commit.is_empty() && origin.name != origin.commit { " (" (commit) ")" }
        @if origin.dirty { " with uncommitted changes" }
    }
}

/// Describes the finding of one benchmark in a sentence.
fn sentence(row: &BenchmarkReport, names: &Names) -> Markup {
    let amount = |side: Option<f64>| value(&row.metric, &row.unit, side);
    html! {
        (names.code(row)) " "
        @match (row.finding.level(), &row.change) {
            (Some(_), Some(change)) if row.is_worse_by_change() => {
                "is " strong { (worse_by(row, change)) } ": " (amount(row.base)) " → " (amount(row.head))
                @if let Some(interval) = interval(row) {
                    ". With 95 % confidence the change is within " (interval) " %"
                }
                "; the limit is " (percent(row.limit)) "."
            }
            _ => { "is " strong { (row.finding.name()) } ": " (look::prose(&row.reason)) }
        }
    }
}

fn worse_by(row: &BenchmarkReport, change: &Change) -> String {
    let size = size(change.estimate);
    match (row.metric.is_duration(), change.estimate >= 0.0) {
        (true, true) => format!("{size} slower"),
        (true, false) => format!("{size} faster"),
        (false, true) => format!("{size} more"),
        (false, false) => format!("{size} less"),
    }
}

/// How far the verdict can be trusted.
fn certainty(result: &RunResult) -> Markup {
    let compared = result.benchmarks.iter().filter(|row| row.finding.is_compared()).count();
    let open = summary::number(result, Finding::Inconclusive);
    html! {
        "How it was measured: " (summary::method(result)) "."
        @if let Some(error) = result.false_alarm.filter(|_| compared > 0) {
            " If nothing had become slower, noise alone would turn such a run red with a probability of at most "
            (size(error)) ". Exact counts have no noise."
        }
        @if open > 0 {
            " Of " (count(compared, "compared benchmark")) ", " (open)
            (if open == 1 { " is" } else { " are" }) " undecided."
        }
    }
}
