//! The seed of a run.

/// Seeds stay below 2^53, so that every JSON reader keeps them.
const LARGEST: u64 = (1 << 53) - 1;

/// The one that the user named, or a fresh one.
pub(crate) fn of(named: Option<u64>) -> u64 {
    named.unwrap_or_else(fresh) & LARGEST
}

fn fresh() -> u64 {
    // The hasher's keys are the standard library's randomness; which seed it is does not matter, that
    // it is recorded does.
    use std::hash::{BuildHasher as _, RandomState};
    RandomState::new().hash_one(std::process::id())
}
