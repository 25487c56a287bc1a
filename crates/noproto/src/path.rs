//! Ways through a schema to one value.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use crate::schema::{Layout, Schema, Shape, TuplePart, Type};
use crate::wire::{self, from};
use crate::{Error, Result, map};

/// A way to a value, worked out once by [`Schema::path`]: where each step leads is known, and
/// nothing is parsed or looked up by name when it is used, but for keys of maps.
#[derive(Clone)]
pub struct Path {
    pub(crate) schema: Schema,
    pub(crate) steps: Vec<OwnedStep>,
    pub(crate) end: Type,
}

#[derive(Clone)]
pub(crate) enum OwnedStep {
    Field(Arc<Layout>, usize),
    Item(Arc<Type>, usize),
    Key(Arc<Type>, String),
    Part(Arc<[TuplePart]>, usize),
}

/// One step down from a value to a part of it.
#[derive(Clone, Copy)]
pub struct Step<'p>(pub(crate) Down<'p>);

#[derive(Clone, Copy)]
pub(crate) enum Down<'p> {
    Field(&'p Arc<Layout>, usize),
    Item(&'p Arc<Type>, usize),
    Key(&'p Arc<Type>, &'p str),
    Part(&'p Arc<[TuplePart]>, usize),
}

/// An index, which has one way to be written: no sign, no zeros in front. Short ones, as most are,
/// are read quicker than `parse` would.
fn number(part: &str) -> Option<usize> {
    match part.as_bytes() {
        [digit @ b'0'..=b'9'] => Some(usize::from(digit - b'0')),
        [b'1'..=b'9', ..] => part.parse().ok(),
        _ => None,
    }
}

/// The parts of a path that is written with points.
fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.split('.').filter(move |_| !path.is_empty())
}

impl Schema {
    /// Resolves a path once, so that it need not be parsed and looked up again: names of fields, indices of lists and
    /// tuples, keys of maps, with points between them.
    ///
    /// # Errors
    ///
    /// If the schema has nothing there.
    pub fn path(&self, path: &str) -> Result<Path> {
        Path::new(self, segments(path))
    }

    /// Resolves a path in parts, which may have points in them.
    ///
    /// # Errors
    ///
    /// If the schema has nothing there.
    pub fn path_of(&self, parts: &[&str]) -> Result<Path> {
        Path::new(self, parts.iter().copied())
    }
}

impl Path {
    pub(crate) fn new<'p>(schema: &Schema, parts: impl Iterator<Item = &'p str>) -> Result<Self> {
        let mut steps = Vec::new();
        let mut ty: &Type = &schema.root;
        for (number, part) in parts.enumerate() {
            let (step, next) = Down::new(ty, part).ok_or(Error::NoSuchPath { part: number })?;
            steps.push(match step {
                Down::Field(layout, index) => OwnedStep::Field(layout.clone(), index),
                Down::Item(item, index) => OwnedStep::Item(item.clone(), index),
                Down::Key(item, key) => OwnedStep::Key(item.clone(), key.into()),
                Down::Part(parts, index) => OwnedStep::Part(parts.clone(), index),
            });
            ty = next;
        }
        Ok(Self { schema: schema.clone(), steps, end: ty.clone() })
    }

    /// The type of what it leads to.
    #[must_use]
    pub fn ty(&self) -> &Type {
        &self.end
    }
}

impl OwnedStep {
    #[inline(always)]
    pub(crate) fn borrow(&self) -> Down<'_> {
        match self {
            Self::Field(layout, index) => Down::Field(layout, *index),
            Self::Item(item, index) => Down::Item(item, *index),
            Self::Key(item, key) => Down::Key(item, key),
            Self::Part(parts, index) => Down::Part(parts, *index),
        }
    }
}

impl<'p> Down<'p> {
    /// Resolves `part` in a value of type `ty` to a step and the type that it leads to.
    #[inline]
    pub(crate) fn new<'s: 'p>(ty: &'s Type, part: &'p str) -> Option<(Self, &'s Type)> {
        match &ty.shape {
            Shape::Struct(layout) => {
                let index = layout.fields.iter().position(|field| *field.name == *part)?;
                Some((Down::Field(layout, index), &layout.fields.get(index)?.ty))
            }
            Shape::Items(item) if ty.kind == crate::Kind::Map => {
                Some((Down::Key(item, part), item))
            }
            Shape::Items(item) => Some((Down::Item(item, number(part)?), item)),
            Shape::Tuple(parts) => {
                let index = number(part)?;
                Some((Down::Part(parts, index), &parts.get(index)?.ty))
            }
            Shape::Plain | Shape::Decimal(_) | Shape::Choices(_) => None,
        }
    }

