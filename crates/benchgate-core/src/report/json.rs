//! The result itself, and the part of it that critcmp reads.

use super::Options;
use crate::adapters::critcmp as export;
use crate::result::RunResult;

/// The text of a `result.json`.
pub(super) fn json(result: &RunResult, _: &Options<'_>) -> String {
    result.to_json()
}

/// The head's times as a critcmp export.
pub(super) fn critcmp(result: &RunResult, _: &Options<'_>) -> String {
    export::export("this run", &result.to_recorded())
}
