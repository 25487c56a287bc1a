//! Values that any program measures of itself: `benchgate.rounds/1`, one JSON object a line.
//!
//! `docs/harnesses.md` has the protocol.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::json::{self, FormatError};
use crate::model::{METRICS, Metric};

/// The word that the `--help` of such a program names, and the schema of its lines.
pub const PROTOCOL: &str = "benchgate.rounds/1";

/// Argument that asks for the ids.
pub const LIST: &str = "--list";

/// Argument that asks for the values of the id that follows.
pub const MEASURE: &str = "--measure";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ListLine {
    schema: String,
    id: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ValueLine {
    schema: String,
    id: String,
    metric: String,
    unit: String,
    value: f64,
}

/// The ids that a `--list` printed, in its order; lines that are not a JSON object are passed over.
///
/// # Errors
/// Names the line.
pub fn list(text: &str) -> Result<Vec<String>, FormatError> {
    lines(text)
        .map(|(at, line)| {
            let ListLine { schema, id } = json::parse(line).map_err(|e| of_line(at, e))?;
            check_schema(&schema).map_err(|problem| FormatError::at(at_line(at), problem))?;
            match id.as_str() {
                "" => Err(FormatError::at(at_line(at), "the id is empty")),
                _ => Ok(id),
            }
        })
        .collect()
}

/// The values that a `--measure` of this id printed.
///
/// # Errors
/// Names the line when it is of another id, of a metric that is not sampled, there twice or without a value.
pub fn values(text: &str, id: &str) -> Result<BTreeMap<Metric, f64>, FormatError> {
    let mut values = BTreeMap::new();
    for (at, line) in lines(text) {
        let line: ValueLine = json::parse(line).map_err(|e| of_line(at, e))?;
        let (metric, value) =
            checked(line, id).map_err(|problem| FormatError::at(at_line(at), problem))?;
        if values.contains_key(&metric) {
            let problem = format!("`{}` is there twice", metric.name());
            return Err(FormatError::at(at_line(at), problem));
        }
        values.insert(metric, value);
    }
    Ok(values)
}

fn checked(line: ValueLine, asked: &str) -> Result<(Metric, f64), String> {
    let ValueLine { schema, id, metric, unit, value } = line;
    check_schema(&schema)?;
    if id != asked {
        return Err(format!("it is about `{id}`, and was asked for `{asked}`"));
    }
    // A metric that is not in the table would be a count, and one value does not prove a count.
    let sampled = Metric::known(&metric).filter(|metric| !metric.is_count()).ok_or_else(|| {
        let known: Vec<String> = METRICS
            .iter()
            .filter(|metric| !metric.is_count())
            .map(|metric| format!("`{}`", metric.name()))
            .collect();
        format!(
            "invalid metric `{}`: expected one of {}; exact counts are printed as `benchgate.counts/1`",
            metric.escape_debug(),
            known.join(", ")
        )
    })?;
    if unit != sampled.unit() {
        return Err(format!("the unit of `{metric}` is `{}`, not `{unit}`", sampled.unit()));
    }
    if !(value > 0.0 && value.is_finite()) {
        return Err(format!("invalid value {value} of `{metric}`: must be > 0"));
    }
    Ok((sampled, value))
}

fn lines(text: &str) -> impl Iterator<Item = (usize, &[u8])> {
    let objects = text.lines().enumerate().filter(|(_, line)| line.starts_with('{'));
    objects.map(|(number, line)| (number + 1, line.as_bytes()))
}

fn at_line(number: usize) -> String {
    format!("line {number}")
}

fn of_line(number: usize, error: FormatError) -> FormatError {
    FormatError::at(at_line(number), error.to_string())
}

fn check_schema(schema: &str) -> Result<(), String> {
    match schema {
        PROTOCOL => Ok(()),
        _ => Err(format!("`{schema}` is not `{PROTOCOL}`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTED: &str = r#"{"schema":"benchgate.rounds/1","id":"sort/1000"}"#;
    const VALUE: &str =
        r#"{"schema":"benchgate.rounds/1","id":"a","metric":"time","unit":"ns","value":12.5}"#;

    #[test]
    fn ids_and_values_are_read_and_other_lines_passed_over() {
        assert_eq!(list(&format!("warming up\n{LISTED}\n")).unwrap(), ["sort/1000"]);
        let peak = VALUE.replace("time", "memory.peak").replace("\"ns\"", "\"bytes\"");
        let values = values(&format!("{VALUE}\ndone\n{peak}\n"), "a").unwrap();
        let shown: Vec<String> =
            values.iter().map(|(metric, value)| format!("{metric:?} {value}")).collect();
        assert_eq!(shown, ["time 12.5", "memory.peak 12.5"]);
    }

    #[test]
    fn a_line_that_is_not_a_value_of_this_benchmark_is_an_error_that_names_it() {
        let table: String = [
            VALUE.replace("rounds/1", "rounds/2"),
            VALUE.replace("\"a\"", "\"b\""),
            VALUE.replace("time", "size.bytes"),
            VALUE.replace("time", "syscalls"),
            VALUE.replace("\"ns\"", "\"ms\""),
            VALUE.replace("12.5", "0"),
            VALUE.replace("12.5", "-3"),
            VALUE.replace("12.5", "NaN"),
            VALUE.replace("12.5", "1e999"),
            VALUE.replace("12.5", "\"12.5\""),
            VALUE.replace(",\"unit\":\"ns\"", ""),
            VALUE.replace("}", ",\"more\":1}"),
            VALUE[..30].to_owned(),
            format!("{VALUE}\n{VALUE}"),
        ]
        .iter()
        .map(|text| format!("{}\n", values(text, "a").unwrap_err()))
        .chain([
            format!("{}\n", list(&LISTED.replace("rounds/1", "rounds/2")).unwrap_err()),
            format!("{}\n", list(&LISTED.replace("sort/1000", "")).unwrap_err()),
        ])
        .collect();
        insta::assert_snapshot!(table);
    }
}
