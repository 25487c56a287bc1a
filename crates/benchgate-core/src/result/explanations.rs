//! `benchgate.explanations/2`: explanations without a result.

use serde::{Deserialize, Serialize};

use super::explanation::Explanation;
use super::v2::Origin;
use crate::json;

/// Value of the key `schema` of explanations that are not part of a result.
pub const EXPLANATIONS_SCHEMA: &str = "benchgate.explanations/2";

/// The output of `benchgate explain --format json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Explanations {
    /// [`EXPLANATIONS_SCHEMA`].
    pub schema: String,
    /// The base.
    pub base: Origin,
    /// The head.
    pub head: Origin,
    /// Explanations, one for each benchmark.
    pub explanations: Vec<Explanation>,
}

impl Explanations {
    /// Explanations of two commits.
    pub fn new(base: Origin, head: Origin, explanations: Vec<Explanation>) -> Self {
        Self { schema: EXPLANATIONS_SCHEMA.to_owned(), base, head, explanations }
    }

    /// The text of a file.
    pub fn to_json(&self) -> String {
        json::pretty(self, 1_024) + "\n"
    }
}
