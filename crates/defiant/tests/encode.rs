//! Encoding into memory of a fixed size: what is written, what is refused, and what a wrong implementation can do.

use defiant::{DecodeError, EncodeError, FieldNames, Message, Reader, Scope, Writer};

/// Writes `bytes` as they are, and says that they are `len` many.
#[derive(Clone, Copy, Debug, Default)]
struct Says<'a> {
    len: usize,
    bytes: &'a [u8],
}

impl<'a> Message<'a> for Says<'a> {
    const NAME: &'static str = "Says";
    const FIELDS: FieldNames = &[];

    fn merge_fields(&mut self, _: &mut Reader<'a>, _: Scope<'a>) -> Result<(), DecodeError> {
        Ok(())
    }

    fn encode_raw(&self, out: &mut Writer<'_>) {
        out.bytes(self.bytes);
    }

    fn encoded_len(&self) -> usize {
        self.len
    }
}

/// A message that puts another writer in the place of the one that it is given.
#[derive(Clone, Copy, Debug, Default)]
struct Swaps;

impl Message<'_> for Swaps {
    const NAME: &'static str = "Swaps";
    const FIELDS: FieldNames = &[];

    fn merge_fields(&mut self, _: &mut Reader<'_>, _: Scope<'_>) -> Result<(), DecodeError> {
        Ok(())
    }

    fn encode_raw(&self, out: &mut Writer<'_>) {
        *out = Writer::new(Box::leak(Box::new(vec![0; 100])));
    }

    fn encoded_len(&self) -> usize {
        1
    }
}

#[test]
fn a_message_is_written_to_the_begin_and_nothing_behind_it() {
    for len in [0, 1, 127, 128, 16_384] {
        let bytes = vec![7; len];
        let message = Says { len, bytes: &bytes };
        for spare in [0, 1, 100] {
            let mut buf = vec![0xee; len + spare];
            assert_eq!(message.encode_to_slice(&mut buf), Ok(len));
            assert_eq!(buf, [bytes.as_slice(), &vec![0xee; spare]].concat());

            let whole = message.encode_length_delimited_to_vec();
            let mut buf = vec![0xee; whole.len() + spare];
            assert_eq!(message.encode_length_delimited_to_slice(&mut buf), Ok(whole.len()));
            assert_eq!(buf, [whole.as_slice(), &vec![0xee; spare]].concat());
        }
    }
}

#[test]
fn a_buffer_that_is_too_short_is_named_with_both_lengths_and_not_touched() {
    let bytes = [7; 200];
    let message = Says { len: 200, bytes: &bytes };
    for available in [0, 1, 199] {
        let mut buf = vec![0xee; available];
        let refused = |needed| Err(EncodeError { needed, available });
        assert_eq!(message.encode_to_slice(&mut buf), refused(200));
        assert_eq!(message.encode_length_delimited_to_slice(&mut buf), refused(202));
        assert!(buf.iter().all(|byte| *byte == 0xee));
    }
    let mut buf = [0; 201];
    let refused = message.encode_length_delimited_to_slice(&mut buf);
    assert_eq!(refused, Err(EncodeError { needed: 202, available: 201 }));
}

#[test]
#[should_panic(expected = "a message has more bytes than its `encoded_len`")]
fn a_message_that_writes_more_than_it_says_does_not_write_past_its_place() {
    let _ = Says { len: 3, bytes: &[7; 4] }.encode_to_slice(&mut [0; 100]);
}

#[test]
fn a_message_that_writes_less_than_it_says_has_the_bytes_that_it_wrote() {
    let mut buf = [0; 10];
    assert_eq!(Says { len: 9, bytes: &[7; 4] }.encode_to_slice(&mut buf), Ok(4));
}

#[test]
#[should_panic(expected = "another writer")]
fn a_writer_that_was_exchanged_is_not_taken_for_the_buffers() {
    let _ = Swaps.encode_to_slice(&mut [0; 8]);
}

#[cfg(feature = "bytes")]
#[test]
fn a_buffer_of_pieces_has_the_same_bytes() {
    use bytes::BufMut as _;

    let bytes: Vec<u8> = (0..200).collect();
    let message = Says { len: 200, bytes: &bytes };
    let (mut first, mut second) = ([0; 100], [0; 150]);
    let mut pieces = first.as_mut_slice().chain_mut(second.as_mut_slice());
    assert_eq!(message.encode_buf(&mut pieces), Ok(()));
    assert_eq!([first.as_slice(), &second[..100]].concat(), bytes);

    let mut list = bytes::BytesMut::from(&b"before"[..]);
    assert_eq!(message.encode_buf(&mut list), Ok(()));
    assert_eq!(list, [b"before", bytes.as_slice()].concat());

    let mut limited = Vec::new().limit(199);
    assert_eq!(message.encode_buf(&mut limited), Err(EncodeError { needed: 200, available: 199 }));
    assert_eq!(limited.into_inner(), []);
}

#[cfg(feature = "bytes")]
#[test]
#[should_panic(expected = "another writer")]
fn a_writer_that_was_exchanged_does_not_make_memory_initialised() {
    let _ = Swaps.encode_buf(&mut Vec::with_capacity(100));
}
