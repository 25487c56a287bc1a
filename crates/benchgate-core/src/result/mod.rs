//! The JSON that is passed from measuring and judging to rendering.
//!
//! Versioned by module: a change that an old reader would misread needs a `v3`.

mod attempt;
mod benchmark;
mod bisection;
mod check;
mod explanation;
mod explanations;
#[cfg(feature = "schema")]
mod schema;
mod shard;
mod v2;
mod waivers;

pub use attempt::{AttemptReport, EarlierAttempt, MOST_ATTEMPTS};
pub use benchmark::BenchmarkReport;
pub use bisection::{
    BISECTION_SCHEMA, BisectAnswer, BisectBenchmark, BisectCommit, BisectRefusal, BisectStep,
    Bisection, FoundStep, WhySet,
};
pub use explanation::{
    Allocations, DifferenceKind, Explanation, FlameNode, FunctionDifference, Hint, SiteDifference,
    difference,
};
pub use explanations::{EXPLANATIONS_SCHEMA, Explanations};
#[cfg(feature = "schema")]
pub use schema::json_schema;
pub use shard::{ShardReport, ShardSuite};
pub use v2::*;
pub use waivers::{WaiverReport, WaiverSource, WaiverState, Waivers};
