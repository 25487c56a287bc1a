//! The first version's way of working: a builder for each message written, a copy of each message
//! read. It is here so that the published comparison of the versions is a relation within one run.

use std::io::{self, Read, Write};

use flatbuffers::FlatBufferBuilder;
use flatstream::StreamSerialize;

/// Writes frames without a checksum, each from a builder of its own.
#[derive(Debug)]
pub struct V1Writer<W> {
    sink: W,
}

impl<W: Write> V1Writer<W> {
    /// A writer to `sink`.
    #[inline]
    pub fn new(sink: W) -> Self {
        Self { sink }
    }

    /// Writes `item` as one frame.
    ///
    /// # Errors
    ///
    /// The sink's.
    #[inline]
    pub fn write<T: StreamSerialize>(&mut self, item: &T) -> io::Result<()> {
        let mut builder = FlatBufferBuilder::new();
        let root = item.build(&mut builder);
        builder.finish(root, T::FILE_IDENTIFIER);
        let payload = builder.finished_data();
        self.sink.write_all(&(payload.len() as u32).to_le_bytes())?;
        self.sink.write_all(payload)
    }

    /// The sink.
    #[inline]
    pub fn into_inner(self) -> W {
        self.sink
    }
}

/// Reads frames without a checksum, each into a vector of its own.
#[derive(Debug)]
pub struct V1Reader<R> {
    source: R,
}

impl<R: Read> V1Reader<R> {
    /// A reader of `source`.
    #[inline]
    pub fn new(source: R) -> Self {
        Self { source }
    }
}

impl<R: Read> Iterator for V1Reader<R> {
    type Item = io::Result<Vec<u8>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let mut len = [0; 4];
        match self.source.read_exact(&mut len) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return None,
            Err(error) => return Some(Err(error)),
        }
        let mut payload = vec![0; u32::from_le_bytes(len) as usize];
        Some(self.source.read_exact(&mut payload).map(|()| payload))
    }
}
