//! The same events as protobuf messages behind their length, by prost and by defiant.
//!
//! Nothing of it allocates per message: the events have no text, and both append to the sink. Their
//! length is a varint where a frame has four bytes.

use std::hint::black_box;

use defiant::{Arena, Message as _};
use prost::Message as _;

use super::messages::{defiant as d, prost as p};
use super::model::TelemetryEvent;

/// Writes each event as prost does.
#[inline]
pub fn write_prost(out: &mut Vec<u8>, events: &[TelemetryEvent]) {
    for &TelemetryEvent { device_id, timestamp, value } in events {
        p::TelemetryEvent { device_id, timestamp, value }
            .encode_length_delimited(out)
            .expect("a Vec grows as needed");
    }
}

/// Reads each event as prost does, and says how many there were.
///
/// # Panics
///
/// If `stream` is not what [`write_prost`] writes.
#[inline]
pub fn read_prost(mut stream: &[u8], mut each: impl FnMut(TelemetryEvent)) -> u64 {
    let mut count = 0;
    while !stream.is_empty() {
        let p::TelemetryEvent { device_id, timestamp, value } =
            p::TelemetryEvent::decode_length_delimited(&mut stream).expect("what prost wrote");
        each(TelemetryEvent { device_id, timestamp, value });
        count += 1;
    }
    black_box(count)
}

/// Writes each event as defiant does.
#[inline]
pub fn write_defiant(out: &mut Vec<u8>, events: &[TelemetryEvent]) {
    for &TelemetryEvent { device_id, timestamp, value } in events {
        d::TelemetryEvent { device_id, timestamp, value }.encode_length_delimited(out);
    }
}

/// Reads each event as defiant does, and says how many there were.
///
/// # Panics
///
/// If `stream` is not what [`write_defiant`] writes.
#[inline]
pub fn read_defiant(stream: &[u8], mut each: impl FnMut(TelemetryEvent)) -> u64 {
    let arena = Arena::new();
    let (mut left, mut count) = (stream, 0);
    while !left.is_empty() {
        let (message, rest) =
            d::TelemetryEvent::decode_length_delimited(left, &arena).expect("what defiant wrote");
        let d::TelemetryEvent { device_id, timestamp, value } = message;
        each(TelemetryEvent { device_id, timestamp, value });
        left = rest;
        count += 1;
    }
    black_box(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flatstream::model::telemetry;

    #[test]
    fn both_write_the_same_bytes_and_read_the_events_back() {
        let events = telemetry(100);
        let (mut by_prost, mut by_defiant) = (Vec::new(), Vec::new());
        write_prost(&mut by_prost, &events);
        write_defiant(&mut by_defiant, &events);
        assert_eq!(by_prost, by_defiant);

        let (mut from_prost, mut from_defiant) = (Vec::new(), Vec::new());
        assert_eq!(read_prost(&by_prost, |event| from_prost.push(event)), 100);
        assert_eq!(read_defiant(&by_prost, |event| from_defiant.push(event)), 100);
        assert_eq!((from_prost, from_defiant), (events.clone(), events));
    }
}
