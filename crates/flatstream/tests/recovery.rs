//! What goes on behind damage, and what a stream says about itself.

mod common;

use std::io::{self, Read};

use common::{Kind, checksummed_kinds, kinds, stream_of};
use flatbuffers::{FlatBufferBuilder, Vector, VerifierOptions};
use flatstream::{
    DEFAULT_MAX_FRAME_LEN, DefaultDeframer, DefaultFramer, Error, FrameIndex, NoChecksum,
    SliceReader, StreamHeader, StreamReader, StreamWriter, root_with,
};
use proptest::collection::vec;
use proptest::prelude::*;

/// Everything that both readers find, going past each damage: payloads, and what was passed over.
fn recover(kind: &Kind, stream: &[u8]) -> (Vec<Vec<u8>>, Vec<Option<u64>>) {
    let (mut payloads, mut skipped) = (Vec::new(), Vec::new());
    let mut reader = SliceReader::new(stream, &kind.deframer);
    while let Some(payload) = reader.next() {
        match payload {
            Ok(payload) => payloads.push(payload.to_vec()),
            Err(_) => skipped.push(reader.resynchronize()),
        }
    }
    let (mut copied, mut other) = (Vec::new(), Vec::new());
    let mut reader = StreamReader::with_capacity(0, stream, &kind.deframer);
    loop {
        match reader.read_message() {
            Ok(Some(payload)) => copied.push(payload.to_vec()),
            Ok(None) => break,
            Err(_) => match reader.resynchronize().expect("a slice can be read") {
                Some(bytes) => other.push(Some(bytes)),
                None => {
                    other.push(None);
                    break;
                }
            },
        }
    }
    assert_eq!((&copied, &other), (&payloads, &skipped), "{}", kind.name);
    (payloads, skipped)
}

#[test]
fn the_frames_behind_a_damaged_one_are_found() {
    for kind in checksummed_kinds() {
        let messages: [&[u8]; 4] = [b"first", b"the damaged one", b"third", b"last"];
        let mut stream = stream_of(&kind, &messages);
        let begin = stream_of(&kind, &messages[..1]).len();
        let frame = stream_of(&kind, &messages[..2]).len() - begin;
        stream[begin + frame - 1] ^= 1;
        let (payloads, skipped) = recover(&kind, &stream);
        assert_eq!(payloads, [messages[0], messages[2], messages[3]], "{}", kind.name);
        assert_eq!(skipped, [Some(frame as u64)], "{}", kind.name);
    }
}

/// A source that stops at one place, once: with an error, or with an end behind which more is written.
struct Pausing<'a> {
    rest: &'a [u8],
    before: usize,
    pause: Option<Pause>,
}

#[derive(Clone, Copy, Debug)]
enum Pause {
    Error,
    End,
}

impl Read for Pausing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut at_hand = self.rest;
        match self.pause {
            Some(pause) if self.before == 0 => {
                self.pause = None;
                return match pause {
                    Pause::Error => Err(io::ErrorKind::WouldBlock.into()),
                    Pause::End => Ok(0),
                };
            }
            Some(_) => at_hand = &self.rest[..self.before],
            None => {}
        }
        let count = at_hand.read(buffer)?;
        self.rest = &self.rest[count..];
        self.before -= count.min(self.before);
        Ok(count)
    }
}

/// As [`recover`], trying again what ended or failed before the source's real end.
fn recover_from(kind: &Kind, source: Pausing<'_>) -> (Vec<Vec<u8>>, Vec<u64>) {
    let (mut payloads, mut skipped, mut is_paused) =
        (Vec::new(), Vec::new(), source.pause.is_some());
    let reader = StreamReader::with_capacity(0, source, &kind.deframer);
    let mut reader = reader.with_max_frame_len(64);
    loop {
        match reader.read_message() {
            Ok(Some(payload)) => {
                payloads.push(payload.to_vec());
                continue;
            }
            Err(Error::WrongChecksum { .. } | Error::FrameTooLong { .. }) => {}
            _ if std::mem::take(&mut is_paused) => continue,
            _ => break,
        }
        loop {
            match reader.resynchronize() {
                Ok(Some(bytes)) => {
                    skipped.push(bytes);
                    break;
                }
                _ if std::mem::take(&mut is_paused) => {}
                _ => return (payloads, skipped),
            }
        }
    }
    (payloads, skipped)
}

