//! Values where they stand, with nothing decoded and nothing copied.

use core::str;

use crate::access::Get;
use crate::kind::POINTER;
use crate::schema::{Field, Layout, TuplePart, Type};
use crate::wire::{self, from, range};
use crate::{Error, Kind, Result, map};

/// A place for a value in a buffer, by its type.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    pub(crate) ty: &'a Type,
    pub(crate) bytes: &'a [u8],
    /// Where its slot is.
    pub(crate) slot: usize,
}

/// A struct of a buffer.
#[derive(Clone, Copy)]
pub struct Struct<'a> {
    layout: &'a Layout,
    bytes: &'a [u8],
    at: usize,
    /// Its bytes from `at`, without fields that this schema does not know.
    body: &'a [u8],
}

/// A list of a buffer.
#[derive(Clone, Copy)]
pub struct List<'a> {
    item: &'a Type,
    bytes: &'a [u8],
    data: usize,
    len: usize,
}

/// A map of a buffer, in the order of its keys.
#[derive(Clone, Copy)]
pub struct Map<'a> {
    item: &'a Type,
    bytes: &'a [u8],
    /// `None` of a map that was never set.
    at: Option<usize>,
    data: usize,
    len: usize,
}

/// A tuple of a buffer.
#[derive(Clone, Copy)]
pub struct Tuple<'a> {
    parts: &'a [TuplePart],
    bytes: &'a [u8],
    slot: usize,
}

impl<'a> Node<'a> {
    /// The type of the value.
    #[must_use]
    pub fn ty(&self) -> &'a Type {
        self.ty
    }

    /// Reads the value, or its default, or gives nothing where there is neither.
    ///
    /// # Errors
    ///
    /// If it is of another type, or the buffer is damaged.
    #[inline(always)]
    pub fn get<T: Get<'a>>(&self) -> Result<Option<T>> {
        match T::from_slot(self.ty, self.bytes, from(self.bytes, self.slot)?)? {
            Some(value) => Ok(Some(value)),
            None => default(self.ty),
        }
    }

    /// The offset of what stands elsewhere.
    #[inline(always)]
    pub(crate) fn target(&self) -> Result<Option<usize>> {
        wire::pointer_at(self.bytes, self.slot)
    }

    /// The struct that it is, or nothing where it was never set.
    ///
    /// # Errors
    ///
    /// If it is of another type, or the buffer is damaged.
    #[inline(always)]
    pub fn as_struct(&self) -> Result<Option<Struct<'a>>> {
        let layout = self.ty.layout()?;
        let Some(at) = self.target()? else { return Ok(None) };
        Struct::new(layout, self.bytes, at).map(Some)
    }

    /// The list that it is, which is empty where it was never set.
    ///
    /// # Errors
    ///
    /// If it is of another type, or the buffer is damaged.
    #[inline]
    pub fn as_list(&self) -> Result<List<'a>> {
        let item = self.ty.items(Kind::List)?;
        let (data, len) = match self.target()? {
            Some(at) => {
                let head = wire::head(self.bytes, at, item.size)?;
                (head.data, head.len)
            }
            None => (0, 0),
        };
        Ok(List { item, bytes: self.bytes, data, len })
    }

    /// The map that it is, which is empty where it was never set.
    ///
    /// # Errors
    ///
    /// If it is of another type, or the buffer is damaged.
    pub fn as_map(&self) -> Result<Map<'a>> {
        let item = self.ty.items(Kind::Map)?;
        let at = self.target()?;
        let (data, len) = match at {
            Some(at) => {
                let head = wire::head(self.bytes, at, item.entry_size())?;
                (head.data, head.len)
            }
            None => (0, 0),
        };
        Ok(Map { item, bytes: self.bytes, at, data, len })
    }

    /// The tuple that it is.
    ///
    /// # Errors
    ///
    /// If it is of another type, or the buffer is damaged.
    pub fn as_tuple(&self) -> Result<Tuple<'a>> {
        range(self.bytes, self.slot, self.ty.size)?;
        Ok(Tuple { parts: self.ty.tuple()?, bytes: self.bytes, slot: self.slot })
    }

    /// Bytes that sort as the values of this type do: [`Type::is_sortable`] says of which.
    ///
    /// # Errors
    ///
    /// If its values cannot be sorted by their bytes, or the buffer is damaged.
    pub fn sort_key(&self) -> Result<&'a [u8]> {
        if !self.ty.is_sortable() {
            return Err(self.ty.wrong());
        }
        range(self.bytes, self.slot, self.ty.size)
    }
}

