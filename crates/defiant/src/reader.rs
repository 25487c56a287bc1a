//! The decoder's place in its input.

use crate::error::{DecodeError, DecodeErrorKind};
use crate::text;
use crate::wire::varint::{self, Incomplete};

/// The rest of the input.
///
/// A slice iterator is a begin and an end pointer, so a step forward changes one word, where a
/// slice would have its length to change too.
#[derive(Clone, Debug)]
pub struct Reader<'a>(core::slice::Iter<'a, u8>);

impl<'a> Reader<'a> {
    /// A reader of all of `input`.
    #[inline(always)]
    pub fn new(input: &'a [u8]) -> Self {
        Self(input.iter())
    }

    /// The bytes that are left.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn rest(&self) -> &'a [u8] {
        self.0.as_slice()
    }

    /// Whether nothing is left.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn is_empty(&self) -> bool {
        self.rest().is_empty()
    }

    /// Takes `len` bytes.
    #[inline(always)]
    pub fn bytes(&mut self, len: usize) -> Result<&'a [u8], DecodeError> {
        let Some((taken, rest)) = self.rest().split_at_checked(len) else {
            return Err(DecodeErrorKind::Truncated.into());
        };
        self.0 = rest.iter();
        Ok(taken)
    }

    /// Takes a field key. The number is not zero; the wire type may be an unassigned one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn key(&mut self) -> Result<u32, DecodeError> {
        let mut rest = self.0.clone();
        match rest.next() {
            Some(&low @ 8..0x80) => {
                self.0 = rest;
                return Ok(low.into());
            }
            Some(&low @ 0x80..) => {
                if let Some(&high @ 1..0x80) = rest.next() {
                    self.0 = rest;
                    return Ok(two_bytes(low, high));
                }
            }
            _ => {}
        }
        let (key, rest) = long_key(self.rest())?;
        self.0 = rest.iter();
        Ok(key)
    }

    /// Takes a field key if it is `KEY` in its fewest bytes, and nothing otherwise.
    ///
    /// # Examples
    ///
    /// ```
    /// let mut input = defiant::Reader::new(&[0x82, 0x01, 0x07]);
    /// assert!(!input.skip_key::<2>() && !input.skip_key::<258>());
    /// assert!(input.skip_key::<130>());
    /// assert_eq!(input.varint(), Ok(7));
    /// ```
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn skip_key<const KEY: u32>(&mut self) -> bool {
        let (bytes, len) = const { varint::write(KEY as u64) };
        let mut rest = self.0.clone();
        let is_next = bytes.iter().take(len).all(|byte| rest.next() == Some(byte));
        if is_next {
            self.0 = rest;
        }
        is_next
    }

    /// Takes a varint.
    ///
    /// One to three bytes are most of what there is, and a step of the iterator is cheaper than a
    /// slice, whose length has to be computed.
    #[inline(always)]
    pub fn varint(&mut self) -> Result<u64, DecodeError> {
        let mut rest = self.0.clone();
        if let Some(&low) = rest.next() {
            if low < 0x80 {
                self.0 = rest;
                return Ok(low.into());
            }
            if let Some(&middle) = rest.next() {
                let two = two_bytes(low, middle & 0x7f);
                if middle < 0x80 {
                    self.0 = rest;
                    return Ok(two.into());
                }
                if let Some(&high @ ..0x80) = rest.next() {
                    self.0 = rest;
                    return Ok((two | u32::from(high) << 14).into());
                }
            }
        }
        let bytes = self.rest();
        if let Some(first) = bytes.first_chunk() {
            if let Some((value, len)) = varint::read(first) {
                // Never an error: the length is at most ten, and ten bytes are there.
                self.bytes(len)?;
                return Ok(value);
            }
        }
        let (value, rest) = short_varint(bytes)?;
        self.0 = rest.iter();
        Ok(value)
    }

    /// Takes a length and as many bytes.
    #[inline(always)]
    pub fn delimited(&mut self) -> Result<&'a [u8], DecodeError> {
        let len = self.varint()?;
        // Too long for the address space is too long for the input.
        self.bytes(usize::try_from(len).unwrap_or(usize::MAX))
    }

    /// Takes a length and as many bytes of UTF-8.
    #[inline(always)]
    pub fn string(&mut self) -> Result<&'a str, DecodeError> {
        let bytes = self.delimited()?;
        text::from_utf8(bytes).ok_or_else(|| DecodeErrorKind::InvalidUtf8.into())
    }

    /// Takes four bytes.
    #[inline(always)]
    pub fn fixed32(&mut self) -> Result<[u8; 4], DecodeError> {
        self.array()
    }

    /// Takes eight bytes.
    #[inline(always)]
    pub fn fixed64(&mut self) -> Result<[u8; 8], DecodeError> {
        self.array()
    }

    #[inline(always)]
    fn array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let Some((taken, rest)) = self.rest().split_first_chunk() else {
            return Err(DecodeErrorKind::Truncated.into());
        };
        self.0 = rest.iter();
        Ok(*taken)
    }
}

#[inline(always)]
fn two_bytes(low: u8, high: u8) -> u32 {
    u32::from(low & 0x7f) | u32::from(high) << 7
}

// Not cold: the last fields of each small sub-message come here.
#[inline(never)]
fn short_varint(bytes: &[u8]) -> Result<(u64, &[u8]), DecodeError> {
    match varint::read_short(bytes) {
        Ok((value, len)) => Ok((value, &bytes[len..])),
        Err(Incomplete::Truncated) => Err(DecodeErrorKind::Truncated.into()),
        Err(Incomplete::Invalid) => Err(DecodeErrorKind::InvalidVarint.into()),
    }
}

#[cold]
#[inline(never)]
fn long_key(bytes: &[u8]) -> Result<(u32, &[u8]), DecodeError> {
    let (key, rest) = short_varint(bytes)?;
    match u32::try_from(key) {
        Ok(valid @ 8..) => Ok((valid, rest)),
        _ => Err(DecodeErrorKind::InvalidKey { key }.into()),
    }
}
