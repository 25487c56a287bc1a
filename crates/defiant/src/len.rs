//! Encoded sizes of fields, key included, in bytes. `number` is the field's number.

use crate::codec::Codec;
use crate::map::{Map, MapValue};
use crate::message::Message;
use crate::wire::{key, varint};

/// A field that has presence.
#[inline(always)]
pub fn optional<'a, C: Codec<'a>>(number: u32, value: Option<C::Value>) -> usize {
    match value {
        Some(value) => key::len(number) + C::len(value),
        None => 0,
    }
}

/// A field that has no presence.
#[inline(always)]
pub fn implicit<'a, C: Codec<'a>>(number: u32, value: C::Value) -> usize {
    if C::is_default(value) { 0 } else { key::len(number) + C::len(value) }
}

/// A field that is always there.
#[inline(always)]
pub fn required<'a, C: Codec<'a>>(number: u32, value: C::Value) -> usize {
    key::len(number) + C::len(value)
}

/// A repeated field that is not packed.
#[inline(always)]
pub fn repeated<'a, C: Codec<'a>>(number: u32, values: &[C::Value]) -> usize {
    values.len() * key::len(number) + values.iter().map(|value| C::len(*value)).sum::<usize>()
}

/// A packed field.
#[inline(always)]
pub fn packed<'a, C: Codec<'a>>(number: u32, values: &[C::Value]) -> usize {
    if values.is_empty() {
        return 0;
    }
    let len = values.iter().map(|value| C::len(*value)).sum::<usize>();
    key::len(number) + varint::len(len as u64) + len
}

/// A sub-message with its length in front.
#[inline(always)]
pub fn message<'a, M: Message<'a>>(number: u32, message: &M) -> usize {
    let len = message.encoded_len();
    key::len(number) + varint::len(len as u64) + len
}

/// A sub-message between the keys that begin and end a group.
#[inline(always)]
pub fn group<'a, M: Message<'a>>(number: u32, message: &M) -> usize {
    2 * key::len(number) + message.encoded_len()
}

/// Repeated sub-messages.
#[inline(always)]
pub fn messages<'a, M: Message<'a>>(number: u32, messages: &[M]) -> usize {
    messages.iter().map(|it| message(number, it)).sum()
}

/// Repeated groups.
#[inline(always)]
pub fn groups<'a, M: Message<'a>>(number: u32, groups: &[M]) -> usize {
    groups.iter().map(|it| group(number, it)).sum()
}

/// The entries of a map.
#[inline(always)]
pub fn map<'a, K, V>(number: u32, entries: Map<'a, K::Value, V::Value>) -> usize
where
    K: Codec<'a, Value: Ord>,
    V: MapValue<'a>,
{
    let entry = |(name, value): &(K::Value, V::Value)| {
        let len = 1 + K::len(*name) + V::field_len(value);
        key::len(number) + varint::len(len as u64) + len
    };
    entries.iter().map(entry).sum()
}
