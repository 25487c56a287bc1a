//! Exact counts of an executable that supports `benchgate.counts/1`, or the older `benchgate.allocations/1`:
//! one JSON object a line.
//!
//! `docs/formats.md` has both protocols. Counting is not timing: dhat makes an allocation seventy times
//! slower, so such an executable is separate and is never timed.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::json::{self, FormatError};
use crate::model::Metric;

/// The word that the `--help` of an executable names, and the schema of its lines.
pub const PROTOCOL: &str = "benchgate.counts/1";

/// The older protocol, whose lines have the three metrics of allocations.
pub const ALLOCATIONS: &str = "benchgate.allocations/1";

/// Arguments that make the executable print the lines.
pub const ARGUMENTS: [&str; 2] = ["--bench", "--json"];

/// Counts of one run of an executable, per iteration: benchmark id, then metric.
pub type Counts = BTreeMap<String, BTreeMap<Metric, f64>>;

/// Whether a `--help` is of an executable that counts.
pub fn is_spoken(help: &str) -> bool {
    help.contains(PROTOCOL) || help.contains(ALLOCATIONS)
}

#[derive(Deserialize)]
struct AnyLine {
    schema: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CountLine {
    #[expect(dead_code, reason = "read before, as that of any line")]
    schema: String,
    id: String,
    metric: String,
    unit: String,
    value: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AllocationLine {
    #[expect(dead_code, reason = "read before, as that of any line")]
    schema: String,
    id: String,
    iterations: u64,
    blocks: u64,
    bytes: u64,
    peak: u64,
}

/// Reads what an executable printed; lines that are not a JSON object are passed over, as cargo and
/// libraries print too.
///
/// # Errors
/// Names the line when it is of another schema, counts no iteration or repeats a count.
pub fn read(text: &str) -> Result<Counts, FormatError> {
    let mut counts = Counts::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| line.starts_with('{')) {
        let at = |problem: String| FormatError::at(format!("line {}", number + 1), problem);
        let bytes = line.as_bytes();
        let AnyLine { schema } = json::parse(bytes).map_err(|error| at(error.to_string()))?;
        let (id, values) = match schema.as_str() {
            PROTOCOL => count(bytes).map_err(at)?,
            ALLOCATIONS => allocations(bytes).map_err(at)?,
            _ => return Err(at(format!("`{schema}` is not `{PROTOCOL}` or `{ALLOCATIONS}`"))),
        };
        let of_benchmark = counts.entry(id.clone()).or_default();
        for (metric, value) in values {
            if of_benchmark.insert(metric.clone(), value).is_some() {
                return Err(at(format!("`{}` of `{id}` is there twice", metric.name())));
            }
        }
    }
    Ok(counts)
}

type Line = (String, Vec<(Metric, f64)>);

fn count(line: &[u8]) -> Result<Line, String> {
    let CountLine { schema: _, id, metric, unit, value } =
        json::parse(line).map_err(|error| error.to_string())?;
    let metric = Metric::named(&metric, &unit)?;
    if !metric.is_count() {
        return Err(format!("`{}` is not a count: it scatters", metric.name()));
    }
    if !(value >= 0.0 && value.is_finite()) {
        return Err(format!("invalid count {value} of `{id}`: must be >= 0"));
    }
    Ok((id, vec![(metric, value)]))
}

fn allocations(line: &[u8]) -> Result<Line, String> {
    let AllocationLine { schema: _, id, iterations, blocks, bytes, peak } =
        json::parse(line).map_err(|error| error.to_string())?;
    if iterations == 0 {
        return Err(format!("`{id}` was not run once"));
    }
    let per_iteration = |total: u64| total as f64 / iterations as f64;
    let metrics = vec![
        (Metric::ALLOC_BLOCKS, per_iteration(blocks)),
        (Metric::ALLOC_BYTES, per_iteration(bytes)),
        // The maximum that was live at once is not a sum over the iterations.
        (Metric::ALLOC_PEAK, peak as f64),
    ];
    Ok((id, metrics))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"{"schema":"benchgate.allocations/1","id":"a","iterations":10,"blocks":20,"bytes":240,"peak":16}"#;
    const COUNT: &str = r#"{"schema":"benchgate.counts/1","id":"a","metric":"size.zlib","unit":"bytes","value":226}"#;

    #[test]
    fn totals_become_counts_per_iteration_and_the_peak_stays() {
        let counts = read(&format!("   Running benches\n{LINE}\n\n")).unwrap();
        let values: Vec<_> = counts["a"].iter().map(|(m, v)| (m.name(), *v)).collect();
        assert_eq!(values, [("alloc.blocks", 2.0), ("alloc.bytes", 24.0), ("alloc.peak", 16.0)]);
    }

    #[test]
    fn a_count_of_any_name_brings_its_unit_along_and_a_benchmark_may_have_several() {
        let calls = COUNT.replace("size.zlib", "wakeups").replace("bytes\"", "times\"");
        let counts = read(&format!("{COUNT}\n{calls}\n")).unwrap();
        let shown: Vec<_> = counts["a"].iter().map(|(metric, v)| metric.show(*v)).collect();
        assert_eq!(shown, ["226 bytes", "226 times"]);
    }

    #[test]
    fn a_line_that_cannot_be_counted_on_is_an_error_that_names_it() {
        let table: String = [
            LINE.replace("allocations/1", "allocations/2"),
            LINE.replace("\"iterations\":10", "\"iterations\":0"),
            LINE.replace("20", "-20"),
            LINE.replace("20", "1.5"),
            LINE.replace("\"peak\":16", "\"peek\":16"),
            format!("{LINE}\n{LINE}"),
            LINE[..40].to_owned(),
            COUNT.replace("226", "-1"),
            COUNT.replace("226", "1e999"),
            COUNT.replace("226", "\"226\""),
            COUNT.replace("size.zlib", "Size!"),
            COUNT.replace("size.zlib", "time"),
            COUNT.replace("size.zlib", "alloc.blocks"),
            COUNT.replace("\"unit\":\"bytes\",", ""),
            format!("{COUNT}\n{COUNT}"),
        ]
        .iter()
        .map(|text| format!("{}\n", read(text).unwrap_err()))
        .collect();
        insta::assert_snapshot!(table);
    }
}
