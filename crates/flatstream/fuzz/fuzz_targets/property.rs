//! Properties that hold for any input. The fuzz target and a plain test of the crate share this
//! file, so that the corpus is replayed wherever the tests run.

use flatbuffers::Vector;
use flatstream::{
    ChecksumDeframer, ChecksumFramer, Crc16, Crc32, DefaultDeframer, DefaultFramer, Deframer,
    Error, Framer, SliceReader, StreamReader, StreamWriter, XxHash64,
};

/// Short, so that an input of a few hundred bytes can be over it.
const MAX_FRAME_LEN: u32 = 200;

/// The first byte of `input` picks the kind of frame and the size of the reader's buffer; the rest
/// is the stream.
pub(crate) fn readers_agree_and_rewriting_gives_the_stream_back(input: &[u8]) {
    let Some((&choice, stream)) = input.split_first() else { return };
    let capacity = usize::from(choice >> 2);
    match choice & 3 {
        0 => check(DefaultFramer, DefaultDeframer, capacity, stream),
        1 => check(ChecksumFramer(Crc16), ChecksumDeframer(Crc16), capacity, stream),
        2 => check(ChecksumFramer(Crc32), ChecksumDeframer(Crc32), capacity, stream),
        _ => check(ChecksumFramer(XxHash64), ChecksumDeframer(XxHash64), capacity, stream),
    }
}

fn check<F: Framer, D: Deframer>(framer: F, deframer: D, capacity: usize, stream: &[u8]) {
    let mut slices = SliceReader::new(stream, &deframer).with_max_frame_len(MAX_FRAME_LEN);
    let mut reader =
        StreamReader::with_capacity(capacity, stream, &deframer).with_max_frame_len(MAX_FRAME_LEN);
    let mut writer = StreamWriter::new(Vec::new(), &framer);

    let end = loop {
        match (slices.next().transpose(), reader.read_message()) {
            (Ok(Some(lent)), Ok(Some(copied))) => {
                assert_eq!(lent, copied);
                writer.write_payload(lent).expect("a Vec takes everything");
                // The verifier decides whether there is a root, and may not panic over it.
                if let Ok(root) = flatstream::root::<Vector<'_, u64>>(lent) {
                    root.iter().fold(0, u64::wrapping_add);
                }
            }
            (Ok(None), Ok(None)) => break None,
            (Err(one), Err(other)) => {
                assert_eq!(format!("{one:?}"), format!("{other:?}"));
                break Some(one);
            }
            (lent, copied) => panic!("one reader says {lent:?}, the other {copied:?}"),
        }
    };

    let rewritten = writer.into_inner();
    assert_eq!(rewritten, stream[..rewritten.len()]);
    let begin = rewritten.len() as u64;
    match end {
        None => assert_eq!(rewritten.len(), stream.len()),
        Some(
            Error::TornHeader { offset, .. }
            | Error::TornPayload { offset, .. }
            | Error::FrameTooLong { offset, .. }
            | Error::WrongChecksum { offset, .. },
        ) => assert_eq!(offset, begin),
        Some(other) => panic!("a slice cannot fail in this way: {other:?}"),
    }
    assert!(reader.buffer_len() <= (2 * (MAX_FRAME_LEN as usize + 12)).max(capacity));
}
