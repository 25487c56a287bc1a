//! The first version's way of working: a builder for each message written, a copy of each message
//! read. It is here so that the published comparison of the versions is a relation within one run.

use std::io::{self, Read, Write};

use flatbuffers::FlatBufferBuilder;
use flatstream::StreamSerialize;

/// A checksum of 8 bytes behind the length, as the first version could have; `None` for no such bytes.
pub type V1Checksum = Option<fn(&[u8]) -> u64>;

/// Writes frames, each from a builder of its own.
#[derive(Debug)]
pub struct V1Writer<W> {
    sink: W,
    checksum: V1Checksum,
}

impl<W: Write> V1Writer<W> {
    /// A writer to `sink`.
    #[inline]
    pub fn new(sink: W) -> Self {
        Self::with_checksum(sink, None)
    }

    /// A writer to `sink` of frames with `checksum`.
    #[inline]
    pub fn with_checksum(sink: W, checksum: V1Checksum) -> Self {
        Self { sink, checksum }
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
        if let Some(checksum) = self.checksum {
            self.sink.write_all(&checksum(payload).to_le_bytes())?;
        }
        self.sink.write_all(payload)
    }

    /// The sink.
    #[inline]
    pub fn into_inner(self) -> W {
        self.sink
    }
}

/// Reads frames, each into a vector of its own.
#[derive(Debug)]
pub struct V1Reader<R> {
    source: R,
    checksum: V1Checksum,
}

impl<R: Read> V1Reader<R> {
    /// A reader of `source`.
    #[inline]
    pub fn new(source: R) -> Self {
        Self::with_checksum(source, None)
    }

    /// A reader of frames with `checksum`.
    #[inline]
    pub fn with_checksum(source: R, checksum: V1Checksum) -> Self {
        Self { source, checksum }
    }

    /// The stored checksum, where frames have one.
    fn stored(&mut self) -> io::Result<u64> {
        let mut stored = [0; 8];
        if self.checksum.is_some() {
            self.source.read_exact(&mut stored)?;
        }
        Ok(u64::from_le_bytes(stored))
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
        let stored = match self.stored() {
            Ok(stored) => stored,
            Err(error) => return Some(Err(error)),
        };
        let mut payload = vec![0; u32::from_le_bytes(len) as usize];
        if let Err(error) = self.source.read_exact(&mut payload) {
            return Some(Err(error));
        }
        if self.checksum.is_some_and(|checksum| checksum(&payload) != stored) {
            return Some(Err(io::Error::new(io::ErrorKind::InvalidData, "wrong checksum")));
        }
        Some(Ok(payload))
    }
}

#[cfg(all(test, feature = "xxhash"))]
mod tests {
    use flatstream::{Checksum as _, ChecksumFramer, XxHash64};

    use super::*;
    use crate::flatstream::model::telemetry;
    use crate::flatstream::stream::stream_of;

    #[test]
    fn frames_with_a_checksum_are_those_of_the_second_version() {
        let checksum: V1Checksum = Some(|payload| XxHash64.calculate(payload));
        let events = telemetry(100);
        let mut writer = V1Writer::with_checksum(Vec::new(), checksum);
        events.iter().for_each(|event| writer.write(event).unwrap());
        let mut stream = writer.into_inner();
        assert_eq!(stream, stream_of(ChecksumFramer(XxHash64), &events));
        let payloads: io::Result<Vec<_>> =
            V1Reader::with_checksum(stream.as_slice(), checksum).collect();
        assert_eq!(payloads.unwrap().len(), 100);
        *stream.last_mut().unwrap() ^= 1;
        assert!(V1Reader::with_checksum(stream.as_slice(), checksum).any(|read| read.is_err()));
    }
}
