//! A stream of length-prefixed, optionally checksummed [FlatBuffers] frames.
//!
//! | bytes          | what                                                              |
//! |----------------|-------------------------------------------------------------------|
//! | 4              | length of the payload in bytes, `u32` little-endian               |
//! | 0, 2, 4 or 8   | checksum of the payload alone, little-endian ([`Checksum::SIZE`]) |
//! | *length*       | the payload, as a rule one finished FlatBuffer                    |
//!
//! A stream is frames and nothing else: no magic number, no trailer. Which checksum a stream carries
//! is agreed outside it, by giving the reader the [`Deframer`] that belongs to the writer's
//! [`Framer`]; or a [`StreamHeader`] in front says it.
//!
//! - [`StreamWriter`] serializes into a builder its caller owns and reuses; [`SimpleWriter`] has one.
//! - [`StreamReader`] reads any [`std::io::Read`] and lends each payload out of one buffer.
//! - [`SliceReader`] walks bytes already in memory and copies nothing.
//!
//! A [`Framer`] and a [`Deframer`] may lay their headers out another way: lengths in another order of
//! bytes, a magic number, a checksum of one's own.
//!
//! Neither direction allocates per message once its buffers have seen the longest one.
//!
//! ```
//! use flatbuffers::{FlatBufferBuilder, Vector, WIPOffset};
//! use flatstream::{DefaultDeframer, DefaultFramer, StreamReader, StreamSerialize, StreamWriter};
//!
//! struct Note(&'static str);
//!
//! impl StreamSerialize for Note {
//!     type Root<'b> = Vector<'b, u8>;
//!
//!     fn build<'b>(&self, builder: &mut FlatBufferBuilder<'b>) -> WIPOffset<Vector<'b, u8>> {
//!         builder.create_vector(self.0.as_bytes())
//!     }
//! }
//!
//! # fn main() -> flatstream::Result<()> {
//! let mut builder = FlatBufferBuilder::new();
//! let mut writer = StreamWriter::new(Vec::new(), DefaultFramer);
//! for note in [Note("first"), Note("second")] {
//!     writer.write(&mut builder, &note)?;
//! }
//! let stream = writer.into_inner();
//!
//! let mut reader = StreamReader::new(stream.as_slice(), DefaultDeframer);
//! let mut notes = Vec::new();
//! while let Some(note) = reader.read_root::<Vector<'_, u8>>()? {
//!     notes.push(String::from_utf8_lossy(note.bytes()).into_owned());
//! }
//! assert_eq!(notes, ["first", "second"]);
//! # Ok(())
//! # }
//! ```
//!
//! [FlatBuffers]: https://flatbuffers.dev/internals/

mod checksum;
mod error;
mod framing;
mod header;
mod index;
mod reader;
mod simple;
mod slice;
mod typed;
mod writer;

#[cfg(feature = "crc16")]
pub use checksum::Crc16;
#[cfg(feature = "crc32")]
pub use checksum::Crc32;
#[cfg(feature = "xxhash")]
pub use checksum::XxHash64;
pub use checksum::{Checksum, FrameKind, NoChecksum};
pub use error::{Error, Result};
pub use framing::{
    ChecksumDeframer, ChecksumFramer, CoveredDeframer, CoveredFramer, DEFAULT_MAX_FRAME_LEN,
    DefaultDeframer, DefaultFramer, Deframer, FrameHeader, Framer, LENGTH_SIZE, MAX_HEADER_LEN,
};
pub use header::StreamHeader;
pub use index::FrameIndex;
pub use reader::{Messages, OwnedMessages, StreamReader};
pub use simple::SimpleWriter;
pub use slice::SliceReader;
pub use typed::{StreamSerialize, TryStreamSerialize, root, root_with};
pub use writer::StreamWriter;

/// Compiles and runs what the README shows.
#[cfg(all(doctest, feature = "crc32"))]
#[doc = include_str!("../README.md")]
struct Readme;
