//! The messages of the datasets as the types of each library, generated from the schemas in
//! `../protos/`.
//!
//! The code is committed; a test in `../codegen/` keeps it equal to what the schemas generate. It is
//! included rather than declared as modules, so that `cargo fmt` leaves it as generated.

/// The types that prost-build generates.
pub mod prost {
    #![expect(missing_docs, reason = "the fields have numbers, not meanings")]

    include!("generated/prost/benchmarks.rs");

    pub mod proto2 {
        include!("generated/prost/benchmarks.proto2.rs");
    }

    pub mod proto3 {
        include!("generated/prost/benchmarks.proto3.rs");
    }

    pub mod packed {
        include!("generated/prost/benchmarks.packed.rs");
    }

    pub mod robobuffers {
        include!("generated/prost/benchmarks.robobuffers.rs");

        mod json {
            #![expect(
                clippy::allow_attributes,
                clippy::uninlined_format_args,
                reason = "as pbjson-build generates it"
            )]

            use super::{Car, MarketData, car, market_data};

            include!("generated/prost/benchmarks.robobuffers.serde.rs");
        }
    }
}

/// The types that defiant-build generates.
pub mod defiant {
    #![expect(missing_docs, reason = "the fields have numbers, not meanings")]

    include!("generated/defiant/benchmarks.rs");

    pub mod proto2 {
        include!("generated/defiant/benchmarks.proto2.rs");
    }

    pub mod proto3 {
        include!("generated/defiant/benchmarks.proto3.rs");
    }

    pub mod packed {
        include!("generated/defiant/benchmarks.packed.rs");
    }

    pub mod robobuffers {
        include!("generated/defiant/benchmarks.robobuffers.rs");
    }
}

/// The types that pilota-build generates; it has no groups, so `GoogleMessage2` is not among them.
pub mod pilota {
    // Around what is generated is a module with the name of the file.
    mod generated {
        include!("generated/pilota/pilota.rs");
    }

    pub use generated::pilota::benchmarks::{proto2, proto3};
}
