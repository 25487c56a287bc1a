//! How values stand in a buffer: offsets, the heads of what has a length, presence bits.
//!
//! Nothing here trusts the bytes: what would reach beyond the end is an error.

use alloc::vec::Vec;

use crate::kind::POINTER;
use crate::{Error, Result};

/// The first bytes of every buffer: a letter, and the version of the format.
pub(crate) const MAGIC: [u8; 2] = [b'N', 1];

/// Where the root's slot is.
pub(crate) const ROOT: usize = MAGIC.len();

/// In place of a one-byte capacity: capacity and length follow in four bytes each.
const LONG: u8 = 0xFF;
const SHORT_HEAD: usize = 2;
const LONG_HEAD: usize = 9;

/// The head of a text, bytes, list or map.
#[derive(Clone, Copy)]
pub(crate) struct Head {
    pub(crate) capacity: usize,
    pub(crate) len: usize,
    /// Where the first byte behind the head is.
    pub(crate) data: usize,
    is_long: bool,
}

/// `N` bytes from the beginning of `bytes`, which begins at `at` in its buffer.
#[inline(always)]
pub(crate) fn first<const N: usize>(bytes: &[u8], at: usize) -> Result<[u8; N]> {
    bytes.first_chunk().copied().ok_or(Error::Truncated { at })
}

#[inline(always)]
pub(crate) fn from(bytes: &[u8], at: usize) -> Result<&[u8]> {
    bytes.get(at..).ok_or(Error::Truncated { at })
}

/// The `len` bytes at `at`.
#[inline(always)]
pub(crate) fn range(bytes: &[u8], at: usize, len: usize) -> Result<&[u8]> {
    at.checked_add(len).and_then(|end| bytes.get(at..end)).ok_or(Error::Truncated { at })
}

#[inline(always)]
pub(crate) fn range_mut(bytes: &mut [u8], at: usize, len: usize) -> Result<&mut [u8]> {
    at.checked_add(len).and_then(|end| bytes.get_mut(at..end)).ok_or(Error::Truncated { at })
}

/// The offset that begins `slot`, or nothing where there is no value.
#[inline(always)]
pub(crate) fn pointer(slot: &[u8]) -> Result<Option<usize>> {
    let at = u32::from_le_bytes(first(slot, 0)?) as usize;
    Ok((at != 0).then_some(at))
}

#[inline(always)]
pub(crate) fn pointer_at(bytes: &[u8], slot: usize) -> Result<Option<usize>> {
    pointer(from(bytes, slot)?)
}

#[inline(always)]
pub(crate) fn set_pointer(bytes: &mut [u8], slot: usize, target: usize) -> Result<()> {
    let target = u32::try_from(target).map_err(|_| Error::TooLarge)?;
    range_mut(bytes, slot, POINTER)?.copy_from_slice(&target.to_le_bytes());
    Ok(())
}

/// The head at `at`, of elements of `stride` bytes that are all within the buffer.
#[inline(always)]
pub(crate) fn head(bytes: &[u8], at: usize, stride: usize) -> Result<Head> {
    let [short, len] = first(from(bytes, at)?, at)?;
    let head = if short == LONG {
        long_head(bytes, at)?
    } else {
        Head { capacity: short.into(), len: len.into(), data: at + SHORT_HEAD, is_long: false }
    };
    // In 64 bits, where four bytes times the size of a slot cannot overflow.
    let end = head.data as u64 + head.capacity as u64 * stride as u64;
    if head.len > head.capacity || end > bytes.len() as u64 {
        return Err(Error::Truncated { at });
    }
    Ok(head)
}

#[cold]
fn long_head(bytes: &[u8], at: usize) -> Result<Head> {
    let [_, c0, c1, c2, c3, l0, l1, l2, l3] = first::<LONG_HEAD>(from(bytes, at)?, at)?;
    let capacity = u32::from_le_bytes([c0, c1, c2, c3]) as usize;
    let len = u32::from_le_bytes([l0, l1, l2, l3]) as usize;
    Ok(Head { capacity, len, data: at + LONG_HEAD, is_long: true })
}

