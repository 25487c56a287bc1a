//! Types, with everything about their place in a buffer worked out.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::kind::POINTER;
use crate::{Error, Kind, Result};

/// How deep types may be nested, which bounds every recursion over a buffer.
pub(crate) const MAX_DEPTH: usize = 32;

/// The types of a buffer's values, and their places in it. Cloning it is cheap.
///
/// ```
/// # fn main() -> noproto::Result<()> {
/// let schema = noproto::Schema::parse(
///     "struct { name: string, age: u8 = 18, tags: list<string>, mood: enum { good, bad } }",
/// )?;
/// assert_eq!(schema, noproto::Schema::from_json(&schema.to_json())?);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Schema {
    pub(crate) root: Arc<Type>,
}

/// One type of a [`Schema`].
#[derive(Clone, PartialEq, Eq)]
pub struct Type {
    pub(crate) kind: Kind,
    /// The bytes of its slot: of the value, or of an offset.
    pub(crate) size: usize,
    pub(crate) shape: Shape,
    /// The value read where nothing was set: a slot's bytes, or the content of text and bytes.
    pub(crate) default: Option<Box<[u8]>>,
    /// The initial content of a slot, `size` bytes.
    pub(crate) blank: Box<[u8]>,
}

/// Details that only some kinds have.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Shape {
    Plain,
    /// Digits behind the point.
    Decimal(u8),
    Choices(Arc<[Box<str>]>),
    Struct(Arc<Layout>),
    /// The type of a list's elements or a map's values.
    Items(Arc<Type>),
    Tuple(Arc<[TuplePart]>),
}

#[derive(PartialEq, Eq)]
pub(crate) struct TuplePart {
    pub(crate) offset: usize,
    pub(crate) ty: Type,
}

/// Where the fields of a struct stand: a byte with their number, then for each eight of them a byte
/// with a bit for each that is there, then the eight slots. So a field's place does not depend on
/// how many follow, and a struct that was written before a field was added is a prefix.
#[derive(PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) fields: Vec<Field>,
    /// A struct of this layout in which nothing is set.
    pub(crate) template: Box<[u8]>,
    /// Where a struct of as many fields ends.
    pub(crate) ends: Vec<usize>,
}

#[derive(PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: Box<str>,
    pub(crate) ty: Type,
    /// From the beginning of the struct, as the next two.
    pub(crate) offset: usize,
    pub(crate) end: usize,
    pub(crate) bits: usize,
    pub(crate) mask: u8,
}

impl Schema {
    /// The type of the whole.
    #[must_use]
    pub fn root(&self) -> &Type {
        &self.root
    }
}

impl Schema {
    /// Whether buffers that were written with the one can be read with the other: each type is the
    /// same, but that structs may have more fields at their end, enums more choices, and any value
    /// another default.
    ///
    /// ```
    /// # fn main() -> noproto::Result<()> {
    /// let old = noproto::Schema::parse("struct { a: i32 }")?;
    /// assert!(old.is_compatible(&noproto::Schema::parse("struct { a: i32 = 1, b: u8 }")?));
    /// assert!(!old.is_compatible(&noproto::Schema::parse("struct { a: u32 }")?));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn is_compatible(&self, other: &Self) -> bool {
        self.root.is_compatible(&other.root)
    }
}

impl Type {
    fn is_compatible(&self, other: &Self) -> bool {
        self.kind == other.kind
            && self.size == other.size
            && match (&self.shape, &other.shape) {
                (Shape::Plain, Shape::Plain) => true,
                (Shape::Decimal(one), Shape::Decimal(other)) => one == other,
                (Shape::Choices(one), Shape::Choices(other)) => {
                    one.iter().zip(other.iter()).all(|(one, other)| one == other)
                }
                (Shape::Struct(one), Shape::Struct(other)) => {
                    one.fields.iter().zip(&other.fields).all(|(one, other)| {
                        one.name == other.name && one.ty.is_compatible(&other.ty)
                    })
                }
                (Shape::Items(one), Shape::Items(other)) => one.is_compatible(other),
                (Shape::Tuple(one), Shape::Tuple(other)) => {
                    one.len() == other.len()
                        && one.iter().zip(other.iter()).all(|(a, b)| a.ty.is_compatible(&b.ty))
                }
                _ => false,
            }
    }

    /// The kind.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The names and types of a struct's fields.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &Self)> {
        let fields = if let Shape::Struct(layout) = &self.shape { &*layout.fields } else { &[] };
        fields.iter().map(|field| (&*field.name, &field.ty))
    }

    /// The index of a struct's field.
    #[must_use]
    pub fn field_index(&self, name: &str) -> Option<usize> {
        self.fields().position(|(known, _)| known == name)
    }

    /// Returns the type of a list's elements or a map's values; `None` for other kinds.
    #[must_use]
    pub fn item(&self) -> Option<&Self> {
        if let Shape::Items(item) = &self.shape { Some(item) } else { None }
    }

    /// The types of a tuple's values.
    pub fn parts(&self) -> impl Iterator<Item = &Self> {
        let parts = if let Shape::Tuple(parts) = &self.shape { &**parts } else { &[] };
        parts.iter().map(|part| &part.ty)
    }

    /// The names of an enum.
    pub fn choices(&self) -> impl Iterator<Item = &str> {
        let names = if let Shape::Choices(names) = &self.shape { &**names } else { &[] };
        names.iter().map(|name| &**name)
    }

    /// Whether the bytes of its values sort as the values do: numbers, text and bytes of a fixed
    /// size, and tuples of such.
    #[must_use]
    pub fn is_sortable(&self) -> bool {
        match &self.shape {
            Shape::Tuple(parts) => parts.iter().all(|part| part.ty.is_sortable()),
            _ => !self.kind.is_out_of_line(),
        }
    }

    pub(crate) fn layout(&self) -> Result<&Arc<Layout>> {
        if let Shape::Struct(layout) = &self.shape { Ok(layout) } else { Err(self.wrong()) }
    }

    pub(crate) fn items(&self, kind: Kind) -> Result<&Arc<Self>> {
        match &self.shape {
            Shape::Items(item) if self.kind == kind => Ok(item),
            _ => Err(self.wrong()),
        }
    }

    pub(crate) fn tuple(&self) -> Result<&Arc<[TuplePart]>> {
        if let Shape::Tuple(parts) = &self.shape { Ok(parts) } else { Err(self.wrong()) }
    }

    #[cold]
    pub(crate) fn wrong(&self) -> Error {
        Error::WrongType { schema: self.kind }
    }

    /// The bytes of a map's entry: the key's offset and the slot.
    pub(crate) fn entry_size(&self) -> usize {
        POINTER + self.size
    }
}

impl Layout {
    #[inline]
    pub(crate) fn index(&self, name: &str) -> Result<usize> {
        let index = self.fields.iter().position(|field| *field.name == *name);
        index.ok_or(Error::NoSuchField)
    }

    pub(crate) fn field(&self, index: usize) -> Result<&Field> {
        self.fields.get(index).ok_or(Error::OutOfRange { index, len: self.fields.len() })
    }
}
