//! The libraries, each doing the four things that are measured, as well as it can.
//!
//! All begin and end with the same: `encode` with the values of a [`Container`](crate::model::Container), and finished
//! bytes; `decode` and `decode_one` with bytes, and every value or one of them read out; `update` with
//! bytes, and the finished bytes of the changed message, the old ones untouched. Memory for bytes
//! is used again wherever a library lets its caller bring it. Text is checked to be UTF-8 where it
//! is read, by all but `flatbuffers_unverified`.

mod bson;
mod flat;
mod flat_tables;
mod json;
mod library;
mod messagepack;
mod noproto;
mod prost;
mod protobuf;

pub use self::bson::{Bson, BsonRaw};
pub use flat::{FlatBuffers, FlatBuffersUnverified};
pub use json::Json;
pub use library::Library;
pub use messagepack::{MessagePack, TRUNCATED, published_value};
pub use noproto::{NoProto, NoProtoByName, NoProtoVerified, SCHEMA};
pub use prost::Prost;
pub use protobuf::Protobuf;

/// Does something with each library.
pub trait ForEach {
    /// Handles the library `L`.
    fn library<L: Library>(&mut self);
}

/// The libraries of the published comparison, and prost.
pub fn for_each(work: &mut impl ForEach) {
    work.library::<NoProto>();
    work.library::<FlatBuffers>();
    work.library::<Protobuf>();
    work.library::<Prost>();
    work.library::<MessagePack>();
    work.library::<Json>();
    work.library::<Bson>();
}

/// Other ways with the same formats: fields looked up by name each time, bytes that are verified as a
/// whole and that are trusted, and one value read in place.
pub fn for_each_variant(work: &mut impl ForEach) {
    work.library::<NoProtoByName>();
    work.library::<FlatBuffersUnverified>();
    work.library::<NoProtoVerified>();
    work.library::<BsonRaw>();
}
