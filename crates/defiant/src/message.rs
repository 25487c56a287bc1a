//! The trait of all messages.

use alloc::vec::Vec;
use core::mem::MaybeUninit;

use crate::arena::Arena;
use crate::error::{DecodeError, EncodeError};
use crate::reader::Reader;
use crate::scope::Scope;
use crate::vec::ArenaVec;
use crate::wire::{key, varint};
use crate::writer::Writer;

/// The fields of a message, by ascending number.
pub type FieldNames = &'static [(u32, &'static str)];

/// A protobuf message whose strings, lists and sub-messages live in its input and in an
/// [`Arena`], for `'a`.
///
/// Implemented by generated code, which provides the first part; the second part is what to call.
/// Unknown fields are passed over, unless the type has a place for them.
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
        let mut copy = room_for_copy(arena, buf.len())?;
        copy.extend_from_slice(buf);
        Self::decode(copy.freeze(), arena)
    }

    /// Decodes a message that is all that remains of `buf`, in one piece or in several. As
    /// [`Self::decode_copied`], the message does not borrow from it.
    ///
    /// # Errors
    ///
    /// As [`Self::decode`].
    #[cfg(feature = "bytes")]
    fn decode_buf(mut buf: impl bytes::Buf, arena: &'a Arena) -> Result<Self, DecodeError> {
        let mut copy = room_for_copy(arena, buf.remaining())?;
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
        arena.limited(|| self.merge_fields(&mut Reader::new(buf), Scope::new(arena)))
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

    /// Writes the encoding to the begin of `buf` and returns its length. No memory is allocated, and
    /// the bytes of `buf` behind the encoding stay as they are.
    ///
    /// # Errors
    ///
    /// If `buf` is shorter than [`Self::encoded_len`]. Nothing is written then.
    ///
    /// # Panics
    ///
    /// If an implementation by hand writes more than its [`Self::encoded_len`].
    ///
    /// # Examples
    ///
    /// ```
    /// # use defiant::{codec, DecodeError, EncodeError, FieldNames, Len, Message, Reader, Scope, Writer};
    /// # #[derive(Clone, Copy, Default)]
    /// # struct Name<'a> { text: &'a str }
    /// # impl<'a> Message<'a> for Name<'a> {
    /// #     const NAME: &'static str = "Name";
    /// #     const FIELDS: FieldNames = &[(1, "text")];
    /// #     fn merge_fields(&mut self, _: &mut Reader<'a>, _: Scope<'a>) -> Result<(), DecodeError> { Ok(()) }
    /// #     fn encode_raw(&self, out: &mut Writer<'_>) { out.implicit::<codec::Str>(10, self.text); }
    /// #     fn encoded_len(&self) -> usize {
    /// #         let mut len = Len::new();
    /// #         len.implicit::<codec::Str>(1, self.text);
    /// #         len.bytes()
    /// #     }
    /// # }
    /// let mut buf = [0; 8];
    /// assert_eq!(Name { text: "Ada" }.encode_to_slice(&mut buf), Ok(5));
    /// assert_eq!(&buf, b"\x0a\x03Ada\0\0\0");
    ///
    /// let error = Name { text: "Charles" }.encode_to_slice(&mut buf);
    /// assert_eq!(error, Err(EncodeError { needed: 9, available: 8 }));
    /// ```
    fn encode_to_slice(&self, buf: &mut [u8]) -> Result<usize, EncodeError> {
        let len = self.encoded_len();
        let available = buf.len();
        let place = buf.get_mut(..len).ok_or(EncodeError { needed: len, available })?;
        Ok(fill(place, |out| self.encode_raw(out)))
    }

    /// As [`Self::encode_to_slice`], with the length of the encoding in front.
    ///
    /// # Errors
    ///
    /// If `buf` is shorter than both together. Nothing is written then.
    ///
    /// # Panics
    ///
    /// As [`Self::encode_to_slice`].
    fn encode_length_delimited_to_slice(&self, buf: &mut [u8]) -> Result<usize, EncodeError> {
        let len = self.encoded_len();
        let (needed, available) = (varint::len(len as u64) + len, buf.len());
        let place = buf.get_mut(..needed).ok_or(EncodeError { needed, available })?;
        Ok(fill(place, |out| out.delimited(self)))
    }

    /// Appends the encoding to `buf`. No memory is allocated if the first piece of `buf`'s memory has
    /// room for it ([`BytesMut::reserve`](bytes::BytesMut::reserve) sees to that); otherwise the
    /// encoding is made in a vector and copied.
    ///
    /// # Errors
    ///
    /// If `buf` has no room for [`Self::encoded_len`] bytes. Nothing is written then.
    ///
    /// # Panics
    ///
    /// As [`Self::encode_to_slice`].
    #[cfg(feature = "bytes")]
    fn encode_buf(&self, buf: &mut impl bytes::BufMut) -> Result<(), EncodeError> {
        let (needed, available) = (self.encoded_len(), buf.remaining_mut());
        if available < needed {
            return Err(EncodeError { needed, available });
        }
        let piece = buf.chunk_mut();
        if piece.len() < needed {
            buf.put_slice(&self.encode_to_vec());
            return Ok(());
        }
        // SAFETY: nothing is read from the memory, and only what is written is made part of the buffer.
        let memory = unsafe { piece.as_uninit_slice_mut() };
        let written = Writer::fill(&mut memory[..needed], |out| self.encode_raw(out));
        // SAFETY: `fill` has written as many bytes from the begin of the piece on.
        unsafe { buf.advance_mut(written) };
        Ok(())
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

/// A list with room for an input of `len` bytes, which is decoded where it is copied to.
fn room_for_copy(arena: &Arena, len: usize) -> Result<ArenaVec<'_, u8>, DecodeError> {
    arena.expect_copied_input(len);
    let mut copy = ArenaVec::new(arena);
    arena.limited(|| copy.try_reserve(len))?;
    Ok(copy)
}

/// [`Writer::fill`] for memory that holds values: it is only written to, with values.
fn fill(place: &mut [u8], write: impl FnOnce(&mut Writer<'_>)) -> usize {
    let (start, len) = (place.as_mut_ptr().cast::<MaybeUninit<u8>>(), place.len());
    // SAFETY: `MaybeUninit<u8>` is laid out as `u8`, the memory is borrowed for as long as the slice
    // lives, and `fill` does not make any of it uninitialised.
    Writer::fill(unsafe { core::slice::from_raw_parts_mut(start, len) }, write)
}

/// Adds to an error where it was found.
pub trait At {
    /// The same result; if it is an error, found in the field with `key` of `M`.
    #[must_use]
    fn at<'a, M: Message<'a>>(self, key: u32) -> Self;
}

impl<T> At for Result<T, DecodeError> {
    #[cfg_attr(not(debug_assertions), inline(always))]
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
