//! The checksums a frame may carry.

use std::fmt;

/// A checksum of a payload.
pub trait Checksum {
    /// Bytes the checksum takes in a header: 0, 2, 4 or 8.
    const SIZE: usize;

    /// Which checksum it is, for [`StreamHeader`](crate::StreamHeader): 0 to 127 are this crate's, and
    /// 255 is one of which nothing is said.
    const ID: u8 = 255;

    /// The checksum of `payload`, zero-extended; only the low [`SIZE`](Checksum::SIZE) bytes may be
    /// set.
    fn calculate(&self, payload: &[u8]) -> u64;
}

/// Which frames a stream has, as a [`StreamHeader`](crate::StreamHeader) says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameKind {
    /// [`Checksum::ID`].
    pub checksum: u8,
    /// Whether the checksum is of the length too.
    pub is_length_covered: bool,
}

impl fmt::Display for FrameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.checksum {
            0 => f.write_str("frames without a checksum")?,
            1 => f.write_str("frames with CRC-16")?,
            2 => f.write_str("frames with CRC-32")?,
            3 => f.write_str("frames with XXH3")?,
            other => write!(f, "frames with checksum {other}")?,
        }
        f.write_str(if self.is_length_covered { " of payload and length" } else { "" })
    }
}

/// No checksum, in no bytes: the default frame.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NoChecksum;

impl Checksum for NoChecksum {
    const SIZE: usize = 0;
    const ID: u8 = 0;

    #[inline]
    fn calculate(&self, _payload: &[u8]) -> u64 {
        0
    }
}

/// XXH3-64 with seed 0, in 8 bytes ([specification][xxh3]).
///
/// The fastest of the three on long payloads; it guards against accidents, not against people.
///
/// [xxh3]: https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md
#[cfg(feature = "xxhash")]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct XxHash64;

#[cfg(feature = "xxhash")]
impl Checksum for XxHash64 {
    const SIZE: usize = 8;
    const ID: u8 = 3;

    #[inline]
    fn calculate(&self, payload: &[u8]) -> u64 {
        twox_hash::XxHash3_64::oneshot(payload)
    }
}

/// Bytes of payload from which on vector instructions are worth the wait for them.
#[cfg(feature = "crc32")]
const WIDE: usize = 64;

/// CRC-32/ISO-HDLC, the CRC of zip and Ethernet, in 4 bytes ([catalogue][crc]).
///
/// Finds every burst of up to 32 wrong bits in a payload.
///
/// [crc]: https://reveng.sourceforge.io/crc-catalogue/17plus.htm#crc.cat.crc-32-iso-hdlc
#[cfg(feature = "crc32")]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Crc32;

#[cfg(feature = "crc32")]
impl Checksum for Crc32 {
    const SIZE: usize = 4;
    const ID: u8 = 2;

    #[inline]
    fn calculate(&self, payload: &[u8]) -> u64 {
        static TABLES: crc::Crc<u32, crc::Table<16>> =
            crc::Crc::<u32, crc::Table<16>>::new(&crc::CRC_32_ISO_HDLC);
        // Vector loads of bytes that a builder stored a moment before, in narrower pieces, wait
        // until those stores are done: 20 ns for a payload of 32 bytes. Loads of single bytes do not.
        if payload.len() < WIDE {
            return u64::from(TABLES.checksum(payload));
        }
        u64::from(crc32fast::hash(payload))
    }
}

/// CRC-16/XMODEM, in 2 bytes ([catalogue][crc]).
///
/// Finds every burst of up to 16 wrong bits in a payload. Its register begins at 0, so it cannot
/// distinguish runs of zero bytes of different lengths: a damaged *length* before a payload of zeros
/// may pass. Where that matters, take `Crc32`, or [`CoveredFramer`](crate::CoveredFramer).
///
/// [crc]: https://reveng.sourceforge.io/crc-catalogue/16.htm#crc.cat.crc-16-xmodem
#[cfg(feature = "crc16")]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Crc16;

#[cfg(feature = "crc16")]
impl Checksum for Crc16 {
    const SIZE: usize = 2;
    const ID: u8 = 1;

    #[inline]
    fn calculate(&self, payload: &[u8]) -> u64 {
        // Sixteen tables take 8 KiB and read 16 bytes a step, against one table's byte a step.
        static XMODEM: crc::Crc<u16, crc::Table<16>> =
            crc::Crc::<u16, crc::Table<16>>::new(&crc::CRC_16_XMODEM);
        u64::from(XMODEM.checksum(payload))
    }
}
