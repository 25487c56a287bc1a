//! Protobuf messages that borrow from their input and live in an arena.
//!
//! A decoded message holds `&'a str` and `&'a [u8]` straight from the input, and its repeated
//! fields and sub-messages as references into an [`Arena`]. Decoding therefore allocates whole
//! chunks instead of single values, dropping a message costs nothing, and resetting the arena
//! makes the memory of one message serve the next.
//!
//! Message types come from `.proto` files through the crate `defiant-build`; they implement
//! [`Message`]. Everything else that is public here is what that generated code calls, and is
//! usable by hand:
//!
//! ```text
//! &'a [u8] ── Reader ── Codec::read ──▶ fields ── Codec::write ── Writer ──▶ Vec<u8>
//!                │                        │
//!                └── Scope: arena, depth ─┴── ArenaVec ──▶ &'a [T]
//! ```
//!
//! The wire format is described at <https://protobuf.dev/programming-guides/encoding/>.

// What generated code calls for each field is `inline(always)` without debug assertions alone. An unoptimised build inlines
// such a function too, but gives each of its variables its own place on the stack: the decoder of 99 fields then took
// 40 to 330 KiB for each level of nesting, and takes 9 to 17 KiB now.

#![no_std]

extern crate alloc;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod arena;
pub mod codec;
mod error;
mod fields;
#[cfg(feature = "serde")]
pub mod json;
mod len;
pub mod map;
mod message;
mod owned;
mod reader;
mod scope;
mod split;
mod text;
mod unknown;
mod vec;
pub mod wire;
mod writer;

pub use arena::Arena;
pub use error::{DecodeError, DecodeErrorKind, EncodeError, UnknownEnumValue};
pub use len::Len;
pub use map::Map;
pub use message::{At, FieldNames, Message};
pub use owned::{Lend, Owned};
pub use reader::Reader;
pub use scope::{RECURSION_LIMIT, Scope};
pub use split::Split;
pub use unknown::{UnknownFields, UnknownList};
pub use vec::ArenaVec;
pub use writer::Writer;
