//! Values read from a slot and written into it, by their Rust types.

use alloc::vec::Vec;
use core::str;

use crate::schema::{Shape, Type};
use crate::sort::Number;
use crate::value::{Choice, Date, Decimal, Geo, Ulid, Uuid};
use crate::wire::{self, Head, first, range_mut};
use crate::{Error, Kind, Result};

mod sealed {
    pub trait Sealed {}
}
use sealed::Sealed;

/// A type that `get` can return: numbers, `bool`, `&str`, `&[u8]` and the types of this crate.
///
/// A number is read as the type that the schema has, without a conversion. `&str` reads strings and
/// the names of enums.
pub trait Get<'a>: Sized + Sealed {
    /// Says whether values of the type can be read as this, also where there is none.
    #[doc(hidden)]
    fn is_of(ty: &Type) -> Result<()>;

    /// Reads from a slot, or gives nothing where there is no value.
    #[doc(hidden)]
    fn from_slot(ty: &'a Type, bytes: &'a [u8], slot: &'a [u8]) -> Result<Option<Self>>;

    /// Reads the bytes of a value, as a default has them.
    #[doc(hidden)]
    fn from_content(ty: &'a Type, content: &'a [u8]) -> Result<Self>;
}

/// A type that `set` takes: the same types as for [`Get`].
pub trait Set: Copy + Sealed {
    /// Says whether the value can be written, before anything is changed.
    #[doc(hidden)]
    fn check(self, ty: &Type) -> Result<()>;

    /// Writes what was checked.
    #[doc(hidden)]
    fn write(self, ty: &Type, bytes: &mut Vec<u8>, slot: usize) -> Result<()>;
}

#[inline(always)]
fn expect(ty: &Type, kind: Kind) -> Result<()> {
    if ty.kind == kind { Ok(()) } else { Err(ty.wrong()) }
}

/// Implements `Get` and `Set` for types whose values are in the slot itself.
macro_rules! in_place {
    ($($value:ty, $kind:ident, |$bytes:ident| $read:expr, |$self:ident| $write:expr;)*) => {$(
        impl Sealed for $value {}

        impl<'a> Get<'a> for $value {
            #[inline(always)]
            fn is_of(ty: &Type) -> Result<()> {
                expect(ty, Kind::$kind)
            }

            #[inline(always)]
            fn from_slot(ty: &'a Type, _: &'a [u8], slot: &'a [u8]) -> Result<Option<Self>> {
                Self::from_content(ty, slot).map(Some)
            }

            #[inline(always)]
            fn from_content(ty: &'a Type, content: &'a [u8]) -> Result<Self> {
                expect(ty, Kind::$kind)?;
                let $bytes = first(content, 0)?;
                $read
            }
        }

        impl Set for $value {
            #[inline(always)]
            fn check(self, ty: &Type) -> Result<()> {
                expect(ty, Kind::$kind)
            }

            #[inline(always)]
            fn write($self, _: &Type, bytes: &mut Vec<u8>, slot: usize) -> Result<()> {
                let content = $write;
                range_mut(bytes, slot, content.len())?.copy_from_slice(&content);
                Ok(())
            }
        }
    )*};
}

in_place! {
    i8, I8, |bytes| Ok(Number::from_sorted(bytes)), |self| self.to_sorted();
    i16, I16, |bytes| Ok(Number::from_sorted(bytes)), |self| self.to_sorted();
    i32, I32, |bytes| Ok(Number::from_sorted(bytes)), |self| self.to_sorted();
    i64, I64, |bytes| Ok(Number::from_sorted(bytes)), |self| self.to_sorted();
    u8, U8, |bytes| Ok(Number::from_sorted(bytes)), |self| self.to_sorted();
    u16, U16, |bytes| Ok(Number::from_sorted(bytes)), |self| self.to_sorted();
    u32, U32, |bytes| Ok(Number::from_sorted(bytes)), |self| self.to_sorted();
    u64, U64, |bytes| Ok(Number::from_sorted(bytes)), |self| self.to_sorted();
    f32, F32, |bytes| Ok(Number::from_sorted(bytes)), |self| self.to_sorted();
    f64, F64, |bytes| Ok(Number::from_sorted(bytes)), |self| self.to_sorted();
    bool, Bool, |bytes| to_bool(bytes), |self| [u8::from(self)];
    Decimal, Decimal, |bytes| Ok(Self(Number::from_sorted(bytes))), |self| self.0.to_sorted();
    Date, Date, |bytes| Ok(Self(Number::from_sorted(bytes))), |self| self.0.to_sorted();
    Uuid, Uuid, |bytes| Ok(Self(bytes)), |self| self.0;
    Ulid, Ulid, |bytes| Ok(Self(Number::from_sorted(bytes))), |self| self.0.to_sorted();
}

#[inline(always)]
fn to_bool([byte]: [u8; 1]) -> Result<bool> {
    if byte < 2 { Ok(byte == 1) } else { Err(Error::NotABool(byte)) }
}

