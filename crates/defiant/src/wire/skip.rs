//! Passing over fields that nobody asked for.

use crate::error::{DecodeError, DecodeErrorKind};
use crate::reader::Reader;
use crate::wire::key::{self, WireType};

/// Passes over the value that follows `key`. Groups may nest `depth` deep.
#[cold]
#[inline(never)]
pub fn value<'a>(mut input: Reader<'a>, key: u32, depth: u32) -> Result<Reader<'a>, DecodeError> {
    match WireType::of(key) {
        Some(WireType::Varint) => {
            input.varint()?;
        }
        Some(WireType::Fixed64) => {
            input.fixed64()?;
        }
        Some(WireType::Fixed32) => {
            input.fixed32()?;
        }
        Some(WireType::Delimited) => {
            input.delimited()?;
        }
        Some(WireType::StartGroup) => return group(input, key::number(key), depth),
        Some(WireType::EndGroup) => return Err(DecodeErrorKind::UnexpectedEndGroup.into()),
        None => return Err(DecodeErrorKind::InvalidKey { key: key.into() }.into()),
    }
    Ok(input)
}

/// Passes over the rest of group `number`, its end included.
pub fn group<'a>(
    mut input: Reader<'a>,
    number: u32,
    depth: u32,
) -> Result<Reader<'a>, DecodeError> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(DecodeErrorKind::RecursionLimit.into());
    };
    let end = key::key(number, WireType::EndGroup);
    loop {
        let key = input.key()?;
        if key == end {
            return Ok(input);
        }
        input = value(input, key, depth)?;
    }
}

/// Passes over all fields of a message that is the whole of `input`.
pub fn fields(mut input: Reader<'_>, depth: u32) -> Result<(), DecodeError> {
    while !input.is_empty() {
        let key = input.key()?;
        input = value(input, key, depth)?;
    }
    Ok(())
}
