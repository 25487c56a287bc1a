//! The messages that the suites of `flatstream` write and read, and the ways of writing and reading that it is compared
//! with.
//!
//! Nothing here measures by itself. The suites are in `suites/*.rs`, one file each, registered as
//! a `[[bench]]` in `Cargo.toml`.

pub mod flatstream;