impl Sealed for Choice {}

impl<'a> Get<'a> for Choice {
    fn is_of(ty: &Type) -> Result<()> {
        if matches!(ty.kind, Kind::Enum) { Ok(()) } else { Err(ty.wrong()) }
    }

    #[inline(always)]
    fn from_slot(ty: &'a Type, _: &'a [u8], slot: &'a [u8]) -> Result<Option<Self>> {
        Self::from_content(ty, slot).map(Some)
    }

    #[inline(always)]
    fn from_content(ty: &'a Type, content: &'a [u8]) -> Result<Self> {
        let [number] = first(content, 0)?;
        choice_name(ty, number).map(|_| Self(number))
    }
}

impl Set for Choice {
    #[inline(always)]
    fn check(self, ty: &Type) -> Result<()> {
        choice_name(ty, self.0).map(|_| ())
    }

    #[inline(always)]
    fn write(self, _: &Type, bytes: &mut Vec<u8>, slot: usize) -> Result<()> {
        range_mut(bytes, slot, 1)?.copy_from_slice(&[self.0]);
        Ok(())
    }
}

#[inline]
fn choice_name(ty: &Type, number: u8) -> Result<&str> {
    let Shape::Choices(names) = &ty.shape else { return Err(ty.wrong()) };
    names.get(usize::from(number)).map(|name| &**name).ok_or(Error::UnknownChoice(number))
}

impl Sealed for &str {}

impl<'a> Get<'a> for &'a str {
    fn is_of(ty: &Type) -> Result<()> {
        if matches!(ty.kind, Kind::Text | Kind::FixedText | Kind::Enum) {
            Ok(())
        } else {
            Err(ty.wrong())
        }
    }

    #[inline(always)]
    fn from_slot(ty: &'a Type, bytes: &'a [u8], slot: &'a [u8]) -> Result<Option<Self>> {
        if ty.kind != Kind::Text {
            return Self::from_content(ty, slot).map(Some);
        }
        let Some(at) = wire::pointer(slot)? else { return Ok(None) };
        str::from_utf8(wire::blob(bytes, at)?).map(Some).map_err(|_| Error::NotText)
    }

    fn from_content(ty: &'a Type, content: &'a [u8]) -> Result<Self> {
        let text = match ty.kind {
            Kind::Text => content,
            Kind::FixedText => {
                let content = wire::range(content, 0, ty.size)?;
                let end = content.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
                content.get(..end).unwrap_or_default()
            }
            _ => {
                let [number] = first(content, 0)?;
                return choice_name(ty, number);
            }
        };
        str::from_utf8(text).map_err(|_| Error::NotText)
    }
}

impl Set for &str {
    #[inline(always)]
    fn check(self, ty: &Type) -> Result<()> {
        match ty.kind {
            Kind::Text => Ok(()),
            // A zero at the end would be taken for one that fills up.
            Kind::FixedText if self.len() > ty.size || self.ends_with('\0') => {
                Err(Error::DoesNotFit(ty.kind))
            }
            Kind::FixedText => Ok(()),
            _ => choice_number(ty, self).map(|_| ()),
        }
    }

    #[inline(always)]
    fn write(self, ty: &Type, bytes: &mut Vec<u8>, slot: usize) -> Result<()> {
        match ty.kind {
            Kind::Text => set_blob(bytes, slot, self.as_bytes()),
            Kind::FixedText => {
                let (text, rest) = range_mut(bytes, slot, ty.size)?.split_at_mut(self.len());
                text.copy_from_slice(self.as_bytes());
                rest.fill(0);
                Ok(())
            }
            _ => choice_number(ty, self)?.write(ty, bytes, slot),
        }
    }
}

fn choice_number(ty: &Type, name: &str) -> Result<Choice> {
    let Shape::Choices(names) = &ty.shape else { return Err(ty.wrong()) };
    let number = names.iter().position(|known| **known == *name);
    number.map(|number| Choice(number as u8)).ok_or(Error::DoesNotFit(Kind::Enum))
}

impl Sealed for &[u8] {}

impl<'a> Get<'a> for &'a [u8] {
    fn is_of(ty: &Type) -> Result<()> {
        if matches!(ty.kind, Kind::Bytes | Kind::FixedBytes) { Ok(()) } else { Err(ty.wrong()) }
    }

    #[inline(always)]
    fn from_slot(ty: &'a Type, bytes: &'a [u8], slot: &'a [u8]) -> Result<Option<Self>> {
        if ty.kind != Kind::Bytes {
            return Self::from_content(ty, slot).map(Some);
        }
        let Some(at) = wire::pointer(slot)? else { return Ok(None) };
        wire::blob(bytes, at).map(Some)
    }

    fn from_content(ty: &'a Type, content: &'a [u8]) -> Result<Self> {
        match ty.kind {
            Kind::Bytes => Ok(content),
            Kind::FixedBytes => wire::range(content, 0, ty.size),
            _ => Err(ty.wrong()),
        }
    }
}

