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
}

impl FrameIndex {
    /// Goes through all frames once and checks them.
    ///
    /// # Errors
    ///
    /// As those of [`SliceReader`].
    pub fn of<D: Deframer>(bytes: &[u8], deframer: D) -> Result<Self> {
        let mut reader = SliceReader::new(bytes, deframer);
        let mut offsets = Vec::new();
        loop {
            let offset = reader.offset();
            match reader.next() {
                Some(payload) => payload.map(|_| offsets.push(offset))?,
                None => return Ok(Self { offsets }),
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

    /// A reader of the same bytes from the frame of this number on.
    #[must_use]
    pub fn reader<'a, D: Deframer>(
        &self,
        bytes: &'a [u8],
        deframer: D,
        number: usize,
    ) -> Option<SliceReader<'a, D>> {
        Some(SliceReader::at(bytes, deframer, self.offset(number)?))
    }
}
