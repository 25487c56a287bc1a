//! A history in lines, with small lines of characters.

use super::{date, in_words, last_value, name, whole};
use crate::history::{ERROR, History};
use crate::plot::spark_text;
use crate::report::text::{count, one_line, percent, short};

/// Characters of a line.
const WIDTH: usize = 32;

/// The chains that are wanted, those with changes first.
pub fn terminal(history: &History) -> String {
    let (Some(first), Some(last)) = (history.runs.first(), history.runs.last()) else {
        return "no run is recorded\n".to_owned();
    };
    let mut text = format!(
        "{} from {} to {}, the last of {}\n",
        count(history.runs.len(), "run"),
        one_line(first.time.get(..10).unwrap_or(&first.time)),
        one_line(last.time.get(..10).unwrap_or(&last.time)),
        short(&last.commit)
    );
    for event in &history.events {
        text += &format!("  {}  {}\n", date(history, event.run), one_line(&event.what));
    }
    let mut changed = String::new();
    let mut even = String::new();
    for (key, series) in &history.series {
        let levels: Vec<f64> = series.points.iter().map(|point| point.level).collect();
        let shifts = series.shifts(ERROR);
        let into = if shifts.is_empty() { &mut even } else { &mut changed };
        into.push_str(&format!(
            "{:<WIDTH$}  {:>9}  {:>12}  {}\n",
            spark_text(&levels, WIDTH),
            percent(whole(series)),
            last_value(key, series),
            one_line(&name(key))
        ));
        for shift in &shifts {
            into.push_str(&format!("    {}\n", in_words(history, shift)));
        }
    }
    text + &changed + &even
}
