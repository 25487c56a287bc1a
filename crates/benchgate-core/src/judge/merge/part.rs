//! A part of the results that are merged.

use crate::result::{RunResult, ShardReport};

/// A shard: the name of its file, its result, and which part of the run it is.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    pub(super) name: &'a str,
    pub(super) result: &'a RunResult,
    pub(super) shard: &'a ShardReport,
}