#[inline]
pub(crate) fn default<'a, T: Get<'a>>(ty: &'a Type) -> Result<Option<T>> {
    T::is_of(ty)?;
    ty.default.as_deref().map(|content| T::from_content(ty, content)).transpose()
}

impl<'a> Struct<'a> {
    #[inline(always)]
    pub(crate) fn new(layout: &'a Layout, bytes: &'a [u8], at: usize) -> Result<Self> {
        let object = from(bytes, at)?;
        let [number] = wire::first(object, at)?;
        let known = layout.ends.get(usize::from(number)).or(layout.ends.last());
        let body = object.get(..*known.unwrap_or(&1)).ok_or(Error::Truncated { at })?;
        Ok(Self { layout, bytes, at, body })
    }

    /// How many fields it has room for.
    pub(crate) fn number(&self) -> u8 {
        self.body.first().copied().unwrap_or_default()
    }

    /// Whether it has more fields than this schema knows.
    pub(crate) fn is_newer(&self) -> bool {
        usize::from(self.number()) > self.layout.fields.len()
    }

    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// The bytes that it takes, without what its fields point to.
    pub(crate) fn extent(&self) -> usize {
        self.body.len()
    }

    /// The place in the body of a field that is there.
    #[inline(always)]
    fn slot(&self, field: &Field) -> Option<&'a [u8]> {
        let slot = self.body.get(field.offset..field.end)?;
        (self.body.get(field.bits)? & field.mask != 0).then_some(slot)
    }

    /// Reads the field of this index, or its default, or gives nothing where there is neither.
    ///
    /// # Errors
    ///
    /// If there is no such field, if it is of another type, or if the buffer is damaged.
    #[inline(always)]
    pub fn get<T: Get<'a>>(&self, field: usize) -> Result<Option<T>> {
        let field = self.layout.field(field)?;
        if let Some(slot) = self.slot(field) {
            if let Some(value) = T::from_slot(&field.ty, self.bytes, slot)? {
                return Ok(Some(value));
            }
        }
        default(&field.ty)
    }

    /// The field of this index, if it was set.
    ///
    /// # Errors
    ///
    /// If there is no such field.
    #[inline(always)]
    pub fn field(&self, field: usize) -> Result<Option<Node<'a>>> {
        let field = self.layout.field(field)?;
        let is_there = self.slot(field).is_some();
        let node = Node { ty: &field.ty, bytes: self.bytes, slot: self.at + field.offset };
        Ok(is_there.then_some(node))
    }

    /// The struct in the field of this index, if it was set.
    ///
    /// # Errors
    ///
    /// If there is no such field, if it is not a struct, or if the buffer is damaged.
    #[inline(always)]
    pub fn structure(&self, field: usize) -> Result<Option<Self>> {
        self.field(field)?.map_or(Ok(None), |node| node.as_struct())
    }

    /// The field of this name, if it was set.
    ///
    /// # Errors
    ///
    /// If there is no field of this name.
    pub fn named(&self, name: &str) -> Result<Option<Node<'a>>> {
        self.field(self.layout.index(name)?)
    }

    /// Reads the field of this name, or its default, or gives nothing where there is neither.
    ///
    /// # Errors
    ///
    /// If there is no field of this name, if it is of another type, or if the buffer is damaged.
    pub fn get_named<T: Get<'a>>(&self, name: &str) -> Result<Option<T>> {
        self.get(self.layout.index(name)?)
    }

    /// The names and values of the fields that were set.
    pub fn fields(&self) -> impl Iterator<Item = (&'a str, Node<'a>)> {
        let this = *self;
        this.layout.fields.iter().filter_map(move |field| {
            this.slot(field)?;
            let slot = this.at + field.offset;
            Some((&*field.name, Node { ty: &field.ty, bytes: this.bytes, slot }))
        })
    }

    /// All fields, of which those that were not set have no value.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&'a Field, Option<Node<'a>>)> {
        let this = *self;
        this.layout.fields.iter().map(move |field| {
            let node = Node { ty: &field.ty, bytes: this.bytes, slot: this.at + field.offset };
            (field, this.slot(field).map(|_| node))
        })
    }
}

