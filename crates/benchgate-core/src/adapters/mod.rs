//! Other tools' formats, and only their formats: text in, values out.

pub mod allocations;
pub mod callgrind;
pub mod critcmp;
pub mod criterion;
pub mod criterion_cli;
mod estimates;
mod json;

pub use json::FormatError;
pub(crate) use json::{parse as parse_json, plain as plain_message, positive as positive_value};
