//! Maps: a head, and entries of a key's offset and a slot, in the order of the keys.

use crate::kind::POINTER;
use crate::schema::Type;
use crate::wire::{self, Head};
use crate::{Error, Result};

/// Where a key is, or would be.
pub(crate) struct Found {
    pub(crate) head: Head,
    /// The entry's number, and of one that is not there where it belongs.
    pub(crate) index: usize,
    pub(crate) entry: usize,
    pub(crate) is_there: bool,
}

impl Found {
    pub(crate) fn slot(&self) -> Option<usize> {
        self.is_there.then_some(self.entry + POINTER)
    }
}

/// Looks for `key` in the map at `at`.
pub(crate) fn find(bytes: &[u8], at: usize, item: &Type, key: &str) -> Result<Found> {
    let stride = item.entry_size();
    let head = wire::head(bytes, at, stride)?;
    let (mut low, mut high) = (0, head.len);
    while low < high {
        let middle = low.midpoint(high);
        let entry = head.data + middle * stride;
        match self::key(bytes, entry)?.cmp(key.as_bytes()) {
            core::cmp::Ordering::Less => low = middle + 1,
            core::cmp::Ordering::Greater => high = middle,
            core::cmp::Ordering::Equal => {
                return Ok(Found { head, index: middle, entry, is_there: true });
            }
        }
    }
    Ok(Found { head, index: low, entry: head.data + low * stride, is_there: false })
}

#[inline(never)]
pub(crate) fn find_slot(bytes: &[u8], at: usize, item: &Type, key: &str) -> Result<Option<usize>> {
    find(bytes, at, item, key).map(|found| found.slot())
}

/// The key of the entry at `entry`.
pub(crate) fn key(bytes: &[u8], entry: usize) -> Result<&[u8]> {
    let at = wire::pointer_at(bytes, entry)?.ok_or(Error::Truncated { at: entry })?;
    wire::blob(bytes, at)
}
