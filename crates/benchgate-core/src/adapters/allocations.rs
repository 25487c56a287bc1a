//! Allocation counts of an executable that speaks `benchgate.allocations/1`: one JSON object a line.
//!
//! `docs/formats.md` has the protocol. Counting is not timing: dhat makes an allocation seventy times
//! slower, so such an executable is one of its own and is never timed.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::json::{self, FormatError};
use crate::model::Metric;

/// The word that an executable's `--help` names, and the schema of its lines.
pub const PROTOCOL: &str = "benchgate.allocations/1";

/// What asks for the lines.
pub const ARGUMENTS: [&str; 2] = ["--bench", "--json"];

/// What one run of an executable counted: benchmark id, then metric, per iteration.
pub type Counts = BTreeMap<String, BTreeMap<Metric, f64>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    schema: String,
    id: String,
    iterations: u64,
    blocks: u64,
    bytes: u64,
    peak: u64,
}

/// Reads what an executable printed; lines that are no JSON object are passed over, as cargo and
/// libraries print too.
///
/// # Errors
/// Names the line when it is of another schema, counts no iteration or has an id again.
pub fn read(text: &str) -> Result<Counts, FormatError> {
    let mut counts = Counts::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| line.starts_with('{')) {
        let at = |problem: String| FormatError::at(format!("line {}", number + 1), problem);
        let Line { schema, id, iterations, blocks, bytes, peak } =
            json::parse(line.as_bytes()).map_err(|error| at(error.to_string()))?;
        if schema != PROTOCOL {
            return Err(at(format!("`{schema}` is not `{PROTOCOL}`")));
        }
        if iterations == 0 {
            return Err(at(format!("`{id}` was not run once")));
        }
        let per_iteration = |total: u64| total as f64 / iterations as f64;
        let metrics = BTreeMap::from([
            (Metric::AllocBlocks, per_iteration(blocks)),
            (Metric::AllocBytes, per_iteration(bytes)),
            // The most that was live at once is no sum over the iterations.
            (Metric::AllocPeak, peak as f64),
        ]);
        if counts.insert(id.clone(), metrics).is_some() {
            return Err(at(format!("`{id}` is there twice")));
        }
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"{"schema":"benchgate.allocations/1","id":"a","iterations":10,"blocks":20,"bytes":240,"peak":16}"#;

    #[test]
    fn totals_become_counts_per_iteration_and_the_peak_stays() {
        let counts = read(&format!("   Running benches\n{LINE}\n\n")).unwrap();
        let values: Vec<_> = counts["a"].iter().map(|(m, v)| (m.name(), *v)).collect();
        assert_eq!(values, [("alloc.blocks", 2.0), ("alloc.bytes", 24.0), ("alloc.peak", 16.0)]);
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
        ]
        .iter()
        .map(|text| format!("{}\n", read(text).unwrap_err()))
        .collect();
        insta::assert_snapshot!(table);
    }
}
