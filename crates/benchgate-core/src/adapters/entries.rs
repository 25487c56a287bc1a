//! Entries of a list of another tool that are read one by one: what is wrong with one is wrong with no other.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::json::{self, FormatError, positive};
use crate::model::RecordedBenchmark;

/// An entry of a record.
pub(super) struct Entry<T> {
    /// Its place in the file.
    pub(super) at: String,
    /// The benchmark that it is of.
    pub(super) id: String,
    /// What it says, or why it cannot be read.
    pub(super) content: Result<T, FormatError>,
}

/// Reads a list at a place; `key` has the name of a benchmark, and `id` makes its id.
pub(super) fn read<T: DeserializeOwned>(
    list: Vec<&RawValue>,
    place: &str,
    key: &str,
    id: impl Fn(&T) -> String,
) -> Vec<Entry<T>> {
    let read = |(index, raw): (usize, &RawValue)| {
        let at = format!("{place}[{index}]");
        let content: Result<T, FormatError> = json::parse_entry(&at, raw.get());
        let id = match &content {
            Ok(content) => id(content),
            Err(_) => name_of(raw.get(), &[key], &at),
        };
        Entry { at, id, content }
    };
    list.into_iter().enumerate().map(read).collect()
}

/// Adds to ids that occur more than once what distinguishes them.
pub(super) fn distinguish<T>(entries: &mut [Entry<T>], context: impl Fn(&T) -> String) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for entry in entries.iter() {
        *counts.entry(entry.id.clone()).or_default() += 1;
    }
    for Entry { id, content, .. } in entries {
        if let (Some(2..), Ok(content)) = (counts.get(id), content) {
            id.push_str(&context(content));
        }
    }
}

/// The name of a benchmark whose entry is otherwise wrong, by the first of these keys that is a text; else its place.
pub(super) fn name_of(entry: &str, keys: &[&str], at: &str) -> String {
    let object: BTreeMap<String, &RawValue> = serde_json::from_str(entry).unwrap_or_default();
    let text = |key: &&str| serde_json::from_str::<String>(object.get(*key)?.get()).ok();
    keys.iter().find_map(text).unwrap_or_else(|| at.to_owned())
}

/// Values that can be compared, or the reason why they cannot.
pub(super) fn usable(
    at: &str,
    values: Result<RecordedBenchmark, FormatError>,
) -> Result<RecordedBenchmark, String> {
    let checked = values.and_then(|values| positive(at, values.mean).map(|_| values));
    checked.map_err(|error| error.to_string())
}
