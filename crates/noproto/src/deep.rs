//! Verification, JSON output and compaction, which visit every value. Offsets of a damaged buffer
//! may lead to the same part again and again, so that a few bytes stand for billions of values; in
//! a sound one each part is reached once, and the parts are together no larger than the buffer.
//! More than that is an error.

use alloc::string::String;
use alloc::vec::Vec;

use crate::access::Get;
use crate::json;
use crate::kind::POINTER;
use crate::node::{Node, Struct};
use crate::schema::Type;
use crate::wire::{self, MAGIC, ROOT};
use crate::{Error, Geo, Kind, Result, content};

/// How many bytes may still be passed.
struct Budget {
    left: usize,
    /// Where the parts begin and end, if they are to be kept.
    parts: Option<Vec<(usize, usize)>>,
    /// Whether a struct has fields that the schema does not know.
    has_newer: bool,
}

impl Budget {
    fn of(node: Node<'_>) -> Self {
        Self { left: node.bytes.len(), parts: None, has_newer: false }
    }

    fn spend(&mut self, at: usize, bytes: usize) -> Result<()> {
        self.left = self.left.checked_sub(bytes).ok_or(Error::Overlap)?;
        if let Some(parts) = &mut self.parts {
            parts.push((at, at + bytes));
        }
        Ok(())
    }

    fn spend_on_struct(&mut self, value: &Struct<'_>) -> Result<()> {
        self.has_newer |= value.is_newer();
        self.spend(value.at(), value.extent())
    }

    /// Of what has a head and elements of `stride` bytes.
    fn spend_on(&mut self, node: Node<'_>, stride: usize) -> Result<()> {
        let Some(at) = node.target()? else { return Ok(()) };
        self.spend(at, wire::head(node.bytes, at, stride)?.extent(stride))
    }

    fn spend_on_key(&mut self, node: Node<'_>) -> Result<()> {
        let entry = node.slot - POINTER;
        let at = wire::pointer_at(node.bytes, entry)?.ok_or(Error::Truncated { at: entry })?;
        self.spend(at, wire::head(node.bytes, at, 1)?.extent(1))
    }
}

/// What a value has outside of its slot.
pub(crate) struct Reach {
    /// Where its parts begin and end.
    pub(crate) parts: Vec<(usize, usize)>,
    /// Whether a struct has fields that the schema does not know: what they point to is not in
    /// `parts`.
    pub(crate) has_newer: bool,
}

/// Follows every offset of a value, without a look at its texts and scalars.
pub(crate) fn reach(node: Node<'_>) -> Result<Reach> {
    let mut budget = Budget { parts: Some(Vec::new()), ..Budget::of(node) };
    follow(node, &mut budget)?;
    Ok(Reach { parts: budget.parts.unwrap_or_default(), has_newer: budget.has_newer })
}

fn follow(node: Node<'_>, budget: &mut Budget) -> Result<()> {
    match node.ty.kind {
        Kind::Struct => {
            let Some(value) = node.as_struct()? else { return Ok(()) };
            budget.spend_on_struct(&value)?;
            value.fields().try_for_each(|(_, field)| follow(field, budget))
        }
        Kind::List => {
            let item = node.ty.items(Kind::List)?;
            budget.spend_on(node, item.size)?;
            if item.is_sortable() {
                return Ok(());
            }
            node.as_list()?.iter().try_for_each(|item| follow(item, budget))
        }
        Kind::Map => {
            budget.spend_on(node, node.ty.items(Kind::Map)?.entry_size())?;
            node.as_map()?.slots().try_for_each(|item| {
                budget.spend_on_key(item)?;
                follow(item, budget)
            })
        }
        Kind::Tuple => node.as_tuple()?.iter().try_for_each(|part| follow(part, budget)),
        Kind::Text | Kind::Bytes => budget.spend_on(node, 1),
        _ => Ok(()),
    }
}

impl Reach {
    /// Overwrites the parts with zeros: nothing of what was taken out may be sent along.
    pub(crate) fn wipe(&self, bytes: &mut [u8]) -> Result<()> {
        self.parts.iter().try_for_each(|(begin, end)| {
            wire::range_mut(bytes, *begin, end - begin)?.fill(0);
            Ok(())
        })
    }
}

/// The content of a value without parts: its slot, or what the slot points to, if anything.
fn leaf<'a>(node: Node<'a>, budget: &mut Budget) -> Result<Option<&'a [u8]>> {
    if !node.ty.kind.is_out_of_line() {
        return wire::range(node.bytes, node.slot, node.ty.size).map(Some);
    }
    budget.spend_on(node, 1)?;
    node.target()?.map(|at| wire::blob(node.bytes, at)).transpose()
}

pub(crate) fn verify(node: Node<'_>) -> Result<()> {
    let root = (0, ROOT + node.ty.size);
    let mut budget = Budget { parts: Some(Vec::from([root])), ..Budget::of(node) };
    check(node, &mut budget)?;
    // Bytes that belong to nothing leave room in the budget for some that belong to two.
    let mut parts = budget.parts.unwrap_or_default();
    parts.sort_unstable();
    let is_apart = parts.windows(2).all(|pair| pair[0].1 <= pair[1].0);
    if is_apart { Ok(()) } else { Err(Error::Overlap) }
}

