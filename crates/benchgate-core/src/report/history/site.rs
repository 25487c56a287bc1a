//! A history as a folder of pages, without scripts: an index, and one page at a stable address for each chain.

use std::fmt::Write as _;

use maud::{Markup, html};
use sha2::{Digest as _, Sha256};

use super::{date, in_words, last_value, name, whole};
use crate::history::{ERROR, Event, History, Point, Series, SeriesKey, Shift};
use crate::plot::{ChainMark, ChainPlot, Tone, chain, sparkline};
use crate::report::html::still_page;
use crate::report::text::{count, one_line, percent, short};

/// Runs that a page lists; the JSON has all of them.
const LISTED: usize = 100;
/// Dates below a figure.
const DATES: usize = 5;
/// Letters of a name in an address.
const LONGEST: usize = 60;

/// Path in the folder, and text.
pub fn site(history: &History) -> Vec<(String, String)> {
    let mut pages = Vec::with_capacity(history.series.len() + 1);
    let mut rows = Vec::with_capacity(history.series.len());
    for (number, (key, series)) in history.series.iter().enumerate() {
        let (shifts, address) = (series.shifts(ERROR), address(key));
        pages.push((address.clone(), page(history, key, series, &shifts)));
        rows.push((shifts.len(), row(number, key, series, &shifts, &address)));
    }
    // Those with changes first; the order of the names otherwise.
    rows.sort_by_key(|(shifts, _)| *shifts == 0);
    let rows: Vec<Markup> = rows.into_iter().map(|(_, row)| row).collect();
    pages.push(("index.html".to_owned(), index(history, &rows)));
    pages
}

/// Stable: made of the name alone, with a digest of the characters it omits.
fn address(key: &SeriesKey) -> String {
    let name = name(key);
    let mut slug = String::new();
    for c in name.chars().take(LONGEST) {
        match c.is_ascii_alphanumeric() {
            true => slug.push(c.to_ascii_lowercase()),
            false if !slug.ends_with('-') => slug.push('-'),
            false => {}
        }
    }
    let whole = format!("{}\0{}\0{}", key.benchmark, key.metric, key.unit);
    let digest = Sha256::digest(whole.as_bytes());
    let digest: String = digest.iter().take(4).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    });
    format!("benchmarks/{}-{digest}.html", slug.trim_matches('-'))
}

fn index(history: &History, rows: &[Markup]) -> String {
    let body = html! {
        header class="verdict" {
            p class="product" { "benchgate" }
            h1 { "History" }
            p { (about(history)) }
        }
        section aria-labelledby="benchmarks" {
            h2 id="benchmarks" { "Benchmarks" }
            div class="table" tabindex="0" role="region" aria-labelledby="benchmarks" {
                table {
                    thead { tr {
                        th scope="col" { "benchmark" } th scope="col" { "runs" } th scope="col" { "since the first" }
                        th scope="col" { "last value" } th scope="col" { "last change" }
                    } }
                    tbody { @for row in rows { (row) } }
                }
            }
        }
        (events(history))
    };
    still_page("benchgate: history", &body)
}

fn about(history: &History) -> String {
    match (history.runs.first(), history.runs.last()) {
        (Some(_), Some(last)) => format!(
            "{} from {} to {}, the last of {}. Each is a chain of ratios of paired rounds, so that another machine, \
             kernel or compiler is not a change. In a chain without a change one is shown with a probability of at \
             most {} %.",
            count(history.runs.len(), "run"),
            date(history, 0),
            date(history, history.runs.len() - 1),
            short(&last.commit),
            ERROR * 100.0
        ),
        _ => "No run is recorded.".to_owned(),
    }
}

fn row(number: usize, key: &SeriesKey, series: &Series, shifts: &[Shift], address: &str) -> Markup {
    let name = one_line(&name(key)).into_owned();
    let levels: Vec<f64> = series.points.iter().map(|point| point.level).collect();
    html! {
        tr {
            th scope="row" { a href=(address) { code { (name) } } }
            td { (sparkline(&format!("spark-{number}"), &name, &levels)) }
            td { (percent(whole(series))) }
            td { (last_value(key, series)) }
            td { @if let Some(last) = shifts.last() { (percent(last.log.exp_m1())) } @else { "–" } }
        }
    }
}

