//! The event as the types of two protobuf libraries, generated from `../../protos/telemetry.proto`.
//!
//! It is here and not with the other messages, so that the suites of flatstream do not wait for the libraries of those:
//! compiling them takes longer than linking a suite.

/// The type that prost-build generates.
pub mod prost {
    #![expect(missing_docs, reason = "the fields have numbers, not meanings")]

    include!("../generated/prost/benchmarks.telemetry.rs");
}

/// The type that defiant-build generates.
pub mod defiant {
    include!("../generated/defiant/benchmarks.telemetry.rs");
}
