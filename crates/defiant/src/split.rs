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
    #[inline(always)]
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
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Merges the pieces of the field with `key` into `slot`.
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
        let (Some(pieces), Some(first)) = (&self.0, *slot) else { return Ok(()) };
        let bodies = pieces
            .as_slice()
            .iter()
            .filter(|piece| piece.key == key && ptr::eq(piece.first, ptr::from_ref(first).cast()))
            .map(|piece| piece.body);
        let Some(body) = concatenate(scope.arena(), bodies)? else { return Ok(()) };
        let message = scope.arena().try_alloc(*first)?;
        message.merge_fields(&mut Reader::new(body), scope.nested()?)?;
        *slot = Some(message);
        Ok(())
    }
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
