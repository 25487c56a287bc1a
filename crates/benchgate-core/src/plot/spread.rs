//! The rounds of each side on one axis, with their quartiles.

use maud::{Markup, html};

use super::axis::Axis;
use super::figure::Figure;
use super::mark::px;
use crate::stats;

const WIDTH: f64 = 720.0;
const ROW: f64 = 44.0;
const TOP: f64 = 8.0;
const BOTTOM: f64 = 26.0;
const PLOT: (f64, f64) = (84.0, 690.0);
/// Dots at one place are distinguished by their height.
const LANES: usize = 7;

/// The rounds of one side.
pub struct SpreadRow<'a> {
    /// `base`, `head`.
    pub label: &'a str,
    /// Its values, one a round.
    pub values: &'a [f64],
}

/// The figure; `show` writes a value with its unit.
pub fn spread(
    id: &str,
    name: &str,
    rows: &[SpreadRow<'_>],
    show: impl Fn(f64) -> String,
) -> Markup {
    let height = TOP + ROW * rows.len() as f64 + BOTTOM;
    let title = format!("Rounds of {name}");
    let medians: Vec<String> = rows
        .iter()
        .filter_map(|row| {
            let median = stats::median(row.values)?;
            Some(format!("{} {}, {} rounds", row.label, show(median), row.values.len()))
        })
        .collect();
    let description = format!(
        "A dot a round, a box over the middle half, a line at the median: {}.",
        medians.join("; ")
    );
    let figure = Figure { id, title: &title, description: &description, width: WIDTH, height };
    let axis = Axis::new(ends(rows), PLOT);
    let foot = height - BOTTOM;
    figure.with(&html! {
        @for tick in axis.round_ticks(5, &show) {
            path class="grid" d={ "M" (px(tick.at)) " " (px(TOP)) "V" (px(foot)) } {}
            text class="tick" x=(px(tick.at)) y=(px(foot + 16.0)) text-anchor="middle" { (tick.label) }
        }
        @for (number, row) in rows.iter().enumerate() {
            (side(row, &axis, TOP + ROW * (number as f64 + 0.5)))
        }
    })
}

/// From the minimum to the maximum, without the tenth that is far out on either side.
fn ends(rows: &[SpreadRow<'_>]) -> (f64, f64) {
    let mut ends = (f64::INFINITY, f64::NEG_INFINITY);
    for row in rows {
        let (Some(low), Some(high)) =
            (stats::quantile(row.values, 0.05), stats::quantile(row.values, 0.95))
        else {
            continue;
        };
        let reach = 1.5 * (high - low);
        for value in row.values.iter().filter(|v| (low - reach..=high + reach).contains(*v)) {
            ends = (ends.0.min(*value), ends.1.max(*value));
        }
    }
    let margin = 0.03 * (ends.1 - ends.0);
    (ends.0 - margin, ends.1 + margin)
}

fn side(row: &SpreadRow<'_>, axis: &Axis, y: f64) -> Markup {
    let at = |q: f64| stats::quantile(row.values, q).map(|value| axis.at(value));
    html! {
        g {
            text class="name" x=(px(PLOT.0 - 10.0)) y=(px(y + 4.0)) text-anchor="end" { (row.label) }
            @if let (Some(low), Some(middle), Some(high)) = (at(0.25), at(0.5), at(0.75)) {
                rect class="box" x=(px(low)) y=(px(y - 15.0)) width=(px(high - low)) height="30" {}
                path class="centre" d={ "M" (px(middle)) " " (px(y - 18.0)) "v36" } {}
            }
            @for (index, value) in row.values.iter().enumerate() {
                @let lane = (index * 3 % LANES) as f64 - (LANES / 2) as f64;
                circle class="dot filled" cx=(px(axis.at(*value))) cy=(px(y + lane * 3.0)) r="2.2" {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_stand_on_one_axis_with_their_quartiles() {
        let rows = [
            SpreadRow { label: "base", values: &[100.0, 101.0, 102.0, 103.0] },
            SpreadRow { label: "head", values: &[110.0, 111.0, 112.0, 113.0] },
        ];
        let text = spread("spread-1", "decode/large", &rows, |v| format!("{v} ns")).into_string();
        insta::assert_snapshot!(text.replace("><", ">\n<"));
    }

    #[test]
    fn one_round_far_out_does_not_press_the_others_together() {
        let mut values: Vec<f64> = (0..40).map(|i| 100.0 + f64::from(i % 5)).collect();
        values.push(100_000.0);
        let (from, to) = ends(&[SpreadRow { label: "base", values: &values }]);
        assert!(from > 99.0 && to < 106.0, "{from} {to}");
    }

    #[test]
    fn no_values_are_an_empty_figure() {
        let rows = [SpreadRow { label: "base", values: &[] }];
        assert!(spread("s", "x", &rows, |v| v.to_string()).into_string().contains("</svg>"));
    }
}
