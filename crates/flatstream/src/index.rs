//! Where the frames of a slice begin.

use crate::error::Result;
use crate::framing::Deframer;
use crate::slice::SliceReader;

/// The place of each frame in a slice, for reading one without those before it.
///
/// ```
/// use flatstream::{DefaultDeframer, FrameIndex};
///
/// let stream = [2, 0, 0, 0, b'h', b'i', 1, 0, 0, 0, b'!'];
/// let index = FrameIndex::of(&stream, DefaultDeframer)?;
/// assert_eq!(index.len(), 2);
/// let mut last = index.reader(&stream, DefaultDeframer, 1).expect("there are two");
/// assert_eq!(last.next().transpose()?, Some(&b"!"[..]));
/// # Ok::<(), flatstream::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrameIndex {
    offsets: Vec<u64>,
    max_frame_len: u32,
}

impl FrameIndex {
    /// Goes through all frames once and checks them. Each has at most
    /// [`DEFAULT_MAX_FRAME_LEN`](crate::DEFAULT_MAX_FRAME_LEN) bytes of payload.
    ///
    /// # Errors
    ///
    /// As those of [`SliceReader`].
    pub fn of<D: Deframer>(bytes: &[u8], deframer: D) -> Result<Self> {
        Self::from_reader(SliceReader::new(bytes, deframer))
    }

    /// As [`of`](Self::of), of the frames that a reader has before it, and with its limit:
    /// [`SliceReader::with_max_frame_len`].
    ///
    /// # Errors
    ///
    /// As those of [`SliceReader`].
    pub fn from_reader<D: Deframer>(mut reader: SliceReader<'_, D>) -> Result<Self> {
        let mut offsets = Vec::new();
        loop {
            let offset = reader.offset();
            match reader.next() {
                Some(payload) => payload.map(|_| offsets.push(offset))?,
                None => return Ok(Self { offsets, max_frame_len: reader.max_frame_len() }),
            }
        }
    }

    /// How many frames there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.offsets.is_empty()
    }

    /// Where the frame of this number begins, from 0.
    #[must_use]
    pub fn offset(&self, number: usize) -> Option<u64> {
        self.offsets.get(number).copied()
    }

    /// A reader of the same bytes from the frame of this number on, with the limit of the index.
    #[must_use]
    pub fn reader<'a, D: Deframer>(
        &self,
        bytes: &'a [u8],
        deframer: D,
        number: usize,
    ) -> Option<SliceReader<'a, D>> {
        let reader = SliceReader::at(bytes, deframer, self.offset(number)?);
        Some(reader.with_max_frame_len(self.max_frame_len))
    }
}