fn check(node: Node<'_>, budget: &mut Budget) -> Result<()> {
    match node.ty.kind {
        Kind::Struct => {
            let Some(value) = node.as_struct()? else { return Ok(()) };
            budget.spend_on_struct(&value)?;
            value.fields().try_for_each(|(_, field)| check(field, budget))
        }
        Kind::List => {
            budget.spend_on(node, node.ty.items(Kind::List)?.size)?;
            node.as_list()?.iter().try_for_each(|item| check(item, budget))
        }
        Kind::Map => {
            budget.spend_on(node, node.ty.items(Kind::Map)?.entry_size())?;
            let mut last = None;
            node.as_map()?.iter().try_for_each(|entry| {
                let (key, item) = entry?;
                // Keys that are not in order would not all be found.
                if last.replace(key).is_some_and(|last| last >= key) {
                    return Err(Error::Overlap);
                }
                budget.spend_on_key(item)?;
                check(item, budget)
            })
        }
        Kind::Tuple => node.as_tuple()?.iter().try_for_each(|part| check(part, budget)),
        Kind::Bool => node.get::<bool>().map(|_| ()),
        Kind::Geo4 | Kind::Geo8 | Kind::Geo16 => match node.get::<Geo>()? {
            Some(place) if !place.is_on_earth() => Err(Error::DoesNotFit(node.ty.kind)),
            _ => Ok(()),
        },
        Kind::Text | Kind::FixedText | Kind::Enum => match leaf(node, budget)? {
            Some(content) => <&str>::from_content(node.ty, content).map(|_| ()),
            None => Ok(()),
        },
        _ => leaf(node, budget).map(|_| ()),
    }
}

pub(crate) fn to_json(node: Node<'_>) -> Result<String> {
    let mut out = String::new();
    write(node, &mut Budget::of(node), &mut out)?;
    Ok(out)
}

fn write(node: Node<'_>, budget: &mut Budget, out: &mut String) -> Result<()> {
    match node.ty.kind {
        Kind::Struct => {
            let Some(value) = node.as_struct()? else {
                out.push_str("null");
                return Ok(());
            };
            budget.spend(value.at(), value.extent())?;
            let mut separator = '{';
            for (field, node) in value.all() {
                let node = match node {
                    Some(node) if is_nothing(node)? => None,
                    node => node,
                };
                if node.is_none() && field.ty.default.is_none() {
                    continue;
                }
                out.push(core::mem::replace(&mut separator, ','));
                json::write_string(&field.name, out);
                out.push(':');
                match node {
                    Some(node) => write(node, budget, out)?,
                    None => write_default(&field.ty, out)?,
                }
            }
            out.push_str(if separator == '{' { "{}" } else { "}" });
        }
        Kind::List => {
            budget.spend_on(node, node.ty.items(Kind::List)?.size)?;
            out.push('[');
            for (index, item) in node.as_list()?.iter().enumerate() {
                out.push_str(if index > 0 { "," } else { "" });
                write(item, budget, out)?;
            }
            out.push(']');
        }
        Kind::Map => {
            budget.spend_on(node, node.ty.items(Kind::Map)?.entry_size())?;
            out.push('{');
            for (index, entry) in node.as_map()?.iter().enumerate() {
                let (key, item) = entry?;
                budget.spend_on_key(item)?;
                out.push_str(if index > 0 { "," } else { "" });
                json::write_string(key, out);
                out.push(':');
                write(item, budget, out)?;
            }
            out.push('}');
        }
        Kind::Tuple => {
            out.push('[');
            for (index, part) in node.as_tuple()?.iter().enumerate() {
                out.push_str(if index > 0 { "," } else { "" });
                write(part, budget, out)?;
            }
            out.push(']');
        }
        _ => match leaf(node, budget)? {
            Some(value) => content::to_json(node.ty, value, out)?,
            None => write_default(node.ty, out)?,
        },
    }
    Ok(())
}

/// Whether a field that is marked as there points nowhere, as one does that could not be set. A list
/// or map that points nowhere is empty.
fn is_nothing(node: Node<'_>) -> Result<bool> {
    let has_value = !matches!(node.ty.kind, Kind::Text | Kind::Bytes | Kind::Struct);
    Ok(!has_value && node.target()?.is_none())
}

fn write_default(ty: &Type, out: &mut String) -> Result<()> {
    match ty.default.as_deref() {
        Some(default) => content::to_json(ty, default, out),
        None => {
            out.push_str("null");
            Ok(())
        }
    }
}

/// A copy in which nothing stands that does not belong to a value.
pub(crate) fn compact(node: Node<'_>) -> Result<Vec<u8>> {
    let mut out = Vec::with_capacity(node.bytes.len());
    out.extend_from_slice(&MAGIC);
    out.resize(ROOT + node.ty.size, 0);
    copy(node, &mut Budget::of(node), &mut out, ROOT)?;
    Ok(out)
}

