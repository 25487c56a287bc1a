//! The half of benchgate that touches the world. It measures and stores; it decides nothing: no
//! threshold is known here.
//!
//! ```text
//! measure   alternating rounds, as planned          sources  records to compare
//! suite     what an executable can do and holds     store    baselines, results
//! sides     two checkouts, two sets of executables  machine, toolchain, doctor
//! git, cargo                                        files: atomic writes
//! process   one child: time-out, no orphan          interrupt: Ctrl-C
//! ```

pub mod cargo;
pub mod doctor;
mod error;
pub mod files;
pub mod git;
pub mod interrupt;
pub mod machine;
pub mod measure;
pub mod process;
mod progress;
pub mod sides;
pub mod sources;
pub mod store;
pub mod suite;
pub mod toolchain;

pub use error::HostError;
pub use progress::Progress;
