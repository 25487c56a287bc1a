//! The forest plot: what changed most, on one axis.

use maud::{Markup, html};

use super::look;
use super::name::Names;
use crate::model::{Change, Finding};
use crate::plot::{ForestRow, Line, Tone, forest};
use crate::policy::Thresholds;
use crate::report::text::{bounds, percent};
use crate::result::{BenchmarkReport, RunResult};

/// Maximum number of rows: more are not an overview.
const MOST_ROWS: usize = 40;

pub(super) fn overview(result: &RunResult, names: &Names) -> Markup {
    let mut rows: Vec<(&BenchmarkReport, &Change)> = result
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
    if rows.is_empty() {
        return html! {};
    }
    let (shown, others) = chosen(&rows);
    let drawn: Vec<ForestRow> = shown
        .iter()
        .map(|(row, change)| {
            let [lower, estimate, upper] = change.to_logs();
            let text = format!("{} {}", percent(change.estimate), bounds(change));
            ForestRow {
                label: names.plain(row),
                tone: look::tone(row),
                estimate,
                lower,
                upper,
                text,
            }
        })
        .collect();
    html! {
        section aria-labelledby="overview" {
            h2 id="overview" { "How much each benchmark changed" }
            p {
                "Head compared with base, in percent, with the 95 % interval. Right of 0 is "
                @if result.benchmarks.iter().all(|row| row.metric.is_duration()) { "slower" } @else { "worse" } "."
            }
            @let limits = lines(shown.first().map(|(row, _)| row.thresholds));
            (look::scrolling("figure", "Plot of all changes", &forest("forest", &drawn, &limits)))
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
