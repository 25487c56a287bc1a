//! Passing over fields that nobody asked for.

use crate::error::{DecodeError, DecodeErrorKind};
use crate::reader::Reader;
use crate::wire::key::{self, WireType};

/// Passes over the value that follows `key`. Groups may nest `depth` deep.
///
/// # Errors
///
/// If the value is cut short or nested too deeply, or if `key` is the end of a group.
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
fn group<'a>(input: Reader<'a>, number: u32, depth: u32) -> Result<Reader<'a>, DecodeError> {
    let (_, rest) = group_body(input, number, depth)?;
    Ok(rest)
}

/// The rest of group `number` without its end, and what follows the end.
///
/// # Errors
///
/// If the group has no end, or is not made of fields.
pub fn group_body<'a>(
    mut input: Reader<'a>,
    number: u32,
    depth: u32,
) -> Result<(&'a [u8], Reader<'a>), DecodeError> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(DecodeErrorKind::RecursionLimit.into());
    };
    let end = key::key(number, WireType::EndGroup);
    let whole = input.rest();
    loop {
        // The end's length is not always that of its shortest encoding.
        let left = input.rest().len();
        let key = input.key()?;
        if key == end {
            return Ok((&whole[..whole.len() - left], input));
        }
        input = value(input, key, depth)?;
    }
}

/// Passes over all fields of a message that is the whole of `input`.
///
/// # Errors
///
/// If `input` is not made of fields.
pub fn fields(mut input: Reader<'_>, depth: u32) -> Result<(), DecodeError> {
    while !input.is_empty() {
        let key = input.key()?;
        input = value(input, key, depth)?;
    }
    Ok(())
}
