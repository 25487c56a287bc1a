//! The same frames around what serde's formats make: a `u32` length, then the encoded value, read
//! back as owned values.

use std::io::{self, Read};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A format, as the comparison needs it.
pub trait Format {
    /// Encodes `value` into a vector of its own.
    fn encode<T: Serialize>(value: &T) -> Vec<u8>;

    /// Encodes `value` at the end of `out`.
    fn encode_into<T: Serialize>(value: &T, out: &mut Vec<u8>);

    /// Decodes an owned value.
    fn decode<T: DeserializeOwned>(bytes: &[u8]) -> T;
}

/// bincode 1.3.3 with its default configuration.
#[derive(Debug)]
pub struct Bincode;

impl Format for Bincode {
    #[inline]
    fn encode<T: Serialize>(value: &T) -> Vec<u8> {
        bincode::serialize(value).expect("plain values are encodable")
    }

    #[inline]
    fn encode_into<T: Serialize>(value: &T, out: &mut Vec<u8>) {
        bincode::serialize_into(out, value).expect("plain values are encodable");
    }

    #[inline]
    fn decode<T: DeserializeOwned>(bytes: &[u8]) -> T {
        bincode::deserialize(bytes).expect("the bytes of `encode`")
    }
}

/// serde_json, compact.
#[derive(Debug)]
pub struct Json;

impl Format for Json {
    #[inline]
    fn encode<T: Serialize>(value: &T) -> Vec<u8> {
        serde_json::to_vec(value).expect("plain values are encodable")
    }

    #[inline]
    fn encode_into<T: Serialize>(value: &T, out: &mut Vec<u8>) {
        serde_json::to_writer(out, value).expect("plain values are encodable");
    }

    #[inline]
    fn decode<T: DeserializeOwned>(bytes: &[u8]) -> T {
        serde_json::from_slice(bytes).expect("the bytes of `encode`")
    }
}

/// Writes as the published comparison does: a vector for each message.
#[inline]
pub fn write_all<F: Format, T: Serialize>(out: &mut Vec<u8>, values: &[T]) {
    for value in values {
        let encoded = F::encode(value);
        out.extend_from_slice(&(encoded.len() as u32).to_le_bytes());
        out.extend_from_slice(&encoded);
    }
}

/// Writes without an allocation per message, which the published comparison grants to flatstream
/// alone: encodes behind a gap, and puts the length there afterwards.
#[inline]
pub fn write_all_in_place<F: Format, T: Serialize>(out: &mut Vec<u8>, values: &[T]) {
    for value in values {
        let begin = out.len();
        out.extend_from_slice(&[0; 4]);
        F::encode_into(value, out);
        let len = (out.len() - begin - 4) as u32;
        out[begin..begin + 4].copy_from_slice(&len.to_le_bytes());
    }
}

/// Reads as the published comparison does: a vector and an owned value for each message.
///
/// # Errors
///
/// The source's.
#[inline]
pub fn read_all<F: Format, T: DeserializeOwned>(
    mut source: impl Read,
    mut each: impl FnMut(T),
) -> io::Result<()> {
    let mut len = [0; 4];
    while source.read_exact(&mut len).is_ok() {
        let mut message = vec![0; u32::from_le_bytes(len) as usize];
        source.read_exact(&mut message)?;
        each(F::decode(&message));
    }
    Ok(())
}

/// Reads with one vector for all messages.
///
/// # Errors
///
/// The source's.
#[inline]
pub fn read_all_reusing<F: Format, T: DeserializeOwned>(
    mut source: impl Read,
    mut each: impl FnMut(T),
) -> io::Result<()> {
    let mut len = [0; 4];
    let mut message = Vec::new();
    while source.read_exact(&mut len).is_ok() {
        message.resize(u32::from_le_bytes(len) as usize, 0);
        source.read_exact(&mut message)?;
        each(F::decode(&message));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flatstream::model::{TelemetryEvent, telemetry};

    fn comes_back<F: Format>() {
        let events = telemetry(100);
        let (mut out, mut in_place) = (Vec::new(), Vec::new());
        write_all::<F, _>(&mut out, &events);
        write_all_in_place::<F, _>(&mut in_place, &events);
        assert_eq!(out, in_place);

        let (mut back, mut reused) = (Vec::new(), Vec::new());
        read_all::<F, TelemetryEvent>(out.as_slice(), |event| back.push(event)).unwrap();
        read_all_reusing::<F, TelemetryEvent>(out.as_slice(), |event| reused.push(event)).unwrap();
        assert_eq!(back, events);
        assert_eq!(reused, events);
    }

    #[test]
    fn bincode_frames_come_back_both_ways() {
        comes_back::<Bincode>();
    }

    #[test]
    fn json_frames_come_back_both_ways() {
        comes_back::<Json>();
    }
}
