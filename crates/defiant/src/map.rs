//! `map` fields: on the wire, repeated messages of a key and a value.

use core::fmt;
use core::marker::PhantomData;

use crate::arena::Arena;
use crate::codec::Codec;
use crate::error::DecodeError;
use crate::len::Len;
use crate::message::Message;
use crate::reader::Reader;
use crate::scope::{Scope, unknown};
use crate::split::concatenate;
use crate::vec::ArenaVec;
use crate::wire::{WireType, key, skip};
use crate::writer::Writer;

/// The entries of a `map` field, sorted by key, one for each key.
///
/// # Examples
///
/// ```
/// use defiant::{Arena, Map};
///
/// let arena = Arena::new();
/// let map = Map::from_entries(&arena, &[("b", 1), ("a", 2), ("b", 3)]);
/// assert_eq!(map.get("b"), Some(&3));
/// assert_eq!(map.entries(), [("a", 2), ("b", 3)]);
/// ```
#[derive(PartialEq)]
pub struct Map<'a, K, V>(&'a [(K, V)]);

impl<'a, K: Copy + Ord, V: Copy> Map<'a, K, V> {
    /// A map of `entries`, in any order; of those with the same key, the last counts.
    pub fn from_entries(arena: &'a Arena, entries: &[(K, V)]) -> Self {
        let mut list = ArenaVec::new(arena);
        list.extend_from_slice(entries);
        Self::from_list(list)
    }

    /// A map of the entries of `list`, in any order; of those with the same key, the last counts.
    /// More than 20 entries that are not sorted are sorted with temporary memory.
    pub fn from_list(list: ArenaVec<'a, (K, V)>) -> Self {
        if list.as_slice().is_sorted_by(|(a, _), (b, _)| a < b) {
            return Self(list.freeze());
        }
        let entries = list.freeze_mut();
        if entries.is_empty() {
            return Self::new();
        }
        entries.sort_by_key(|(key, _)| *key);
        let mut kept = 0;
        for at in 1..entries.len() {
            if entries[at].0 != entries[kept].0 {
                kept += 1;
            }
            entries[kept] = entries[at];
        }
        Self(&entries[..=kept])
    }

    /// The map while it is decoded.
    pub fn thaw(self, arena: &'a Arena) -> ArenaVec<'a, (K, V)> {
        ArenaVec::thaw(arena, self.0)
    }

    /// `list` if there is anything new in it, and otherwise this map.
    pub fn or_list(self, list: ArenaVec<'a, (K, V)>) -> Self {
        if list.len() == self.len() { self } else { Self::from_list(list) }
    }

    /// The value of `key`.
    pub fn get<Q: Ord>(self, key: Q) -> Option<&'a V>
    where
        K: core::borrow::Borrow<Q>,
    {
        let at = self.0.binary_search_by(|(known, _)| known.borrow().cmp(&key)).ok()?;
        Some(&self.0[at].1)
    }
}

impl<'a, K, V> Map<'a, K, V> {
    /// A map without entries.
    #[must_use]
    pub const fn new() -> Self {
        Self(&[])
    }

    /// The entries, sorted by key.
    pub fn entries(self) -> &'a [(K, V)] {
        self.0
    }

    /// The entries, sorted by key.
    pub fn iter(self) -> core::slice::Iter<'a, (K, V)> {
        self.0.iter()
    }

    /// How many entries there are.
    pub fn len(self) -> usize {
        self.0.len()
    }

    /// Whether there are no entries.
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }
}

impl<K, V> Clone for Map<'_, K, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K, V> Copy for Map<'_, K, V> {}

impl<K, V> Default for Map<'_, K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a, K, V> IntoIterator for Map<'a, K, V> {
    type Item = &'a (K, V);
    type IntoIter = core::slice::Iter<'a, (K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for Map<'_, K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.0.iter().map(|(key, value)| (key, value))).finish()
    }
}

/// The number of the value in an entry; the key's is 1.
const VALUE: u32 = 2;

