//! The work that the benchmark document of RoboBuffers measures, by defiant, prost and FlatBuffers: single messages,
//! streams of them, and the container of FlatBuffers' own bench.
//!
//! The Java suites (`benches/java`) measure the same messages and streams: `benches/protos/robobuffers.values` has
//! what every library of both languages reads of them.

pub mod container;
#[path = "../../../noproto/src/libraries/flat_tables.rs"]
mod flat_tables;
pub mod samples;
pub mod sbe;
pub mod stream;
pub mod streams;
mod wire;