#[test]
fn a_pause_anywhere_loses_no_frame_behind_the_damage_and_no_byte_of_the_count() {
    for kind in checksummed_kinds() {
        let messages: [&[u8]; 5] = [b"first", b"damaged", b"good one", b"", b"and another"];
        let whole = stream_of(&kind, &messages);
        let begin = stream_of(&kind, &messages[..1]).len();
        let frame = stream_of(&kind, &messages[..2]).len() - begin;
        // The last byte of the payload, and the highest of the length.
        for place in [begin + frame - 1, begin + 3] {
            let mut stream = whole.clone();
            stream[place] ^= 0x55;
            for (before, pause) in
                (0..=stream.len()).flat_map(|at| [(at, Pause::Error), (at, Pause::End)])
            {
                let source = Pausing { rest: &stream, before, pause: Some(pause) };
                let (payloads, skipped) = recover_from(&kind, source);
                let case = format!("{} damaged at {place}, {pause:?} at {before}", kind.name);
                assert_eq!(payloads, [messages[0], messages[2], b"", messages[4]], "{case}");
                assert_eq!(skipped, [frame as u64], "{case}");
            }
        }
    }
}

#[test]
fn a_search_that_stopped_is_not_resumed_in_another_stream() {
    for kind in checksummed_kinds() {
        // No length that begins with such a byte is within the limit: the search stops at 40.
        let damage = [0xFF; 40];
        let frame = stream_of(&kind, &[b"good one"]);
        let stream = [&damage[..], &frame].concat();
        let before = 40 + kind.deframer.header_len();
        let source = Pausing { rest: &stream, before, pause: Some(Pause::Error) };
        let mut reader = StreamReader::new(source, &kind.deframer).with_max_frame_len(64);
        assert!(matches!(reader.read_message(), Err(Error::FrameTooLong { .. })));
        assert!(matches!(reader.resynchronize(), Err(Error::Read { offset: 40, .. })));

        let sound = stream_of(&kind, &[vec![1; 40 - kind.deframer.header_len()]]);
        let other = [&sound, &damage[..10], &frame].concat();
        reader.restart(Pausing { rest: &other, before: 0, pause: None });
        assert!(reader.read_message().is_ok_and(|payload| payload.is_some()));
        assert!(matches!(reader.read_message(), Err(Error::FrameTooLong { offset: 40, .. })));
        assert_eq!(reader.resynchronize().expect("a slice can be read"), Some(10), "{}", kind.name);
        assert_eq!(reader.read_message().expect("sound"), Some(&b"good one"[..]));
    }
}

#[test]
fn without_a_checksum_no_frame_can_be_told_from_other_bytes() {
    let kind = &kinds()[0];
    let mut stream = stream_of(kind, &[&b"first"[..], b"second"]);
    stream[3] = 0xFF;
    assert_eq!(recover(kind, &stream), (vec![], vec![None]));
}

