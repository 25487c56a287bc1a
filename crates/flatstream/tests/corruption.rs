//! Damage is found: every cut, and every flipped bit of a checksummed stream.

mod common;

use common::{Kind, checksummed_kinds, kinds, stream_of};
use flatstream::{Error, LENGTH_SIZE, SliceReader, StreamReader};
use proptest::collection::vec;
use proptest::prelude::*;

const MESSAGES: [&[u8]; 4] = [b"a first message", b"", b"\0\x01\x02", b"the last one"];

/// Reads with both readers, which have to agree, and returns the payloads before the error, if any.
fn read(kind: &Kind, stream: &[u8]) -> (Vec<Vec<u8>>, Option<Error>) {
    let (mut lent, mut error) = (Vec::new(), None);
    for payload in SliceReader::new(stream, &kind.deframer) {
        match payload {
            Ok(payload) => lent.push(payload.to_vec()),
            Err(found) => error = Some(found),
        }
    }
    let mut copied = Vec::new();
    let other = StreamReader::with_capacity(0, stream, &kind.deframer)
        .process_all(|payload| copied.push(payload.to_vec()));
    assert_eq!(copied, lent, "{}", kind.name);
    assert_eq!(format!("{:?}", other.err()), format!("{error:?}"), "{}", kind.name);
    (lent, error)
}

/// Where each frame begins, and where the stream ends.
fn boundaries<P: AsRef<[u8]>>(kind: &Kind, payloads: &[P]) -> Vec<usize> {
    (0..=payloads.len()).map(|count| stream_of(kind, &payloads[..count]).len()).collect()
}

fn flip(stream: &[u8], bit: usize) -> Vec<u8> {
    let mut damaged = stream.to_vec();
    damaged[bit / 8] ^= 1 << (bit % 8);
    damaged
}

#[test]
fn every_cut_is_a_clean_end_or_is_told_with_the_offset_of_the_frame_it_tore() {
    for kind in kinds() {
        let stream = stream_of(&kind, &MESSAGES);
        let boundaries = boundaries(&kind, &MESSAGES);
        let header_len = kind.deframer.header_len();
        for cut in 0..=stream.len() {
            let whole = boundaries.iter().filter(|&&end| end <= cut).count() - 1;
            let begin = boundaries[whole];
            let (payloads, error) = read(&kind, &stream[..cut]);
            assert_eq!(payloads, MESSAGES[..whole], "{} cut at {cut}", kind.name);
            match error {
                None => assert_eq!(cut, begin, "{}: a torn frame passed", kind.name),
                Some(Error::TornHeader { offset, have, need }) => {
                    assert_eq!((offset, have, need), (begin as u64, cut - begin, header_len));
                    assert!((1..need).contains(&have));
                }
                Some(Error::TornPayload { offset, have, need }) => {
                    let need_here = MESSAGES[whole].len();
                    let have_here = cut - begin - header_len;
                    assert_eq!((offset, have, need), (begin as u64, have_here, need_here));
                }
                Some(other) => panic!("{} cut at {cut}: {other}", kind.name),
            }
        }
    }
}

#[test]
fn every_flipped_bit_of_a_checksummed_stream_is_found_in_its_own_frame() {
    for kind in checksummed_kinds() {
        let stream = stream_of(&kind, &MESSAGES);
        let boundaries = boundaries(&kind, &MESSAGES);
        for bit in 0..stream.len() * 8 {
            let hit = boundaries.iter().filter(|&&begin| begin <= bit / 8).count() - 1;
            let (payloads, error) = read(&kind, &flip(&stream, bit));
            let begin = boundaries[hit] as u64;
            assert_eq!(payloads, MESSAGES[..hit], "{} bit {bit}", kind.name);
            match error {
                Some(
                    Error::WrongChecksum { offset, .. }
                    | Error::TornPayload { offset, .. }
                    | Error::FrameTooLong { offset, .. },
                ) => assert_eq!(offset, begin, "{} bit {bit}", kind.name),
                other => panic!("{} bit {bit}: {other:?}", kind.name),
            }
        }
    }
}

#[test]
fn every_flipped_bit_of_a_stream_without_checksums_is_survived() {
    let kind = kinds().swap_remove(0);
    let stream = stream_of(&kind, &MESSAGES);
    for bit in 0..stream.len() * 8 {
        read(&kind, &flip(&stream, bit));
    }
}

proptest! {
    #[test]
    fn a_flipped_bit_outside_the_lengths_is_always_a_wrong_checksum(
        payloads in vec(vec(any::<u8>(), 0..200), 1..5),
        place in any::<proptest::sample::Index>(),
    ) {
        for kind in checksummed_kinds() {
            let stream = stream_of(&kind, &payloads);
            let boundaries = boundaries(&kind, &payloads);
            let bit = place.index(stream.len() * 8);
            let hit = boundaries.iter().filter(|&&begin| begin <= bit / 8).count() - 1;
            if bit / 8 - boundaries[hit] < LENGTH_SIZE {
                continue;
            }
            let (_, error) = read(&kind, &flip(&stream, bit));
            let begin = boundaries[hit] as u64;
            prop_assert!(
                matches!(error, Some(Error::WrongChecksum { offset, .. }) if offset == begin),
                "{} bit {bit}: {error:?}", kind.name
            );
        }
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in vec(any::<u8>(), 0..400)) {
        for kind in kinds() {
            read(&kind, &bytes);
        }
    }

    #[test]
    fn a_stream_of_small_lengths_never_panics(bytes in vec(0..3_u8, 0..200)) {
        for kind in kinds() {
            read(&kind, &bytes);
        }
    }
}

/// The layout leaves the length out of the checksum, and XMODEM's register begins at zero. This is
/// the one hole that the two together leave; the documentation of `Crc16` names it.
#[cfg(feature = "crc16")]
#[test]
fn crc16_cannot_see_a_damaged_length_before_a_payload_of_zeros() {
    let kind = checksummed_kinds().swap_remove(0);
    let stream = stream_of(&kind, &[[0; 6]]);
    let (payloads, error) = read(&kind, &[&[0; 4], &stream[4..]].concat());
    assert_eq!(payloads, [[0; 0], [0; 0]]);
    assert!(error.is_none());
}
