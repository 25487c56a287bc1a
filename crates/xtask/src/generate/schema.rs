//! The JSON schemas of what is read and written, from the types.

use benchgate_core::{policy, result};

use super::Repository;
use crate::error::Error;

/// `docs/result.schema.json`.
pub(super) fn result(_: &Repository) -> Result<String, Error> {
    Ok(result::json_schema())
}

/// `crates/benchgate/policy.schema.json`, which editors read.
pub(super) fn policy(_: &Repository) -> Result<String, Error> {
    Ok(policy::json_schema())
}
