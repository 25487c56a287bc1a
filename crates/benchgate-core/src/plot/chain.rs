//! The level of one benchmark from run to run, with what changed it and what changed around it.

use std::fmt::Write as _;

use maud::{Markup, html};

use super::axis::{Axis, span};
use super::figure::Figure;
use super::labels::spread;
use super::mark::{Tone, mark, px};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 300.0;
const ACROSS: (f64, f64) = (64.0, 740.0);
const TOP: f64 = 44.0;
const BOTTOM: f64 = 40.0;
/// More labels would be no help.
const MOST_LABELS: usize = 6;
/// About the width of a label.
const LABEL: f64 = 112.0;

const SPARK: (f64, f64) = (140.0, 28.0);
/// Levels that it shows.
const MOST_OF_SPARK: usize = 128;
/// Levels of a line of characters.
const CHARACTERS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// A chain that moved by less is drawn flat.
const FLAT: f64 = 0.01;

/// Something at a run, with a label.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainMark {
    /// Number of the run.
    pub run: usize,
    /// A few words.
    pub label: String,
    /// Tone of the mark.
    pub tone: Tone,
}

/// The data of a chain plot.
pub struct ChainPlot<'a> {
    /// Unique on its page.
    pub id: &'a str,
    /// Name of the benchmark.
    pub name: &'a str,
    /// Number of the run, and ln of the level compared with the first one's.
    pub levels: &'a [(usize, f64)],
    /// Runs after which it is not known what changed.
    pub breaks: &'a [usize],
    /// Number and date of runs that the axis names.
    pub dates: &'a [(usize, String)],
    /// Changes of the benchmark.
    pub shifts: &'a [ChainMark],
    /// Changes of what is around it.
    pub events: &'a [ChainMark],
}

/// The figure.
pub fn chain(plot: &ChainPlot<'_>) -> Markup {
    let ends = |values: &mut dyn Iterator<Item = f64>| span(values, (-0.01, 0.01));
    let (least, most) = ends(&mut plot.levels.iter().map(|(_, level)| *level));
    let margin = 0.08 * (most - least);
    let y = Axis::new((least - margin, most + margin), (HEIGHT - BOTTOM, TOP));
    let last = plot.levels.last().map_or(1, |(run, _)| *run).max(1);
    let x = Axis::new((0.0, last as f64), ACROSS);
    let title = format!("{} from run to run", plot.name);
    let description = format!(
        "{} runs, the level of each compared with the first one, by the chain of paired ratios; {} changes and {} \
         changes of what is around it.",
        plot.levels.len(),
        plot.shifts.len(),
        plot.events.len()
    );
    let figure = Figure {
        id: plot.id,
        title: &title,
        description: &description,
        width: WIDTH,
        height: HEIGHT,
    };
    let foot = HEIGHT - BOTTOM;
    figure.with(&html! {
        @for tick in y.percent_ticks(22.0) {
            path class="grid" d={ "M" (px(ACROSS.0)) " " (px(tick.at)) "H" (px(ACROSS.1)) } {}
            text class="tick" x=(px(ACROSS.0 - 6.0)) y=(px(tick.at + 4.0)) text-anchor="end" { (tick.label) }
        }
        @for (run, date) in plot.dates {
            text class="tick" x=(px(x.at(*run as f64))) y=(px(foot + 18.0)) text-anchor="middle" { (date) }
        }
        (above(plot.events, &x, 14.0, foot))
        path class="centre" fill="none" d=(line(plot, &x, &y)) {}
        @for shift in plot.shifts {
            @let level = plot.levels.iter().find(|(run, _)| *run >= shift.run).map_or(0.0, |(_, level)| *level);
            (mark(shift.tone, x.at(shift.run as f64), y.at(level), 5.0))
        }
        (above(plot.shifts, &x, 32.0, foot))
    })
}

/// Marks as lines across the plot, the last ones with their labels on top.
fn above(marks: &[ChainMark], x: &Axis, height: f64, foot: f64) -> Markup {
    let shown = &marks[marks.len().saturating_sub(MOST_LABELS)..];
    let wanted: Vec<f64> = shown.iter().map(|mark| x.at(mark.run as f64)).collect();
    let places = spread(&wanted, LABEL, (ACROSS.0 + LABEL / 2.0, ACROSS.1 - LABEL / 2.0));
    html! {
        @for mark in marks {
            path class="between" d={ "M" (px(x.at(mark.run as f64))) " " (px(TOP - 4.0)) "V" (px(foot)) } {}
        }
        @for ((mark, place), at) in shown.iter().zip(&places).zip(&wanted) {
            path class="between" d={ "M" (px(*place)) " " (px(height + 3.0)) "L" (px(*at)) " " (px(TOP - 4.0)) } {}
            text class="tick" x=(px(*place)) y=(px(height)) text-anchor="middle" { (mark.label) }
        }
    }
}

