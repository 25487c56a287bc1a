//! Messages that own what they borrow from.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::mem::{ManuallyDrop, MaybeUninit};
use core::ptr::{self, NonNull};

use crate::arena::Arena;
use crate::error::DecodeError;
use crate::message::Message;

/// A message type with its lifetime to choose: how [`Owned`] names the type of the message that it lends.
///
/// Generated with `defiant_build::Config::owned`, or written by hand as here; the code is the same for each type.
///
/// ```
/// # use defiant::{DecodeError, FieldNames, Message, Reader, Scope, Writer};
/// #[derive(Clone, Copy, Debug, Default)]
/// struct Name<'a> {
///     text: &'a str,
/// }
///
/// # impl<'a> Message<'a> for Name<'a> {
/// #     const NAME: &'static str = "Name";
/// #     const FIELDS: FieldNames = &[];
/// #     fn merge_fields(&mut self, _: &mut Reader<'a>, _: Scope<'a>) -> Result<(), DecodeError> { Ok(()) }
/// #     fn encode_raw(&self, _: &mut Writer<'_>) {}
/// #     fn encoded_len(&self) -> usize { 0 }
/// # }
/// impl defiant::Lend for Name<'_> {
///     type Lent<'a> = Name<'a>;
///
///     fn shorten<'s, 'a: 's>(message: &'s Name<'a>) -> &'s Name<'s> {
///         message
///     }
/// }
/// ```
pub trait Lend {
    /// The type for `'a`.
    type Lent<'a>: Message<'a>;

    /// Returns `message`. That this compiles shows that a message may be seen as one that lives shorter.
    fn shorten<'s, 'a: 's>(message: &'s Self::Lent<'a>) -> &'s Self::Lent<'s>;
}

/// A message with the input and the arena that it borrows from: a value that can be returned, kept and sent to another
/// thread.
///
/// # Examples
///
/// ```
/// # use defiant::{codec, DecodeError, FieldNames, Len, Lend, Message, Owned, Reader, Scope, Writer, At as _};
/// # #[derive(Clone, Copy, Debug, Default)]
/// # struct Name<'a> { text: &'a str }
/// # impl<'a> Message<'a> for Name<'a> {
/// #     const NAME: &'static str = "Name";
/// #     const FIELDS: FieldNames = &[(1, "text")];
/// #     fn merge_fields(&mut self, input: &mut Reader<'a>, _: Scope<'a>) -> Result<(), DecodeError> {
/// #         while !input.is_empty() {
/// #             input.key()?;
/// #             self.text = input.string()?;
/// #         }
/// #         Ok(())
/// #     }
/// #     fn encode_raw(&self, out: &mut Writer<'_>) { out.implicit::<codec::Str>(10, self.text); }
/// #     fn encoded_len(&self) -> usize {
/// #         let mut len = Len::new();
/// #         len.implicit::<codec::Str>(1, self.text);
/// #         len.bytes()
/// #     }
/// # }
/// # impl Lend for Name<'_> {
/// #     type Lent<'a> = Name<'a>;
/// #     fn shorten<'s, 'a: 's>(message: &'s Name<'a>) -> &'s Name<'s> { message }
/// # }
/// fn read(bytes: Vec<u8>) -> Result<Owned<Name<'static>>, DecodeError> {
///     Owned::decode(bytes)
/// }
///
/// let owned = read(b"\x0a\x03Ada".to_vec())?;
/// let owned = std::thread::spawn(|| owned).join().unwrap();
/// assert_eq!(owned.get().text, "Ada");
///
/// // From a message that borrows: its encoding is decoded.
/// let copy = Owned::<Name<'static>>::copy_of(&Name { text: owned.get().text })?;
/// drop(owned);
/// assert_eq!(copy.get().text, "Ada");
/// # Ok::<(), DecodeError>(())
/// ```
pub struct Owned<M: Lend> {
    /// Borrows from `store`. Its lifetime is not the one that is written here, so it does not leave this type but
    /// by `shorten`. Always initialised: `MaybeUninit` keeps the compiler from taking its references for valid until
    /// the end of a function that this value is given to and that drops it.
    message: MaybeUninit<M::Lent<'static>>,
    /// Not a `Box`: to move one would say that nothing else points to what is in it.
    store: NonNull<Store>,
}

