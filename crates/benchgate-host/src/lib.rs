//! The half of benchgate that accesses files, processes and the network. It measures and stores; it
//! decides nothing and knows no threshold.
//!
//! Floors, from the ground up; a module may use what is below it or on its own floor's left, never what is above
//! (`crates/xtask/tests/floors` checks it):
//!
//! ```text
//! 6  evidence   where a difference comes from: instructions, allocations, layouts, commits
//! 5  measure    rounds as a plan asks for them, in turns or in lockstep
//! 4  harness    the framework inside a suite: what it lists, runs and answers
//! 3  sides      two checkouts, two sets of executables, and which of them are the same
//! 2  cargo      workspaces, commands, builds, and how cargo starts a bench
//!    store      what is kept between runs: baselines, bases, rounds, history
//! 1  error      what was not done     progress: what is told meanwhile     availability: or why not
//!    system     files, processes, the sandbox, the machine
//!    git        commits and checkouts
//! ```

mod availability;
pub mod cargo;
mod error;
pub mod evidence;
pub mod git;
pub mod harness;
pub mod measure;
mod progress;
pub mod sides;
pub mod store;
pub mod system;

pub use availability::Availability;
pub use error::HostError;
pub use progress::Progress;
