//! Things that are good by two measures, each a point with its interval in both directions and its name next to it.

use maud::{Markup, html};

use super::axis::Axis;
use super::figure::Figure;
use super::labels::spread;
use super::mark::{Tone, mark, px};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 420.0;
const ACROSS: (f64, f64) = (64.0, 440.0);
const TOP: f64 = 16.0;
const BOTTOM: f64 = 52.0;
/// Horizontal position of the names, in pixels.
const NAMES: f64 = 466.0;

/// A value and its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranged {
    /// The value.
    pub value: f64,
    /// Lower and upper bound of its interval.
    pub interval: (f64, f64),
}

/// A point of the plot.
#[derive(Clone, Debug, PartialEq)]
pub struct ScatterPoint {
    /// Its name.
    pub name: String,
    /// By the measure of the horizontal axis.
    pub across: Ranged,
    /// By the measure of the vertical axis.
    pub up: Ranged,
    /// Tone of its mark.
    pub tone: Tone,
}

/// A measure: its name and its range.
pub struct Measure<'a> {
    /// With its unit.
    pub name: &'a str,
    /// Ends of the axis.
    pub ends: (f64, f64),
}

/// The figure.
pub fn scatter(
    id: &str,
    title: &str,
    [across, up]: [&Measure<'_>; 2],
    points: &[ScatterPoint],
) -> Markup {
    let description = format!(
        "{} points, {} to the right and {} upwards, each with its interval in both directions.",
        points.len(),
        across.name,
        up.name
    );
    let figure = Figure { id, title, description: &description, width: WIDTH, height: HEIGHT };
    let foot = HEIGHT - BOTTOM;
    let (x, y) = (Axis::new(across.ends, ACROSS), Axis::new(up.ends, (foot, TOP)));
    let wanted: Vec<f64> = points.iter().map(|point| y.at(point.up.value)).collect();
    let names = spread(&wanted, 18.0, (TOP + 8.0, foot));
    let middle = f64::midpoint(TOP, foot);
    figure.with(&html! {
        @for tick in x.round_ticks(8, |value| value.to_string()) {
            path class="grid" d={ "M" (px(tick.at)) " " (px(TOP)) "V" (px(foot)) } {}
            text class="tick" x=(px(tick.at)) y=(px(foot + 16.0)) text-anchor="middle" { (tick.label) }
        }
        @for tick in y.round_ticks(6, |value| value.to_string()) {
            path class="grid" d={ "M" (px(ACROSS.0)) " " (px(tick.at)) "H" (px(ACROSS.1)) } {}
            text class="tick" x=(px(ACROSS.0 - 6.0)) y=(px(tick.at + 4.0)) text-anchor="end" { (tick.label) }
        }
        text class="tick" x=(px(f64::midpoint(ACROSS.0, ACROSS.1))) y=(px(HEIGHT - 10.0)) text-anchor="middle" {
            (across.name)
        }
        text class="tick" transform={ "translate(16 " (px(middle)) ") rotate(-90)" } text-anchor="middle" { (up.name) }
        // The first is on top.
        @for ((point, name), at) in points.iter().zip(&names).zip(&wanted).rev() {
            (drawn(point, &x, &y))
            path class="between" d={ "M" (px(x.at(point.across.value) + 8.0)) " " (px(*at)) "L" (px(NAMES - 6.0)) " " (px(*name)) } {}
            text x=(px(NAMES)) y=(px(name + 4.0)) { (point.name) }
        }
    })
}

fn drawn(point: &ScatterPoint, x: &Axis, y: &Axis) -> Markup {
    let (at, level) = (x.at(point.across.value), y.at(point.up.value));
    let ends = |ranged: Ranged, axis: &Axis| {
        let (low, high) = ranged.interval;
        [px(axis.at(low)), px(axis.at(high))]
    };
    let [left, right] = ends(point.across, x);
    let [low, high] = ends(point.up, y);
    html! {
        g class=(point.tone.class()) {
            path class="interval" d={ "M" (left) " " (px(level)) "H" (right) "M" (px(at)) " " (low) "V" (high) } {}
            (mark(point.tone, at, level, 5.0))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(name: &str, across: f64, up: f64, tone: Tone) -> ScatterPoint {
        let ranged = |value: f64| Ranged { value, interval: (value - 3.0, value + 2.0) };
        ScatterPoint { name: name.to_owned(), across: ranged(across), up: ranged(up), tone }
    }

    #[test]
    fn points_of_one_height_have_names_side_by_side() {
        let [alarms, power] =
            ["alarms, %", "power, %"].map(|name| Measure { name, ends: (0.0, 100.0) });
        let points = [
            point("ours", 0.0, 98.0, Tone::Better),
            point("theirs & others", 27.0, 98.0, Tone::Open),
            point("<third>", 60.0, 97.0, Tone::Open),
        ];
        insta::assert_snapshot!(
            scatter("s", "Alarms against power", [&alarms, &power], &points).into_string()
        );
    }
}
