//! A forest plot: the interval of every benchmark on one axis.

use maud::{Markup, html};
use unicode_width::UnicodeWidthChar as _;

use super::axis::{Axis, span};
use super::figure::Figure;
use super::mark::{Line, Tone, mark, px};

const WIDTH: f64 = 960.0;
const ROW: f64 = 22.0;
const TOP: f64 = 72.0;
const BOTTOM: f64 = 30.0;
/// Where the plot is between the names and the numbers.
const PLOT: (f64, f64) = (346.0, 770.0);
/// Columns of the names; a column of a fixed-width font of 12 pixels takes 7.25.
const COLUMNS: usize = 46;
/// The axis shows no more than a fifth to five times.
const REACH: f64 = 1.61;

/// A row of the plot.
pub struct ForestRow {
    /// Name of the benchmark.
    pub label: String,
    /// Tone of its mark and interval.
    pub tone: Tone,
    /// Natural logarithm of head to base.
    pub estimate: f64,
    /// Its lower bound; infinite if there is none.
    pub lower: f64,
    /// Its upper bound; infinite if there is none.
    pub upper: f64,
    /// Like `upper`, in words: `+12.3 % [+11.9, +12.8]`.
    pub text: String,
}

/// The plot of these rows, in their order; `words` are what smaller and larger values are.
pub fn forest(id: &str, rows: &[ForestRow], lines: &[Line], words: (&str, &str)) -> Markup {
    let height = TOP + ROW * rows.len() as f64 + BOTTOM;
    let axis = Axis::new(ends(rows, lines), PLOT);
    let foot = height - BOTTOM;
    let description = format!(
        "A row for each of {} benchmarks: a mark at the estimated change and a line over its 95 % interval. Right \
         is {}. The numbers are at the end of each row.",
        rows.len(),
        words.1
    );
    let figure = Figure {
        id,
        title: "Change of each benchmark",
        description: &description,
        width: WIDTH,
        height,
    };
    figure.with(&html! {
        @for tick in axis.percent_ticks(46.0) {
            path class="grid" d={ "M" (px(tick.at)) " " (px(TOP - 6.0)) "V" (px(foot)) } {}
            text class="tick" x=(px(tick.at)) y=(px(foot + 17.0)) text-anchor="middle" { (tick.label) }
        }
        (zero_and(lines, &axis, foot, words))
        @for (number, row) in rows.iter().enumerate() {
            (drawn(row, &axis, TOP + ROW * (number as f64 + 0.5)))
        }
    })
}

/// Ends of the axis: all plotted values, within reason.
fn ends(rows: &[ForestRow], lines: &[Line]) -> (f64, f64) {
    let bounds = rows.iter().flat_map(|row| [row.estimate, row.lower, row.upper]);
    let (least, most) = span(bounds.chain(lines.iter().map(|line| line.log)), (-0.02, 0.02));
    let margin = 0.04 * (most - least);
    ((least - margin).max(-REACH), (most + margin).min(REACH))
}

fn zero_and(lines: &[Line], axis: &Axis, foot: f64, words: (&str, &str)) -> Markup {
    let shown: Vec<&Line> = lines.iter().filter(|line| axis.holds(line.log)).collect();
    let places: Vec<f64> = shown.iter().map(|line| axis.at(line.log)).collect();
    let widths = shown.iter().map(|line| 7.25 * line.label.chars().count() as f64 + 8.0);
    let levels = levels(&places, &widths.collect::<Vec<_>>());
    let middle = px(axis.at(0.0));
    html! {
        path class="zero" d={ "M" (middle) " " (px(TOP - 6.0)) "V" (px(foot)) } {}
        text class="tick" x=(px(PLOT.0)) y="14" { "◀ " (words.0) }
        text class="tick" x=(px(PLOT.1)) y="14" text-anchor="end" { (words.1) " ▶" }
        text class="tick" x=(px(PLOT.1 + 40.0)) y=(px(foot + 17.0)) { "logarithmic axis" }
        @for ((line, at), level) in shown.iter().zip(&places).zip(&levels) {
            @let top = TOP - 14.0 * (*level as f64 + 1.0);
            path class="limit" d={ "M" (px(*at)) " " (px(foot)) "V" (px(top - 6.0)) } {}
            text class="limit" x=(px(at + 4.0)) y=(px(top + 4.0)) { (line.label) }
        }
    }
}

/// How high each label is, right of its own line: above the ends of all lines that would go through it.
fn levels(places: &[f64], widths: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|a, b| places[*b].total_cmp(&places[*a]));
    let mut levels = vec![0; places.len()];
    for (number, index) in order.iter().enumerate() {
        let end = places[*index] + widths[*index];
        let crossing = order[..number].iter().filter(|right| places[**right] < end);
        levels[*index] = crossing.map(|right| levels[*right] + 1).max().unwrap_or(0);
    }
    levels
}

