//! Errors of reading and writing a stream.

use std::io;

use flatbuffers::InvalidFlatbuffer;

use crate::checksum::FrameKind;

/// The result of an operation on a stream.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a stream could not be read or written further.
///
/// Every `offset` is the position of the first byte of the frame concerned, counted from where this
/// reader or writer began. A stream that ends between two frames is not an error: readers say `None`.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The source ended inside a frame's length or checksum.
    #[error(
        "the stream ends inside the header of the frame at byte {offset}: {have} of {need} bytes are there"
    )]
    TornHeader {
        /// Where the frame begins.
        offset: u64,
        /// Bytes of the header that arrived, at least 1.
        have: usize,
        /// Bytes a header has.
        need: usize,
    },

    /// The source ended after a frame's header and before the end of its payload.
    #[error(
        "the stream ends inside the payload of the frame at byte {offset}: {have} of {need} bytes are there"
    )]
    TornPayload {
        /// Where the frame begins.
        offset: u64,
        /// Bytes of the payload that arrived, possibly 0.
        have: usize,
        /// Bytes of payload that the header announced.
        need: usize,
    },

    /// The bytes where a header belongs are none, by [`Deframer::parse`](crate::Deframer::parse).
    #[error("there is no header of a frame at byte {offset}")]
    InvalidHeader {
        /// Where the frame should begin.
        offset: u64,
    },

    /// A header announces more payload than this reader accepts. Nothing was allocated for it.
    #[error(
        "the frame at byte {offset} announces {len} bytes of payload, and at most {max} are accepted"
    )]
    FrameTooLong {
        /// Where the frame begins.
        offset: u64,
        /// Bytes of payload announced.
        len: u32,
        /// The reader's limit in bytes.
        max: u32,
    },

    /// A payload does not have the checksum its header carries.
    #[error(
        "the frame at byte {offset} carries checksum {stored:#x}, but its payload has {computed:#x}"
    )]
    WrongChecksum {
        /// Where the frame begins.
        offset: u64,
        /// The checksum in the header, zero-extended.
        stored: u64,
        /// The checksum of the payload as it was read, zero-extended.
        computed: u64,
    },

    /// A payload is whole, but is not a FlatBuffer of the type asked for.
    #[error("the payload of the frame at byte {offset} is not the FlatBuffer asked for")]
    InvalidFlatbuffer {
        /// Where the frame begins.
        offset: u64,
        /// The FlatBuffers verifier's error.
        // Boxed, or every `Result` of the hot read path would be as large as this one.
        source: Box<InvalidFlatbuffer>,
    },

    /// The source failed. What had arrived is kept, so reading may be tried again.
    #[error("could not read the frame at byte {offset}")]
    Read {
        /// Where the frame begins.
        offset: u64,
        /// The source's error, never [`io::ErrorKind::Interrupted`].
        source: io::Error,
    },

    /// The sink failed in the middle of a frame or of a flush. The writer is broken from here on,
    /// except after a flush that would block.
    #[error(
        "could not write the frame at byte {offset}; {frames_written} whole frames are out before it"
    )]
    Write {
        /// Whole frames that the sink accepted.
        frames_written: u64,
        /// Bytes that those frames take, hence where the torn one begins.
        offset: u64,
        /// The sink's error.
        source: io::Error,
    },

    /// An item could not be serialized. Nothing of it was written, and the writer may go on with the
    /// next message.
    #[error("a message could not be serialized; {frames_written} whole frames are out before it")]
    Serialize {
        /// Whole frames that the sink accepted.
        frames_written: u64,
        /// The item's error.
        source: Box<dyn std::error::Error + Send + Sync>,
    },

    /// A payload is longer than this writer accepts. Nothing of it was written, and the writer may
    /// go on with the next message.
    #[error(
        "a payload of {len} bytes exceeds the limit of {max}; {frames_written} whole frames are out before it"
    )]
    PayloadTooLong {
        /// Whole frames that the sink accepted.
        frames_written: u64,
        /// Bytes of payload offered.
        len: usize,
        /// The writer's limit in bytes.
        max: u32,
    },

    /// The first bytes are not those of a [`StreamHeader`](crate::StreamHeader).
    #[error("the stream does not begin with a header of this format")]
    NotAStream,

    /// The stream has a header of another version of the format.
    #[error("the stream has version {found} of the format, and this reader has {expected}")]
    OtherVersion {
        /// The version in the header.
        found: u8,
        /// The version of this crate.
        expected: u8,
    },

    /// The stream's header names other frames than the reader's deframer has.
    #[error("the stream has {found}, and this reader expects {expected}")]
    OtherFrames {
        /// What the header says.
        found: FrameKind,
        /// What the reader asked for.
        expected: FrameKind,
    },

    /// An earlier write failed, so the sink may hold half a frame; another one after it would be
    /// read as its missing bytes.
    #[error(
        "an earlier write failed after {frames_written} whole frames, so nothing more was written"
    )]
    WriterBroken {
        /// Whole frames that the sink accepted.
        frames_written: u64,
    },
}
