//! Fields that a message's type does not have, kept for who reads the message after this program.

use core::fmt;

use crate::arena::Arena;
use crate::codec::Codec;
use crate::error::DecodeError;
use crate::map::{self, MapValue};
use crate::message::Message;
use crate::reader::Reader;
use crate::scope::Scope;
use crate::split::concatenate;
use crate::vec::ArenaVec;
use crate::wire::varint;
use crate::writer::Writer;

/// The encodings of the fields that a message's type does not have, extensions among them, in the order in which they
/// came. Unknown values of closed enums are here too, each as a field, and a map's entries with such a value.
///
/// Messages that are generated with `defiant_build::Config::unknown_fields` have them. They are written as they came,
/// after the fields that are known.
///
/// # Examples
///
/// ```
/// use defiant::{Arena, Reader, UnknownFields};
///
/// let arena = Arena::new();
/// let mut list = UnknownFields::new().thaw(&arena);
/// let before = Reader::new(&[0x08, 0x07, 0x10, 0x01]);
/// let mut after = before.clone();
/// after.bytes(2)?;
/// list.keep(&before, &after)?;
/// let unknown = list.freeze()?;
/// assert_eq!(unknown.pieces(), [[0x08, 0x07]]);
/// assert_eq!(unknown.len(), 2);
/// # Ok::<(), defiant::DecodeError>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct UnknownFields<'a>(&'a [&'a [u8]]);

impl<'a> UnknownFields<'a> {
    /// No fields.
    pub const fn new() -> Self {
        Self(&[])
    }

    /// The fields, each whole and with its key; fields that came in a row are one piece.
    pub fn pieces(self) -> &'a [&'a [u8]] {
        self.0
    }

    /// Bytes of all fields.
    #[inline]
    pub fn len(self) -> usize {
        self.0.iter().map(|piece| piece.len()).sum()
    }

    /// Whether there are no fields.
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The message that the fields are the encoding of: extensions are read as a message type that has them as fields.
    ///
    /// # Errors
    ///
    /// As [`Message::decode`].
    pub fn decode_as<M: Message<'a>>(self, arena: &'a Arena) -> Result<M, DecodeError> {
        let body = arena.limited(|| concatenate(arena, self.0.iter().copied()))?;
        M::decode(body.unwrap_or_default(), arena)
    }

    /// The fields while a message is decoded.
    pub fn thaw(self, arena: &'a Arena) -> UnknownList<'a> {
        UnknownList { arena, list: ArenaVec::thaw(arena, self.0), run: &[], len: 0 }
    }

    /// Appends the fields to `out`.
    #[inline]
    pub fn write(self, out: &mut Writer<'_>) {
        for piece in self.0 {
            out.bytes(piece);
        }
    }

    fn bytes(self) -> impl Iterator<Item = &'a u8> {
        self.0.iter().copied().flatten()
    }
}

/// Of the bytes, however they are cut in pieces.
impl PartialEq for UnknownFields<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes().eq(other.bytes())
    }
}

impl fmt::Debug for UnknownFields<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.bytes()).finish()
    }
}

/// The unknown fields of a message that is being decoded; see [`UnknownFields::thaw`].
pub struct UnknownList<'a> {
    arena: &'a Arena,
    list: ArenaVec<'a, &'a [u8]>,
    /// The input from the begin of the last fields in a row on, and how many bytes these have: they become one piece.
    run: &'a [u8],
    len: usize,
}

impl<'a> UnknownList<'a> {
    /// Ends the growing.
    ///
    /// # Errors
    ///
    /// If the arena's limit is exceeded, as for all functions here.
    #[inline]
    pub fn freeze(mut self) -> Result<UnknownFields<'a>, DecodeError> {
        if self.len > 0 {
            self.end_run()?;
        }
        Ok(UnknownFields(self.list.freeze()))
    }

    #[cold]
    fn end_run(&mut self) -> Result<(), DecodeError> {
        let piece = &self.run[..self.len];
        self.len = 0;
        if piece.is_empty() { Ok(()) } else { self.list.try_push(piece) }
    }

    /// Keeps what is between two places of the same input.
    #[cold]
    #[inline(never)]
    pub fn keep(&mut self, before: &Reader<'a>, after: &Reader<'a>) -> Result<(), DecodeError> {
        let rest = before.rest();
        let len = rest.len() - after.rest().len();
        if self.run[self.len..].as_ptr_range() != rest.as_ptr_range() {
            self.end_run()?;
            self.run = rest;
        }
        self.len += len;
        Ok(())
    }

    /// Takes a value; one that the type does not have is kept as a field with `key`.
    pub fn known<C: Codec<'a>>(
        &mut self,
        input: &mut Reader<'a>,
        key: u32,
    ) -> Result<Option<C::Value>, DecodeError> {
        let before = input.rest();
        let value = C::read(input)?;
        if C::is_known(value) {
            return Ok(Some(value));
        }
        self.keep_value(key, &before[..before.len() - input.rest().len()])?;
        Ok(None)
    }

    /// Takes the elements of a packed field; those that the type does not have are kept as fields with `key`, that of an
    /// element which is not packed.
    pub fn packed<C: Codec<'a>>(
        &mut self,
        input: &mut Reader<'a>,
        list: &mut ArenaVec<'a, C::Value>,
        key: u32,
    ) -> Result<(), DecodeError> {
        let packed = input.delimited()?;
        list.try_reserve(C::count(packed))?;
        let mut input = Reader::new(packed);
        while !input.is_empty() {
            if let Some(value) = self.known::<C>(&mut input, key)? {
                list.try_push(value)?;
            }
        }
        Ok(())
    }

    /// Decodes a map entry into `list`; one with a value that the type does not have is kept as a field with `key`.
    pub fn push_entry<K: Codec<'a>, V: MapValue<'a>>(
        &mut self,
        input: &mut Reader<'a>,
        list: &mut ArenaVec<'a, (K::Value, V::Value)>,
        scope: Scope<'a>,
        key: u32,
    ) -> Result<(), DecodeError> {
        let (before, len) = (input.rest(), list.len());
        map::push_entry::<K, V>(input, list, scope)?;
        if list.len() > len {
            return Ok(());
        }
        self.keep_value(key, &before[..before.len() - input.rest().len()])
    }

    /// Keeps a value whose key was taken from the input apart from it, or never was in it.
    #[cold]
    #[inline(never)]
    fn keep_value(&mut self, key: u32, value: &[u8]) -> Result<(), DecodeError> {
        self.end_run()?;
        let (bytes, len) = varint::write(key.into());
        let mut field = ArenaVec::new(self.arena);
        field.try_reserve(len + value.len())?;
        field.extend_from_slice(&bytes[..len]);
        field.extend_from_slice(value);
        self.list.try_push(field.freeze())
    }
}
