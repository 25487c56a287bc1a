//! The message as the types of two Protocol Buffers libraries, generated from `protos/bench.proto`.
//! A test in `benches/codegen` keeps the code equal to what the schema generates.

/// What prost-build generates.
#[expect(missing_docs, reason = "generated")]
#[rustfmt::skip]
pub mod prost;

/// What protobuf-codegen 2 generates.
#[expect(
    renamed_and_removed_lints,
    unused_parens,
    elided_lifetimes_in_paths,
    mismatched_lifetime_syntaxes,
    clippy::allow_attributes,
    clippy::unwrap_used,
    clippy::semicolon_if_nothing_returned,
    reason = "generated"
)]
#[rustfmt::skip]
pub mod protobuf;
