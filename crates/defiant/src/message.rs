//! The trait of all messages.

use alloc::vec::Vec;

use crate::arena::Arena;
use crate::error::DecodeError;
use crate::reader::Reader;
use crate::scope::Scope;
use crate::wire::{key, varint};
use crate::writer::Writer;

/// The fields of a message, by ascending number.
pub type FieldNames = &'static [(u32, &'static str)];

/// A protobuf message whose strings, lists and sub-messages live in its input and in an
/// [`Arena`], for `'a`.
///
/// Implemented by generated code, which provides the first part; the second part is what to call.
/// Unknown fields are passed over and not kept.
pub trait Message<'a>: Copy + Default + 'a {
    /// The message's name, without package.
    const NAME: &'static str;

    /// The message's fields, for errors.
    const FIELDS: FieldNames;

    /// Decodes fields until the end of `input` or of the group that `scope` is in.
    fn merge_fields(&mut self, input: &mut Reader<'a>, scope: Scope<'a>)
    -> Result<(), DecodeError>;

    /// Appends the fields to `out`.
    fn encode_raw(&self, out: &mut Writer<'_>);

    /// Encoded bytes of the message, without a length in front.
    fn encoded_len(&self) -> usize;

    /// Decodes a message that is all of `buf`.
    ///
    /// # Errors
    ///
    /// If `buf` is not a valid encoding of this message; see
    /// [`DecodeErrorKind`](crate::DecodeErrorKind).
    #[inline]
    fn decode(buf: &'a [u8], arena: &'a Arena) -> Result<Self, DecodeError> {
        let mut message = Self::default();
        message.merge(buf, arena)?;
        Ok(message)
    }

    /// Decodes a message that is all of `buf` and does not borrow from it: `buf` is copied into the
    /// arena in one piece, and text and bytes are borrowed from there.
    ///
    /// # Errors
    ///
    /// As [`Self::decode`].
    #[inline]
    fn decode_copied(buf: &[u8], arena: &'a Arena) -> Result<Self, DecodeError> {
        arena.expect_copied_input(buf.len());
        Self::decode(arena.alloc_slice_copy(buf), arena)
    }

    /// Decodes a message that is all that remains of `buf`, in one piece or in several. As
    /// [`Self::decode_copied`], the message does not borrow from it.
    ///
    /// # Errors
    ///
    /// As [`Self::decode`].
    #[cfg(feature = "bytes")]
    fn decode_buf(mut buf: impl bytes::Buf, arena: &'a Arena) -> Result<Self, DecodeError> {
        arena.expect_copied_input(buf.remaining());
        let mut copy = crate::vec::ArenaVec::new(arena);
        copy.reserve(buf.remaining());
        while buf.has_remaining() {
            let chunk = buf.chunk();
            let len = chunk.len();
            copy.extend_from_slice(chunk);
            buf.advance(len);
        }
        Self::decode(copy.freeze(), arena)
    }

    /// Decodes all of `buf` onto this message: single values are replaced, repeated ones
    /// appended, sub-messages merged.
    ///
    /// Each call copies the lists it appends to, so parts of one message are better
    /// concatenated than merged one by one.
    ///
    /// # Errors
    ///
    /// As [`Self::decode`]. The message then holds an unspecified part of the input.
    #[inline]
    fn merge(&mut self, buf: &'a [u8], arena: &'a Arena) -> Result<(), DecodeError> {
        arena.expect_input(buf.len());
        self.merge_fields(&mut Reader::new(buf), Scope::new(arena))
    }

    /// Decodes a message behind its length and returns it with what follows.
    ///
    /// # Errors
    ///
    /// As [`Self::decode`], and if `buf` is shorter than the length says.
    fn decode_length_delimited(
        buf: &'a [u8],
        arena: &'a Arena,
    ) -> Result<(Self, &'a [u8]), DecodeError> {
        let mut input = Reader::new(buf);
        let message = Self::decode(input.delimited()?, arena)?;
        Ok((message, input.rest()))
    }

    /// Appends the encoding to `buf`.
    ///
    /// No memory is allocated if `buf` has room for [`Self::encoded_len`] bytes.
    #[inline]
    fn encode(&self, buf: &mut Vec<u8>) {
        let mut out = Writer::new(buf);
        self.encode_raw(&mut out);
        out.finish();
    }

    /// Appends the length of the encoding and the encoding to `buf`.
    fn encode_length_delimited(&self, buf: &mut Vec<u8>) {
        let mut out = Writer::new(buf);
        out.delimited(self);
        out.finish();
    }

    /// The encoding, in a vector of exactly its size.
    fn encode_to_vec(&self) -> Vec<u8> {
        let mut buf = Vec::with_capacity(self.encoded_len());
        self.encode(&mut buf);
        buf
    }

    /// The length of the encoding and the encoding, in a vector of exactly their size.
    fn encode_length_delimited_to_vec(&self) -> Vec<u8> {
        let len = self.encoded_len();
        let mut buf = Vec::with_capacity(varint::len(len as u64) + len);
        self.encode_length_delimited(&mut buf);
        buf
    }
}

/// Adds to an error where it was found.
pub trait At {
    /// The same result; if it is an error, found in the field with `key` of `M`.
    #[must_use]
    fn at<'a, M: Message<'a>>(self, key: u32) -> Self;
}

impl<T> At for Result<T, DecodeError> {
    #[inline(always)]
    fn at<'a, M: Message<'a>>(self, key: u32) -> Self {
        self.map_err(|error| found_at(error, key, M::NAME, M::FIELDS))
    }
}

#[cold]
#[inline(never)]
fn found_at(
    error: DecodeError,
    key: u32,
    message: &'static str,
    fields: FieldNames,
) -> DecodeError {
    match field_name(fields, key::number(key)) {
        Some(field) => error.within(message, field),
        None => error,
    }
}

pub(crate) fn field_name(fields: FieldNames, number: u32) -> Option<&'static str> {
    let at = fields.binary_search_by_key(&number, |(number, _)| *number).ok()?;
    Some(fields[at].1)
}
