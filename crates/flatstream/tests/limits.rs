//! Limits and failures: what a reader refuses, and what a writer says when its sink gives way.

use std::io::{self, BufWriter, Read, Write};

use flatbuffers::FlatBufferBuilder;
use flatstream::{
    DEFAULT_MAX_FRAME_LEN, DefaultDeframer, DefaultFramer, Error, SliceReader, StreamReader,
    StreamWriter,
};

fn frame(payload: &[u8]) -> Vec<u8> {
    let mut writer = StreamWriter::new(Vec::new(), DefaultFramer);
    writer.write_payload(payload).expect("a Vec takes everything");
    writer.into_inner()
}

#[test]
fn a_frame_as_long_as_the_limit_is_read_and_one_byte_more_is_refused() {
    let stream = [frame(b"1234"), frame(b"12345")].concat();

    let mut reader = StreamReader::new(stream.as_slice(), DefaultDeframer).with_max_frame_len(4);
    assert_eq!(reader.read_message().expect("at the limit"), Some(&b"1234"[..]));
    let error = reader.read_message().expect_err("over the limit");
    assert!(matches!(error, Error::FrameTooLong { offset: 8, len: 5, max: 4 }), "{error:?}");

    let mut reader = SliceReader::new(&stream, DefaultDeframer).with_max_frame_len(4);
    assert_eq!(reader.next().map(Result::unwrap), Some(&b"1234"[..]));
    let error = reader.next().map(Result::unwrap_err);
    assert!(matches!(error, Some(Error::FrameTooLong { offset: 8, len: 5, max: 4 })), "{error:?}");
    assert!(reader.next().is_none(), "past an error no length can be trusted");
}

#[test]
fn a_length_over_the_limit_is_refused_before_its_payload_arrives() {
    let stream = u32::MAX.to_le_bytes();
    let mut reader = StreamReader::new(&stream[..], DefaultDeframer);
    let error = reader.read_message().expect_err("4 GiB");
    let max = DEFAULT_MAX_FRAME_LEN;
    assert!(
        matches!(error, Error::FrameTooLong { offset: 0, len: u32::MAX, max: m } if m == max),
        "{error:?}"
    );
}

#[test]
fn a_length_that_lies_within_the_limit_costs_no_memory() {
    let stream = [&DEFAULT_MAX_FRAME_LEN.to_le_bytes()[..], b"and little else"].concat();
    let mut reader = StreamReader::new(stream.as_slice(), DefaultDeframer);
    let before = reader.buffer_len();
    let error = reader.read_message().expect_err("16 MiB announced");
    assert!(matches!(error, Error::TornPayload { offset: 0, have: 15, .. }), "{error:?}");
    assert_eq!(reader.buffer_len(), before);
}

#[test]
fn a_buffer_grows_to_less_than_twice_the_longest_frame() {
    let stream = frame(&vec![7; 100_000]);
    let mut reader = StreamReader::new(stream.as_slice(), DefaultDeframer);
    assert_eq!(reader.process_all(|payload| assert_eq!(payload.len(), 100_000)).ok(), Some(1));
    assert!(reader.buffer_len() < 2 * stream.len(), "{}", reader.buffer_len());
}

