//! Varints: seven bits per byte, the least significant first, the high bit set on all but the
//! last byte.
//!
//! The eight-byte steps below move the seven-bit groups of a whole word at once. Lengths in real
//! data vary, so a loop that leaves at the last byte pays a mispredicted branch for most values.

/// Bytes of the longest varint.
pub const MAX_LEN: usize = 10;

const CONTINUE: u64 = 0x8080_8080_8080_8080;

/// Encoded bytes of `value`: 1 to 10.
#[inline(always)]
pub const fn len(value: u64) -> usize {
    // One byte for each seven bits begun: (bits * 9 + 64) / 64 is ceil(bits / 7) for 1..=64.
    let bits = 64 - (value | 1).leading_zeros();
    ((bits * 9 + 64) / 64) as usize
}

/// Signed to unsigned so that small magnitudes stay small.
#[inline(always)]
pub const fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

/// The inverse of [`zigzag`].
#[inline(always)]
pub const fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

/// The varint at the start of `bytes` and its length; `None` if it does not end in ten bytes or
/// has more than 64 bits.
#[inline(always)]
pub fn read(bytes: &[u8; MAX_LEN]) -> Option<(u64, usize)> {
    let &[b0, b1, b2, b3, b4, b5, b6, b7, b8, b9] = bytes;
    let word = u64::from_le_bytes([b0, b1, b2, b3, b4, b5, b6, b7]);
    let last = !word & CONTINUE;
    if last != 0 {
        let len = last.trailing_zeros() / 8 + 1;
        return Some((gather(word & (u64::MAX >> (64 - len * 8))), len as usize));
    }
    let low = gather(word) | u64::from(b8 & 0x7f) << 56;
    match (b8, b9) {
        (..0x80, _) => Some((low, 9)),
        (_, 0..=1) => Some((low | u64::from(b9) << 63, 10)),
        _ => None,
    }
}

/// Like [`read`] for fewer bytes than the longest varint has.
///
/// # Errors
///
/// The error says whether more bytes could complete the varint.
#[inline(always)]
pub fn read_short(bytes: &[u8]) -> Result<(u64, usize), Incomplete> {
    let mut value = 0;
    for (at, byte) in bytes.iter().enumerate().take(MAX_LEN) {
        value |= u64::from(byte & 0x7f) << (at * 7);
        if *byte < 0x80 {
            return if at == 9 && *byte > 1 {
                Err(Incomplete::Invalid)
            } else {
                Ok((value, at + 1))
            };
        }
    }
    Err(if bytes.len() < MAX_LEN { Incomplete::Truncated } else { Incomplete::Invalid })
}

/// Why [`read_short`] found no varint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incomplete {
    /// The bytes end before the varint does.
    Truncated,
    /// The varint is longer than ten bytes or 64 bits.
    Invalid,
}

/// `value` as a varint and its length. What is behind the length is arbitrary.
#[inline(always)]
pub const fn write(value: u64) -> ([u8; MAX_LEN], usize) {
    let len = len(value);
    let low = spread(value & (u64::MAX >> 8));
    let more = if len > 8 { CONTINUE } else { CONTINUE & ((1 << (len * 8 - 8)) - 1) };
    let [b0, b1, b2, b3, b4, b5, b6, b7] = (low | more).to_le_bytes();
    let high = (value >> 56) as u8;
    let b8 = if len == 10 { high | 0x80 } else { high };
    ([b0, b1, b2, b3, b4, b5, b6, b7, b8, 1], len)
}

/// The low seven bits of each byte, put together.
#[inline(always)]
const fn gather(word: u64) -> u64 {
    let x = word & !CONTINUE;
    let x = (x & 0x007f_007f_007f_007f) | (x & 0x7f00_7f00_7f00_7f00) >> 1;
    let x = (x & 0x0000_3fff_0000_3fff) | (x & 0x3fff_0000_3fff_0000) >> 2;
    (x & 0x0fff_ffff) | (x & 0x0fff_ffff_0000_0000) >> 4
}

/// The inverse of [`gather`] for values of up to 56 bits.
#[inline(always)]
const fn spread(value: u64) -> u64 {
    let x = (value & 0x0fff_ffff) | (value & 0x00ff_ffff_f000_0000) << 4;
    let x = (x & 0x0000_3fff_0000_3fff) | (x & 0x0fff_c000_0fff_c000) << 2;
    (x & 0x007f_007f_007f_007f) | (x & 0x3f80_3f80_3f80_3f80) << 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loop_encoding(mut value: u64) -> alloc::vec::Vec<u8> {
        let mut bytes = alloc::vec::Vec::new();
        while value >= 0x80 {
            bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        bytes.push(value as u8);
        bytes
    }

    fn edge_values() -> impl Iterator<Item = u64> {
        (0..64).flat_map(|bit| [(1 << bit) - 1, 1 << bit, (1 << bit) + 1, !(1 << bit)]).chain([
            u64::MAX,
            0x0123_4567_89ab_cdef,
            0xfedc_ba98_7654_3210,
        ])
    }

    #[test]
    fn writing_agrees_with_the_loop_of_the_specification() {
        for value in edge_values() {
            let (bytes, len) = write(value);
            assert_eq!(bytes[..len], loop_encoding(value), "{value:#x}");
            assert_eq!(super::len(value), len, "{value:#x}");
        }
    }

    #[test]
    fn reading_gives_back_what_was_written() {
        for value in edge_values() {
            let bytes = loop_encoding(value);
            assert_eq!(read_short(&bytes), Ok((value, bytes.len())), "{value:#x}");
            for cut in 0..bytes.len() {
                assert_eq!(read_short(&bytes[..cut]), Err(Incomplete::Truncated), "{value:#x}");
            }
        }
    }

    #[test]
    fn more_than_64_bits_are_refused() {
        assert_eq!(read(&[0x80; 10]), None);
        assert_eq!(read(&[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2]), None);
        assert_eq!(read(&[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0]), Some((0, 10)));
    }

    #[test]
    fn zigzag_keeps_small_magnitudes_small() {
        for (signed, unsigned) in [(0, 0), (-1, 1), (1, 2), (i64::MIN, u64::MAX)] {
            assert_eq!(zigzag(signed), unsigned);
            assert_eq!(unzigzag(unsigned), signed);
        }
    }
}
