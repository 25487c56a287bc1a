//! Sub-messages whose encoding comes in several pieces.
//!
//! The format allows a singular sub-message to occur more than once; the occurrences merge. To
//! merge each one as it comes would copy the lists decoded so far once per occurrence, so that a
//! short hostile input could ask for memory quadratic in its length. The first occurrence is
//! therefore decoded at once, and the others are kept until the enclosing message ends and then
//! decoded as one: the merge of messages is the message of the concatenation.

use core::ptr;

use crate::arena::Arena;
use crate::error::DecodeError;
use crate::message::Message;
use crate::reader::Reader;
use crate::scope::Scope;
use crate::vec::ArenaVec;
use crate::wire::skip;

#[derive(Clone, Copy)]
struct Piece<'a> {
    key: u32,
    /// Which message the piece continues: a `oneof` may have left it behind for another.
    first: *const (),
    body: &'a [u8],
}

/// Later occurrences of the singular sub-messages of one message.
#[derive(Default)]
pub struct Split<'a>(Option<ArenaVec<'a, Piece<'a>>>);

impl<'a> Split<'a> {
    /// No pieces.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn new() -> Self {
        Self(None)
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn keep<M>(
        &mut self,
        scope: Scope<'a>,
        key: u32,
        first: &'a M,
        body: &'a [u8],
    ) -> Result<(), DecodeError> {
        // A piece that ends inside a field must not be completed by the next one.
        skip::fields(Reader::new(body), scope.nested()?.depth())?;
        let first = ptr::from_ref(first).cast();
        let pieces = self.0.get_or_insert_with(|| ArenaVec::new(scope.arena()));
        pieces.try_push(Piece { key, first, body })
    }

    /// Whether no field came in pieces, which is what every usual encoder sees to.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Merges the pieces of the field with `key` into `slot`. Those of a message that a `oneof` has left behind are only
    /// checked: an invalid piece is an error, whatever comes after it.
    ///
    /// # Errors
    ///
    /// If a piece is not a valid encoding of `M`.
    #[cold]
    #[inline(never)]
    pub fn join<M: Message<'a>>(
        &self,
        scope: Scope<'a>,
        slot: &mut Option<&'a M>,
        key: u32,
    ) -> Result<(), DecodeError> {
        let Some(pieces) = &self.0 else { return Ok(()) };
        let first = slot.map_or(ptr::null(), ptr::from_ref).cast();
        let of_field = || pieces.as_slice().iter().filter(|piece| piece.key == key);
        let left = of_field().filter(|piece| !ptr::eq(piece.first, first));
        // Each piece is decoded once, here or below: with a check at its place and a merge at the end, nested pieces
        // would take time exponential in their depth.
        merge(scope, M::default, left.map(|piece| piece.body))?;
        let Some(message) = *slot else { return Ok(()) };
        let of_message = of_field().filter(|piece| ptr::eq(piece.first, first));
        if let Some(merged) = merge(scope, || *message, of_message.map(|piece| piece.body))? {
            *slot = Some(merged);
        }
        Ok(())
    }
}

/// The message that `begin` returns with all of `bodies` merged into it; `None` if there are none.
fn merge<'a, M: Message<'a>>(
    scope: Scope<'a>,
    begin: impl FnOnce() -> M,
    bodies: impl Iterator<Item = &'a [u8]> + Clone,
) -> Result<Option<&'a M>, DecodeError> {
    let Some(body) = concatenate(scope.arena(), bodies)? else { return Ok(None) };
    let merged = scope.arena().try_alloc(begin())?;
    merged.merge_fields(&mut Reader::new(body), scope.nested()?)?;
    Ok(Some(merged))
}

/// All of `bodies` in one slice; `None` if there are none.
pub(crate) fn concatenate<'a>(
    arena: &'a Arena,
    mut bodies: impl Iterator<Item = &'a [u8]> + Clone,
) -> Result<Option<&'a [u8]>, DecodeError> {
    let total = bodies.clone().map(<[u8]>::len).sum();
    let Some(first) = bodies.next() else { return Ok(None) };
    if first.len() == total {
        return Ok(Some(first));
    }
    let mut whole = ArenaVec::new(arena);
    whole.try_reserve(total)?;
    whole.extend_from_slice(first);
    bodies.for_each(|body| whole.extend_from_slice(body));
    Ok(Some(whole.freeze()))
}
