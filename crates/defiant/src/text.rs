//! The check that a `string` is UTF-8.
//!
//! Most text on the wire is short and ASCII. The standard library's check is made for long text;
//! for 50 bytes, looking for a high bit in whole words first takes a fraction of its time.

use crate::wire;

const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// `bytes` as text, if they are UTF-8.
#[inline(always)]
pub(crate) fn from_utf8(bytes: &[u8]) -> Option<&str> {
    if is_ascii(bytes) {
        // SAFETY: ASCII is UTF-8.
        return Some(unsafe { core::str::from_utf8_unchecked(bytes) });
    }
    any_utf8(bytes)
}

#[inline(never)]
fn any_utf8(bytes: &[u8]) -> Option<&str> {
    core::str::from_utf8(bytes).ok()
}

#[inline(always)]
fn is_ascii(bytes: &[u8]) -> bool {
    // The last word overlaps the one before it, so that nothing is left to do bytewise.
    let seen = if let Some(last) = bytes.last_chunk::<16>() {
        let (chunks, _) = wire::arrays::<16>(bytes);
        chunks
            .iter()
            .fold(u128::from_ne_bytes(*last), |seen, chunk| seen | u128::from_ne_bytes(*chunk))
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (u64::from_ne_bytes(*first) | u64::from_ne_bytes(*last)).into()
    } else {
        bytes.iter().fold(0, |seen, byte| seen | byte).into()
    };
    (seen as u64 | (seen >> 64) as u64) & HIGH_BITS == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_that_is_not_ascii_is_found_wherever_it_is() {
        for len in 0..70 {
            let mut bytes = alloc::vec![b'a'; len];
            assert!(is_ascii(&bytes), "{len} bytes");
            for at in 0..len {
                bytes[at] = 0x80;
                assert!(!is_ascii(&bytes), "{len} bytes, at {at}");
                assert_eq!(from_utf8(&bytes), None, "{len} bytes, at {at}");
                bytes[at] = 0x7f;
            }
        }
    }

    #[test]
    fn text_beyond_ascii_is_text() {
        for text in ["ß", "→ and more than sixteen bytes", "sixteen bytes and 🦀"] {
            assert_eq!(from_utf8(text.as_bytes()), Some(text));
        }
    }
}
