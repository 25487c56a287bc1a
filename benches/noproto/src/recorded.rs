//! Times as a file: a JSON object on a line for each.

use serde_json::{Value, json};

use crate::timing::{OPERATIONS, Time};

/// Libraries by their names, of which a time keeps a static one.
const LIBRARIES: [&str; 11] = [
    "noproto",
    "flatbuffers",
    "protobuf",
    "prost",
    "messagepack",
    "json",
    "bson",
    "noproto_by_name",
    "flatbuffers_unverified",
    "noproto_verified",
    "bson_raw",
];

/// The lines.
#[must_use]
pub fn write(times: &[Time]) -> String {
    let line = |Time { operation, library, nanoseconds }: &Time| {
        let nanoseconds = (nanoseconds * 10.0).round() / 10.0;
        let line = json!({"operation": operation, "library": library, "nanoseconds": nanoseconds});
        format!("{line}\n")
    };
    times.iter().map(line).collect()
}

/// The times, if all lines are whole.
#[must_use]
pub fn read(text: &str) -> Option<Vec<Time>> {
    let times = text.lines().map(|line| {
        let line: Value = serde_json::from_str(line).ok()?;
        let known = |key: &str, names: &[&'static str]| {
            names.iter().copied().find(|name| line[key] == **name)
        };
        Some(Time {
            operation: known("operation", &OPERATIONS)?,
            library: known("library", &LIBRARIES)?,
            nanoseconds: line["nanoseconds"].as_f64()?,
        })
    });
    times.collect()
}