fn drawn(row: &ForestRow, axis: &Axis, y: f64) -> Markup {
    let (from, to) = (axis.at(row.lower), axis.at(row.upper));
    let level = px(y);
    // An end beyond the axis is an arrow, an end on it a stroke.
    let end = |value: f64, at: f64, towards: f64| match axis.holds(value) {
        true => format!("M{} {}v12", px(at), px(y - 6.0)),
        false => {
            format!("M{} {}l{} 4l{} 4", px(at - towards), px(y - 4.0), px(towards), px(-towards))
        }
    };
    let path = format!(
        "M{} {level}H{}{}{}",
        px(from),
        px(to),
        end(row.lower, from, -5.0),
        end(row.upper, to, 5.0)
    );
    html! {
        g {
            title { (row.label) ": " (row.text) }
            text class="name" x=(px(PLOT.0 - 10.0)) y=(px(y + 4.0)) text-anchor="end" { (shortened(&row.label)) }
            path class={ "interval " (row.tone.class()) } d=(path) {}
            (mark(row.tone, axis.at(row.estimate), y, 5.0))
            text class="number" x=(px(PLOT.1 + 10.0)) y=(px(y + 4.0)) { (row.text) }
        }
    }
}

/// A long name without its middle: both ends distinguish benchmarks.
fn shortened(name: &str) -> String {
    let width = |text: &str| text.chars().map(|c| c.width().unwrap_or(0)).sum::<usize>();
    if width(name) <= COLUMNS {
        return name.to_owned();
    }
    let half = (COLUMNS - 1) / 2;
    let part = |characters: &mut dyn Iterator<Item = char>| {
        let mut taken = 0;
        characters
            .take_while(|c| {
                taken += c.width().unwrap_or(0);
                taken <= half
            })
            .collect::<Vec<char>>()
    };
    let head = part(&mut name.chars());
    let tail = part(&mut name.chars().rev());
    head.into_iter().chain(['…']).chain(tail.into_iter().rev()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(label: &str, tone: Tone, [estimate, lower, upper]: [f64; 3]) -> ForestRow {
        ForestRow { label: label.into(), tone, estimate, lower, upper, text: format!("{estimate}") }
    }

    fn lines() -> Vec<Line> {
        [("note +2 %", 0.02), ("warning +5 %", 0.05), ("critical +10 %", 0.10)]
            .map(|(label, at): (&str, f64)| Line { log: at.ln_1p(), label: label.into() })
            .to_vec()
    }

    #[test]
    fn a_forest_has_the_axis_the_thresholds_and_a_row_for_each_benchmark() {
        let rows = [
            row("decode/large", Tone::Worse, [0.21, 0.205, 0.215]),
            row("chase", Tone::Open, [0.08, f64::NEG_INFINITY, f64::INFINITY]),
            row("encode/large", Tone::Better, [-0.2, -0.21, -0.19]),
        ];
        insta::assert_snapshot!(
            forest("forest", &rows, &lines(), ("faster", "slower"))
                .into_string()
                .replace("><", ">\n<")
        );
    }

    #[test]
    fn what_is_beyond_the_axis_is_an_arrow_at_its_end() {
        let rows = [row("huge", Tone::Worse, [3.4, 3.3, 3.5])];
        let text = forest("forest", &rows, &lines(), ("faster", "slower")).into_string();
        assert!(text.contains("H770M"), "{text}");
        assert!(text.contains("l5 4l-5 4"), "{text}");
    }

    #[test]
    fn a_long_name_keeps_both_ends() {
        let name = format!("group/{}/decode", "x".repeat(80));
        let short = shortened(&name);
        assert_eq!(short.chars().count(), 45);
        assert!(short.starts_with("group/xxx") && short.ends_with("xxx/decode"), "{short}");
        assert_eq!(shortened("日".repeat(40).as_str()).chars().count(), 23);
        assert_eq!(shortened("short"), "short");
    }

    #[test]
    fn a_label_is_above_the_lines_that_would_go_through_it() {
        let widths = [80.0, 100.0, 110.0];
        assert_eq!(levels(&[0.0, 20.0, 60.0], &widths), [2, 1, 0]);
        assert_eq!(levels(&[0.0, 200.0, 260.0], &widths), [0, 1, 0]);
        assert_eq!(levels(&[0.0, 90.0, 260.0], &widths), [0, 0, 0]);
    }

    #[test]
    fn no_rows_are_an_empty_plot() {
        assert!(forest("forest", &[], &[], ("faster", "slower")).into_string().contains("</svg>"));
    }
}
