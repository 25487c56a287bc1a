//! From what a schema says to where everything stands.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::{Field, Layout, Shape, TuplePart, Type};
use crate::json::Json;
use crate::kind::POINTER;
use crate::{Error, Kind, Result, content};

/// A type as both forms of a schema say it.
pub(crate) struct Definition<'t> {
    pub(crate) what: What<'t>,
    pub(crate) default: Option<Json<'t>>,
}

pub(crate) enum What<'t> {
    /// By its name alone.
    Named(Cow<'t, str>),
    /// `string[n]` or `bytes[n]`.
    Sized(Cow<'t, str>, u64),
    Decimal(u64),
    Enum(Vec<Cow<'t, str>>),
    Struct(Vec<(Cow<'t, str>, Definition<'t>)>),
    List(Box<Definition<'t>>),
    Map(Box<Definition<'t>>),
    Tuple(Vec<Definition<'t>>),
}

/// So that a short text cannot ask for much memory: of a tuple or struct, and of text or bytes.
const MAX_SIZE: usize = 1 << 16;
const MAX_FIXED: usize = 1 << 12;

/// And of all types together, each with what it is made of: nested tuples would otherwise have the
/// largest one again at every depth, which makes megabytes of a few hundred characters.
const MAX_ALL: usize = 1 << 22;

/// What of [`MAX_ALL`] is left.
struct Budget(usize);

impl Budget {
    fn spend(&mut self, size: usize) -> Result<()> {
        match self.0.checked_sub(size) {
            Some(left) => {
                self.0 = left;
                Ok(())
            }
            None => wrong("all types of a schema have at most 4 MiB together"),
        }
    }
}

/// 10¹⁸ is the last power of ten in an `i64`.
const MAX_DIGITS: u64 = 18;

pub(crate) fn build(definition: &Definition<'_>) -> Result<Type> {
    build_within(definition, &mut Budget(MAX_ALL))
}

fn build_within(definition: &Definition<'_>, budget: &mut Budget) -> Result<Type> {
    let mut ty = undefaulted(&definition.what, budget)?;
    if let Some(json) = &definition.default {
        if ty.kind.is_collection() {
            return wrong("a list, map, struct or tuple has no default");
        }
        let default = content::from_json(&ty, json)?;
        if !ty.kind.is_out_of_line() {
            ty.blank = default.clone().into();
        }
        ty.default = Some(default.into());
    }
    Ok(ty)
}

fn undefaulted(what: &What<'_>, budget: &mut Budget) -> Result<Type> {
    let (kind, size, shape) = match what {
        What::Named(name) => match &**name {
            "string" => (Kind::Text, POINTER, Shape::Plain),
            "bytes" => (Kind::Bytes, POINTER, Shape::Plain),
            name => match Kind::named(name) {
                Some((kind, size)) => (kind, size, Shape::Plain),
                None => return wrong("there is no type of this name"),
            },
        },
        What::Sized(name, size) => {
            let kind = match &**name {
                "string" => Kind::FixedText,
                "bytes" => Kind::FixedBytes,
                _ => return wrong("only strings and bytes have a size"),
            };
            (kind, usize::try_from(*size).unwrap_or(usize::MAX), Shape::Plain)
        }
        What::Decimal(digits @ ..=MAX_DIGITS) => (Kind::Decimal, 8, Shape::Decimal(*digits as u8)),
        What::Decimal(_) => return wrong("a decimal has at most 18 digits"),
        What::Enum(names) => {
            if names.is_empty() || names.len() > 255 {
                return wrong("an enum has 1 to 255 choices");
            }
            distinct(names.iter())?;
            (Kind::Enum, 1, Shape::Choices(names.iter().map(|name| (&**name).into()).collect()))
        }
        What::Struct(fields) => {
            (Kind::Struct, POINTER, Shape::Struct(Arc::new(layout(fields, budget)?)))
        }
        What::List(item) => {
            (Kind::List, POINTER, Shape::Items(Arc::new(build_within(item, budget)?)))
        }
        What::Map(item) => {
            (Kind::Map, POINTER, Shape::Items(Arc::new(build_within(item, budget)?)))
        }
        What::Tuple(parts) => return tuple(parts, budget),
    };
    if size == 0 || size > MAX_FIXED {
        return wrong("strings and bytes of a size have 1 to 4096");
    }
    budget.spend(size)?;
    let ty = Type { kind, size, shape, default: None, blank: Box::default() };
    Ok(Type { blank: content::zero(&ty).into(), ..ty })
}

fn tuple(definitions: &[Definition<'_>], budget: &mut Budget) -> Result<Type> {
    let (mut parts, mut blank) = (Vec::new(), Vec::new());
    for definition in definitions {
        let ty = build_within(definition, budget)?;
        let offset = blank.len();
        blank.extend_from_slice(&ty.blank);
        parts.push(TuplePart { offset, ty });
        if blank.len() > MAX_SIZE {
            break;
        }
    }
    if blank.is_empty() || blank.len() > MAX_SIZE {
        return wrong("a tuple has 1 to 65536 bytes");
    }
    budget.spend(blank.len())?;
    let (size, shape) = (blank.len(), Shape::Tuple(parts.into()));
    Ok(Type { kind: Kind::Tuple, size, shape, default: None, blank: blank.into() })
}

fn layout(definitions: &[(Cow<'_, str>, Definition<'_>)], budget: &mut Budget) -> Result<Layout> {
    let Ok(number) = u8::try_from(definitions.len()) else {
        return wrong("a struct has at most 255 fields");
    };
    distinct(definitions.iter().map(|(name, _)| name))?;
    let mut fields: Vec<Field> = Vec::new();
    let (mut bits, mut end, mut ends) = (0, 1, Vec::from([1]));
    for (index, (name, definition)) in definitions.iter().enumerate() {
        let ty = build_within(definition, budget)?;
        if index % 8 == 0 {
            (bits, end) = (end, end + 1);
        }
        let (name, mask, offset) = ((&**name).into(), 1 << (index % 8), end);
        end += ty.size;
        if end > MAX_SIZE {
            return wrong("a struct has at most 65536 bytes");
        }
        ends.push(end);
        fields.push(Field { name, ty, offset, end, bits, mask });
    }
    budget.spend(end)?;
    let mut template = alloc::vec![0; end];
    template[0] = number;
    Ok(Layout { fields, template: template.into(), ends })
}

fn distinct<'n>(names: impl Iterator<Item = &'n Cow<'n, str>>) -> Result<()> {
    let mut names: Vec<&str> = names.map(|name| &**name).collect();
    names.sort_unstable();
    let are_distinct = names.windows(2).all(|pair| pair[0] != pair[1]);
    if are_distinct { Ok(()) } else { wrong("a name is there twice") }
}

fn wrong<T>(problem: &'static str) -> Result<T> {
    Err(Error::Schema(problem))
}
