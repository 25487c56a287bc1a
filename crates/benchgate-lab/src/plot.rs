//! Plots as SVG.

use std::fmt::Write as _;

use benchgate_core::model::Level;

use crate::estimators::{sequences, truths};
use crate::raw::Raw;
use crate::stats::{by_median, clopper_pearson};
use crate::tables::{Decided, Share, at, claimed, on};
use crate::variant::{Family, Variant};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 52.0;

/// Colours that are distinguishable with red-green colour blindness (Okabe and Ito 2008).
const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#e69f00", "#cc79a7", "#882255", "#666666", "#009e73", "#56b4e9"];

/// Linear axes.
struct Axes {
    x: (f64, f64),
    y: (f64, f64),
}

impl Axes {
    fn x(&self, value: f64) -> f64 {
        let share = (value - self.x.0) / (self.x.1 - self.x.0);
        LEFT + share.clamp(0.0, 1.0) * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, value: f64) -> f64 {
        let share = (value - self.y.0) / (self.y.1 - self.y.0);
        HEIGHT - BOTTOM - share.clamp(0.0, 1.0) * (HEIGHT - TOP - BOTTOM)
    }

    /// The frame: title, grid, names of the axes.
    fn frame(&self, title: &str, names: [&str; 2], steps: [f64; 2]) -> String {
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n\
             <title>{title}</title>\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>\n\
             <text x=\"{LEFT}\" y=\"22\" font-size=\"15\">{title}</text>\n"
        );
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        for value in ticks(self.x, steps[0]) {
            let x = self.x(value);
            let _ = writeln!(
                svg,
                "<path d=\"M{x:.1} {TOP}V{bottom}\" stroke=\"#dddddd\"/>\
                 <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{value}</text>",
                bottom + 16.0
            );
        }
        for value in ticks(self.y, steps[1]) {
            let y = self.y(value);
            let _ = writeln!(
                svg,
                "<path d=\"M{LEFT} {y:.1}H{right}\" stroke=\"#dddddd\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{value}</text>",
                LEFT - 6.0,
                y + 4.0
            );
        }
        let middle = f64::midpoint(LEFT, right);
        let _ = writeln!(
            svg,
            "<text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n\
             <text transform=\"translate(16 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            HEIGHT - 14.0,
            names[0],
            f64::midpoint(TOP, bottom),
            names[1]
        );
        svg
    }
}

fn ticks((from, to): (f64, f64), step: f64) -> Vec<f64> {
    let (first, last) = ((from / step).ceil() as i64, (to / step).floor() as i64);
    (first..=last).map(|tick| tick as f64 * step).collect()
}

/// False alarms against power, a point per design, with 95 % intervals of both.
pub(crate) fn false_alarms_against_power(decided: &[Decided<'_>]) -> String {
    let points: Vec<(&str, Share, Share)> = decided
        .iter()
        .map(|(design, decisions)| {
            let alarms = claimed(on(decisions, Family::Same), Level::Note);
            (design.name(), alarms, claimed(at(decisions, 5), Level::Note))
        })
        .filter(|(_, alarms, power)| alarms.of > 0 && power.of > 0)
        .collect();
    let axes = Axes { x: (0.0, 80.0), y: (0.0, 100.0) };
    let mut svg = axes.frame(
        "False alarms against power",
        ["unchanged executables called slower, %", "+5 % of work called slower, %"],
        [10.0, 20.0],
    );
    for ((index, (name, alarms, power)), colour) in points.iter().enumerate().zip(COLOURS) {
        let ends = |share: &Share| {
            let (lower, upper) = clopper_pearson(share.hits, share.of);
            [share.value() * 100.0, lower * 100.0, upper * 100.0]
        };
        let [x, x_low, x_high] = ends(alarms).map(|value| axes.x(value));
        let [y, y_low, y_high] = ends(power).map(|value| axes.y(value));
        let legend = TOP + 170.0 + 17.0 * index as f64;
        let _ = writeln!(
            svg,
            "<g fill=\"{colour}\" stroke=\"{colour}\"><path fill=\"none\" d=\"M{x_low:.1} {y:.1}H\
             {x_high:.1}M{x:.1} {y_low:.1}V{y_high:.1}\"/><circle cx=\"{x:.1}\" cy=\"{y:.1}\" \
             r=\"5\"/><circle cx=\"456\" cy=\"{:.1}\" r=\"5\"/></g>\n\
             <text x=\"468\" y=\"{legend:.1}\">{}</text>",
            legend - 4.0,
            escape(name)
        );
    }
    svg + "</svg>\n"
}

/// One recorded sequence: every pair, and the estimate after each.
pub(crate) fn effect_per_pair(raw: &[Raw], kernel: &str, variant: Variant) -> Option<String> {
    /// Error on either side of a 95 % interval.
    const ERROR: f64 = 0.025;
    let logs = sequences(raw).remove(&(kernel.to_owned(), variant))?;
    let truth = truths(raw).get(&(kernel.to_owned(), variant.percent()))?.0;
    let percent = |log: f64| log.exp_m1() * 100.0;
    let reach = 15.0 + percent(truth).abs();
    let axes = Axes { x: (0.0, logs.len() as f64), y: (-reach, reach) };
    let mut svg = axes.frame(
        &format!("{kernel}, +{} % of work: every pair, and the median so far", variant.percent()),
        ["pairs", "head compared with base, %"],
        [10.0, 5.0],
    );
    let [mut lower, mut upper, mut centre] = [const { String::new() }; 3];
    for n in 6..=logs.len() {
        let estimate = by_median(&logs[..n], ERROR);
        let x = axes.x(n as f64);
        for (path, value) in [
            (&mut lower, estimate.interval.0),
            (&mut upper, estimate.interval.1),
            (&mut centre, estimate.centre),
        ] {
            let _ = write!(
                path,
                "{}{x:.1} {:.1}",
                if n == 6 { 'M' } else { 'L' },
                axes.y(percent(value))
            );
        }
    }
    for (index, log) in logs.iter().enumerate() {
        let (x, y) = (axes.x(index as f64 + 1.0), axes.y(percent(*log)));
        let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.5\" fill=\"#999999\"/>");
    }
    let _ = writeln!(
        svg,
        "<path d=\"M{LEFT} {0:.1}H{1}\" stroke=\"{2}\" stroke-dasharray=\"6 4\"/>\n\
         <g fill=\"none\" stroke=\"{3}\"><path d=\"{lower}\"/><path d=\"{upper}\"/>\
         <path d=\"{centre}\" stroke-width=\"2.5\"/></g>",
        axes.y(percent(truth)),
        WIDTH - RIGHT,
        COLOURS[1],
        COLOURS[0]
    );
    Some(svg + "</svg>\n")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
