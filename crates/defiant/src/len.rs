//! Counting encoded bytes: what [`Writer`](crate::Writer) does, without writing.

use crate::codec::Codec;
use crate::map::{Map, MapValue};
use crate::message::Message;
use crate::wire::{key, varint};

/// Encoded bytes of the fields so far, keys included.
///
/// Its methods are called as those of [`Writer`](crate::Writer), with the number of a field in
/// place of its key. They add only where there is something to add: as a sum of what each field
/// has, the compiler keeps all summands until the end, of which most messages have none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Len(usize);

impl Len {
    /// No bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn new() -> Self {
        Self(0)
    }

    /// How many bytes there are.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn bytes(self) -> usize {
        self.0
    }

    /// Adds a field that has presence.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn optional<'a, C: Codec<'a>>(&mut self, number: u32, value: Option<C::Value>) {
        if let Some(len) = C::FIXED_LEN {
            self.add_if(value.is_some(), key::len(number) + len);
        } else if let Some(value) = value {
            self.required::<C>(number, value);
        }
    }

    /// Adds a field that has no presence.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn implicit<'a, C: Codec<'a>>(&mut self, number: u32, value: C::Value) {
        if let Some(len) = C::FIXED_LEN {
            self.add_if(!C::is_default(value), key::len(number) + len);
        } else if !C::is_default(value) {
            self.required::<C>(number, value);
        }
    }

    /// Adds fields that have no presence. Most fields of most messages are not set, and each would
    /// be a jump; where none of these is, they are one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn implicits<'a, C: Codec<'a>, const N: usize>(&mut self, fields: [(u32, C::Value); N]) {
        if fields.iter().fold(false, |any, (_, value)| any | !C::is_default(*value)) {
            for (number, value) in fields {
                self.implicit::<C>(number, value);
            }
        }
    }

    /// Adds a field that is always there.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn required<'a, C: Codec<'a>>(&mut self, number: u32, value: C::Value) {
        self.0 += key::len(number) + C::len(value);
    }

    /// Adds a repeated field that is not packed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn repeated<'a, C: Codec<'a>>(&mut self, number: u32, values: &[C::Value]) {
        for value in values {
            self.required::<C>(number, *value);
        }
    }

    /// Adds a packed field.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn packed<'a, C: Codec<'a>>(&mut self, number: u32, values: &[C::Value]) {
        if !values.is_empty() {
            self.delimited(number, values.iter().map(|value| C::len(*value)).sum());
        }
    }

    /// Adds a sub-message with its length in front.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn message<'a, M: Message<'a>>(&mut self, number: u32, message: &M) {
        self.delimited(number, message.encoded_len());
    }

    /// Adds a sub-message between the keys that begin and end a group.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn group<'a, M: Message<'a>>(&mut self, number: u32, message: &M) {
        self.0 += 2 * key::len(number) + message.encoded_len();
    }

    /// Adds the entries of a map.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn map<'a, K, V>(&mut self, number: u32, entries: Map<'a, K::Value, V::Value>)
    where
        K: Codec<'a, Value: Ord>,
        V: MapValue<'a>,
    {
        for (name, value) in entries {
            self.delimited(number, 1 + K::len(*name) + V::field_len(value));
        }
    }

    /// Adds the fields that a message's type does not have.
    #[inline]
    pub fn unknown(&mut self, fields: crate::unknown::UnknownFields<'_>) {
        self.0 += fields.len();
    }

    /// Adds `len` bytes without a branch, and without making what follows wait for the condition.
    #[inline(always)]
    fn add_if(&mut self, condition: bool, len: usize) {
        self.0 += usize::from(condition) * len;
    }

    #[inline(always)]
    fn delimited(&mut self, number: u32, len: usize) {
        self.0 += key::len(number) + varint::len(len as u64) + len;
    }
}
