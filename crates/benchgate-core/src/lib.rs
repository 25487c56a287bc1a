//! The pure half of benchgate: values in, values out.
//!
//! Nothing here opens a file, reads a clock or the environment, starts a process, prints, or panics
//! on data; `clippy.toml` of this crate holds that. What cannot be decided is returned as
//! [`Finding::Inconclusive`](model::Finding::Inconclusive) with a reason.
//!
//! Floors, from the ground up; a module may use what is below it or on its own floor's left, never what is
//! above (`crates/xtask/tests/floors` checks it):
//!
//! ```text
//! 6  selftest   what the gate must find, and what it found     starter: a first policy
//!    journal    rounds as they are written while a run goes on
//!    bisect     which commit a slowdown came with
//! 5  report     terminal, markdown, github, html               schedule: what to run next
//! 4  judge      values -> findings -> verdict: `decide`      explain: where a difference sits
//!    history    how benchmarks changed from merge to merge
//! 3  result     the JSON that crosses to the renderers
//! 2  policy     limits, rules, waivers     adapters: other tools' formats
//!    shards     which part of a run builds which suite
//!    identity   two executables            doctor: what a machine's files say about its noise
//!    exit       the program's exit codes      affected: which suites a change can reach
//! 1  model      the words                  stats: order, rank, family     json: errors that name the key
//!    plot       figures as SVG
//! ```

pub mod adapters;
pub mod affected;
pub mod bisect;
pub mod doctor;
pub mod exit;
pub mod explain;
pub mod history;
pub mod identity;
pub mod journal;
pub mod json;
pub mod judge;
pub mod model;
pub mod plot;
pub mod policy;
pub mod report;
pub mod result;
pub mod schedule;
pub mod selftest;
pub mod shards;
pub mod starter;
pub mod stats;