#[test]
fn a_failing_source_is_told_with_the_frame_and_can_be_asked_again() {
    struct Flaky<'a>(&'a [u8], bool);
    impl Read for Flaky<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                Err(io::ErrorKind::WouldBlock.into())
            } else {
                self.0[..].take(3).read(buffer)
            }
            .inspect(|&count| self.0 = &self.0[count..])
        }
    }
    let stream = [frame(b"one"), frame(b"two")].concat();
    let mut reader = StreamReader::new(Flaky(&stream, false), DefaultDeframer);
    let mut offsets = Vec::new();
    let mut payloads = Vec::new();
    loop {
        match reader.read_message() {
            Ok(Some(payload)) => payloads.push(payload.to_vec()),
            Ok(None) => break,
            Err(Error::Read { offset, source }) => {
                assert_eq!(source.kind(), io::ErrorKind::WouldBlock);
                offsets.push(offset);
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!(payloads, [b"one", b"two"]);
    assert_eq!(offsets, [0, 0, 0, 7, 7, 14]);
}

/// A sink that takes so many bytes and no more.
struct Full(usize, Vec<u8>);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(self.0);
        if taken == 0 && !bytes.is_empty() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.0 -= taken;
        self.1.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_sink_that_fills_up_anywhere_leaves_a_count_of_whole_frames_and_a_broken_writer() {
    let messages: [&[u8]; 3] = [b"one", b"", b"three"];
    let ends = [0, 7, 11, 20];
    for room in 0..20 {
        let mut writer = StreamWriter::new(Full(room, Vec::new()), DefaultFramer);
        let error = messages
            .iter()
            .find_map(|payload| writer.write_payload(payload).err())
            .expect("the sink is too small");
        let whole = ends.iter().filter(|&&end| end <= room).count() - 1;
        let (frames, begin) = (whole as u64, ends[whole] as u64);
        assert!(
            matches!(&error, Error::Write { frames_written, offset, source }
                if *frames_written == frames && *offset == begin
                    && source.kind() == io::ErrorKind::StorageFull),
            "room for {room}: {error:?}"
        );
        assert_eq!((writer.frames_written(), writer.bytes_written()), (frames, begin));

        let again = writer.write_payload(b"").expect_err("half a frame is out");
        assert!(
            matches!(again, Error::WriterBroken { frames_written } if frames_written == frames)
        );
        assert!(writer.flush().is_err());

        let out = writer.into_inner().1;
        let read: Vec<_> = SliceReader::new(&out, DefaultDeframer).map_while(Result::ok).collect();
        assert_eq!(read, messages[..whole], "room for {room}");
    }
}

/// A sink that takes three bytes and then none once, which is no failure of what it has taken.
#[derive(Debug, Default)]
struct Slow(bool, Vec<u8>);

impl Write for Slow {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = !self.0;
        if !self.0 {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let taken = bytes.len().min(3);
        self.1.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_flush_that_would_block_can_be_tried_again_and_frames_follow() {
    let sink = BufWriter::with_capacity(64, Slow::default());
    let mut writer = StreamWriter::new(sink, DefaultFramer);
    let (mut blocked, messages) = (0, [&b"first"[..], b"second", b"", b"last"]);
    for (frames, payload) in (1..).zip(messages) {
        writer.write_payload(payload).expect("there is room in the buffer");
        while let Err(error) = writer.flush() {
            assert!(matches!(&error, Error::Write { frames_written, source, .. }
                if *frames_written == frames && source.kind() == io::ErrorKind::WouldBlock));
            blocked += 1;
        }
    }
    assert!(blocked > 4, "{blocked}");
    let out = writer.into_inner().into_inner().expect("all is flushed").1;
    let read = SliceReader::new(&out, DefaultDeframer).collect::<Result<Vec<_>, _>>();
    assert_eq!(read.expect("whole frames"), messages);
}

#[test]
fn a_flush_that_fails_in_another_way_breaks_the_writer() {
    struct Lost;
    impl Write for Lost {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Err(io::ErrorKind::StorageFull.into())
        }
    }
    let mut writer = StreamWriter::new(Lost, DefaultFramer);
    writer.write_payload(b"one").expect("it is taken");
    assert!(matches!(writer.flush(), Err(Error::Write { frames_written: 1, .. })));
    assert!(matches!(writer.write_payload(b"two"), Err(Error::WriterBroken { .. })));
    assert!(matches!(writer.flush(), Err(Error::WriterBroken { .. })));
}

#[test]
fn a_payload_over_the_limit_is_refused_whole_and_the_writer_goes_on() {
    let mut writer = StreamWriter::new(Vec::new(), DefaultFramer).with_max_frame_len(3);
    writer.write_payload(b"one").expect("at the limit");
    let error = writer.write_payload(b"four").expect_err("over the limit");
    assert!(
        matches!(error, Error::PayloadTooLong { frames_written: 1, len: 4, max: 3 }),
        "{error:?}"
    );
    writer.write_payload(b"two").expect("nothing of the long one is out");
    assert_eq!(writer.frames_written(), 2);
    assert_eq!(writer.into_inner(), [frame(b"one"), frame(b"two")].concat());
}

#[test]
fn a_finished_builder_is_ready_for_the_next_message_once_its_frame_is_out() {
    let mut builder = FlatBufferBuilder::new();
    let mut writer = StreamWriter::new(Vec::new(), DefaultFramer);
    for text in ["first", "second"] {
        let root = builder.create_string(text);
        builder.finish(root, None);
        writer.write_finished(&mut builder).expect("a Vec takes everything");
    }
    let stream = writer.into_inner();
    let texts: Vec<&str> = SliceReader::new(&stream, DefaultDeframer)
        .map(|payload| flatstream::root::<&str>(payload.unwrap()).unwrap())
        .collect();
    assert_eq!(texts, ["first", "second"]);
}

#[test]
fn a_payload_that_is_not_a_flatbuffer_is_reported_and_the_next_one_is_read() {
    let mut builder = FlatBufferBuilder::new();
    let root = builder.create_string("sound");
    builder.finish(root, None);
    let stream = [frame(&[0xFF; 12]), frame(builder.finished_data())].concat();

    let mut reader = StreamReader::new(stream.as_slice(), DefaultDeframer);
    let error = reader.read_root::<&str>().expect_err("an offset out of bounds");
    assert!(matches!(error, Error::InvalidFlatbuffer { offset: 0, .. }), "{error:?}");
    assert_eq!(reader.read_root::<&str>().expect("sound"), Some("sound"));
    assert_eq!(reader.read_root::<&str>().expect("a clean end"), None);
}

#[test]
fn a_restarted_reader_begins_another_stream_with_the_same_buffer() {
    let (torn, sound) = ([9, 0, 0, 0, b'x'], frame(b"sound"));
    let mut reader = StreamReader::with_capacity(64, &torn[..], DefaultDeframer);
    assert!(matches!(reader.read_message(), Err(Error::TornPayload { have: 1, need: 9, .. })));
    reader.restart(&sound);
    assert_eq!(
        reader.read_message().expect("nothing of the torn one is left"),
        Some(&b"sound"[..])
    );
    assert_eq!((reader.offset(), reader.buffer_len()), (9, 64));
}

#[test]
fn a_reader_goes_on_where_a_dropped_cursor_was() {
    let stream = [frame(b"one"), frame(b"two"), frame(b"three")].concat();
    let mut reader = StreamReader::new(stream.as_slice(), DefaultDeframer);
    assert_eq!(reader.messages().next().expect("sound"), Some(&b"one"[..]));
    assert_eq!(reader.owned_messages().next().map(Result::unwrap), Some(b"two".to_vec()));
    let mut seen = 0;
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        reader.process_all(|payload| {
            seen = payload.len();
            panic!("in the middle of a message");
        })
    }));
    assert!(panic.is_err());
    assert_eq!((seen, reader.read_message().expect("a clean end")), (5, None));
}