fn page(history: &History, key: &SeriesKey, series: &Series, shifts: &[Shift]) -> String {
    let name = one_line(&name(key)).into_owned();
    let breaks: Vec<usize> = series.breaks().into_iter().collect();
    let levels: Vec<(usize, f64)> = series.points.iter().map(|at| (at.run, at.level)).collect();
    let body = html! {
        header class="verdict" {
            p class="product" { a href="../index.html" { "benchgate: history" } }
            h1 { code { (name) } }
            p {
                (count(series.points.len(), "run")) ", " (percent(whole(series))) " since the first, the last value "
                (last_value(key, series)) "."
                @if !breaks.is_empty() { " " (count(breaks.len(), "break")) ": what changed there is not known." }
            }
        }
        div class="figure" {
            (chain(&ChainPlot {
                id: "chain",
                name: &name,
                levels: &levels,
                breaks: &breaks,
                dates: &dates(history, series),
                shifts: &shifts.iter().map(mark).collect::<Vec<_>>(),
                events: &history.events.iter().map(event_mark).collect::<Vec<_>>(),
            }))
        }
        section aria-labelledby="changes" {
            h2 id="changes" { "Changes" }
            @if shifts.is_empty() { p { "None is proven." } }
            @else { ul { @for shift in shifts.iter().rev() { li { (in_words(history, shift)) } } } }
        }
        (events(history))
        (runs(history, series))
    };
    still_page(&format!("benchgate: {name}"), &body)
}

fn mark(shift: &Shift) -> ChainMark {
    let tone = if shift.log > 0.0 { Tone::Worse } else { Tone::Better };
    ChainMark { run: shift.last, label: percent(shift.log.exp_m1()), tone }
}

fn event_mark(event: &Event) -> ChainMark {
    let what = event.what.split(' ').next().unwrap_or_default();
    ChainMark { run: event.run, label: format!("other {what}"), tone: Tone::Even }
}

fn dates(history: &History, series: &Series) -> Vec<(usize, String)> {
    let step = series.points.len().div_ceil(DATES).max(1);
    let of = |point: &Point| (point.run, one_line(date(history, point.run)).into_owned());
    series.points.iter().step_by(step).map(of).collect()
}

fn events(history: &History) -> Markup {
    html! {
        @if !history.events.is_empty() {
            section aria-labelledby="events" {
                h2 id="events" { "What changed around the code" }
                ul {
                    @for event in history.events.iter().rev() {
                        li { (date(history, event.run)) ": " (one_line(&event.what)) }
                    }
                }
            }
        }
    }
}

fn runs(history: &History, series: &Series) -> Markup {
    let from = series.points.len().saturating_sub(LISTED);
    html! {
        section aria-labelledby="runs" {
            h2 id="runs" { "Runs" }
            @if from > 0 { p { "The last " (LISTED) " of " (series.points.len()) "." } }
            div class="table" tabindex="0" role="region" aria-labelledby="runs" {
                table {
                    thead { tr {
                        th scope="col" { "day" } th scope="col" { "commit" } th scope="col" { "change" }
                        th scope="col" { "since the first" }
                    } }
                    tbody {
                        @for point in series.points.iter().skip(from).rev() {
                            tr {
                                td { (one_line(date(history, point.run))) }
                                td { code { (history.runs.get(point.run).map_or("", |run| short(&run.commit))) } }
                                td { (change(point)) }
                                td { (percent(point.level.exp_m1())) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn change(point: &Point) -> String {
    match point.increment {
        None if point.follows => "of baselines".to_owned(),
        None => "not compared with the run before".to_owned(),
        Some(at) if at.error() == 0.0 && at.log == 0.0 => "the same".to_owned(),
        Some(at) if at.error() == 0.0 => percent(at.log.exp_m1()),
        Some(at) => format!("{} ± {:.1}", percent(at.log.exp_m1()), at.error() * 100.0),
    }
}
