//! Extensions by users: items that can fail, and headers of their own.

use std::num::TryFromIntError;

use flatbuffers::{FlatBufferBuilder, Vector, WIPOffset};
use flatstream::{
    DefaultDeframer, DefaultFramer, Deframer, Error, FrameHeader, Framer, MAX_HEADER_LEN,
    SimpleWriter, SliceReader, StreamReader, StreamWriter, TryStreamSerialize,
};

/// A number that has to fit into a byte.
struct Small(u32);

impl TryStreamSerialize for Small {
    type Root<'b> = Vector<'b, u8>;
    type Error = TryFromIntError;

    fn try_build<'b>(
        &self,
        builder: &mut FlatBufferBuilder<'b>,
    ) -> Result<WIPOffset<Vector<'b, u8>>, TryFromIntError> {
        Ok(builder.create_vector(&[u8::try_from(self.0)?]))
    }
}

#[test]
fn an_item_that_fails_leaves_no_bytes_and_the_next_one_is_written() {
    let mut writer = SimpleWriter::new(Vec::new(), DefaultFramer);
    writer.try_write(&Small(1)).expect("it fits");
    let before = writer.writer().get_ref().clone();
    let error = writer.try_write(&Small(256)).expect_err("it does not fit");
    assert!(matches!(&error, Error::Serialize { frames_written: 1, .. }), "{error:?}");
    assert!(std::error::Error::source(&error).is_some_and(|source| source.is::<TryFromIntError>()));
    assert_eq!(*writer.writer().get_ref(), before);
    writer.try_write(&Small(2)).expect("it fits");

    let stream = writer.into_inner();
    let mut reader = StreamReader::new(stream.as_slice(), DefaultDeframer);
    let mut read = Vec::new();
    while let Some(root) = reader.read_root::<Vector<'_, u8>>().expect("what was written") {
        read.push(root.get(0));
    }
    assert_eq!(read, [1, 2]);
}

#[test]
fn text_is_written_and_read_as_text() {
    let mut writer = SimpleWriter::new(Vec::new(), DefaultFramer);
    writer.write("lent").expect("a Vec takes everything");
    writer.write(&String::from("owned")).expect("a Vec takes everything");
    let stream = writer.into_inner();
    let mut reader = StreamReader::new(stream.as_slice(), DefaultDeframer);
    assert_eq!(reader.read_root::<&str>().expect("text"), Some("lent"));
    assert_eq!(reader.read_root::<&str>().expect("text"), Some("owned"));
}

/// The letters `FS`, then the length with its most significant byte first.
#[derive(Clone, Copy)]
struct Network;

const MAGIC: [u8; 2] = *b"FS";

impl Framer for Network {
    fn header(&self, _payload: &[u8], payload_len: u32) -> FrameHeader {
        FrameHeader::new(payload_len, 0, MAGIC.len())
    }

    fn encode(&self, header: &FrameHeader) -> [u8; MAX_HEADER_LEN] {
        let mut bytes = [0; MAX_HEADER_LEN];
        bytes[..2].copy_from_slice(&MAGIC);
        bytes[2..6].copy_from_slice(&header.payload_len.to_be_bytes());
        bytes
    }
}

impl Deframer for Network {
    fn header_len(&self) -> usize {
        6
    }

    fn checksum(&self, _payload: &[u8]) -> u64 {
        0
    }

    fn parse(&self, bytes: &[u8]) -> Option<FrameHeader> {
        let length = bytes.strip_prefix(&MAGIC)?.try_into().ok()?;
        Some(FrameHeader::new(u32::from_be_bytes(length), 0, MAGIC.len()))
    }
}

#[test]
fn a_header_of_ones_own_is_written_and_read_by_both_readers() {
    // By reference and in a box, which have to pass it on.
    let boxed: Box<dyn Framer> = Box::new(Network);
    let mut writer = StreamWriter::new(Vec::new(), &boxed);
    writer.write_payload(b"hello").expect("a Vec takes everything");
    writer.write_payload(b"").expect("a Vec takes everything");
    let mut stream = writer.into_inner();
    assert_eq!(stream, b"FS\0\0\0\x05helloFS\0\0\0\0");

    let boxed: Box<dyn Deframer> = Box::new(Network);
    let payloads: Vec<&[u8]> = SliceReader::new(&stream, &boxed).map(Result::unwrap).collect();
    assert_eq!(payloads, [&b"hello"[..], b""]);

    stream[11] = b'X';
    let mut reader = StreamReader::new(stream.as_slice(), &boxed);
    assert_eq!(reader.read_message().expect("the first is whole"), Some(&b"hello"[..]));
    let error = reader.read_message().expect_err("the second is not");
    assert!(matches!(error, Error::InvalidHeader { offset: 11 }), "{error:?}");
}
