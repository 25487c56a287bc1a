//! Every pair of one benchmark as a dot, and the interval as pairs come in.

use std::fmt::Write as _;

use maud::{Markup, html};

use super::axis::{Axis, span};
use super::figure::Figure;
use super::labels::spread;
use super::mark::{Line, Tone, mark, px};

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 270.0;
const PLOT: (f64, f64) = (64.0, 574.0);
const TOP: f64 = 30.0;
const BOTTOM: f64 = 34.0;
/// The least share of the width that a group has, so that its name fits.
const LEAST: f64 = 0.22;
/// How far the axis goes to either side of the middle.
const REACH: f64 = 0.6;

/// Pairs that were measured for one purpose.
pub struct PairGroup {
    /// The purpose: `screening`.
    pub label: String,
    /// Filled dots are those that decide.
    pub is_filled: bool,
    /// Natural logarithms of head to base, in the order in which they were measured.
    pub logs: Vec<f64>,
}

/// The data of the plot of one benchmark.
pub struct PairsPlot<'a> {
    /// Unique on its page.
    pub id: &'a str,
    /// Name of the benchmark.
    pub name: &'a str,
    /// The pairs.
    pub groups: &'a [PairGroup],
    /// The group that the interval is of.
    pub deciding: usize,
    /// After each number of pairs: lower bound, median, upper bound.
    pub so_far: &'a [(usize, [f64; 3])],
    /// The thresholds.
    pub lines: &'a [Line],
    /// Tone of the interval and of the median.
    pub tone: Tone,
}

/// The figure.
pub fn pairs(plot: &PairsPlot<'_>) -> Markup {
    let pixels = (HEIGHT - BOTTOM, TOP);
    let axis = Axis::new(ends(plot), pixels);
    let number: usize = plot.groups.iter().map(|group| group.logs.len()).sum();
    let description = format!(
        "{number} pairs of a base and a head round in the order of measuring, each a dot at head compared with base; \
         above the line at 0 the head was slower. The band is the 95 % interval after each pair."
    );
    let title = format!("Pairs of {}", plot.name);
    let figure = Figure {
        id: plot.id,
        title: &title,
        description: &description,
        width: WIDTH,
        height: HEIGHT,
    };
    let places = places(plot.groups);
    figure.with(&html! {
        @for tick in axis.percent_ticks(22.0) {
            path class="grid" d={ "M" (px(PLOT.0)) " " (px(tick.at)) "H" (px(PLOT.1)) } {}
            text class="tick" x=(px(PLOT.0 - 6.0)) y=(px(tick.at + 4.0)) text-anchor="end" { (tick.label) }
        }
        path class="zero" d={ "M" (px(PLOT.0)) " " (px(axis.at(0.0))) "H" (px(PLOT.1)) } {}
        (thresholds(plot.lines, &axis))
        @if let Some(place) = places.get(plot.deciding) { (so_far(plot, *place, &axis)) }
        @for (number, (group, place)) in plot.groups.iter().zip(&places).enumerate() {
            @if number > 0 { path class="between" d={ "M" (px(place.0)) " " (px(TOP - 8.0)) "V" (px(HEIGHT - BOTTOM)) } {} }
            text class="tick" x=(px(f64::midpoint(place.0, place.1))) y="14" text-anchor="middle" {
                (group.logs.len()) " " (group.label)
            }
            @for (index, log) in group.logs.iter().enumerate() {
                (dot(axis_of(group, *place).at(index as f64 + 0.5), *log, group.is_filled, &axis))
            }
        }
        text class="tick" x=(px(f64::midpoint(PLOT.0, PLOT.1))) y=(px(HEIGHT - 10.0)) text-anchor="middle" {
            "pairs, in the order of measuring"
        }
    })
}

/// From which pixel to which each group goes: by its pairs, but wide enough for its name.
fn places(groups: &[PairGroup]) -> Vec<(f64, f64)> {
    let all: usize = groups.iter().map(|group| group.logs.len()).sum();
    let shares: Vec<f64> = groups
        .iter()
        .map(|group| (group.logs.len() as f64 / all.max(1) as f64).max(LEAST))
        .collect();
    let sum: f64 = shares.iter().sum();
    let mut left = PLOT.0;
    let widths = shares.iter().map(|share| share / sum * (PLOT.1 - PLOT.0));
    widths
        .map(|width| {
            let place = (left, left + width);
            left += width;
            place
        })
        .collect()
}

fn axis_of(group: &PairGroup, place: (f64, f64)) -> Axis {
    Axis::new((0.0, group.logs.len() as f64), place)
}

