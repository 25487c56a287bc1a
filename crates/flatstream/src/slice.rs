//! Reading a stream that is in memory already.

use std::iter::FusedIterator;

use crate::error::{Error, Result};
use crate::framing::{DEFAULT_MAX_FRAME_LEN, Deframer, Scan, are_recognisable, scan};

/// Walks the frames of a byte slice, lending each payload in place.
///
/// The payloads live as long as the slice and not only until the next one is read, so they can be
/// collected. After an error the iterator is at its end: a frame's length is the only way to the
/// next frame, and past an error no length can be trusted. Where frames have a checksum,
/// [`resynchronize`](Self::resynchronize) finds the next one.
///
/// ```
/// use flatstream::{DefaultDeframer, SliceReader};
///
/// let stream = [2, 0, 0, 0, b'h', b'i', 0, 0, 0, 0];
/// let payloads: Vec<&[u8]> = SliceReader::new(&stream, DefaultDeframer).collect::<Result<_, _>>()?;
/// assert_eq!(payloads, [&b"hi"[..], b""]);
/// # Ok::<(), flatstream::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct SliceReader<'a, D> {
    rest: &'a [u8],
    deframer: D,
    max_frame_len: u32,
    offset: u64,
    /// From the frame that was refused.
    damaged: &'a [u8],
}

impl<'a, D: Deframer> SliceReader<'a, D> {
    /// A reader of the frames in `bytes`, each of at most
    /// [`DEFAULT_MAX_FRAME_LEN`] bytes of payload.
    #[inline]
    pub fn new(bytes: &'a [u8], deframer: D) -> Self {
        let max_frame_len = DEFAULT_MAX_FRAME_LEN;
        Self { rest: bytes, deframer, max_frame_len, offset: 0, damaged: &[] }
    }

    /// Accepts at most `len` bytes of payload in a frame.
    #[inline]
    #[must_use]
    pub fn with_max_frame_len(mut self, len: u32) -> Self {
        self.max_frame_len = len;
        self
    }

    pub(crate) fn max_frame_len(&self) -> u32 {
        self.max_frame_len
    }

    /// Bytes from the beginning of the slice to the frame that [`next`](Iterator::next) gives.
    #[inline]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// After an error, goes to the next byte at which a frame with its right checksum begins, and says
    /// how many bytes are passed over; `None` if no such frame follows, after no error, or if frames
    /// have no checksum by which one could be recognised. Frames without a payload are not
    /// recognised, since zeros may look like them. Of checksums of two bytes, one in 65,536 places of
    /// other bytes passes for a frame.
    ///
    /// Each place may take as long as a frame of [`with_max_frame_len`](Self::with_max_frame_len) bytes.
    pub fn resynchronize(&mut self) -> Option<u64> {
        let damaged = std::mem::take(&mut self.damaged);
        if !are_recognisable(&self.deframer) {
            return None;
        }
        let begins = |skipped: &usize| {
            let rest = damaged.get(*skipped..).unwrap_or_default();
            let found = scan(&self.deframer, rest, 0, self.max_frame_len);
            matches!(found, Ok(Scan::Whole { payload_len: 1.., .. }))
        };
        let skipped = (1..damaged.len()).find(begins)?;
        self.rest = damaged.get(skipped..).unwrap_or_default();
        self.offset += skipped as u64;
        Some(skipped as u64)
    }

    /// A reader from the frame that begins at `offset` on, as [`FrameIndex`](crate::FrameIndex) has it; at
    /// its end if `offset` is beyond that of `bytes`.
    pub fn at(bytes: &'a [u8], deframer: D, offset: u64) -> Self {
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let rest = bytes.get(start..).unwrap_or_default();
        Self { offset, ..Self::new(rest, deframer) }
    }

    #[cold]
    fn end(&mut self, error: Option<Error>) -> Option<Result<&'a [u8]>> {
        let rest = std::mem::take(&mut self.rest);
        if error.is_some() {
            self.damaged = rest;
        }
        error.map(Err)
    }
}

impl<'a, D: Deframer> Iterator for SliceReader<'a, D> {
    type Item = Result<&'a [u8]>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        match scan(&self.deframer, self.rest, self.offset, self.max_frame_len) {
            Ok(Scan::Whole { header_len, payload_len }) => {
                let (frame, rest) = self.rest.split_at(header_len + payload_len);
                self.rest = rest;
                self.offset += frame.len() as u64;
                Some(Ok(&frame[header_len..]))
            }
            Ok(part) => {
                let error = part.torn(self.offset, self.rest.len());
                self.end(error)
            }
            Err(error) => self.end(Some(error)),
        }
    }
}

impl<D: Deframer> FusedIterator for SliceReader<'_, D> {}
