//! Writing a stream.

use std::io::{ErrorKind, Write};

use flatbuffers::FlatBufferBuilder;

use crate::error::{Error, Result};
use crate::framing::{DEFAULT_MAX_FRAME_LEN, Framer};
use crate::typed::{StreamSerialize, TryStreamSerialize};

/// Writes frames to any [`Write`].
///
/// The writer keeps no buffer: a frame is two writes to the sink, so a file or a socket belongs in a
/// [`std::io::BufWriter`]. Memory is the caller's builder, which grows to the longest message and
/// is then reused, so writing allocates nothing once warm.
///
/// After a failed write the sink may hold half a frame, also if it would block. The writer then refuses all further frames
/// with [`Error::WriterBroken`], because a reader would take them for the missing half.
#[derive(Debug)]
pub struct StreamWriter<W, F> {
    sink: W,
    framer: F,
    max_frame_len: u32,
    frames_written: u64,
    bytes_written: u64,
    broken: bool,
}

// The three ways of writing are always inlined. They are thin, and where the inliner gives up on
// them, as it does in programs that write from many places, a message takes a fifth longer.
impl<W: Write, F: Framer> StreamWriter<W, F> {
    /// A writer of frames with at most [`DEFAULT_MAX_FRAME_LEN`] bytes of payload.
    #[inline]
    pub fn new(sink: W, framer: F) -> Self {
        Self {
            sink,
            framer,
            max_frame_len: DEFAULT_MAX_FRAME_LEN,
            frames_written: 0,
            bytes_written: 0,
            broken: false,
        }
    }

    /// Accepts at most `len` bytes of payload in a frame; the reader needs a limit as high.
    #[inline]
    #[must_use]
    pub fn with_max_frame_len(mut self, len: u32) -> Self {
        self.max_frame_len = len;
        self
    }

    /// Serializes `item` into `builder` and writes the result as one frame.
    ///
    /// The builder is reset first, so nothing of what it held before gets out.
    ///
    /// # Errors
    ///
    /// [`Error::PayloadTooLong`], [`Error::Write`] or [`Error::WriterBroken`].
    #[inline(always)]
    pub fn write<T>(&mut self, builder: &mut FlatBufferBuilder<'_>, item: &T) -> Result<()>
    where
        T: StreamSerialize + ?Sized,
    {
        builder.reset();
        let root = item.build(builder);
        builder.finish(root, T::FILE_IDENTIFIER);
        self.write_payload(builder.finished_data())
    }

    /// As [`write`](Self::write), for an item whose serialization can fail.
    ///
    /// # Errors
    ///
    /// As [`write`](Self::write), and [`Error::Serialize`], after which the builder is empty.
    #[inline(always)]
    pub fn try_write<T>(&mut self, builder: &mut FlatBufferBuilder<'_>, item: &T) -> Result<()>
    where
        T: TryStreamSerialize + ?Sized,
    {
        builder.reset();
        match item.try_build(builder) {
            Ok(root) => builder.finish(root, T::FILE_IDENTIFIER),
            Err(error) => {
                builder.reset();
                return Err(unserialized(self.frames_written, error.into()));
            }
        }
        self.write_payload(builder.finished_data())
    }

    /// Writes the buffer that the caller has finished in `builder` as one frame, and resets the
    /// builder for the next message if the frame is out.
    ///
    /// # Errors
    ///
    /// As [`write`](Self::write); the builder then still holds the buffer.
    ///
    /// # Panics
    ///
    /// If the buffer in `builder` is not finished, where `flatbuffers` is compiled with debug
    /// assertions. Where it is not, nothing can detect that, and the unfinished bytes are written.
    #[inline(always)]
    pub fn write_finished(&mut self, builder: &mut FlatBufferBuilder<'_>) -> Result<()> {
        self.write_payload(builder.finished_data())?;
        builder.reset();
        Ok(())
    }

    /// Writes `payload`, which need not be a FlatBuffer, as one frame.
    ///
    /// # Errors
    ///
    /// As [`write`](Self::write).
    #[inline(always)]
    pub fn write_payload(&mut self, payload: &[u8]) -> Result<()> {
        if self.broken {
            return Err(Error::WriterBroken { frames_written: self.frames_written });
        }
        let len = match u32::try_from(payload.len()) {
            Ok(len) if len <= self.max_frame_len => len,
            _ => {
                return Err(too_long(self.frames_written, payload.len(), self.max_frame_len));
            }
        };
        let header = self.framer.header(payload, len);
        if let Err(source) = self
            .sink
            .write_all(&self.framer.encode(&header)[..header.len()])
            .and_then(|()| self.sink.write_all(payload))
        {
            self.broken = true;
            return Err(failed(self.frames_written, self.bytes_written, source));
        }
        self.frames_written += 1;
        self.bytes_written += (header.len() + payload.len()) as u64;
        Ok(())
    }

    /// Flushes the sink.
    ///
    /// # Errors
    ///
    /// [`Error::Write`]. If the sink would block or was interrupted, flushing may be tried again. After
    /// any other error the writer is broken, and the frames since the last successful flush may be
    /// lost, although the sink had accepted them.
    pub fn flush(&mut self) -> Result<()> {
        if self.broken {
            return Err(Error::WriterBroken { frames_written: self.frames_written });
        }
        self.sink.flush().map_err(|source| {
            // A sink that would block keeps what it has accepted.
            self.broken = !matches!(source.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted);
            failed(self.frames_written, self.bytes_written, source)
        })
    }

    /// Whole frames that the sink has accepted. A sink that buffers may still hold some of them.
    #[inline]
    pub fn frames_written(&self) -> u64 {
        self.frames_written
    }

    /// Bytes that the whole frames take, headers included.
    #[inline]
    pub fn bytes_written(&self) -> u64 {
        self.bytes_written
    }

    /// The sink.
    #[inline]
    pub fn get_ref(&self) -> &W {
        &self.sink
    }

    /// The sink, not flushed.
    #[inline]
    pub fn into_inner(self) -> W {
        self.sink
    }
}

// Free functions of plain numbers: with a reference to the writer, even on a path that is never
// taken, its counters would have to live in memory and no longer in registers.

#[cold]
fn too_long(frames_written: u64, len: usize, max: u32) -> Error {
    Error::PayloadTooLong { frames_written, len, max }
}

#[cold]
fn unserialized(frames_written: u64, source: Box<dyn std::error::Error + Send + Sync>) -> Error {
    Error::Serialize { frames_written, source }
}

#[cold]
fn failed(frames_written: u64, offset: u64, source: std::io::Error) -> Error {
    Error::Write { frames_written, offset, source }
}
