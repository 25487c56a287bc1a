//! Headers: how a frame begins, and how its beginning is judged.

use crate::checksum::{Checksum, NoChecksum};
use crate::error::{Error, Result};

/// Bytes of the length at the head of every frame.
pub const LENGTH_SIZE: usize = 4;

/// Bytes of the longest header: a length and an 8-byte checksum.
pub const MAX_HEADER_LEN: usize = LENGTH_SIZE + 8;

/// The payload length in bytes that readers and writers accept unless told otherwise: 16 MiB.
///
/// Both ends have the same default, so that nothing is written which the other end refuses.
pub const DEFAULT_MAX_FRAME_LEN: u32 = 16 * 1024 * 1024;

/// The bytes of a frame before its payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameHeader {
    /// Bytes of payload that follow.
    pub payload_len: u32,
    /// The checksum of the payload, zero-extended; 0 where a frame carries none.
    pub checksum: u64,
    checksum_size: usize,
}

impl FrameHeader {
    /// A header whose checksum takes `checksum_size` bytes.
    ///
    /// # Panics
    ///
    /// If `checksum_size` is over 8.
    #[inline]
    #[must_use]
    pub fn new(payload_len: u32, checksum: u64, checksum_size: usize) -> Self {
        assert!(checksum_size <= 8, "a checksum takes at most 8 bytes");
        Self { payload_len, checksum, checksum_size }
    }

    /// Takes a header apart. The inverse of [`to_bytes`](Self::to_bytes).
    ///
    /// # Panics
    ///
    /// If `bytes` is shorter than [`LENGTH_SIZE`] or longer than [`MAX_HEADER_LEN`].
    #[inline]
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let (len, stored) = bytes.split_at(LENGTH_SIZE);
        let mut length = [0; LENGTH_SIZE];
        length.copy_from_slice(len);
        let mut checksum = [0; 8];
        checksum[..stored.len()].copy_from_slice(stored);
        Self::new(u32::from_le_bytes(length), u64::from_le_bytes(checksum), stored.len())
    }

    /// The header as it is in the stream: the first [`len`](Self::len) bytes of the array.
    #[inline]
    #[must_use]
    pub fn to_bytes(&self) -> [u8; MAX_HEADER_LEN] {
        let mut bytes = [0; MAX_HEADER_LEN];
        bytes[..LENGTH_SIZE].copy_from_slice(&self.payload_len.to_le_bytes());
        bytes[LENGTH_SIZE..].copy_from_slice(&self.checksum.to_le_bytes());
        bytes
    }

    /// Bytes the header takes in the stream.
    // No `is_empty`: a header never is.
    #[expect(clippy::len_without_is_empty, reason = "a header is never empty")]
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        LENGTH_SIZE + self.checksum_size
    }
}

/// Makes the header of a frame.
///
/// Usable as `dyn Framer` where the kind of frame is chosen at run time.
pub trait Framer {
    /// The header of a frame that holds `payload`, whose length is `payload_len` bytes.
    fn header(&self, payload: &[u8], payload_len: u32) -> FrameHeader;

    /// The bytes of a header, of which the first [`FrameHeader::len`] are written. A framer with a
    /// layout of its own writes them another way, and its deframer has [`Deframer::parse`].
    #[inline]
    fn encode(&self, header: &FrameHeader) -> [u8; MAX_HEADER_LEN] {
        header.to_bytes()
    }
}

/// Reads the header of a frame and judges its payload.
///
/// Usable as `dyn Deframer` where the kind of frame is chosen at run time.
pub trait Deframer {
    /// Bytes of a header, from [`LENGTH_SIZE`] to [`MAX_HEADER_LEN`]; the same for every frame.
    fn header_len(&self) -> usize;

    /// The checksum that a frame with this payload has to carry, zero-extended.
    fn checksum(&self, payload: &[u8]) -> u64;

    /// The header in `bytes`, of which there are [`header_len`](Self::header_len); `None` if they are
    /// not a header, which ends the reading with [`Error::InvalidHeader`].
    #[inline]
    fn parse(&self, bytes: &[u8]) -> Option<FrameHeader> {
        Some(FrameHeader::from_bytes(bytes))
    }
}