impl<'a> List<'a> {
    /// How many items there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The item of this index.
    #[must_use]
    #[inline]
    pub fn item(&self, index: usize) -> Option<Node<'a>> {
        // Only below the length is it certain that the product does not overflow.
        (index < self.len).then(|| {
            let slot = self.data + index * self.item.size;
            Node { ty: self.item, bytes: self.bytes, slot }
        })
    }

    /// All items.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Node<'a>> + use<'a> {
        let Self { item, bytes, data, len } = *self;
        (0..len).map(move |index| Node { ty: item, bytes, slot: data + index * item.size })
    }
}

impl<'a> Map<'a> {
    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The value of a key.
    ///
    /// # Errors
    ///
    /// If the buffer is damaged.
    pub fn value(&self, key: &str) -> Result<Option<Node<'a>>> {
        let Some(at) = self.at else { return Ok(None) };
        let slot = map::find(self.bytes, at, self.item, key)?.slot();
        Ok(slot.map(|slot| Node { ty: self.item, bytes: self.bytes, slot }))
    }

    /// All values, without a look at their keys.
    pub(crate) fn slots(&self) -> impl Iterator<Item = Node<'a>> + use<'a> {
        let Self { item, bytes, data, len, .. } = *self;
        (0..len).map(move |index| {
            let slot = data + index * item.entry_size() + POINTER;
            Node { ty: item, bytes, slot }
        })
    }

    /// All keys and values, in the order of the keys' bytes.
    pub fn iter(&self) -> impl Iterator<Item = Result<(&'a str, Node<'a>)>> + use<'a> {
        let Self { item, bytes, data, len, .. } = *self;
        (0..len).map(move |index| {
            let entry = data + index * item.entry_size();
            let key = str::from_utf8(map::key(bytes, entry)?).map_err(|_| Error::NotText)?;
            Ok((key, Node { ty: item, bytes, slot: entry + POINTER }))
        })
    }
}

impl<'a> Tuple<'a> {
    /// Reads the value of this index, or gives nothing where text or bytes were never set.
    ///
    /// # Errors
    ///
    /// If there is no such value, if it is of another type, or if the buffer is damaged.
    pub fn get<T: Get<'a>>(&self, index: usize) -> Result<Option<T>> {
        self.part(index)?.get()
    }

    /// The value of this index.
    ///
    /// # Errors
    ///
    /// If there is no such value.
    pub fn part(&self, index: usize) -> Result<Node<'a>> {
        let len = self.parts.len();
        let part = self.parts.get(index).ok_or(Error::OutOfRange { index, len })?;
        Ok(Node { ty: &part.ty, bytes: self.bytes, slot: self.slot + part.offset })
    }

    /// All values.
    pub fn iter(&self) -> impl Iterator<Item = Node<'a>> {
        let Self { parts, bytes, slot } = *self;
        parts.iter().map(move |part| Node { ty: &part.ty, bytes, slot: slot + part.offset })
    }
}