struct Store {
    arena: Arena,
    bytes: Vec<u8>,
}

// SAFETY: an arena and a vector may be sent, and who has the message has them; the message may be sent itself.
unsafe impl<M: Lend> Send for Owned<M> where M::Lent<'static>: Send {}

// SAFETY: a shared reference gives the message alone, never the arena; the message may be shared itself.
unsafe impl<M: Lend> Sync for Owned<M> where M::Lent<'static>: Sync {}

impl<M: Lend> Owned<M> {
    /// Decodes a message that is all of `bytes`, and keeps them. They are not copied.
    ///
    /// # Errors
    ///
    /// As [`Message::decode`].
    pub fn decode(bytes: Vec<u8>) -> Result<Self, DecodeError> {
        Self::decode_in(Arena::new(), bytes)
    }

    /// The same in an arena that there is already: one with a limit, or with memory from [`Self::into_arena`]. What else is
    /// in the arena stays there.
    ///
    /// # Errors
    ///
    /// As [`Message::decode`].
    pub fn decode_in(arena: Arena, bytes: Vec<u8>) -> Result<Self, DecodeError> {
        let store = Freed(NonNull::from(Box::leak(Box::new(Store { arena, bytes }))));
        // SAFETY: the store is alive until `Freed` or the value that is made of it is dropped, nothing has a mutable
        // reference to it, and what borrows from it here has a lifetime of this function.
        let Store { arena, bytes } = unsafe { store.0.as_ref() };
        // For a lifetime that `M` knows nothing of, so that no implementation can keep what it is given.
        let message = M::Lent::decode(bytes, arena)?;
        // SAFETY: types that differ in their lifetimes alone are the same in memory. A message is `Copy`, so nothing
        // is dropped twice. That it borrows from `store` is the invariant of the field.
        let message =
            unsafe { ptr::from_ref(&message).cast::<MaybeUninit<M::Lent<'static>>>().read() };
        let store = ManuallyDrop::new(store);
        Ok(Self { message, store: store.0 })
    }

    /// A copy of `message`: what its encoding decodes to. Of a message that was decoded, this is the same; one that was put
    /// together by hand may have what an encoding has not, such as an unknown value of a closed enum.
    ///
    /// # Errors
    ///
    /// If `message` is nested deeper than [`RECURSION_LIMIT`](crate::RECURSION_LIMIT).
    pub fn copy_of(message: &M::Lent<'_>) -> Result<Self, DecodeError> {
        Self::decode(message.encode_to_vec())
    }

    /// The message.
    #[inline]
    pub fn get(&self) -> &M::Lent<'_> {
        // SAFETY: it is always initialised.
        M::shorten(unsafe { self.message.assume_init_ref() })
    }

    /// Drops the message and returns its arena, reset, for another one.
    pub fn into_arena(self) -> Arena {
        let this = ManuallyDrop::new(self);
        // SAFETY: `store` is a box that was leaked, and nothing uses the message after this, which `ManuallyDrop` keeps
        // from being dropped.
        let mut arena = unsafe { Box::from_raw(this.store.as_ptr()) }.arena;
        arena.reset();
        arena
    }
}

impl<M: Lend> Drop for Owned<M> {
    fn drop(&mut self) {
        drop(Freed(self.store));
    }
}

impl<M: Lend> fmt::Debug for Owned<M>
where
    for<'a> M::Lent<'a>: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

/// A store that is freed unless it gets an owner.
struct Freed(NonNull<Store>);

impl Drop for Freed {
    fn drop(&mut self) {
        // SAFETY: the pointer is of a box that was leaked, and is its only owner.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}