/// Frames without a checksum: the 4-byte length, then the payload.
#[derive(Debug, Clone, Copy, Default)]
pub struct DefaultFramer;

/// Reads what [`DefaultFramer`] frames.
#[derive(Debug, Clone, Copy, Default)]
pub struct DefaultDeframer;

/// Frames with the checksum `C` between length and payload.
#[derive(Debug, Clone, Copy, Default)]
pub struct ChecksumFramer<C>(pub C);

/// Reads what [`ChecksumFramer`] with the same `C` frames, and checks it.
#[derive(Debug, Clone, Copy, Default)]
pub struct ChecksumDeframer<C>(pub C);

impl<C> ChecksumFramer<C> {
    /// A framer with `checksum`.
    #[inline]
    pub fn new(checksum: C) -> Self {
        Self(checksum)
    }
}

impl<C> ChecksumDeframer<C> {
    /// A deframer with `checksum`.
    #[inline]
    pub fn new(checksum: C) -> Self {
        Self(checksum)
    }
}

/// Frames whose checksum covers the length too: that of the payload XOR the length, or, in two bytes,
/// XOR the checksum of the length's four bytes.
///
/// A damaged length may lead to a payload of the same checksum, as `Crc16` has for any number of
/// zeros. A checksum of four or eight bytes notices every such length. `Crc16` notices up to three wrong
/// bits of a length and any number of them within 16 adjacent ones; others pass with probability 2⁻¹⁶.
#[derive(Debug, Clone, Copy, Default)]
pub struct CoveredFramer<C>(pub C);

/// Reads what [`CoveredFramer`] with the same `C` frames, and checks it.
#[derive(Debug, Clone, Copy, Default)]
pub struct CoveredDeframer<C>(pub C);

/// The checksum of a payload and its length. Folding a length of four bytes into two would make
/// some pairs of wrong bits cancel out, which the checksum of these bytes does not.
#[inline]
fn covered<C: Checksum>(checksum: &C, payload: &[u8]) -> u64 {
    let len = payload.len() as u32;
    match C::SIZE {
        0 => 0,
        2 => checksum.calculate(payload) ^ checksum.calculate(&len.to_le_bytes()),
        _ => checksum.calculate(payload) ^ u64::from(len),
    }
}

impl<C: Checksum> Framer for CoveredFramer<C> {
    #[inline]
    fn header(&self, payload: &[u8], payload_len: u32) -> FrameHeader {
        FrameHeader::new(payload_len, covered(&self.0, payload), C::SIZE)
    }
}

impl<C: Checksum> Deframer for CoveredDeframer<C> {
    #[inline]
    fn header_len(&self) -> usize {
        LENGTH_SIZE + C::SIZE
    }

    #[inline]
    fn checksum(&self, payload: &[u8]) -> u64 {
        covered(&self.0, payload)
    }
}

impl Framer for DefaultFramer {
    #[inline]
    fn header(&self, payload: &[u8], payload_len: u32) -> FrameHeader {
        ChecksumFramer(NoChecksum).header(payload, payload_len)
    }
}

impl Deframer for DefaultDeframer {
    #[inline]
    fn header_len(&self) -> usize {
        ChecksumDeframer(NoChecksum).header_len()
    }

    #[inline]
    fn checksum(&self, payload: &[u8]) -> u64 {
        ChecksumDeframer(NoChecksum).checksum(payload)
    }
}

impl<C: Checksum> Framer for ChecksumFramer<C> {
    #[inline]
    fn header(&self, payload: &[u8], payload_len: u32) -> FrameHeader {
        FrameHeader::new(payload_len, self.0.calculate(payload), C::SIZE)
    }
}

impl<C: Checksum> Deframer for ChecksumDeframer<C> {
    #[inline]
    fn header_len(&self) -> usize {
        LENGTH_SIZE + C::SIZE
    }

