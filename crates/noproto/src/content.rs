//! Values in JSON: what has no parts, and is written and read the same in buffers and as a default.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt::Write as _;
use core::str::FromStr;

use crate::access::{Get, Set};
use crate::json::{self, Json};
use crate::schema::{Shape, Type};
use crate::value::{Date, Decimal, Geo, Ulid, Uuid};
use crate::{Error, Kind, Result};

/// The slot of a zero, or of nothing.
pub(crate) fn zero(ty: &Type) -> Vec<u8> {
    let mut slot = alloc::vec![0; ty.size];
    let is_signed = match ty.kind {
        Kind::I8 | Kind::I16 | Kind::I32 | Kind::I64 | Kind::F32 | Kind::F64 | Kind::Decimal => {
            true
        }
        Kind::Geo4 | Kind::Geo8 | Kind::Geo16 => {
            slot[ty.size / 2] = 0x80;
            true
        }
        _ => false,
    };
    if is_signed {
        slot[0] = 0x80;
    }
    slot
}

/// The content of a value that has no parts: its slot, or the text or bytes that a slot points to.
pub(crate) fn from_json(ty: &Type, json: &Json<'_>) -> Result<Vec<u8>> {
    let misfit = || Error::DoesNotFit(ty.kind);
    macro_rules! number {
        ($number:ty) => {
            match json {
                Json::Number(text) => integer::<$number>(text).ok_or_else(misfit)?,
                _ => return Err(misfit()),
            }
        };
    }
    let text = || if let Json::String(text) = json { Ok(&**text) } else { Err(misfit()) };
    match ty.kind {
        Kind::Bool => match json {
            Json::Bool(value) => slot(ty, *value),
            _ => Err(misfit()),
        },
        Kind::I8 => slot(ty, number!(i8)),
        Kind::I16 => slot(ty, number!(i16)),
        Kind::I32 => slot(ty, number!(i32)),
        Kind::I64 => slot(ty, number!(i64)),
        Kind::U8 => slot(ty, number!(u8)),
        Kind::U16 => slot(ty, number!(u16)),
        Kind::U32 => slot(ty, number!(u32)),
        Kind::U64 => slot(ty, number!(u64)),
        Kind::Date => slot(ty, Date(number!(u64))),
        Kind::F32 => {
            // A finite number that an `f32` cannot hold is not infinity.
            let both = float(json).filter(|(wide, narrow)| wide.is_finite() == narrow.is_finite());
            slot(ty, both.ok_or_else(misfit)?.1)
        }
        Kind::F64 => slot(ty, float(json).ok_or_else(misfit)?.0),
        Kind::Decimal => slot(ty, decimal(ty, json).map(Decimal).ok_or_else(misfit)?),
        Kind::Uuid => slot(ty, text()?.parse::<Uuid>()?),
        Kind::Ulid => slot(ty, text()?.parse::<Ulid>()?),
        Kind::Geo4 | Kind::Geo8 | Kind::Geo16 => slot(ty, geo(json).ok_or_else(misfit)?),
        Kind::Enum | Kind::FixedText => slot(ty, text()?),
        Kind::Text => Ok(text()?.as_bytes().to_vec()),
        Kind::Bytes => hex(text()?).ok_or_else(misfit),
        Kind::FixedBytes => slot(ty, &*hex(text()?).ok_or_else(misfit)?),
        Kind::Struct | Kind::List | Kind::Map | Kind::Tuple => Err(misfit()),
    }
}

fn slot(ty: &Type, value: impl Set) -> Result<Vec<u8>> {
    value.check(ty)?;
    let mut slot = alloc::vec![0; ty.size];
    value.write(ty, &mut slot, 0)?;
    Ok(slot)
}

/// Both at once, since going by way of the other would round twice. JSON has no word for what is
/// not finite.
fn float(json: &Json<'_>) -> Option<(f64, f32)> {
    match json {
        Json::Number(text) => {
            let wide = text.parse().ok().filter(|wide: &f64| wide.is_finite())?;
            Some((wide, text.parse().ok()?))
        }
        Json::String(text) => match &**text {
            "NaN" => Some((f64::NAN, f32::NAN)),
            "Infinity" => Some((f64::INFINITY, f32::INFINITY)),
            "-Infinity" => Some((f64::NEG_INFINITY, f32::NEG_INFINITY)),
            _ => None,
        },
        _ => None,
    }
}

