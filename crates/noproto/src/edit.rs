//! Writing: by path, or going down from the root with a cursor, which is the quickest.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::access::Set;
use crate::path::AsPath;
use crate::schema::{Layout, Schema, Type};
use crate::view::View;
use crate::wire::{MAGIC, ROOT};
use crate::{Error, Kind, Result, deep, fill, make};

/// A buffer to write to.
///
/// A value that fits is written over the old one; one that does not is appended, with room for twice
/// as much, and leaves a gap of zeros that [`Edit::compact`] closes. [`View::waste`] says how many
/// bytes of gaps there are.
#[derive(Debug)]
pub struct Edit<'a> {
    pub(crate) schema: &'a Schema,
    pub(crate) bytes: &'a mut Vec<u8>,
}

impl Schema {
    /// Begins a new buffer in `bytes`, whose memory is used again.
    #[inline]
    pub fn create<'a>(&'a self, bytes: &'a mut Vec<u8>) -> Edit<'a> {
        bytes.clear();
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&self.root.blank);
        Edit { schema: self, bytes }
    }

    /// Changes a buffer where it is.
    ///
    /// # Errors
    ///
    /// If the bytes do not begin as a buffer does.
    #[inline]
    pub fn edit<'a>(&'a self, bytes: &'a mut Vec<u8>) -> Result<Edit<'a>> {
        self.view(bytes)?;
        Ok(Edit { schema: self, bytes })
    }
}

impl<'a> Edit<'a> {
    /// The buffer, to read from.
    #[must_use]
    pub fn view(&self) -> View<'_> {
        View { schema: self.schema, bytes: self.bytes }
    }

    /// The root, to write to.
    #[inline(always)]
    pub fn root(&mut self) -> NodeMut<'_> {
        NodeMut { ty: &self.schema.root, bytes: self.bytes, slot: ROOT }
    }

    /// Writes the value at a path, and makes what leads there. In a list, the index may be the one
    /// behind the last.
    ///
    /// # Errors
    ///
    /// If the schema has nothing there, or a value of another type; if the value does not fit; if an
    /// index is beyond the end of its list (what leads to it is made then nevertheless); or if the
    /// buffer is damaged.
    #[inline]
    pub fn set<'p>(&mut self, path: impl AsPath<'p>, value: impl Set) -> Result<()>
    where
        'a: 'p,
    {
        // The type is known only at the end of a path, and nothing may be made for a value of
        // another one.
        let ty = path.walk(self.schema, |_| Ok(()))?;
        value.check(ty)?;
        let mut slot = ROOT;
        path.walk(self.schema, |step| {
            slot = step.0.make(self.bytes, slot)?;
            Ok(())
        })?;
        value.write(ty, self.bytes, slot)
    }

    /// Takes out what is at a path, and says whether it was there. Items behind one that is taken
    /// out of a list move up. Its bytes become zeros, but for the values of fields that this schema
    /// does not know: where they end, or what they point to, the buffer does not say.
    ///
    /// # Errors
    ///
    /// If the schema has nothing there, or the buffer is damaged.
    pub fn del<'p>(&mut self, path: impl AsPath<'p>) -> Result<bool>
    where
        'a: 'p,
    {
        let mut steps = 0;
        path.walk(self.schema, |_| {
            steps += 1;
            Ok(())
        })?;
        if steps == 0 {
            self.bytes.truncate(ROOT + self.schema.root.size);
            make::blank(self.bytes, ROOT, &self.schema.root)?;
            return Ok(true);
        }
        let (mut slot, mut is_there) = (Some(ROOT), false);
        path.walk(self.schema, |step| {
            steps -= 1;
            match slot {
                Some(at) if steps == 0 => is_there = step.0.remove(self.bytes, at)?,
                Some(at) => slot = step.0.find(self.bytes, at)?,
                None => {}
            }
            Ok(())
        })?;
        Ok(is_there)
    }

    /// Puts a value from JSON in place of what is at a path, and makes what leads there.
    ///
    /// # Errors
    ///
    /// As [`Edit::set`], or if what is there has fields that this schema does not know, which would
    /// be lost; what was there stays then.
    pub fn set_json<'p>(&mut self, path: impl AsPath<'p>, json: &str) -> Result<()>
    where
        'a: 'p,
    {
        let json = fill::parse(json)?;
        let mut steps = 0;
        let ty = path.walk(self.schema, |_| {
            steps += 1;
            Ok(())
        })?;
        // The root is there, so that nothing is made for it.
        if steps > 0 {
            fill::check(ty, &json)?;
        }
        let mut slot = ROOT;
        let ty = path.walk(self.schema, |step| {
            slot = step.0.make(self.bytes, slot)?;
            Ok(())
        })?;
        fill::replace(ty, &json, self.bytes, slot)
    }

    /// Closes the gaps: afterwards nothing stands in the buffer that does not belong to a value.
    ///
    /// # Errors
    ///
    /// If the buffer is damaged, or has fields that this schema does not know, which would be lost.
    pub fn compact(&mut self) -> Result<()> {
        *self.bytes = deep::compact(self.view().root())?;
        Ok(())
    }
}

/// A place for a value to write to.
#[derive(Debug)]
pub struct NodeMut<'a> {
    ty: &'a Type,
    bytes: &'a mut Vec<u8>,
    slot: usize,
}