/// How many bytes [`compact`] would leave.
pub(crate) fn compact_len(node: Node<'_>) -> Result<usize> {
    Ok(ROOT + node.ty.size + needed(node, &mut Budget::of(node))?)
}

/// The bytes of a value outside of its slot, with no room to spare.
fn needed(node: Node<'_>, budget: &mut Budget) -> Result<usize> {
    let array = |len: usize, stride: usize| wire::head_size(len) + len * stride;
    let mut bytes = 0;
    match node.ty.kind {
        Kind::Struct => {
            let Some(value) = node.as_struct()? else { return Ok(0) };
            budget.spend_on_struct(&value)?;
            if budget.has_newer {
                return Err(Error::NewerSchema);
            }
            bytes += value.extent();
            for (_, field) in value.fields() {
                bytes += needed(field, budget)?;
            }
        }
        Kind::List => {
            let stride = node.ty.items(Kind::List)?.size;
            budget.spend_on(node, stride)?;
            if node.target()?.is_some() {
                bytes += array(node.as_list()?.len(), stride);
            }
            for item in node.as_list()?.iter() {
                bytes += needed(item, budget)?;
            }
        }
        Kind::Map => {
            let stride = node.ty.items(Kind::Map)?.entry_size();
            budget.spend_on(node, stride)?;
            if node.target()?.is_some() {
                bytes += array(node.as_map()?.len(), stride);
            }
            for entry in node.as_map()?.iter() {
                let (key, item) = entry?;
                budget.spend_on_key(item)?;
                bytes += array(key.len(), 1) + needed(item, budget)?;
            }
        }
        Kind::Tuple => {
            for part in node.as_tuple()?.iter() {
                bytes += needed(part, budget)?;
            }
        }
        Kind::Text | Kind::Bytes => {
            bytes += leaf(node, budget)?.map_or(0, |content| array(content.len(), 1));
        }
        _ => {}
    }
    Ok(bytes)
}

/// Copies a value into the slot of `out` at `to`, which is of zeros.
fn copy(node: Node<'_>, budget: &mut Budget, out: &mut Vec<u8>, to: usize) -> Result<()> {
    match node.ty.kind {
        Kind::Struct => {
            let Some(value) = node.as_struct()? else { return Ok(()) };
            if value.is_newer() {
                return Err(Error::NewerSchema);
            }
            budget.spend(value.at(), value.extent())?;
            let at = wire::room(out, value.extent())?;
            // As many fields as it has, so that a copy is never larger.
            let template = &node.ty.layout()?.template;
            out.extend_from_slice(wire::range(template, 0, value.extent())?);
            wire::range_mut(out, at, 1)?[0] = value.number();
            wire::set_pointer(out, to, at)?;
            for (field, node) in value.all() {
                let Some(node) = node else { continue };
                copy(node, budget, out, at + field.offset)?;
                wire::range_mut(out, at + field.bits, 1)?[0] |= field.mask;
            }
            Ok(())
        }
        Kind::List => {
            let item = node.ty.items(Kind::List)?;
            budget.spend_on(node, item.size)?;
            let list = node.as_list()?;
            let Some(data) = array(node, list.len(), item.size, out, to)? else { return Ok(()) };
            list.iter()
                .enumerate()
                .try_for_each(|(index, item)| copy(item, budget, out, data + index * item.ty.size))
        }
        Kind::Map => {
            let stride = node.ty.items(Kind::Map)?.entry_size();
            budget.spend_on(node, stride)?;
            let map = node.as_map()?;
            let Some(data) = array(node, map.len(), stride, out, to)? else { return Ok(()) };
            map.iter().enumerate().try_for_each(|(index, entry)| {
                let ((key, item), to) = (entry?, data + index * stride);
                budget.spend_on_key(item)?;
                wire::push_blob(out, to, key.as_bytes())?;
                copy(item, budget, out, to + POINTER)
            })
        }
        Kind::Tuple => {
            let parts = node.ty.tuple()?;
            let values = node.as_tuple()?;
            values
                .iter()
                .zip(parts.iter())
                .try_for_each(|(value, part)| copy(value, budget, out, to + part.offset))
        }
        _ => match leaf(node, budget)? {
            Some(content) if node.ty.kind.is_out_of_line() => wire::push_blob(out, to, content),
            Some(content) => {
                wire::range_mut(out, to, content.len())?.copy_from_slice(content);
                Ok(())
            }
            None => Ok(()),
        },
    }
}

/// Room for the elements of a list or map, unless it was never set.
fn array(
    node: Node<'_>,
    len: usize,
    stride: usize,
    out: &mut Vec<u8>,
    to: usize,
) -> Result<Option<usize>> {
    if node.target()?.is_none() {
        return Ok(None);
    }
    let at = wire::room(out, len * stride)?;
    wire::push_head(out, len, len)?;
    let data = out.len();
    out.resize(data + len * stride, 0);
    wire::set_pointer(out, to, at)?;
    Ok(Some(data))
}
