//! The messages and datasets of the protobuf suites, the same for every library that is benched, and the work that is
//! measured.
//!
//! Nothing here measures by itself. The suites are in `suites/*.rs`, one file each, registered as
//! a `[[bench]]` in `Cargo.toml`. What is timed in one suite and counted in another is here, so that
//! it is the same work.

pub mod datasets;
pub mod libraries;
pub mod messages;
pub mod robobuffers;