impl Head {
    /// The bytes of the head and of `capacity` elements.
    pub(crate) fn extent(&self, stride: usize) -> usize {
        (if self.is_long { LONG_HEAD } else { SHORT_HEAD }) + self.capacity * stride
    }

    /// Writes another length, which is at most the capacity.
    #[inline]
    pub(crate) fn set_len(&self, bytes: &mut [u8], len: usize) -> Result<()> {
        if self.is_long {
            let at = self.data - 4;
            range_mut(bytes, at, 4)?.copy_from_slice(&(len as u32).to_le_bytes());
        } else {
            let at = self.data - 1;
            *bytes.get_mut(at).ok_or(Error::Truncated { at })? = len as u8;
        }
        Ok(())
    }
}

/// Appends a head; the elements are for the caller to append.
#[inline]
pub(crate) fn push_head(bytes: &mut Vec<u8>, capacity: usize, len: usize) -> Result<()> {
    if let (Ok(short), Ok(len)) = (u8::try_from(capacity), u8::try_from(len)) {
        if short != LONG {
            bytes.extend_from_slice(&[short, len]);
            return Ok(());
        }
    }
    let capacity = u32::try_from(capacity).map_err(|_| Error::TooLarge)?;
    bytes.push(LONG);
    bytes.extend_from_slice(&capacity.to_le_bytes());
    bytes.extend_from_slice(&(len as u32).to_le_bytes());
    Ok(())
}

/// The bytes of a head that [`push_head`] writes for as many elements and no room for more.
pub(crate) fn head_size(len: usize) -> usize {
    if len < usize::from(LONG) { SHORT_HEAD } else { LONG_HEAD }
}

/// Makes sure that `more` bytes can be appended, and says where they will stand.
#[inline(always)]
pub(crate) fn room(bytes: &mut Vec<u8>, more: usize) -> Result<usize> {
    let at = bytes.len();
    let end = at.checked_add(more).and_then(|end| end.checked_add(LONG_HEAD));
    if end.is_none_or(|end| end > u32::MAX as usize) {
        return Err(Error::TooLarge);
    }
    bytes.reserve(more + LONG_HEAD);
    Ok(at)
}

/// Appends a text or bytes with no room to spare, and lets `slot` point to it.
#[inline]
pub(crate) fn push_blob(bytes: &mut Vec<u8>, slot: usize, content: &[u8]) -> Result<()> {
    let at = room(bytes, content.len())?;
    place_blob(bytes, slot, at, content)
}

/// As [`push_blob`], at the place that [`room`] found.
#[inline]
pub(crate) fn place_blob(
    bytes: &mut Vec<u8>,
    slot: usize,
    at: usize,
    content: &[u8],
) -> Result<()> {
    push_head(bytes, content.len(), content.len())?;
    bytes.extend_from_slice(content);
    set_pointer(bytes, slot, at)
}

/// The content of the text or bytes at `at`.
#[inline]
pub(crate) fn blob(bytes: &[u8], at: usize) -> Result<&[u8]> {
    let head = head(bytes, at, 1)?;
    range(bytes, head.data, head.len)
}

/// Copies between slices of the same length. Texts are short as a rule, and two loads that overlap
/// take less time than a call.
#[inline(always)]
pub(crate) fn copy_short(to: &mut [u8], from: &[u8]) {
    macro_rules! overlapping {
        ($size:literal) => {
            if from.len() <= 2 * $size {
                if let (Some(first), Some(last)) =
                    (from.first_chunk::<$size>(), from.last_chunk::<$size>())
                {
                    if let Some(to) = to.first_chunk_mut() {
                        *to = *first;
                    }
                    if let Some(to) = to.last_chunk_mut() {
                        *to = *last;
                    }
                    return;
                }
            }
        };
    }
    debug_assert_eq!(to.len(), from.len());
    overlapping!(2);
    overlapping!(4);
    overlapping!(8);
    overlapping!(16);
    to.copy_from_slice(from);
}

/// Writes zeros, as [`copy_short`] copies.
#[inline(always)]
pub(crate) fn zero_short(to: &mut [u8]) {
    const ZEROS: [u8; 32] = [0; 32];
    match ZEROS.get(..to.len()) {
        Some(zeros) => copy_short(to, zeros),
        None => to.fill(0),
    }
}