/// A struct to write to.
pub struct StructMut<'a> {
    layout: &'a Arc<Layout>,
    bytes: &'a mut Vec<u8>,
    slot: usize,
    at: usize,
    /// How many fields it has room for.
    number: usize,
}

/// A list to write to.
pub struct ListMut<'a> {
    item: &'a Arc<Type>,
    bytes: &'a mut Vec<u8>,
    slot: usize,
}

impl<'a> NodeMut<'a> {
    /// Writes the value.
    ///
    /// # Errors
    ///
    /// If it is of another type or does not fit, or if the buffer is damaged.
    #[inline(always)]
    pub fn set(self, value: impl Set) -> Result<()> {
        value.check(self.ty)?;
        value.write(self.ty, self.bytes, self.slot)
    }

    /// The struct that it is, which is made if it is not there.
    ///
    /// # Errors
    ///
    /// If it is of another type, or if the buffer is damaged.
    #[inline(always)]
    pub fn into_struct(self) -> Result<StructMut<'a>> {
        let Self { ty, bytes, slot } = self;
        let layout = ty.layout()?;
        let (at, number) = make::structure(bytes, slot, layout)?;
        Ok(StructMut { layout, bytes, slot, at, number })
    }

    /// The list that it is.
    ///
    /// # Errors
    ///
    /// If it is of another type.
    #[inline]
    pub fn into_list(self) -> Result<ListMut<'a>> {
        let Self { ty, bytes, slot } = self;
        Ok(ListMut { item: ty.items(Kind::List)?, bytes, slot })
    }

    /// The value of a map's key, which is made if it is not there.
    ///
    /// # Errors
    ///
    /// If it is not a map, or if the buffer is damaged.
    pub fn key(&mut self, key: &str) -> Result<NodeMut<'_>> {
        let ty = self.ty.items(Kind::Map)?;
        let slot = make::key(self.bytes, self.slot, ty, key)?;
        Ok(NodeMut { ty, bytes: self.bytes, slot })
    }

    /// The value of this index in a tuple.
    ///
    /// # Errors
    ///
    /// If it is not a tuple, or has no such value.
    pub fn part(&mut self, index: usize) -> Result<NodeMut<'_>> {
        let parts = self.ty.tuple()?;
        let part = parts.get(index).ok_or(Error::OutOfRange { index, len: parts.len() })?;
        Ok(NodeMut { ty: &part.ty, bytes: self.bytes, slot: self.slot + part.offset })
    }
}

impl StructMut<'_> {
    /// Writes the field of this name.
    ///
    /// # Errors
    ///
    /// As [`StructMut::set`].
    #[inline]
    pub fn set_named(&mut self, name: &str, value: impl Set) -> Result<()> {
        self.set(self.layout.index(name)?, value)
    }

    /// The field of this name, to write to.
    ///
    /// # Errors
    ///
    /// As [`StructMut::field`].
    #[inline]
    pub fn named(&mut self, name: &str) -> Result<NodeMut<'_>> {
        self.field(self.layout.index(name)?)
    }

    /// Writes the field of this index.
    ///
    /// # Errors
    ///
    /// If there is no such field, if the value is of another type or does not fit, or if the buffer
    /// is damaged.
    #[inline(always)]
    pub fn set(&mut self, field: usize, value: impl Set) -> Result<()> {
        let ty = &self.layout.field(field)?.ty;
        value.check(ty)?;
        let slot = self.slot(field)?;
        value.write(ty, self.bytes, slot)
    }

    /// The field of this index, to write to.
    ///
    /// # Errors
    ///
    /// If there is no such field, if it is not a collection (those are written with
    /// [`StructMut::set`]), or if the buffer is damaged.
    #[inline(always)]
    pub fn field(&mut self, field: usize) -> Result<NodeMut<'_>> {
        let ty = &self.layout.field(field)?.ty;
        if !ty.kind.is_collection() {
            return Err(ty.wrong());
        }
        let slot = self.slot(field)?;
        Ok(NodeMut { ty, bytes: self.bytes, slot })
    }

    #[inline(always)]
    fn slot(&mut self, index: usize) -> Result<usize> {
        if index >= self.number {
            (self.at, self.number) = make::widen(self.bytes, self.slot, self.layout)?;
        }
        make::field(self.bytes, self.at, self.layout.field(index)?)
    }
}

impl ListMut<'_> {
    /// Makes room for as many more items at once, or leaves the list as it was.
    ///
    /// # Errors
    ///
    /// If the buffer is damaged or would be too large.
    #[inline]
    pub fn reserve(&mut self, more: usize) -> Result<()> {
        make::array(self.bytes, self.slot, self.item.size, more, 0).map(|_| ())
    }

    /// Appends an item.
    ///
    /// # Errors
    ///
    /// If it is of another type or does not fit, or if the buffer is damaged.
    #[inline]
    pub fn push(&mut self, value: impl Set) -> Result<()> {
        value.check(self.item)?;
        let slot = make::push(self.bytes, self.slot, self.item)?;
        let result = value.write(self.item, self.bytes, slot);
        if result.is_err() {
            make::pop(self.bytes, self.slot, self.item)?;
        }
        result
    }

    /// Appends an item to write to.
    ///
    /// # Errors
    ///
    /// If the buffer is damaged or would be too large.
    #[inline]
    pub fn push_node(&mut self) -> Result<NodeMut<'_>> {
        let slot = make::push(self.bytes, self.slot, self.item)?;
        Ok(NodeMut { ty: self.item, bytes: self.bytes, slot })
    }
}
