//! The intervals of what needs a look on one axis, in characters: a reviewer sees size and certainty in the comment.

use crate::model::Change;
use crate::plot::{Axis, span};
use crate::report::naming::Naming;
use crate::report::summary;
use crate::report::text::{metric_name, one_line, percent};
use crate::result::BenchmarkReport;

/// Columns of the axis.
const COLUMNS: usize = 44;
/// Maximum number of lines: more are not an overview.
const MOST_ROWS: usize = 12;
/// Characters of a name.
const LONGEST_NAME: usize = 60;
/// The axis shows no more than a third to three times.
const REACH: f64 = 1.1;

/// The block, or nothing where no row was compared. Every line begins with the axis, so no name can close it.
pub(super) fn bars(rows: &[&BenchmarkReport], naming: Naming) -> Option<String> {
    let drawn: Vec<(&BenchmarkReport, Change)> = rows
        .iter()
        .filter_map(|row| Some((*row, row.change?)))
        .filter(|(_, change)| change.estimate.ln_1p().is_finite())
        .take(MOST_ROWS)
        .collect();
    let first = drawn.first()?;
    let axis = Columns::of(&drawn);
    let limit = first.0.limit;
    let ends = summary::directions(drawn.iter().map(|(row, _)| *row));
    let mut text = format!("```text\n{}\n", axis.header(limit, ends));
    for (row, change) in &drawn {
        let name: String = one_line(&naming.plain(row)).chars().take(LONGEST_NAME).collect();
        let name = format!("{name}{}", one_line(&metric_name(&row.metric)));
        text.push_str(&format!(
            "{} {:>9}  {name}\n",
            axis.line(change, row.limit),
            percent(change.estimate)
        ));
    }
    text.push_str("```\n\n");
    Some(text)
}

/// The axis, a column for a pixel.
struct Columns(Axis);

impl Columns {
    /// All stated values are on it, within reason.
    fn of(rows: &[(&BenchmarkReport, Change)]) -> Self {
        let values = rows.iter().flat_map(|(row, change)| {
            [Some(change.estimate), change.lower, change.upper, Some(row.limit)]
        });
        let (from, to) = span(values.flatten().map(f64::ln_1p), (-0.02, 0.02));
        Self(Axis::new((from.max(-REACH), to.min(REACH)), (0.0, (COLUMNS - 1) as f64)))
    }

    /// The column of a change; what is beyond an end is at that end.
    fn column(&self, fraction: f64) -> usize {
        self.0.at(fraction.ln_1p()).round() as usize
    }

    fn header(&self, limit: f64, (left, right): (&str, &str)) -> String {
        let mut cells = vec![' '; COLUMNS];
        let mut write = |column: usize, text: &str| {
            let length = text.chars().count();
            let start = column.saturating_sub(length / 2).min(COLUMNS.saturating_sub(length));
            let is_free = |cell: Option<&char>| cell.is_none_or(|c| *c == ' ');
            let around = start.saturating_sub(1)..=start + length;
            if around.clone().all(|place| is_free(cells.get(place))) {
                for (place, c) in (start..).zip(text.chars()) {
                    cells[place] = c;
                }
            }
        };
        write(self.column(0.0), "0");
        write(self.column(limit), &percent(limit));
        write(0, left);
        write(COLUMNS - 1, right);
        cells.into_iter().collect::<String>().trim_end().to_owned()
    }

    fn line(&self, change: &Change, limit: f64) -> String {
        let mut cells = vec!['·'; COLUMNS];
        cells[self.column(limit)] = '┆';
        cells[self.column(0.0)] = '│';
        let from = change.lower.map_or(0, |lower| self.column(lower));
        let to = change.upper.map_or(COLUMNS - 1, |upper| self.column(upper));
        cells[from..=to.max(from)].fill('━');
        cells[self.column(change.estimate)] = '●';
        cells.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{samples, summary};
    use crate::result::RunResult;

    fn drawn(result: &RunResult) -> String {
        bars(&summary::alarming(result), Naming::of(result)).unwrap_or_default()
    }

    #[test]
    fn each_interval_is_on_one_axis_with_zero_and_the_limit() {
        let both = [drawn(&samples::regression()), drawn(&samples::inconclusive())].concat();
        insta::assert_snapshot!(both);
    }

    #[test]
    fn what_is_beyond_the_axis_or_has_no_bound_ends_at_its_end() {
        let mut result = samples::regression();
        result.benchmarks[0].change = Some(Change { estimate: 30.0, lower: None, upper: None });
        let text = drawn(&result);
        let line = text.lines().find(|line| line.contains("decode/large")).unwrap();
        assert!(line.starts_with('━') && line.contains("━●"), "{line}");
        assert!(line.contains("+3000 %"));
    }

    #[test]
    fn nothing_that_was_compared_gives_no_block() {
        assert_eq!(bars(&[], Naming::of(&samples::pass())), None);
    }

    #[test]
    fn a_name_cannot_close_the_block() {
        let text = drawn(&samples::with_text("```\n## owned"));
        assert_eq!(text.lines().filter(|line| line.starts_with("```")).count(), 2, "{text}");
        assert!(!text.lines().any(|line| line.starts_with('#')));
    }
}
