//! Changes in place: what is not there yet is made behind everything else.

use alloc::vec::Vec;

use crate::kind::POINTER;
use crate::path::Down;
use crate::schema::{Field, Layout, Type};
use crate::wire::{self, Head, range_mut};
use crate::{Error, Kind, Node, Result, deep, map};

/// The struct that `slot` points to, made if it is not there. Gives its offset and how many fields
/// it has room for.
#[inline(always)]
pub(crate) fn structure(
    bytes: &mut Vec<u8>,
    slot: usize,
    layout: &Layout,
) -> Result<(usize, usize)> {
    if let Some(at) = wire::pointer_at(bytes, slot)? {
        let [number] = wire::first(wire::from(bytes, at)?, at)?;
        return Ok((at, number.into()));
    }
    let at = wire::room(bytes, layout.template.len())?;
    bytes.extend_from_slice(&layout.template);
    wire::set_pointer(bytes, slot, at)?;
    Ok((at, layout.fields.len()))
}

/// A copy with room for all fields of the schema, of a struct from before it had them.
#[cold]
pub(crate) fn widen(bytes: &mut Vec<u8>, slot: usize, layout: &Layout) -> Result<(usize, usize)> {
    let (old, number) = structure(bytes, slot, layout)?;
    let Some(end) = layout.ends.get(number) else { return Ok((old, number)) };
    wire::range(bytes, old, *end)?;
    let at = wire::room(bytes, layout.template.len())?;
    bytes.extend_from_within(old..old + end);
    bytes.extend_from_slice(layout.template.get(*end..).unwrap_or_default());
    range_mut(bytes, old, *end)?.fill(0);
    range_mut(bytes, at, 1)?[0] = layout.fields.len() as u8;
    // Bits of fields that there was no room for mean nothing.
    for field in layout.fields.iter().skip(number).filter(|field| field.bits < *end) {
        range_mut(bytes, at + field.bits, 1)?[0] &= !field.mask;
    }
    wire::set_pointer(bytes, slot, at)?;
    Ok((at, layout.fields.len()))
}

/// Says that a field of the struct at `at` is there, and gives its slot.
#[inline(always)]
pub(crate) fn field(bytes: &mut [u8], at: usize, field: &Field) -> Result<usize> {
    let place = at + field.bits;
    let bits = bytes.get_mut(place).ok_or(Error::Truncated { at })?;
    if *bits & field.mask == 0 {
        *bits |= field.mask;
        if field.ty.kind.is_out_of_line() || field.ty.kind == Kind::Tuple {
            blank(bytes, at + field.offset, &field.ty)?;
        }
    }
    Ok(at + field.offset)
}

/// Writes the initial content of a value of type `ty` into `slot`.
#[inline(always)]
pub(crate) fn blank(bytes: &mut [u8], slot: usize, ty: &Type) -> Result<()> {
    range_mut(bytes, slot, ty.size)?.copy_from_slice(&ty.blank);
    Ok(())
}

/// The list or map that `slot` points to, with room for `more` elements. It is not made or moved
/// unless `behind` bytes can be appended then.
#[inline]
pub(crate) fn array(
    bytes: &mut Vec<u8>,
    slot: usize,
    stride: usize,
    more: usize,
    behind: usize,
) -> Result<Head> {
    let Some(at) = wire::pointer_at(bytes, slot)? else {
        return new_array(bytes, slot, stride, None, more, behind);
    };
    let head = wire::head(bytes, at, stride)?;
    match head.len.checked_add(more) {
        Some(len) if len <= head.capacity => Ok(head),
        Some(len) => {
            let capacity = len.max(head.capacity * 2);
            new_array(bytes, slot, stride, Some((at, head)), capacity, behind)
        }
        None => Err(Error::TooLarge),
    }
}

/// Room for `capacity` elements, of which the first are those of `old`.
#[cold]
fn new_array(
    bytes: &mut Vec<u8>,
    slot: usize,
    stride: usize,
    old: Option<(usize, Head)>,
    capacity: usize,
    behind: usize,
) -> Result<Head> {
    let room = capacity.checked_mul(stride).ok_or(Error::TooLarge)?;
    let is_last = |(_, head): &(usize, Head)| head.data + head.capacity * stride == bytes.len();
    let last = old.filter(is_last).map(|(at, _)| at);
    // Before an element moves: what is refused leaves all of them where they are.
    let freed = last.map_or(0, |at| bytes.len() - at);
    wire::room(bytes, room.saturating_add(behind).saturating_sub(freed))?;
    let (len, content) = match old {
        // At the very end it grows where it is.
        Some((at, head)) if last.is_some() => {
            let content = wire::range(bytes, head.data, head.len * stride)?.to_vec();
            bytes.truncate(at);
            (head.len, content)
        }
        Some((at, head)) => {
            let content = wire::range(bytes, head.data, head.len * stride)?.to_vec();
            range_mut(bytes, at, head.extent(stride))?.fill(0);
            (head.len, content)
        }
        None => (0, Vec::new()),
    };
    let at = bytes.len();
    wire::push_head(bytes, capacity, len)?;
    let data = bytes.len();
    bytes.extend_from_slice(&content);
    bytes.resize(data + room, 0);
    wire::set_pointer(bytes, slot, at)?;
    wire::head(bytes, at, stride)
}

/// Appends an element that is blank, and gives its slot.
#[inline]
pub(crate) fn push(bytes: &mut Vec<u8>, slot: usize, item: &Type) -> Result<usize> {
    let head = array(bytes, slot, item.size, 1, 0)?;
    let place = head.data + head.len * item.size;
    head.set_len(bytes, head.len + 1)?;
    blank(bytes, place, item)?;
    Ok(place)
}