proptest! {
    #[test]
    fn no_whole_frame_behind_the_damage_is_lost(
        messages in vec(vec(any::<u8>(), 1..20), 2..6), hit in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(), bit in 0..8_u32,
    ) {
        for kind in checksummed_kinds() {
            let mut stream = stream_of(&kind, &messages);
            let hit = hit.index(messages.len() - 1);
            let begin = stream_of(&kind, &messages[..hit]).len();
            let end = stream_of(&kind, &messages[..=hit]).len();
            stream[begin + at.index(end - begin)] ^= 1 << bit;
            let (payloads, skipped) = recover(&kind, &stream);
            // Of two bytes, one place in 65,536 passes for a frame.
            if kind.name != "crc16" {
                let expected = [&messages[..hit], &messages[hit + 1..]].concat();
                prop_assert_eq!(payloads, expected, "{}", kind.name);
                prop_assert_eq!(skipped, [Some((end - begin) as u64)], "{}", kind.name);
            }
        }
    }

    #[test]
    fn any_bytes_can_be_gone_through(bytes in vec(any::<u8>(), 0..200)) {
        for kind in kinds() {
            recover(&kind, &bytes);
        }
    }

    #[test]
    fn a_header_is_what_was_written_or_none(bytes in any::<[u8; 8]>(), checksum in 0..5_u8, covered in 0..2_u8) {
        let made = [b'F', b'L', b'S', b'T', 1, checksum, covered, 0];
        for bytes in [bytes, made] {
            if let Ok(header) = StreamHeader::from_bytes(bytes) {
                prop_assert_eq!(header.to_bytes(), bytes);
            }
        }
        prop_assert!(StreamHeader::from_bytes(made).is_ok());
    }

    #[test]
    fn an_index_leads_to_every_frame(messages in vec(vec(any::<u8>(), 0..9), 0..6)) {
        for kind in kinds() {
            let stream = stream_of(&kind, &messages);
            let index = FrameIndex::of(&stream, &kind.deframer).expect("a whole stream");
            prop_assert_eq!((index.len(), index.is_empty()), (messages.len(), messages.is_empty()));
            for number in 0..=messages.len() {
                let reader = index.reader(&stream, &kind.deframer, number);
                let rest = reader.map(|reader| reader.map(|payload| payload.expect("whole").to_vec()));
                let rest = rest.map(|rest| rest.collect::<Vec<_>>()).unwrap_or_default();
                prop_assert_eq!(&rest, &messages[number..]);
            }
        }
    }

    #[test]
    fn an_index_has_the_limit_of_the_reader_that_it_is_made_of(
        messages in vec(vec(any::<u8>(), 0..9), 0..6), max in 0..9_u32, begin in 0..3_usize,
    ) {
        for kind in kinds() {
            let stream = stream_of(&kind, &messages);
            let whole = FrameIndex::of(&stream, &kind.deframer).expect("a whole stream");
            let Some(offset) = whole.offset(begin) else { continue };
            let reader = SliceReader::at(&stream, &kind.deframer, offset).with_max_frame_len(max);
            let index = FrameIndex::from_reader(reader);
            let rest = &messages[begin..];
            let is_within = rest.iter().all(|message| message.len() <= max as usize);
            prop_assert_eq!(index.is_ok(), is_within);
            let Ok(index) = index else { continue };
            prop_assert_eq!(index.len(), rest.len());
            for (number, message) in rest.iter().enumerate() {
                prop_assert_eq!(index.offset(number), whole.offset(begin + number));
                let mut frame = index.reader(&stream, &kind.deframer, number).expect("a frame");
                prop_assert_eq!(frame.next().expect("a frame").expect("within"), message);
            }
        }
    }

    /// FlatBuffers' own verifier decides.
    #[test]
    fn limits_of_the_verifier_are_those_of_flatbuffers(len in 0..64_usize, max_apparent_size in 0..80_usize) {
        let mut builder = FlatBufferBuilder::new();
        let vector = builder.create_vector(&vec![7_u8; len]);
        builder.finish(vector, None);
        let payload = builder.finished_data();
        let options = VerifierOptions { max_apparent_size, ..VerifierOptions::default() };
        let theirs = flatbuffers::root_with_opts::<Vector<'_, u8>>(&options, payload).is_ok();
        prop_assert_eq!(root_with::<Vector<'_, u8>>(payload, &options).is_ok(), theirs);

        let mut writer = StreamWriter::new(Vec::new(), DefaultFramer);
        writer.write_payload(payload).expect("a Vec takes everything");
        let stream = writer.into_inner();
        let mut reader = StreamReader::new(stream.as_slice(), DefaultDeframer);
        let read = reader.read_root_with::<Vector<'_, u8>>(&options);
        match read {
            Ok(Some(found)) => prop_assert!(theirs && found.len() == len),
            Ok(None) => prop_assert!(false, "there is a frame"),
            Err(error) => {
                let is_refused = matches!(error, Error::InvalidFlatbuffer { offset: 0, .. });
                prop_assert!(is_refused && !theirs);
            }
        }
    }
}

#[test]
fn frames_longer_than_the_default_limit_can_be_indexed_and_read() {
    let mut writer = StreamWriter::new(Vec::new(), DefaultFramer).with_max_frame_len(u32::MAX);
    let long = vec![1; DEFAULT_MAX_FRAME_LEN as usize + 1];
    writer.write_payload(b"short").expect("a Vec takes everything");
    writer.write_payload(&long).expect("a Vec takes everything");
    let stream = writer.into_inner();
    let error = FrameIndex::of(&stream, DefaultDeframer).expect_err("over the default limit");
    assert!(matches!(error, Error::FrameTooLong { offset: 9, .. }));
    let reader = SliceReader::new(&stream, DefaultDeframer).with_max_frame_len(u32::MAX);
    let index = FrameIndex::from_reader(reader).expect("within the limit");
    assert_eq!(index.len(), 2);
    let mut frames = index.reader(&stream, DefaultDeframer, 1).expect("there are two");
    assert_eq!(frames.next().expect("a frame").expect("within the limit"), long);
}

#[test]
fn a_stream_that_says_other_frames_than_the_reader_has_is_refused_by_name() {
    let header = StreamHeader::of::<NoChecksum>();
    let other = StreamHeader::covering_length::<NoChecksum>();
    let error = header.expect(other).expect_err("another framing").to_string();
    let expected = "the stream has frames without a checksum, and this reader expects frames without \
                    a checksum of payload and length";
    assert_eq!(error, expected);
    let read = |mut bytes: &[u8]| StreamHeader::read(&mut bytes);
    assert_eq!(read(&header.to_bytes()).expect("a header"), header);
    assert!(matches!(read(b"FLST"), Err(Error::NotAStream)));
    assert!(matches!(read(b"FLST\x02\0\0\0"), Err(Error::OtherVersion { found: 2, expected: 1 })));
    assert!(matches!(read(b"\x04\0\0\0abcd"), Err(Error::NotAStream)), "frames and no header");
}

#[cfg(feature = "crc16")]
mod covered {
    use flatstream::{ChecksumDeframer, ChecksumFramer, CoveredDeframer, CoveredFramer, Crc16};

    use super::*;

    fn stream(framer: impl flatstream::Framer, payload: &[u8]) -> Vec<u8> {
        let mut writer = StreamWriter::new(Vec::new(), framer);
        writer.write_payload(payload).expect("a Vec takes everything");
        writer.write_payload(b"what follows").expect("a Vec takes everything");
        writer.into_inner()
    }

    #[test]
    fn a_wrong_length_before_zeros_is_noticed_where_the_checksum_covers_it() {
        let zeros = [0; 64];
        let (mut plain, mut covered) =
            (stream(ChecksumFramer(Crc16), &zeros), stream(CoveredFramer(Crc16), &zeros));
        let whole =
            SliceReader::new(&covered, CoveredDeframer(Crc16)).collect::<Result<Vec<_>, _>>();
        assert_eq!(whole.expect("undamaged"), [&zeros[..], b"what follows"]);
        for len in 0..64 {
            (plain[0], covered[0]) = (len, len);
            let first = SliceReader::new(&plain, ChecksumDeframer(Crc16)).next();
            assert!(matches!(first, Some(Ok(_))), "a payload alone does not say how long it is");
            let first = SliceReader::new(&covered, CoveredDeframer(Crc16)).next();
            assert!(matches!(first, Some(Err(Error::WrongChecksum { .. }))), "{len}");
        }
    }

    /// Another library's CRC-16 says what the two bytes are.
    #[test]
    fn the_checksum_of_a_covered_frame_is_that_of_the_payload_and_that_of_the_length() {
        let crc = crc16::State::<crc16::XMODEM>::calculate;
        let payload = [7; 300];
        let covered = stream(CoveredFramer(Crc16), &payload);
        let expected = crc(&payload) ^ crc(&300_u32.to_le_bytes());
        assert_eq!(covered[4..6], expected.to_le_bytes());
    }

    /// What CRC-16 notices of four bytes, for all that can be tried with zeros of 256 KiB.
    #[test]
    fn up_to_three_wrong_bits_of_a_length_before_zeros_are_noticed_and_16_adjacent_ones() {
        const BITS: u32 = 18;
        let bit = |at: u32| 1_u32 << at;
        let mut damages = vec![bit(1) | bit(17)];
        for one in 0..BITS {
            for two in 0..=one {
                damages.extend((0..=two).map(|three| bit(one) | bit(two) | bit(three)));
            }
        }
        // Bursts that begin and end with a wrong bit, all between them or every other one.
        for begin in 0..BITS {
            for len in 1..=16.min(BITS - begin) {
                let between = (1_u32 << len) - 1;
                let ends = 1 | bit(len - 1);
                damages.extend([between, between & 0x5555 | ends].map(|burst| burst << begin));
            }
        }
        for len in [(1_u32 << BITS) - 1, 1 << 17] {
            let whole = stream(CoveredFramer(Crc16), &vec![0; len as usize]);
            for damage in &damages {
                let mut damaged = whole.clone();
                damaged[..4].copy_from_slice(&(len ^ damage).to_le_bytes());
                let first = SliceReader::new(&damaged, CoveredDeframer(Crc16)).next();
                assert!(matches!(first, Some(Err(_))), "{len} became {}", len ^ damage);
            }
        }
    }
}
