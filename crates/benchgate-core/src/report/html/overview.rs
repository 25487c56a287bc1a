//! The forest plot: what changed most, on one axis.

use maud::{Markup, html};

use super::look;
use super::name::Names;
use crate::model::{Change, Finding};
use crate::plot::{self, ForestRow, Line, Tone, forest};
use crate::policy::Thresholds;
use crate::report::summary;
use crate::report::text::{interval, percent};
use crate::result::{BenchmarkReport, RunResult};

/// Maximum number of rows: more are not an overview.
const MOST_ROWS: usize = 40;

/// The plot, its rows, and those that it has no room for; none where nothing has a change.
struct Overview<'a> {
    figure: Markup,
    shown: Rows<'a>,
    others: Rows<'a>,
}

/// The plot as a separate file; without rows if nothing has a change.
pub(in crate::report) fn picture(result: &RunResult) -> String {
    let drawn = Overview::of(result, &Names::of(result));
    plot::file(
        &drawn
            .map_or_else(|| forest("forest", &[], &[], ("faster", "slower")), |drawn| drawn.figure),
    )
}

pub(super) fn overview(result: &RunResult, names: &Names) -> Markup {
    let Some(Overview { figure, shown, others }) = Overview::of(result, names) else {
        return html! {};
    };
    html! {
        section aria-labelledby="overview" {
            h2 id="overview" { "How much each benchmark changed" }
            p {
                "Head compared with base, in percent, with the 95 % interval. Right of 0 is "
                (summary::directions(&result.benchmarks).1)
                ". The axis is logarithmic: twice and half of the base are equally far from 0."
                @if result.benchmarks.iter().any(|row| row.metric.is_count()) { " An exact count has no interval." }
            }
            // Where the window is narrower than the plot, which scrolls: what is read of it.
            ul class="changes" {
                @for (row, change) in &shown {
                    li {
                        (look::badge(look::tone(row), row.finding.name())) " " (names.code(row))
                        div { strong { (percent(change.estimate)) } @if let Some(interval) = interval(row) { " " (interval) " %" } }
                    }
                }
            }
            (look::scrolling("figure forest", "Plot of all changes", &figure))
            @if let Some(range) = range(&others) {
                p { (others.len()) " more, with estimates from " (range) ", are in the table of all benchmarks." }
            }
            p class="legend" {
                @for (tone, words) in [
                    (Tone::Worse, "fails"), (Tone::Caution, "worth a look"), (Tone::Open, "not proven"),
                    (Tone::Better, "proven faster"), (Tone::Even, "unchanged"),
                ] { (look::badge(tone, words)) " " }
            }
        }
    }
}

impl<'a> Overview<'a> {
    fn of(result: &'a RunResult, names: &Names) -> Option<Self> {
        let mut rows: Rows<'a> = result
            .benchmarks
            .iter()
            .filter(|row| row.finding != Finding::Identical)
            .filter_map(|row| Some((row, row.change.as_ref()?)))
            .filter(|(_, change)| change.estimate.ln_1p().is_finite())
            .collect();
        // Blocking rows come first, then those with the highest lower bound of the slowdown.
        let lowest = |change: &Change| change.lower.unwrap_or(f64::NEG_INFINITY);
        rows.sort_by(|(a, x), (b, y)| {
            let order = b.blocking.cmp(&a.blocking).then(lowest(y).total_cmp(&lowest(x)));
            order.then(y.estimate.total_cmp(&x.estimate))
        });
        let (shown, others) = chosen(&rows);
        // One line cannot be the limit of benchmarks with different ones: the card of each has its own.
        let first = shown.first()?.0.thresholds;
        let is_one = shown.iter().all(|(row, _)| row.thresholds == first);
        let limits = lines(Some(first).filter(|_| is_one));
        let drawn: Vec<ForestRow> =
            shown.iter().map(|(row, change)| drawn(names, row, change)).collect();
        Some(Self {
            figure: forest("forest", &drawn, &limits, summary::directions(&result.benchmarks)),
            shown,
            others,
        })
    }
}

fn drawn(names: &Names, row: &BenchmarkReport, change: &Change) -> ForestRow {
    let [lower, estimate, upper] = change.to_logs();
    ForestRow {
        label: names.plain(row),
        tone: look::tone(row),
        estimate,
        lower,
        upper,
        text: numbers(row, change),
    }
}

/// The change and its interval, in words.
fn numbers(row: &BenchmarkReport, change: &Change) -> String {
    let size = percent(change.estimate);
    interval(row).map_or_else(|| size.clone(), |interval| format!("{size} {interval}"))
}

type Rows<'a> = Vec<(&'a BenchmarkReport, &'a Change)>;

/// The rows that are drawn, everything that needs a look among them, and the others.
fn chosen<'a>(rows: &Rows<'a>) -> (Rows<'a>, Rows<'a>) {
    let quiet = |row: &BenchmarkReport| look::tone(row) == Tone::Even;
    let loud = rows.iter().filter(|(row, _)| !quiet(row)).count();
    let mut room = MOST_ROWS.saturating_sub(loud);
    let (mut shown, mut others) = (Vec::new(), Vec::new());
    for (row, change) in rows {
        if shown.len() < MOST_ROWS && (!quiet(row) || room > 0) {
            room -= usize::from(quiet(row));
            shown.push((*row, *change));
        } else {
            others.push((*row, *change));
        }
    }
    (shown, others)
}

fn range(rows: &Rows<'_>) -> Option<String> {
    let estimates = || rows.iter().map(|(_, change)| change.estimate);
    let (least, most) = (estimates().min_by(f64::total_cmp)?, estimates().max_by(f64::total_cmp)?);
    Some(format!("{} to {}", percent(least), percent(most)))
}

/// The thresholds as lines.
pub(super) fn lines(thresholds: Option<Thresholds>) -> Vec<Line> {
    let Some(Thresholds { note, warning, critical }) = thresholds else { return Vec::new() };
    let mut lines: Vec<Line> = Vec::new();
    for (name, at) in [("note", note), ("warning", warning), ("critical", critical)] {
        // Where a policy makes two of them one, the stronger name says it.
        lines.retain(|line| line.log < at.ln_1p());
        lines.push(Line { log: at.ln_1p(), label: format!("{name} +{} %", rounded(at * 100.0)) });
    }
    lines
}

fn rounded(percent: f64) -> f64 {
    (percent * 100.0).round() / 100.0
}
