//! The loops one would write without a library: what traits and bookkeeping may cost is measured
//! against them, and two of them are the least that any library could do.

use std::hint::black_box;
use std::io::{self, Write};

use flatbuffers::FlatBufferBuilder;

use super::model::{TelemetryEvent, pack};

/// Writes the same bytes as a `StreamWriter` with the default framer.
///
/// # Errors
///
/// The sink's.
#[inline]
pub fn write_all<W: Write>(
    mut sink: W,
    builder: &mut FlatBufferBuilder<'_>,
    events: &[TelemetryEvent],
) -> io::Result<()> {
    for event in events {
        builder.reset();
        let root = pack(builder, event.to_bytes());
        builder.finish(root, None);
        let payload = builder.finished_data();
        sink.write_all(&(payload.len() as u32).to_le_bytes())?;
        sink.write_all(payload)?;
    }
    Ok(())
}

/// Builds every message and writes none, and says how many bytes they have: what of writing is the
/// builder's.
#[inline]
pub fn build_all(builder: &mut FlatBufferBuilder<'_>, events: &[TelemetryEvent]) -> usize {
    let mut bytes = 0;
    for event in events {
        builder.reset();
        let root = pack(builder, event.to_bytes());
        builder.finish(root, None);
        bytes += black_box(builder.finished_data()).len();
    }
    bytes
}

/// Goes from frame to frame of a stream without checksums, and says how many there are: where the next
/// one begins is known when the length of this one is.
///
/// # Panics
///
/// If a frame is torn.
#[inline]
#[must_use]
pub fn follow_lengths(stream: &[u8]) -> u64 {
    let (mut rest, mut count) = (stream, 0);
    while let Some((len, after)) = rest.split_first_chunk() {
        let (payload, next) = after.split_at(u32::from_le_bytes(*len) as usize);
        black_box(payload);
        rest = next;
        count += 1;
    }
    count
}
