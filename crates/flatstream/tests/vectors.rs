//! Frames of every kind are, byte for byte, what the committed vectors say.
//!
//! The vectors were made with implementations that have no code in common with this crate, and they
//! are what keeps streams readable that were written by an older version.

mod common;

use common::{Kind, kinds, stream_of};
use flatstream::{SliceReader, StreamReader};

fn vector(kind: &Kind) -> Vec<u8> {
    let text = match kind.name {
        "none" => include_str!("vectors/none.hex"),
        "crc16" => include_str!("vectors/crc16.hex"),
        "crc32" => include_str!("vectors/crc32.hex"),
        "xxh3" => include_str!("vectors/xxh3.hex"),
        other => panic!("no vectors for {other}"),
    };
    let digits: String = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(str::split_whitespace)
        .collect();
    assert_eq!(digits.len() % 2, 0, "{}: half a byte", kind.name);
    (0..digits.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&digits[i..i + 2], 16).expect("hexadecimal digits"))
        .collect()
}

/// The payloads of every vector file, as its comments name them.
fn payloads() -> Vec<Vec<u8>> {
    let mut telemetry = vec![4, 0, 0, 0, 24, 0, 0, 0];
    telemetry.extend(1_u64.to_le_bytes());
    telemetry.extend(1_672_531_201_u64.to_le_bytes());
    telemetry.extend(1.5_f64.to_le_bytes());
    vec![
        Vec::new(),
        vec![0],
        b"123456789".to_vec(),
        telemetry,
        (0..260_u32).map(|i| i as u8).collect(),
    ]
}

#[test]
fn every_kind_of_frame_is_written_as_its_vector_says() {
    for kind in kinds() {
        assert_eq!(stream_of(&kind, &payloads()), vector(&kind), "{}", kind.name);
    }
}

#[test]
fn every_vector_is_read_back_by_both_readers() {
    for kind in kinds() {
        let stream = vector(&kind);
        let from_slice: Vec<_> = SliceReader::new(&stream, &kind.deframer)
            .map(|payload| payload.expect("a sound frame").to_vec())
            .collect();
        let from_source: Vec<_> = StreamReader::new(stream.as_slice(), &kind.deframer)
            .owned_messages()
            .map(|payload| payload.expect("a sound frame"))
            .collect();
        assert_eq!(from_slice, payloads(), "{}", kind.name);
        assert_eq!(from_source, payloads(), "{}", kind.name);
    }
}