impl Set for &[u8] {
    #[inline(always)]
    fn check(self, ty: &Type) -> Result<()> {
        match ty.kind {
            Kind::Bytes => Ok(()),
            Kind::FixedBytes if self.len() == ty.size => Ok(()),
            Kind::FixedBytes => Err(Error::DoesNotFit(ty.kind)),
            _ => Err(ty.wrong()),
        }
    }

    #[inline(always)]
    fn write(self, ty: &Type, bytes: &mut Vec<u8>, slot: usize) -> Result<()> {
        if ty.kind == Kind::Bytes {
            return set_blob(bytes, slot, self);
        }
        range_mut(bytes, slot, self.len())?.copy_from_slice(self);
        Ok(())
    }
}

/// Writes over what is there if it has the room, and else behind everything. Nothing of what was
/// there may be sent along.
#[inline(always)]
pub(crate) fn set_blob(bytes: &mut Vec<u8>, slot: usize, content: &[u8]) -> Result<()> {
    if let Some(at) = wire::pointer_at(bytes, slot)? {
        let head = wire::head(bytes, at, 1)?;
        if content.len() > head.capacity {
            return grow_blob(bytes, slot, at, head, content);
        }
        let touched = range_mut(bytes, head.data, head.len.max(content.len()))?;
        let (text, rest) = touched.split_at_mut(content.len());
        wire::copy_short(text, content);
        wire::zero_short(rest);
        return head.set_len(bytes, content.len());
    }
    wire::push_blob(bytes, slot, content)
}

/// Writes where there is room. One that grows a second time gets twice its room, or a text that
/// becomes longer step by step would leave a gap for each step.
#[cold]
fn grow_blob(
    bytes: &mut Vec<u8>,
    slot: usize,
    at: usize,
    head: Head,
    content: &[u8],
) -> Result<()> {
    let capacity = content.len().max(head.capacity.saturating_mul(2));
    let end = wire::room(bytes, capacity)?;
    let begin = if head.data + head.capacity == end {
        // At the very end it grows where it is.
        bytes.truncate(at);
        at
    } else {
        range_mut(bytes, at, head.extent(1))?.fill(0);
        end
    };
    wire::push_head(bytes, capacity, content.len())?;
    let data = bytes.len();
    bytes.extend_from_slice(content);
    bytes.resize(data + capacity, 0);
    wire::set_pointer(bytes, slot, begin)
}

/// The units of a degree.
const GEO4_UNITS: f64 = 1e2;
const GEO8_UNITS: f64 = 1e7;

impl Sealed for Geo {}

impl<'a> Get<'a> for Geo {
    fn is_of(ty: &Type) -> Result<()> {
        if matches!(ty.kind, Kind::Geo4 | Kind::Geo8 | Kind::Geo16) {
            Ok(())
        } else {
            Err(ty.wrong())
        }
    }

    fn from_slot(ty: &'a Type, _: &'a [u8], slot: &'a [u8]) -> Result<Option<Self>> {
        Self::from_content(ty, slot).map(Some)
    }

    fn from_content(ty: &'a Type, content: &'a [u8]) -> Result<Self> {
        let half = |at: usize| {
            let half = wire::from(content, at)?;
            Ok(match ty.kind {
                Kind::Geo4 => f64::from(i16::from_sorted(first(half, at)?)) / GEO4_UNITS,
                Kind::Geo8 => f64::from(i32::from_sorted(first(half, at)?)) / GEO8_UNITS,
                Kind::Geo16 => f64::from_sorted(first(half, at)?),
                _ => return Err(ty.wrong()),
            })
        };
        Ok(Self { latitude: half(0)?, longitude: half(ty.size / 2)? })
    }
}

impl Set for Geo {
    fn check(self, ty: &Type) -> Result<()> {
        match ty.kind {
            Kind::Geo4 | Kind::Geo8 | Kind::Geo16 if self.is_on_earth() => Ok(()),
            Kind::Geo4 | Kind::Geo8 | Kind::Geo16 => Err(Error::DoesNotFit(ty.kind)),
            _ => Err(ty.wrong()),
        }
    }

    fn write(self, ty: &Type, bytes: &mut Vec<u8>, slot: usize) -> Result<()> {
        for (at, degrees) in [(slot, self.latitude), (slot + ty.size / 2, self.longitude)] {
            // `f64::round` is not in `core`.
            let units = |scale: f64| (degrees * scale + 0.5_f64.copysign(degrees)) as i32;
            match ty.kind {
                Kind::Geo4 => {
                    let units = units(GEO4_UNITS) as i16;
                    range_mut(bytes, at, 2)?.copy_from_slice(&units.to_sorted());
                }
                Kind::Geo8 => {
                    range_mut(bytes, at, 4)?.copy_from_slice(&units(GEO8_UNITS).to_sorted());
                }
                // Units of any size would change some `f64` by their rounding.
                _ => range_mut(bytes, at, 8)?.copy_from_slice(&degrees.to_sorted()),
            }
        }
        Ok(())
    }
}
