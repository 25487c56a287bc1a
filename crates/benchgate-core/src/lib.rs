//! The pure half of benchgate: values in, values out.
//!
//! Nothing here opens a file, reads a clock or the environment, starts a process, prints, or panics
//! on data; `clippy.toml` of this crate holds that. What cannot be decided is returned as
//! [`Finding::Inconclusive`](model::Finding::Inconclusive) with a reason.
//!
//! Floors, from the ground up; a module may use what is below it, never what is above:
//!
//! ```text
//! selftest  what the gate must see and said       report: terminal, markdown, github, line
//! result    v1: the JSON that crosses             schedule: what to run next
//! judge     pair of sides -> finding -> verdict
//! policy    thresholds, overrides                 adapters: criterion, critcmp
//!                                                 identity: two executables
//! model     the words                             stats: order, rank
//! ```
//!
//! Beside them `doctor`: what the files of a machine say about its noise; and
//! `starter`: what another repository begins with.

pub mod adapters;
pub mod doctor;
pub mod identity;
pub mod judge;
pub mod model;
pub mod policy;
pub mod report;
pub mod result;
pub mod schedule;
pub mod selftest;
pub mod starter;
pub mod stats;
