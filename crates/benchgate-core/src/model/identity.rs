//! The names of one benchmark, as critcmp's format keeps them in baselines.

use serde::{Deserialize, Serialize};

/// The names of one benchmark within its suite, under the keys of Criterion's `benchmark.json`, which critcmp's
/// format took over. Of other harnesses there is nothing but an id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Identity {
    /// Group, or the whole name of a benchmark without one.
    pub group_id: String,
    /// Function within the group.
    pub function_id: Option<String>,
    /// Parameter.
    pub value_str: Option<String>,
    /// Work per iteration.
    #[serde(default)]
    pub throughput: Option<serde_json::Value>,
    /// The key within a suite.
    pub full_id: String,
    /// Folder below the Criterion home; no key: Criterion cuts it to 64 characters.
    pub directory_name: String,
    /// The name that `--list` prints: `full_id` cut to 100 bytes and made unique.
    #[serde(default)]
    pub title: String,
}

/// The work of one iteration, as critcmp's format can say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Throughput {
    /// Bytes per iteration.
    #[serde(rename = "Bytes")]
    pub bytes: Option<u64>,
    /// Elements per iteration.
    #[serde(rename = "Elements")]
    pub elements: Option<u64>,
}

impl Identity {
    /// The identity of a benchmark that has nothing but its id.
    pub fn of_id(id: &str) -> Self {
        Self {
            group_id: id.to_owned(),
            function_id: None,
            value_str: None,
            throughput: None,
            full_id: id.to_owned(),
            directory_name: id.replace(['/', '\\'], "_"),
            title: id.to_owned(),
        }
    }

    /// Bytes and elements per iteration; kinds that critcmp's format lacks become neither.
    pub fn throughput(&self) -> Option<Throughput> {
        let value = self.throughput.as_ref()?;
        let amount = |key: &str| value.get(key).and_then(serde_json::Value::as_u64);
        let both = value.get("ElementsAndBytes");
        let of_both = |key: &str| both.and_then(|both| both.get(key)?.as_u64());
        Some(Throughput {
            bytes: amount("Bytes").or_else(|| amount("BytesDecimal")).or_else(|| of_both("bytes")),
            elements: amount("Elements").or_else(|| of_both("elements")),
        })
    }
}