/// Takes back an element that [`push`] appended and that has no value yet.
#[cold]
pub(crate) fn pop(bytes: &mut [u8], slot: usize, item: &Type) -> Result<()> {
    let Some(at) = wire::pointer_at(bytes, slot)? else { return Ok(()) };
    let head = wire::head(bytes, at, item.size)?;
    let Some(last) = head.len.checked_sub(1) else { return Ok(()) };
    range_mut(bytes, head.data + last * item.size, item.size)?.fill(0);
    head.set_len(bytes, last)
}

/// The slot of a key's value, made if it is not there.
pub(crate) fn key(bytes: &mut Vec<u8>, slot: usize, item: &Type, key: &str) -> Result<usize> {
    let stride = item.entry_size();
    let find = |bytes: &[u8]| match wire::pointer_at(bytes, slot)? {
        Some(at) => map::find(bytes, at, item, key).map(Some),
        None => Ok(None),
    };
    if let Some(slot) = find(bytes)?.and_then(|found| found.slot()) {
        return Ok(slot);
    }
    array(bytes, slot, stride, 1, key.len() + wire::head_size(key.len()))?;
    let Some(found) = find(bytes)? else { return Err(Error::Truncated { at: slot }) };
    let end = found.head.data + found.head.len * stride;
    wire::range(bytes, end, stride)?;
    // Before an entry moves: one that is refused would lose the last.
    let at = wire::room(bytes, key.len())?;
    bytes.copy_within(found.entry..end, found.entry + stride);
    blank(bytes, found.entry + POINTER, item)?;
    wire::place_blob(bytes, found.entry, at, key.as_bytes())?;
    found.head.set_len(bytes, found.head.len + 1)?;
    Ok(found.entry + POINTER)
}

/// Takes an element out, of which the head says that it is there.
fn remove(bytes: &mut [u8], head: Head, stride: usize, index: usize) -> Result<()> {
    let (start, end) = (head.data + index * stride, head.data + head.len * stride);
    wire::range(bytes, start, end.saturating_sub(start))?;
    bytes.copy_within(start + stride..end, start);
    range_mut(bytes, end - stride, stride)?.fill(0);
    head.set_len(bytes, head.len - 1)
}

impl Down<'_> {
    /// Where the part's slot is; it is made, with the value at `slot`, if it is not there.
    #[inline(always)]
    pub(crate) fn make(self, bytes: &mut Vec<u8>, slot: usize) -> Result<usize> {
        match self.find(bytes, slot)? {
            Some(place) => Ok(place),
            None => self.make_new(bytes, slot),
        }
    }

    #[inline(never)]
    fn make_new(self, bytes: &mut Vec<u8>, slot: usize) -> Result<usize> {
        match self {
            Self::Field(layout, index) => {
                let (mut at, number) = structure(bytes, slot, layout)?;
                if index >= number {
                    (at, _) = widen(bytes, slot, layout)?;
                }
                let known = layout.field(index)?;
                let place = field(bytes, at, known)?;
                // Where nothing is written then after all, what is there is a value of its type.
                blank(bytes, place, &known.ty)?;
                Ok(place)
            }
            Self::Item(item, index) => {
                let len = match wire::pointer_at(bytes, slot)? {
                    Some(at) => wire::head(bytes, at, item.size)?.len,
                    None => 0,
                };
                if index == len {
                    push(bytes, slot, item)
                } else {
                    Err(Error::OutOfRange { index, len })
                }
            }
            Self::Key(item, key) => self::key(bytes, slot, item, key),
            Self::Part(parts, index) => Err(Error::OutOfRange { index, len: parts.len() }),
        }
    }

    /// Takes the part out, and says whether it was there.
    pub(crate) fn remove(self, bytes: &mut [u8], slot: usize) -> Result<bool> {
        let Some(place) = self.find(bytes, slot)? else { return Ok(false) };
        if let Self::Part(parts, index) = self {
            let Some(part) = parts.get(index) else { return Ok(false) };
            wipe(bytes, place, &part.ty)?;
            return blank(bytes, place, &part.ty).map(|()| true);
        }
        let Some(at) = wire::pointer_at(bytes, slot)? else { return Ok(false) };
        match self {
            Self::Field(layout, index) => {
                let field = layout.field(index)?;
                wipe(bytes, place, &field.ty)?;
                range_mut(bytes, place, field.ty.size)?.fill(0);
                range_mut(bytes, at + field.bits, 1)?[0] &= !field.mask;
            }
            // Read before the value is wiped: in a damaged buffer it may reach back to its own head.
            Self::Item(item, index) => {
                let head = wire::head(bytes, at, item.size)?;
                wipe(bytes, place, item)?;
                remove(bytes, head, item.size, index)?;
            }
            Self::Key(item, key) => {
                let found = map::find(bytes, at, item, key)?;
                let key = wire::pointer_at(bytes, found.entry)?;
                let extent = key.map(|key| wire::head(bytes, key, 1)).transpose()?;
                wipe(bytes, place, item)?;
                if let (Some(key), Some(head)) = (key, extent) {
                    range_mut(bytes, key, head.extent(1))?.fill(0);
                }
                remove(bytes, found.head, item.entry_size(), found.index)?;
            }
            Self::Part(..) => {}
        }
        Ok(true)
    }
}

/// Overwrites with zeros what the value at `slot` has outside of it.
fn wipe(bytes: &mut [u8], slot: usize, ty: &Type) -> Result<()> {
    if ty.is_sortable() {
        return Ok(());
    }
    deep::reach(Node { ty, bytes, slot })?.wipe(bytes)
}
