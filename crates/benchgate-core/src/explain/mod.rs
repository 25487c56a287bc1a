//! Where a difference sits: from counts by address to functions, lines and calls.
//!
//! ```text
//! frame      an address's inline chain     graph    who calls whom
//! bencher    routine, set-up, Criterion    lines    which line was which
//! attribute  instructions to functions     flame    the calls as a tree
//! compare    base against head             noise    one side against itself
//! allocations   what functions ask the allocator for
//! ```

mod allocations;
mod attribute;
mod bencher;
mod compare;
mod flame;
mod frame;
mod graph;
mod lines;
mod noise;

pub use allocations::{Allocation, allocations};
pub use attribute::Counted;
pub use compare::{explain, hints};
pub use frame::{CLOSURE, Frame, Name, Owner};
pub use lines::{Moved, moved};

#[cfg(test)]
mod tests;
