//! The half of benchgate that touches the world. It measures and stores; it decides nothing: no
//! threshold is known here.
//!
//! ```text
//! measure   alternating rounds, as planned          sources  records to compare
//! suite     what an executable can do and holds     store    baselines, results
//! identity  suites whose machine code is the same
//! relink, instructions: is a change of time one of the code, or of where it lies?
//! git, cargo, flags                                 files: atomic writes
//! sides     two checkouts, two sets of executables  machine, toolchain, doctor
//! sample_repository: a git repository of the gate's own
//! process   one child: time-out, no orphan          interrupt: Ctrl-C
//! ```

pub mod cargo;
pub mod doctor;
mod error;
pub mod files;
pub mod flags;
pub mod git;
pub mod identity;
pub mod instructions;
pub mod interrupt;
pub mod machine;
pub mod measure;
pub mod process;
mod progress;
pub mod relink;
pub mod sample_repository;
pub mod sides;
pub mod sources;
pub mod store;
pub mod suite;
pub mod toolchain;
pub mod trailers;

pub use error::HostError;
pub use progress::Progress;
