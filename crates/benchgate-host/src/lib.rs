//! The half of benchgate that accesses files, processes and the network. It measures and stores; it
//! decides nothing and knows no threshold.
//!
//! ```text
//! awake     keeps processors from halting while rounds are measured
//! measure   alternating rounds, as planned          sources  records to compare
//! harness   the framework inside a suite            store    baselines, results
//! identity  suites with the same machine code
//! relink, instructions: is a change of time one of the code, or of its layout?
//! explain   instructions by address, and the inline chain of each address
//! callgrind one benchmark under valgrind
//! git, cargo, building, flags                       files: atomic writes
//! affected  what a checkout says before it is built access_times  what a run reads of it
//! sides     two checkouts, two sets of executables  machine, toolchain, doctor
//! base_store  executables of bases that are not built again
//! bisect    many commits, built and run at one place
//! stand_ins crates that take Criterion's place in our builds
//! share     dependencies that are built once        start, runner: how cargo starts a bench
//! launcher  a whole process and what it used, in a process of its own
//! suites    what the policy declares beyond bench targets
//! sample_repository: a git repository for the self-test
//! process   one child: time-out, no orphan          interrupt: Ctrl-C
//! sandbox   what builds and rounds may reach           platform  what depends on the operating system
//! ```

mod above;
pub mod access_times;
pub mod affected;
mod availability;
pub mod awake;
pub mod base_store;
pub mod bisect;
pub mod building;
mod callgrind;
pub mod cargo;
pub mod choice;
pub mod command;
pub mod doctor;
mod error;
pub mod explain;
pub mod files;
pub mod flags;
pub mod git;
pub mod harness;
pub mod heap;
pub mod history;
pub mod identity;
pub mod instruction_store;
pub mod instructions;
pub mod interrupt;
pub mod journal;
pub mod launcher;
mod line_tables;
pub mod links;
pub mod machine;
pub mod measure;
pub mod neighbours;
pub mod platform;
mod policy_command;
pub mod process;
mod progress;
pub mod questions;
pub mod relink;
mod runner;
mod rustc;
mod rustup;
pub mod sample_repository;
pub mod sandbox;
mod share;
pub mod sides;
pub mod sources;
pub mod stand_ins;
pub mod start;
pub mod store;
pub mod suites;
pub mod toolchain;
pub mod trailers;
mod written;

pub use availability::Availability;
pub use error::HostError;
pub use progress::Progress;
