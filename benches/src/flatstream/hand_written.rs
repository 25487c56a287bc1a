//! The loop one would write without a library: what traits and bookkeeping may cost is measured
//! against it.

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
