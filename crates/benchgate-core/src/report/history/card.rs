//! The history of one benchmark, for its card on the page of a result.

use maud::{Markup, html};

use super::{date, in_words, whole};
use crate::history::{ERROR, History, SeriesKey};
use crate::plot::sparkline;
use crate::report::text::{count, one_line, percent};
use crate::result::BenchmarkReport;

/// A small line of the runs before, and the last change; `None` if there are fewer than two runs of it.
pub(in crate::report) fn of_card(
    history: &History,
    row: &BenchmarkReport,
    id: &str,
    name: &str,
) -> Option<Markup> {
    let key = SeriesKey {
        benchmark: row.key(),
        metric: row.metric.name().to_owned(),
        unit: row.unit.clone(),
    };
    let series = history.series.get(&key)?;
    let [first, _, ..] = series.points.as_slice() else { return None };
    let levels: Vec<f64> = series.points.iter().map(|point| point.level).collect();
    let shifts = series.shifts(ERROR);
    Some(html! {
        (sparkline(id, name, &levels))
        p {
            (percent(whole(series))) " over " (count(series.points.len(), "run")) " since "
            (one_line(date(history, first.run))) "; "
            @match shifts.last() {
                Some(last) => { "last change " (in_words(history, last)) }
                None => { "no change is proven" }
            }
        }
    })
}
