//! The context of a decoder besides its input: memory, and its place among nested messages.

use crate::arena::Arena;
use crate::error::{DecodeError, DecodeErrorKind};
use crate::message::Message;
use crate::reader::Reader;
use crate::split::Split;
use crate::unknown::UnknownList;
use crate::vec::ArenaVec;
use crate::wire::key::{self, WireType};
use crate::wire::skip;

/// How deeply messages may nest, as in other protobuf implementations.
pub const RECURSION_LIMIT: u32 = 100;

/// The surroundings of the message that is being decoded.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    arena: &'a Arena,
    /// Levels that may still be entered.
    depth: u32,
    /// The key that ends this message; zero, which no key is, if the input's end does.
    end: u32,
}

impl<'a> Scope<'a> {
    /// The outermost message.
    #[inline]
    pub fn new(arena: &'a Arena) -> Self {
        Self { arena, depth: RECURSION_LIMIT, end: 0 }
    }

    /// Where values are kept.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn arena(&self) -> &'a Arena {
        self.arena
    }

    /// Levels that may still be entered.
    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    /// A message in this one that ends with its input.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn nested(&self) -> Result<Self, DecodeError> {
        self.nested_until(0)
    }

    #[inline(always)]
    fn nested_until(&self, end: u32) -> Result<Self, DecodeError> {
        if self.depth <= self.arena.floor() {
            return Err(not_entered(self.arena));
        }
        Ok(Self { arena: self.arena, depth: self.depth - 1, end })
    }

    /// Decodes a delimited message in `slot`, or keeps it in `split` if the slot is taken.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn message<M: Message<'a>>(
        &self,
        input: &mut Reader<'a>,
        slot: &mut Option<&'a M>,
        split: &mut Split<'a>,
        key: u32,
    ) -> Result<(), DecodeError> {
        let body = input.delimited()?;
        if let Some(first) = *slot {
            return split.keep(*self, key, first, body);
        }
        let scope = self.nested()?;
        let message = self.arena.try_alloc(M::default())?;
        message.merge_fields(&mut Reader::new(body), scope)?;
        *slot = Some(message);
        Ok(())
    }

    /// Decodes a group in `slot`, or keeps it in `split` if the slot is taken.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn group<M: Message<'a>>(
        &self,
        input: &mut Reader<'a>,
        slot: &mut Option<&'a M>,
        split: &mut Split<'a>,
        key: u32,
    ) -> Result<(), DecodeError> {
        if let Some(first) = *slot {
            let body = self.group_body(input, key)?;
            return split.keep(*self, key, first, body);
        }
        let message = self.arena.try_alloc(M::default())?;
        self.merge_group(input, message, key)?;
        *slot = Some(message);
        Ok(())
    }

    /// Decodes a delimited message as the next element of `list`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn push_message<M: Message<'a>>(
        &self,
        input: &mut Reader<'a>,
        list: &mut ArenaVec<'a, M>,
    ) -> Result<(), DecodeError> {
        let body = input.delimited()?;
        let message = list.try_push_default()?;
        message.merge_fields(&mut Reader::new(body), self.nested()?)
    }

    /// Decodes a group as the next element of `list`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn push_group<M: Message<'a>>(
        &self,
        input: &mut Reader<'a>,
        list: &mut ArenaVec<'a, M>,
        key: u32,
    ) -> Result<(), DecodeError> {
        self.merge_group(input, list.try_push_default()?, key)
    }

    #[inline(always)]
    fn merge_group<M: Message<'a>>(
        &self,
        input: &mut Reader<'a>,
        message: &mut M,
        key: u32,
    ) -> Result<(), DecodeError> {
        let scope = self.nested_until(key::key(key::number(key), WireType::EndGroup))?;
        // A copy, so that the caller's reader has no address and stays in registers.
        let mut inner = input.clone();
        message.merge_fields(&mut inner, scope)?;
        *input = inner;
        Ok(())
    }

    /// The fields of the group begun by `key`, without its end.
    #[cold]
    #[inline(never)]
    fn group_body(&self, input: &mut Reader<'a>, key: u32) -> Result<&'a [u8], DecodeError> {
        let (body, rest) = skip::group_body(input.clone(), key::number(key), self.depth)?;
        *input = rest;
        Ok(body)
    }

    /// Handles a key that is none of the fields of `M`: the end of a group, an unknown field, or
    /// a known one with the wrong wire type. `true` means that the message has ended.
    #[inline(always)]
    pub fn other<M: Message<'a>>(
        &self,
        input: &mut Reader<'a>,
        key: u32,
    ) -> Result<bool, DecodeError> {
        if key == self.end {
            return Ok(true);
        }
        *input = unknown(input.clone(), key, self.depth, M::FIELDS)?;
        Ok(false)
    }

    /// As [`Self::other`], for a message that keeps its unknown fields: `before` is the place of the key.
    pub fn other_kept<M: Message<'a>>(
        &self,
        before: &Reader<'a>,
        input: &mut Reader<'a>,
        key: u32,
        unknown: &mut UnknownList<'a>,
    ) -> Result<bool, DecodeError> {
        let is_end = self.other::<M>(input, key)?;
        if !is_end {
            unknown.keep(before, input)?;
        }
        Ok(is_end)
    }

    /// Fails with [`DecodeErrorKind::Truncated`] if the input ends inside a group.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn end_of_input(&self) -> Result<(), DecodeError> {
        if self.end == 0 { Ok(()) } else { Err(DecodeErrorKind::Truncated.into()) }
    }
}

/// The reason why no message is entered.
#[cold]
#[inline(never)]
fn not_entered(arena: &Arena) -> DecodeError {
    arena.over_limit().unwrap_or(DecodeErrorKind::RecursionLimit).into()
}

#[cold]
#[inline(never)]
pub(crate) fn unknown<'a>(
    input: Reader<'a>,
    key: u32,
    depth: u32,
    fields: crate::message::FieldNames,
) -> Result<Reader<'a>, DecodeError> {
    let known = crate::message::field_name(fields, key::number(key)).is_some();
    match WireType::of(key) {
        Some(found) if known => Err(DecodeErrorKind::WireType { found }.into()),
        _ => skip::value(input, key, depth),
    }
}