    /// Where the part's slot is, if the value at `slot` is there and has it.
    #[inline(always)]
    pub(crate) fn find(self, bytes: &[u8], slot: usize) -> Result<Option<usize>> {
        if let Self::Part(parts, index) = self {
            return Ok(parts.get(index).map(|part| slot + part.offset));
        }
        let Some(at) = wire::pointer_at(bytes, slot)? else { return Ok(None) };
        match self {
            Self::Field(layout, index) => {
                let field = layout.field(index)?;
                let object = from(bytes, at)?;
                let [number] = wire::first(object, at)?;
                if index >= usize::from(number) {
                    return Ok(None);
                }
                let [bits] = wire::first(from(object, field.bits)?, at)?;
                Ok((bits & field.mask != 0).then_some(at + field.offset))
            }
            Self::Item(item, index) => {
                let head = wire::head(bytes, at, item.size)?;
                Ok((index < head.len).then(|| head.data + index * item.size))
            }
            Self::Key(item, key) => map::find_slot(bytes, at, item, key),
            Self::Part(..) => Ok(None),
        }
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for &str {}
    impl Sealed for &[&str] {}
    impl<const N: usize> Sealed for &[&str; N] {}
    impl Sealed for &super::Path {}
}

/// A path to a value: a [`Path`], or text with points such as `"list.0.name"`, or its parts.
///
/// A [`Path`] is resolved once; the other forms are looked up by name at each use.
pub trait AsPath<'s>: sealed::Sealed + Copy {
    /// Calls `step` for each step, and gives the type of the end.
    #[doc(hidden)]
    fn walk(self, schema: &'s Schema, step: impl FnMut(Step<'_>) -> Result<()>)
    -> Result<&'s Type>;
}

/// For texts: each part is looked up in the type that the ones before lead to.
#[inline]
fn walk<'s, 'p>(
    schema: &'s Schema,
    parts: impl Iterator<Item = &'p str>,
    mut step: impl FnMut(Step<'_>) -> Result<()>,
) -> Result<&'s Type> {
    let mut ty: &Type = &schema.root;
    for (number, part) in parts.enumerate() {
        let (next, end) = Down::new(ty, part).ok_or(Error::NoSuchPath { part: number })?;
        step(Step(next))?;
        ty = end;
    }
    Ok(ty)
}

macro_rules! as_path {
    ($([$($generic:tt)*] $path:ty, |$self:ident| $parts:expr;)*) => {$(
        impl<'s, $($generic)*> AsPath<'s> for $path {
            #[inline]
            fn walk(
                $self,
                schema: &'s Schema,
                step: impl FnMut(Step<'_>) -> Result<()>,
            ) -> Result<&'s Type> {
                walk(schema, $parts, step)
            }
        }
    )*};
}

as_path! {
    [] &str, |self| segments(self);
    [] &[&str], |self| self.iter().copied();
    [const N: usize] &[&str; N], |self| self.iter().copied();
}

impl<'s> AsPath<'s> for &'s Path {
    #[inline]
    fn walk(
        self,
        schema: &'s Schema,
        mut step: impl FnMut(Step<'_>) -> Result<()>,
    ) -> Result<&'s Type> {
        if !Arc::ptr_eq(&schema.root, &self.schema.root) {
            return Err(Error::ForeignPath);
        }
        for each in &self.steps {
            step(Step(each.borrow()))?;
        }
        Ok(&self.end)
    }
}

impl fmt::Debug for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Path(")?;
        for (index, step) in self.steps.iter().enumerate() {
            if index > 0 {
                f.write_str(".")?;
            }
            match step {
                OwnedStep::Field(layout, index) => {
                    f.write_str(layout.fields.get(*index).map_or("", |field| &field.name))?;
                }
                OwnedStep::Item(_, index) | OwnedStep::Part(_, index) => write!(f, "{index}")?,
                OwnedStep::Key(_, key) => f.write_str(key)?,
            }
        }
        f.write_str(")")
    }
}
