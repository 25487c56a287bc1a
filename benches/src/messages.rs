//! The messages of the datasets as [`prost`] types, generated from the schemas in `protos/`.
//!
//! The code is committed; a test in `codegen/` keeps it equal to what the schemas generate. It is
//! included rather than declared as modules, so that `cargo fmt` leaves it as generated.

mod generated {
    #![expect(missing_docs, reason = "the fields have numbers, not meanings")]

    include!("generated/benchmarks.rs");

    pub mod proto2 {
        include!("generated/benchmarks.proto2.rs");
    }

    pub mod proto3 {
        include!("generated/benchmarks.proto3.rs");
    }
}

pub use generated::{BenchmarkDataset, proto2, proto3};