/// The codec of a map's values: a scalar codec, or [`Of`] a message.
pub trait MapValue<'a> {
    /// The Rust type of a value.
    type Value: Copy + Default + 'a;

    /// The state of a value while its entry is decoded.
    type Partial;

    /// The wire type of a value.
    const WIRE: WireType;

    /// Returns the state of the value of an empty entry.
    fn begin() -> Self::Partial;

    /// Takes an encoding of the value. A hostile entry may have more than one.
    fn read(
        input: &mut Reader<'a>,
        partial: &mut Self::Partial,
        scope: Scope<'a>,
    ) -> Result<(), DecodeError>;

    /// The value at the end of its entry; `None` drops the entry.
    fn finish(partial: Self::Partial, scope: Scope<'a>)
    -> Result<Option<Self::Value>, DecodeError>;

    /// Appends the value with its key.
    fn write_field(out: &mut Writer<'_>, value: &Self::Value);

    /// Encoded bytes of the value and its key.
    fn field_len(value: &Self::Value) -> usize;
}

impl<'a, C: Codec<'a>> MapValue<'a> for C {
    type Value = C::Value;
    type Partial = C::Value;

    const WIRE: WireType = C::WIRE;

    #[inline(always)]
    fn begin() -> C::Value {
        C::absent()
    }

    #[inline(always)]
    fn read(
        input: &mut Reader<'a>,
        partial: &mut C::Value,
        _scope: Scope<'a>,
    ) -> Result<(), DecodeError> {
        *partial = C::read(input)?;
        Ok(())
    }

    #[inline(always)]
    fn finish(partial: C::Value, _scope: Scope<'a>) -> Result<Option<C::Value>, DecodeError> {
        Ok(C::is_known(partial).then_some(partial))
    }

    #[inline(always)]
    fn write_field(out: &mut Writer<'_>, value: &C::Value) {
        C::write_field(out, key::key(VALUE, C::WIRE), *value);
    }

    #[inline(always)]
    fn field_len(value: &C::Value) -> usize {
        1 + C::len(*value)
    }
}

/// Map values that are messages.
pub struct Of<M>(PhantomData<M>);

/// The encodings of a message in one entry, merged when it ends; see the module `split`.
#[derive(Default)]
pub struct Bodies<'a> {
    first: Option<&'a [u8]>,
    more: Option<ArenaVec<'a, &'a [u8]>>,
}

impl<'a, M: Message<'a>> MapValue<'a> for Of<M> {
    type Value = M;
    type Partial = Bodies<'a>;

    const WIRE: WireType = WireType::Delimited;

    #[inline(always)]
    fn begin() -> Bodies<'a> {
        Bodies::default()
    }

    #[inline(always)]
    fn read(
        input: &mut Reader<'a>,
        partial: &mut Bodies<'a>,
        scope: Scope<'a>,
    ) -> Result<(), DecodeError> {
        let body = input.delimited()?;
        match partial.first {
            None => partial.first = Some(body),
            Some(_) => {
                skip::fields(Reader::new(body), scope.nested()?.depth())?;
                partial.more.get_or_insert_with(|| ArenaVec::new(scope.arena())).try_push(body)?;
            }
        }
        Ok(())
    }

    fn finish(partial: Bodies<'a>, scope: Scope<'a>) -> Result<Option<M>, DecodeError> {
        let mut value = M::default();
        if let Some(body) = partial.first {
            value.merge_fields(&mut Reader::new(body), scope.nested()?)?;
        }
        if let Some(more) = partial.more {
            if let Some(body) = concatenate(scope.arena(), more.as_slice().iter().copied())? {
                value.merge_fields(&mut Reader::new(body), scope.nested()?)?;
            }
        }
        Ok(Some(value))
    }

    #[inline(always)]
    fn write_field(out: &mut Writer<'_>, value: &M) {
        out.message(key::key(VALUE, WireType::Delimited), value);
    }

    #[inline(always)]
    fn field_len(value: &M) -> usize {
        let mut len = Len::new();
        len.message(VALUE, value);
        len.bytes()
    }
}

/// Decodes a map entry into `list`.
///
/// # Errors
///
/// If the entry is not a valid encoding of its key and value.
pub fn push_entry<'a, K: Codec<'a>, V: MapValue<'a>>(
    input: &mut Reader<'a>,
    list: &mut ArenaVec<'a, (K::Value, V::Value)>,
    scope: Scope<'a>,
) -> Result<(), DecodeError> {
    let mut entry = Reader::new(input.delimited()?);
    let scope = scope.nested()?;
    let mut name = K::Value::default();
    let mut value = V::begin();
    while !entry.is_empty() {
        let key = entry.key()?;
        if key == key::key(1, K::WIRE) {
            name = K::read(&mut entry)?;
        } else if key == key::key(VALUE, V::WIRE) {
            V::read(&mut entry, &mut value, scope)?;
        } else {
            entry = unknown(entry, key, scope.depth(), &[(1, "key"), (VALUE, "value")])?;
        }
    }
    match V::finish(value, scope)? {
        Some(value) => list.try_push((name, value)),
        None => Ok(()),
    }
}
