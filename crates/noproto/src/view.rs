use alloc::string::String;

use crate::access::Get;
use crate::node::{self, Node};
use crate::path::AsPath;
use crate::schema::Schema;
use crate::wire::{self, MAGIC, ROOT};
use crate::{Error, Kind, Result, deep};

/// A buffer to read from. Opening it looks at its first bytes only, and reading at what is read.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    pub(crate) schema: &'a Schema,
    pub(crate) bytes: &'a [u8],
}

impl Schema {
    /// Reads a buffer where it is. It was written with this schema, or with one that
    /// [is compatible](Schema::is_compatible): a buffer does not say with which, and read with
    /// another one its values are wrong.
    ///
    /// # Errors
    ///
    /// If the bytes do not begin as a buffer does.
    #[inline]
    pub fn view<'a>(&'a self, bytes: &'a [u8]) -> Result<View<'a>> {
        if !bytes.starts_with(&MAGIC) || bytes.len() < ROOT + self.root.size {
            return Err(Error::NotABuffer);
        }
        Ok(View { schema: self, bytes })
    }
}

impl<'a> View<'a> {
    /// The value of the whole.
    #[must_use]
    #[inline]
    pub fn root(&self) -> Node<'a> {
        Node { ty: &self.schema.root, bytes: self.bytes, slot: ROOT }
    }

    /// Reads the value at a path, or its default, or gives nothing where there is neither.
    ///
    /// # Errors
    ///
    /// If the schema has nothing there, or a value of another type, or if the buffer is damaged.
    #[inline]
    pub fn get<T: Get<'a>>(&self, path: impl AsPath<'a>) -> Result<Option<T>> {
        let (ty, slot) = self.find(path)?;
        if let Some(slot) = slot {
            if let Some(value) = T::from_slot(ty, self.bytes, wire::from(self.bytes, slot)?)? {
                return Ok(Some(value));
            }
        }
        node::default(ty)
    }

    /// The value at a path, if it was set.
    ///
    /// # Errors
    ///
    /// If the schema has nothing there, or the buffer is damaged.
    pub fn node(&self, path: impl AsPath<'a>) -> Result<Option<Node<'a>>> {
        let (ty, slot) = self.find(path)?;
        Ok(slot.map(|slot| Node { ty, bytes: self.bytes, slot }))
    }

    /// How many items, entries or bytes there are at a path; none where it was never set.
    ///
    /// # Errors
    ///
    /// If what the schema has there has no length, or the buffer is damaged.
    pub fn len(&self, path: impl AsPath<'a>) -> Result<usize> {
        let (ty, slot) = self.find(path)?;
        let stride = match ty.kind() {
            Kind::List => ty.items(Kind::List)?.size,
            Kind::Map => ty.items(Kind::Map)?.entry_size(),
            Kind::Text | Kind::Bytes => 1,
            _ => return Err(ty.wrong()),
        };
        let Some(slot) = slot else { return Ok(0) };
        let Some(at) = wire::pointer_at(self.bytes, slot)? else { return Ok(0) };
        wire::head(self.bytes, at, stride).map(|head| head.len)
    }

    #[inline]
    fn find(&self, path: impl AsPath<'a>) -> Result<(&'a crate::Type, Option<usize>)> {
        let mut slot = Some(ROOT);
        let ty = path.walk(self.schema, |step| {
            if let Some(at) = slot {
                slot = step.0.find(self.bytes, at)?;
            }
            Ok(())
        })?;
        Ok((ty, slot))
    }

    /// Everything as JSON: what was set, and defaults.
    ///
    /// # Errors
    ///
    /// If the buffer is damaged.
    pub fn to_json(&self) -> Result<String> {
        deep::to_json(self.root())
    }

    /// How many bytes [`crate::Edit::compact`] would free.
    ///
    /// # Errors
    ///
    /// If the buffer is damaged, or has fields that this schema does not know.
    pub fn waste(&self) -> Result<usize> {
        Ok(self.bytes.len().saturating_sub(deep::compact_len(self.root())?))
    }

    /// Reads every value once, and makes sure that no two of them share bytes. In a buffer that
    /// passes, nothing that the schema has can fail to be read, and no change of one value changes
    /// another.
    ///
    /// # Errors
    ///
    /// If the buffer is damaged.
    pub fn verify(&self) -> Result<()> {
        deep::verify(self.root())
    }
}