fn line(plot: &ChainPlot<'_>, x: &Axis, y: &Axis) -> String {
    let mut line = String::new();
    for (number, (run, level)) in plot.levels.iter().enumerate() {
        let (at, height) = (px(x.at(*run as f64)), px(y.at(*level)));
        let _ = match number == 0 || plot.breaks.contains(run) {
            true => write!(line, "M{at} {height}"),
            false => write!(line, "H{at}V{height}"),
        };
    }
    line
}

/// A small line without axes, for a table or a card.
pub fn sparkline(id: &str, name: &str, levels: &[f64]) -> Markup {
    let last = levels.last().map_or(0.0, |level| level.exp_m1() * 100.0);
    let title = format!("{name} from run to run");
    let description =
        format!("{} runs; the last is {last:+.1} % compared with the first.", levels.len());
    let figure =
        Figure { id, title: &title, description: &description, width: SPARK.0, height: SPARK.1 };
    let levels = thinned(levels);
    let (least, most) = ends(&levels);
    let y = Axis::new((least, most), (SPARK.1 - 3.0, 3.0));
    let x = Axis::new((0.0, levels.len().saturating_sub(1).max(1) as f64), (2.0, SPARK.0 - 6.0));
    let mut line = String::new();
    for (run, level) in levels.iter().enumerate() {
        let letter = if run == 0 { "M" } else { "L" };
        let _ = write!(line, "{letter}{} {}", px(x.at(run as f64)), px(y.at(*level)));
    }
    figure.with(&html! {
        path class="centre" fill="none" d=(line) {}
        @if let Some(level) = levels.last() {
            (mark(Tone::Even, x.at((levels.len() - 1) as f64), y.at(*level), 3.0))
        }
    })
}

/// As many as it has pixels.
fn thinned(levels: &[f64]) -> Vec<f64> {
    let step = levels.len().div_ceil(MOST_OF_SPARK).max(1);
    let mut thinned: Vec<f64> = levels.iter().copied().step_by(step).collect();
    thinned.extend(levels.last().filter(|_| step > 1));
    thinned
}

/// The levels as characters, at most this number.
pub fn spark_text(levels: &[f64], most: usize) -> String {
    let (least, top) = ends(levels);
    let width = levels.len().min(most);
    (0..width)
        .map(|at| {
            let (from, to) = (at * levels.len() / width, (at + 1) * levels.len() / width);
            let part = levels.get(from..to.max(from + 1)).unwrap_or_default();
            let mean = part.iter().sum::<f64>() / part.len().max(1) as f64;
            let share = ((mean - least) / (top - least)).clamp(0.0, 1.0);
            let step = (share * (CHARACTERS.len() - 1) as f64).round() as usize;
            CHARACTERS.get(step).copied().unwrap_or('▁')
        })
        .collect()
}

fn ends(levels: &[f64]) -> (f64, f64) {
    let first = levels.first().copied().filter(|level| level.is_finite()).unwrap_or(0.0);
    let (least, most) = span(levels.iter().copied(), (first, first));
    // Noise is not stretched to the whole height.
    let missing = (FLAT - (most - least)).max(0.0) / 2.0;
    (least - missing, most + missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_has_its_changes_its_events_and_its_breaks() {
        let levels: Vec<(usize, f64)> =
            (0..20).map(|run| (run, if run < 12 { 0.0 } else { 0.05_f64.ln_1p() })).collect();
        let mark = |run, label: &str, tone| ChainMark { run, label: label.to_owned(), tone };
        insta::assert_snapshot!(
            chain(&ChainPlot {
                id: "c",
                name: "decode/<large>",
                levels: &levels,
                breaks: &[7],
                dates: &[(0, "2026-01-01".to_owned()), (19, "2026-01-20".to_owned())],
                shifts: &[mark(12, "+5.0 %", Tone::Worse)],
                events: &[mark(9, "kernel Linux 6.6", Tone::Open)],
            })
            .into_string()
        );
    }

    #[test]
    fn a_line_of_characters_is_flat_where_nothing_moved() {
        assert_eq!(spark_text(&[0.0, 0.001, -0.001, 0.0], 32), "▅▅▄▅");
        assert_eq!(spark_text(&[0.0, 0.0, 0.1, 0.1, 0.05], 32), "▁▁██▅");
        assert_eq!(spark_text(&vec![0.0; 100], 10).chars().count(), 10);
        assert_eq!(spark_text(&[], 10), "");
        assert_eq!(spark_text(&[f64::NAN], 10).chars().count(), 1);
    }

    #[test]
    fn a_small_line_says_what_it_shows() {
        insta::assert_snapshot!(sparkline("s", "decode", &[0.0, 0.0, 0.1]).into_string());
        let long = sparkline("s", "decode", &[0.0; 5000]).into_string();
        assert!(long.contains("5000 runs") && long.len() < 4000, "{long}");
    }
}