fn integer<T: TryFrom<i128> + FromStr>(number: &str) -> Option<T> {
    number.parse().ok().or_else(|| json::units(number, 0)?.try_into().ok())
}

fn decimal(ty: &Type, json: &Json<'_>) -> Option<i64> {
    let (Shape::Decimal(digits), Json::Number(text)) = (&ty.shape, json) else { return None };
    json::units(text, *digits)?.try_into().ok()
}

fn geo(json: &Json<'_>) -> Option<Geo> {
    let Json::Object(members) = json else { return None };
    let degrees = |name: &str| {
        let (_, value) = members.iter().find(|(member, _)| *member == name)?;
        float(value).map(|(wide, _)| wide)
    };
    let place = Geo { latitude: degrees("lat")?, longitude: degrees("lng")? };
    (members.len() == 2).then_some(place)
}

fn hex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    let byte = |pair: &[u8]| match pair {
        [high, low] => Some((digit(high)? << 4 | digit(low)?) as u8),
        _ => None,
    };
    text.as_bytes().chunks(2).map(byte).collect()
}

/// Writes what [`from_json`] reads.
pub(crate) fn to_json(ty: &Type, content: &[u8], out: &mut String) -> Result<()> {
    macro_rules! number {
        ($number:ty) => {
            out.push_str(&<$number>::from_content(ty, content)?.to_string())
        };
    }
    match ty.kind {
        Kind::Bool => number!(bool),
        Kind::I8 => number!(i8),
        Kind::I16 => number!(i16),
        Kind::I32 => number!(i32),
        Kind::I64 => number!(i64),
        Kind::U8 => number!(u8),
        Kind::U16 => number!(u16),
        Kind::U32 => number!(u32),
        Kind::U64 => number!(u64),
        Kind::Date => out.push_str(&Date::from_content(ty, content)?.0.to_string()),
        Kind::F32 => {
            let value = f32::from_content(ty, content)?;
            // The shortest digits that are this `f32`.
            write_float(value.into(), &format!("{value:?}"), out);
        }
        Kind::F64 => {
            let value = f64::from_content(ty, content)?;
            write_float(value, &format!("{value:?}"), out);
        }
        Kind::Decimal => write_decimal(ty, Decimal::from_content(ty, content)?.0, out),
        Kind::Uuid => json::write_string(&Uuid::from_content(ty, content)?.to_string(), out),
        Kind::Ulid => json::write_string(&Ulid::from_content(ty, content)?.to_string(), out),
        Kind::Geo4 | Kind::Geo8 | Kind::Geo16 => {
            let Geo { latitude, longitude } = Geo::from_content(ty, content)?;
            out.push_str(&format!("{{\"lat\":{latitude:?},\"lng\":{longitude:?}}}"));
        }
        Kind::Enum | Kind::FixedText | Kind::Text => {
            json::write_string(<&str>::from_content(ty, content)?, out);
        }
        Kind::Bytes | Kind::FixedBytes => {
            out.push('"');
            for byte in <&[u8]>::from_content(ty, content)? {
                // Writing to a `String` cannot fail.
                let _ = write!(out, "{byte:02x}");
            }
            out.push('"');
        }
        Kind::Struct | Kind::List | Kind::Map | Kind::Tuple => return Err(ty.wrong()),
    }
    Ok(())
}

fn write_float(value: f64, shortest: &str, out: &mut String) {
    if value.is_finite() {
        out.push_str(shortest);
    } else if value.is_nan() {
        out.push_str("\"NaN\"");
    } else {
        out.push_str(if value > 0.0 { "\"Infinity\"" } else { "\"-Infinity\"" });
    }
}

fn write_decimal(ty: &Type, units: i64, out: &mut String) {
    let Shape::Decimal(digits) = &ty.shape else { return };
    let one = 10_u64.pow((*digits).into());
    let sign = if units < 0 { "-" } else { "" };
    let (whole, fraction) = (units.unsigned_abs() / one, units.unsigned_abs() % one);
    out.push_str(&match digits {
        0 => format!("{sign}{whole}"),
        digits => format!("{sign}{whole}.{fraction:0width$}", width = usize::from(*digits)),
    });
}
