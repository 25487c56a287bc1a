//! Messages come back as written, from every kind of frame and however a source splits the stream.

mod common;

use std::io::{self, Read};

use common::{kinds, stream_of};
use flatstream::{SliceReader, StreamReader};
use proptest::collection::vec;
use proptest::prelude::*;

/// The outcome of one call to [`Read::read`].
#[derive(Debug, Clone, Copy)]
enum Step {
    Give(usize),
    Interrupt,
}

/// A source that gives short reads and interruptions as a script says, again and again.
struct Scripted<'a> {
    bytes: &'a [u8],
    script: std::iter::Cycle<std::slice::Iter<'a, Step>>,
}

impl Read for Scripted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.script.next() {
            Some(Step::Interrupt) => Err(io::ErrorKind::Interrupted.into()),
            Some(&Step::Give(most)) => {
                let len = most.min(buffer.len());
                self.bytes.read(&mut buffer[..len])
            }
            None => self.bytes.read(buffer),
        }
    }
}

fn scripts() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![3 => (1..40_usize).prop_map(Step::Give), 1 => Just(Step::Interrupt)];
    // The last step makes headway, or a script of interruptions alone would never end.
    (vec(step, 0..8), 1..40_usize).prop_map(|(mut steps, most)| {
        steps.push(Step::Give(most));
        steps
    })
}

fn messages() -> impl Strategy<Value = Vec<Vec<u8>>> {
    vec(prop_oneof![4 => vec(any::<u8>(), 0..64), 1 => vec(any::<u8>(), 0..2000)], 0..12)
}

proptest! {
    #[test]
    fn messages_come_back_from_any_source_with_any_buffer(
        messages in messages(), script in scripts(), capacity in 0..300_usize,
    ) {
        for kind in kinds() {
            let stream = stream_of(&kind, &messages);
            let source = Scripted { bytes: &stream, script: script.iter().cycle() };
            let mut reader = StreamReader::with_capacity(capacity, source, &kind.deframer);
            let mut back = Vec::new();
            let count = reader.process_all(|payload| back.push(payload.to_vec()))?;
            prop_assert_eq!(&back, &messages, "{}", kind.name);
            prop_assert_eq!(count, messages.len() as u64);
            prop_assert_eq!(reader.offset(), stream.len() as u64);
        }
    }

    #[test]
    fn messages_come_back_from_a_slice_without_being_copied(messages in messages()) {
        for kind in kinds() {
            let stream = stream_of(&kind, &messages);
            let back: Vec<&[u8]> =
                SliceReader::new(&stream, &kind.deframer).collect::<Result<_, _>>()?;
            prop_assert_eq!(&back, &messages, "{}", kind.name);
            for payload in back {
                prop_assert!(stream.as_ptr_range().contains(&payload.as_ptr()) || payload.is_empty());
            }
        }
    }

    #[test]
    fn a_stream_that_arrives_in_two_parts_is_read_across_the_gap(
        messages in messages(), cut in any::<proptest::sample::Index>(),
    ) {
        for kind in kinds() {
            let stream = stream_of(&kind, &messages);
            let (early, late) = stream.split_at(cut.index(stream.len() + 1));
            let mut reader = StreamReader::new(Growing { parts: [early, late], at: 0 }, &kind.deframer);
            let mut back = Vec::new();
            let first = drain(&mut reader, &mut back);
            prop_assert_eq!(first.is_ok(), reader.offset() == early.len() as u64, "{:?}", first);
            drain(&mut reader, &mut back)?;
            prop_assert_eq!(&back, &messages, "{}", kind.name);
        }
    }
}

/// A file that is still being written: it ends, and when asked again has more.
struct Growing<'a> {
    parts: [&'a [u8]; 2],
    at: usize,
}

impl Read for Growing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.parts[self.at].read(buffer)?;
        if count == 0 && self.at == 0 {
            self.at = 1;
        }
        Ok(count)
    }
}

fn drain<R: Read, D: flatstream::Deframer>(
    reader: &mut StreamReader<R, D>,
    into: &mut Vec<Vec<u8>>,
) -> flatstream::Result<u64> {
    reader.process_all(|payload| into.push(payload.to_vec()))
}

#[test]
fn every_two_part_split_of_a_short_stream_is_read_whole() {
    let messages: [&[u8]; 4] = [b"", b"one", b"", b"a longer message than the others"];
    for kind in kinds() {
        let stream = stream_of(&kind, &messages);
        for cut in 0..=stream.len() {
            let source = stream[..cut].chain(&stream[cut..]);
            let mut back = Vec::new();
            drain(&mut StreamReader::with_capacity(0, source, &kind.deframer), &mut back)
                .expect("a sound stream");
            assert_eq!(back, messages, "{} cut at {cut}", kind.name);
        }
    }
}

#[test]
fn a_cursor_lends_the_same_messages_as_the_closure_gets() {
    for kind in kinds() {
        let stream = stream_of(&kind, &["a", "", "bc"]);
        let mut reader = StreamReader::new(stream.as_slice(), &kind.deframer);
        let mut messages = reader.messages();
        let mut lent = Vec::new();
        while let Some(payload) = messages.next().expect("a sound stream") {
            lent.push(payload.to_vec());
        }
        assert_eq!(lent, [&b"a"[..], b"", b"bc"], "{}", kind.name);
    }
}
