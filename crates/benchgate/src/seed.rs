//! The seed of a run.

/// Seeds stay below 2^53, so that every JSON reader keeps them.
const LARGEST: u64 = (1 << 53) - 1;

/// The seed that the user named, or a new one.
pub(crate) fn of(named: Option<u64>) -> u64 {
    named.unwrap_or_else(drawn) & LARGEST
}

fn drawn() -> u64 {
    // The hasher's keys are the standard library's randomness. Any seed will do, as long as it is
    // recorded.
    use std::hash::{BuildHasher as _, RandomState};
    RandomState::new().hash_one(std::process::id())
}
