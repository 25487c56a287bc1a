//! Writing and reading whole streams, as the suites time it.

use std::hint::black_box;
use std::io::{Read, Write};

use flatbuffers::FlatBufferBuilder;
use flatstream::{
    DefaultFramer, Deframer, Framer, Messages, Result, SliceReader, StreamReader, StreamSerialize,
    StreamWriter,
};

/// Writes every item with one builder, and says how many frames went out.
///
/// # Errors
///
/// As [`StreamWriter::write`].
#[inline]
pub fn write_all<W: Write, F: Framer, T: StreamSerialize>(
    sink: W,
    framer: F,
    builder: &mut FlatBufferBuilder<'_>,
    items: &[T],
) -> Result<u64> {
    let mut writer = StreamWriter::new(sink, framer);
    for item in items {
        writer.write(builder, item)?;
    }
    Ok(writer.frames_written())
}

/// The stream of `items`.
///
/// # Panics
///
/// Never: a `Vec` takes everything.
#[must_use]
pub fn stream_of<F: Framer, T: StreamSerialize>(framer: F, items: &[T]) -> Vec<u8> {
    let mut stream = Vec::new();
    write_all(&mut stream, framer, &mut FlatBufferBuilder::new(), items)
        .expect("a Vec takes everything");
    stream
}

/// The stream of `items` without checksums.
#[must_use]
pub fn plain_stream_of<T: StreamSerialize>(items: &[T]) -> Vec<u8> {
    stream_of(DefaultFramer, items)
}

/// Reads a stream by [`StreamReader::read_message`] and says how many messages there were. Each is
/// made visible to the world outside, so that none is left unread.
///
/// # Errors
///
/// As [`StreamReader::read_message`].
#[inline]
pub fn read_lent<R: Read, D: Deframer>(source: R, deframer: D) -> Result<u64> {
    let mut reader = StreamReader::new(source, deframer);
    let mut count = 0;
    while let Some(payload) = reader.read_message()? {
        black_box(payload);
        count += 1;
    }
    Ok(count)
}

/// Reads a stream by [`StreamReader::process_all`] and says how many messages there were.
///
/// # Errors
///
/// As [`StreamReader::process_all`].
#[inline]
pub fn read_by_closure<R: Read, D: Deframer>(source: R, deframer: D) -> Result<u64> {
    process_all(&mut StreamReader::new(source, deframer))
}

/// Takes every message of a reader by [`StreamReader::process_all`] and says how many there were.
///
/// # Errors
///
/// As [`StreamReader::process_all`].
#[inline]
pub fn process_all<R: Read, D: Deframer>(reader: &mut StreamReader<R, D>) -> Result<u64> {
    reader.process_all(|payload| {
        black_box(payload);
    })
}

/// Reads a stream by [`StreamReader::messages`] and says how many messages there were.
///
/// # Errors
///
/// As [`StreamReader::read_message`].
#[inline]
pub fn read_by_cursor<R: Read, D: Deframer>(source: R, deframer: D) -> Result<u64> {
    lend_all(StreamReader::new(source, deframer).messages())
}

/// Takes every message of a cursor and says how many there were.
///
/// # Errors
///
/// As [`StreamReader::read_message`].
#[inline]
pub fn lend_all<R: Read, D: Deframer>(mut messages: Messages<'_, R, D>) -> Result<u64> {
    let mut count = 0;
    while let Some(payload) = messages.next()? {
        black_box(payload);
        count += 1;
    }
    Ok(count)
}

/// Reads a stream as owned copies and says how many messages there were.
///
/// # Errors
///
/// As [`StreamReader::read_message`].
#[inline]
pub fn read_owned<R: Read, D: Deframer>(source: R, deframer: D) -> Result<u64> {
    let mut count = 0;
    for payload in StreamReader::new(source, deframer).owned_messages() {
        black_box(payload?);
        count += 1;
    }
    Ok(count)
}

/// Reads a stream that is in memory, in place, and says how many messages there were.
///
/// # Errors
///
/// As [`StreamReader::read_message`].
#[inline]
pub fn read_slice<D: Deframer>(stream: &[u8], deframer: D) -> Result<u64> {
    let mut count = 0;
    for payload in SliceReader::new(stream, deframer) {
        black_box(payload?);
        count += 1;
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use flatstream::DefaultDeframer;

    use super::*;
    use crate::flatstream::hand_written;
    use crate::flatstream::model::{ByCreateVector, TelemetryEvent, telemetry};
    use crate::flatstream::v1::{V1Reader, V1Writer};

    #[test]
    fn all_ways_of_writing_give_the_same_bytes() {
        let events = telemetry(100);
        let stream = plain_stream_of(&events);
        assert_eq!(stream.len(), 100 * 36);

        let plainly_built: Vec<_> = events.iter().copied().map(ByCreateVector).collect();
        assert_eq!(plain_stream_of(&plainly_built), stream);

        let mut raw = Vec::new();
        hand_written::write_all(&mut raw, &mut FlatBufferBuilder::new(), &events).unwrap();
        assert_eq!(raw, stream);
        assert_eq!(hand_written::build_all(&mut FlatBufferBuilder::new(), &events), 100 * 32);

        let mut v1 = V1Writer::new(Vec::new());
        events.iter().for_each(|event| v1.write(event).unwrap());
        assert_eq!(v1.into_inner(), stream);
    }

    #[test]
    fn all_ways_of_reading_give_the_same_messages() {
        let events = telemetry(1000);
        let stream = plain_stream_of(&events);
        let source = || stream.as_slice();
        assert_eq!(read_lent(source(), DefaultDeframer).unwrap(), 1000);
        assert_eq!(read_by_closure(source(), DefaultDeframer).unwrap(), 1000);
        assert_eq!(read_by_cursor(source(), DefaultDeframer).unwrap(), 1000);
        assert_eq!(read_owned(source(), DefaultDeframer).unwrap(), 1000);
        assert_eq!(read_slice(source(), DefaultDeframer).unwrap(), 1000);
        assert_eq!(hand_written::follow_lengths(&stream), 1000);

        let read: Vec<_> = V1Reader::new(source())
            .map(|payload| TelemetryEvent::read(&payload.unwrap()).unwrap())
            .collect();
        assert_eq!(read, events);
    }
}