/// Ends of the axis: every pair, the interval, zero and the thresholds, without what is far out.
fn ends(plot: &PairsPlot<'_>) -> (f64, f64) {
    let middle = plot.so_far.last().map_or(0.0, |(_, [_, median, _])| *median);
    let logs = plot.groups.iter().flat_map(|group| group.logs.iter().copied());
    let near = logs.filter(|log| (log - middle).abs() <= REACH);
    let all = near.chain([middle]).chain(plot.lines.iter().map(|line| line.log));
    let (least, most) = span(all, (0.0, 0.0));
    let margin = (0.06 * (most - least)).max(0.002);
    (least - margin, most + margin)
}

fn thresholds(lines: &[Line], axis: &Axis) -> Markup {
    let shown: Vec<&Line> = lines.iter().filter(|line| axis.holds(line.log)).collect();
    let wanted: Vec<f64> = shown.iter().map(|line| axis.at(line.log)).collect();
    let places = spread(&wanted, 14.0, (TOP, HEIGHT - BOTTOM));
    html! {
        @for ((line, at), label) in shown.iter().zip(&wanted).zip(&places) {
            path class="limit" d={ "M" (px(PLOT.0)) " " (px(*at)) "H" (px(PLOT.1)) "L" (px(PLOT.1 + 10.0)) " " (px(*label)) } {}
            text class="limit" x=(px(PLOT.1 + 14.0)) y=(px(label + 4.0)) { (line.label) }
        }
    }
}

/// The band of the interval and the line of the median.
fn so_far(plot: &PairsPlot<'_>, place: (f64, f64), axis: &Axis) -> Markup {
    let Some(group) = plot.groups.get(plot.deciding) else { return html! {} };
    let across = axis_of(group, place);
    let x = |pairs: usize| px(across.at(pairs as f64 - 0.5));
    let bounded: Vec<_> = plot
        .so_far
        .iter()
        .filter(|(_, [lower, _, upper])| lower.is_finite() && upper.is_finite())
        .collect();
    let mut band = String::new();
    let upper = bounded.iter().map(|(pairs, [_, _, upper])| (x(*pairs), *upper));
    let lower = bounded.iter().rev().map(|(pairs, [lower, _, _])| (x(*pairs), *lower));
    for (number, (x, log)) in upper.chain(lower).enumerate() {
        let _ = write!(band, "{}{x} {}", if number == 0 { 'M' } else { 'L' }, px(axis.at(log)));
    }
    let mut line = String::new();
    for (number, (pairs, [_, median, _])) in plot.so_far.iter().enumerate() {
        let step = if number == 0 { 'M' } else { 'L' };
        let _ = write!(line, "{step}{} {}", x(*pairs), px(axis.at(*median)));
    }
    html! {
        @if !band.is_empty() { path class={ "band " (plot.tone.class()) } d={ (band) "Z" } {} }
        @if !line.is_empty() { path class={ "median " (plot.tone.class()) } d=(line) {} }
    }
}

fn dot(x: f64, log: f64, is_filled: bool, axis: &Axis) -> Markup {
    let class = if is_filled { "dot filled" } else { "dot hollow" };
    let y = axis.at(log);
    match axis.holds(log) {
        true => html! { circle class=(class) cx=(px(x)) cy=(px(y)) r="3" {} },
        // Beyond the axis: it points in its direction.
        false => mark(if log > 0.0 { Tone::Caution } else { Tone::Better }, x, y, 3.5),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(label: &str, is_filled: bool, logs: &[f64]) -> PairGroup {
        PairGroup { label: label.into(), is_filled, logs: logs.to_vec() }
    }

    #[test]
    fn screening_is_hollow_confirmation_filled_and_the_interval_is_of_what_decides() {
        let groups = [
            group("screening", false, &[0.11, 0.13, 0.12]),
            group("confirmation", true, &[0.12, 0.125, 0.115, 0.9]),
        ];
        let so_far = [(2, [f64::NEG_INFINITY, 0.12, 0.13]), (4, [0.11, 0.12, 0.13])];
        let lines = [Line { log: 0.0953, label: "critical +10 %".into() }];
        let plot = PairsPlot {
            id: "pairs-1",
            name: "decode/large",
            groups: &groups,
            deciding: 1,
            so_far: &so_far,
            lines: &lines,
            tone: Tone::Worse,
        };
        insta::assert_snapshot!(pairs(&plot).into_string().replace("><", ">\n<"));
    }

    #[test]
    fn a_small_group_is_wide_enough_for_its_name() {
        let groups =
            [group("screening", false, &[0.0; 200]), group("confirmation", true, &[0.0; 2])];
        let places = places(&groups);
        assert!(places[1].1 - places[1].0 > 90.0, "{places:?}");
        assert!((places[1].1 - PLOT.1).abs() < 1e-9 && (places[0].1 - places[1].0).abs() < 1e-9);
    }
}
