//! Writing a stream without a builder of one's own.

use std::fmt;
use std::io::Write;

use flatbuffers::FlatBufferBuilder;

use crate::error::Result;
use crate::framing::Framer;
use crate::typed::{StreamSerialize, TryStreamSerialize};
use crate::writer::StreamWriter;

/// A [`StreamWriter`] with its own builder, for who writes items of one size.
///
/// The builder grows to the longest message and stays that large. Where a few messages are much
/// longer than the others, a [`StreamWriter`] with a builder for each kind takes less memory.
///
/// ```
/// use flatstream::{DefaultDeframer, DefaultFramer, SimpleWriter, StreamReader};
///
/// let mut writer = SimpleWriter::new(Vec::new(), DefaultFramer);
/// writer.write("first")?;
/// writer.write("second")?;
/// let stream = writer.into_inner();
///
/// let mut reader = StreamReader::new(stream.as_slice(), DefaultDeframer);
/// assert_eq!(reader.read_root::<&str>()?, Some("first"));
/// # Ok::<(), flatstream::Error>(())
/// ```
pub struct SimpleWriter<W, F> {
    writer: StreamWriter<W, F>,
    builder: FlatBufferBuilder<'static>,
}

impl<W: Write, F: Framer> SimpleWriter<W, F> {
    /// A writer with the limits of [`StreamWriter::new`].
    pub fn new(sink: W, framer: F) -> Self {
        StreamWriter::new(sink, framer).into()
    }

    /// Writes `item` as one frame.
    ///
    /// # Errors
    ///
    /// As [`StreamWriter::write`].
    #[inline]
    pub fn write<T: StreamSerialize + ?Sized>(&mut self, item: &T) -> Result<()> {
        self.writer.write(&mut self.builder, item)
    }

    /// Writes `item`, whose serialization can fail, as one frame.
    ///
    /// # Errors
    ///
    /// As [`StreamWriter::try_write`].
    #[inline]
    pub fn try_write<T: TryStreamSerialize + ?Sized>(&mut self, item: &T) -> Result<()> {
        self.writer.try_write(&mut self.builder, item)
    }

    /// Flushes the sink.
    ///
    /// # Errors
    ///
    /// As [`StreamWriter::flush`].
    pub fn flush(&mut self) -> Result<()> {
        self.writer.flush()
    }

    /// The writer without the builder, which counts the frames and can do more.
    pub fn writer(&mut self) -> &mut StreamWriter<W, F> {
        &mut self.writer
    }

    /// The sink, not flushed.
    pub fn into_inner(self) -> W {
        self.writer.into_inner()
    }
}

impl<W, F> From<StreamWriter<W, F>> for SimpleWriter<W, F> {
    fn from(writer: StreamWriter<W, F>) -> Self {
        Self { writer, builder: FlatBufferBuilder::new() }
    }
}

impl<W: fmt::Debug, F: fmt::Debug> fmt::Debug for SimpleWriter<W, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SimpleWriter").field("writer", &self.writer).finish_non_exhaustive()
    }
}
