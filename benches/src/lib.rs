//! What the benches run on: messages and datasets, the same for every library that is benched.
//!
//! Nothing here measures. The suites are in `benches/*.rs`, one file each, registered as a
//! `[[bench]]` in `Cargo.toml`.

pub mod datasets;
pub mod flatstream;
pub mod messages;
