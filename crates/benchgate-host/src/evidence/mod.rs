//! Where a difference comes from: instructions, allocations, commits.

pub mod bisect;
pub(crate) mod callgrind;
pub mod explain;
pub mod heap;
pub mod instructions;
pub(crate) mod line_tables;
