//! Generates the message types of [`defiant`](../defiant) from `.proto` files.
//!
//! Called from a `build.rs`, as `prost-build` is, with the same names where they mean the same.
//! The files are parsed in Rust; no `protoc` is needed.
//!
//! ```text
//! .proto ── protox ──▶ FileDescriptorSet ── lower ──▶ model ── emit ──▶ $OUT_DIR/<package>.rs
//! ```

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod code;
mod config;
mod defaults;
mod docs;
mod emit;
mod error;
mod ident;
mod index;
mod json;
mod lower;
mod model;
mod selection;

pub use config::{Config, compile_fds, compile_protos};
pub use error::Error;