    #[inline]
    fn checksum(&self, payload: &[u8]) -> u64 {
        self.0.calculate(payload)
    }
}

impl<F: Framer + ?Sized> Framer for &F {
    #[inline]
    fn header(&self, payload: &[u8], payload_len: u32) -> FrameHeader {
        (**self).header(payload, payload_len)
    }

    #[inline]
    fn encode(&self, header: &FrameHeader) -> [u8; MAX_HEADER_LEN] {
        (**self).encode(header)
    }
}

impl<F: Framer + ?Sized> Framer for Box<F> {
    #[inline]
    fn header(&self, payload: &[u8], payload_len: u32) -> FrameHeader {
        (**self).header(payload, payload_len)
    }

    #[inline]
    fn encode(&self, header: &FrameHeader) -> [u8; MAX_HEADER_LEN] {
        (**self).encode(header)
    }
}

impl<D: Deframer + ?Sized> Deframer for &D {
    #[inline]
    fn header_len(&self) -> usize {
        (**self).header_len()
    }

    #[inline]
    fn checksum(&self, payload: &[u8]) -> u64 {
        (**self).checksum(payload)
    }

    #[inline]
    fn parse(&self, bytes: &[u8]) -> Option<FrameHeader> {
        (**self).parse(bytes)
    }
}

impl<D: Deframer + ?Sized> Deframer for Box<D> {
    #[inline]
    fn header_len(&self) -> usize {
        (**self).header_len()
    }

    #[inline]
    fn checksum(&self, payload: &[u8]) -> u64 {
        (**self).checksum(payload)
    }

    #[inline]
    fn parse(&self, bytes: &[u8]) -> Option<FrameHeader> {
        (**self).parse(bytes)
    }
}

/// The part of the next frame that is in the bytes at hand.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Scan {
    /// All of it: a header of `header_len` bytes, then a payload of `payload_len`, checked.
    Whole { header_len: usize, payload_len: usize },
    /// Less than a header.
    PartHeader { need: usize },
    /// A header, and less than its payload.
    PartPayload { header_len: usize, need: usize },
}

/// Looks for one frame at the front of `bytes`. Both readers stand on this, so that they cannot
/// differ in what they accept.
// Always inlined: it is the body of every reading loop.
#[inline(always)]
pub(crate) fn scan<D: Deframer>(deframer: &D, bytes: &[u8], offset: u64, max: u32) -> Result<Scan> {
    let header_len = deframer.header_len();
    let Some((header, rest)) = bytes.split_at_checked(header_len) else {
        return Ok(Scan::PartHeader { need: header_len });
    };
    let Some(header) = deframer.parse(header) else {
        return Err(Error::InvalidHeader { offset });
    };
    // Judged before any of the payload is awaited: a hostile length costs nothing.
    if header.payload_len > max {
        return Err(Error::FrameTooLong { offset, len: header.payload_len, max });
    }
    let payload_len = header.payload_len as usize;
    let Some(payload) = rest.get(..payload_len) else {
        return Ok(Scan::PartPayload { header_len, need: payload_len });
    };
    let computed = deframer.checksum(payload);
    if computed != header.checksum {
        return Err(Error::WrongChecksum { offset, stored: header.checksum, computed });
    }
    Ok(Scan::Whole { header_len, payload_len })
}

impl Scan {
    /// The error for a source that ended here with `have` bytes at hand, or `None` where it ended
    /// between two frames.
    #[cold]
    pub(crate) fn torn(self, offset: u64, have: usize) -> Option<Error> {
        match self {
            Self::PartHeader { .. } if have == 0 => None,
            Self::PartHeader { need } => Some(Error::TornHeader { offset, have, need }),
            Self::PartPayload { header_len, need } => {
                Some(Error::TornPayload { offset, have: have - header_len, need })
            }
            Self::Whole { .. } => None,
        }
    }
}

/// Whether frames carry anything but their length, by which they differ from other bytes.
pub(crate) fn are_recognisable<D: Deframer>(deframer: &D) -> bool {
    deframer.header_len() > LENGTH_SIZE
}
