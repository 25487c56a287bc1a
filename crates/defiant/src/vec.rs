//! The vector that a repeated field is while it is decoded.

use core::alloc::Layout;
use core::marker::PhantomData;
use core::ptr::NonNull;

use crate::arena::Arena;
use crate::error::DecodeError;

/// Vectors up to this many bytes stay away from the arena's growing end, where a small list
/// inside each element would stop the list of elements from growing in place.
const SMALL: usize = 128;
const FIRST_CAPACITY: usize = 4;

/// A growing list in an [`Arena`] that becomes a slice.
///
/// # Examples
///
/// ```
/// use defiant::{Arena, ArenaVec};
///
/// let arena = Arena::new();
/// let mut list = ArenaVec::new(&arena);
/// list.push(1);
/// list.extend_from_slice(&[2, 3]);
/// assert_eq!(list.freeze(), [1, 2, 3]);
/// ```
pub struct ArenaVec<'a, T> {
    start: NonNull<T>,
    len: usize,
    /// Elements this vector's own memory holds. Zero while `start` is memory of someone else,
    /// which is then only read.
    capacity: usize,
    arena: &'a Arena,
    items: PhantomData<&'a [T]>,
}

impl<'a, T: Copy> ArenaVec<'a, T> {
    /// An empty list.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn new(arena: &'a Arena) -> Self {
        Self::thaw(arena, &[])
    }

    /// A list that begins with `items`; they are copied when the first element is added.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn thaw(arena: &'a Arena, items: &'a [T]) -> Self {
        let start = NonNull::from(items).cast();
        Self { start, len: items.len(), capacity: 0, arena, items: PhantomData }
    }

    /// Appends `item`. While a message is decoded, an item that the arena's limit has no room for is dropped, and the
    /// decode fails when it ends.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn push(&mut self, item: T) {
        if self.len >= self.capacity && !self.grow(1) {
            return;
        }
        // SAFETY: `len < capacity`, so the place is this vector's own.
        unsafe { self.start.add(self.len).write(item) };
        self.len += 1;
    }

    /// [`Self::push`], within the arena's limit.
    #[inline(always)]
    pub(crate) fn try_push(&mut self, item: T) -> Result<(), DecodeError> {
        if self.len >= self.capacity {
            self.try_grow(1)?;
        }
        // SAFETY: as in `push`.
        unsafe { self.start.add(self.len).write(item) };
        self.len += 1;
        Ok(())
    }

    /// [`Self::reserve`], within the arena's limit.
    pub(crate) fn try_reserve(&mut self, additional: usize) -> Result<(), DecodeError> {
        if additional > self.capacity.saturating_sub(self.len) {
            self.try_grow(additional)
        } else {
            Ok(())
        }
    }

    /// Appends a default element and returns it, to be filled where it stays; within the arena's limit.
    #[inline(always)]
    pub(crate) fn try_push_default(&mut self) -> Result<&mut T, DecodeError>
    where
        T: Default,
    {
        self.try_push(T::default())?;
        // SAFETY: `try_push` wrote the element before `len` into this vector's own memory.
        Ok(unsafe { self.start.add(self.len - 1).as_mut() })
    }

    /// Appends all of `items`, or none of them, as [`Self::push`].
    pub fn extend_from_slice(&mut self, items: &[T]) {
        self.extend_converted(items, |item| item);
    }

    /// Appends what `convert` makes of each of `items`.
    #[inline]
    pub(crate) fn extend_converted<U: Copy>(&mut self, items: &[U], convert: impl Fn(U) -> T) {
        if !self.has_room(items.len()) {
            return;
        }
        // SAFETY: there is room for `items.len()` elements behind the first `len`.
        let free = unsafe { self.start.add(self.len) };
        for (at, item) in items.iter().enumerate() {
            // SAFETY: as above. The length is set once, after the loop, because the compiler then
            // sees a copy of all elements in one piece.
            unsafe { free.add(at).write(convert(*item)) };
        }
        self.len += items.len();
    }

    /// Makes room for `additional` elements, within the arena's limit while a message is decoded.
    pub fn reserve(&mut self, additional: usize) {
        self.has_room(additional);
    }

    /// Whether there is room for `additional` elements, which is made if need be.
    #[inline]
    fn has_room(&mut self, additional: usize) -> bool {
        additional <= self.capacity.saturating_sub(self.len) || self.grow(additional)
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The elements so far.
    pub fn as_slice(&self) -> &[T] {
        // SAFETY: the first `len` elements are initialised, here or in the slice given to `thaw`.
        unsafe { core::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }

    /// Ends the growing; unused room at the arena's end goes back to it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn freeze(self) -> &'a [T] {
        self.give_back();
        // SAFETY: as in `as_slice`; the memory lives in the arena, or in the thawed slice, for 'a,
        // and nothing can write to it any more.
        unsafe { core::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }

    /// Like [`Self::freeze`], for elements that change once more. Those that are someone else's are
    /// copied.
    pub(crate) fn freeze_mut(mut self) -> &'a mut [T] {
        if self.capacity == 0 && !self.grow(0) {
            return &mut [];
        }
        self.give_back();
        // SAFETY: with a capacity, the elements are in this vector's own memory, which it gives up
        // here.
        unsafe { core::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }

    #[inline(always)]
    fn give_back(&self) {
        if self.capacity > self.len {
            // SAFETY: `capacity` elements are one allocation, so its end is in bounds.
            let end = unsafe { self.start.add(self.capacity) };
            let unused = (self.capacity - self.len) * size_of::<T>();
            self.arena.give_back(end.as_ptr().cast(), unused);
        }
    }

    /// Whether there is room for `additional` elements now. The arena knows where there is none, and has the decode fail.
    #[inline]
    fn grow(&mut self, additional: usize) -> bool {
        match self.try_grow(additional) {
            Ok(()) => true,
            Err(error) => {
                forget(error);
                false
            }
        }
    }

    // Not cold: each list has its first memory from here.
    #[inline(never)]
    fn try_grow(&mut self, additional: usize) -> Result<(), DecodeError> {
        if size_of::<T>() == 0 {
            self.capacity = usize::MAX;
            Ok(())
        } else if self.len == 0 && self.capacity == 0 {
            self.take(additional.max(FIRST_CAPACITY))
        } else {
            self.grow_more(additional)
        }
    }

    #[cold]
    #[inline(never)]
    fn grow_more(&mut self, additional: usize) -> Result<(), DecodeError> {
        // Room in place costs nothing, so a quarter more is enough; a copy must double.
        if self.capacity > 0 {
            let missing = self.len.saturating_add(additional) - self.capacity;
            // SAFETY: as in `freeze`.
            let end = unsafe { self.start.add(self.capacity) }.as_ptr().cast();
            for more in [missing.max(self.capacity / 4 + FIRST_CAPACITY), missing] {
                let bytes = more.saturating_mul(size_of::<T>());
                if self.arena.extend(end, bytes) {
                    self.capacity += more;
                    return Ok(());
                }
            }
        }
        let (old, len) = (self.start, self.len);
        let capacity = len.saturating_add(additional).max(len.saturating_mul(2));
        self.take(capacity.max(FIRST_CAPACITY))?;
        // SAFETY: `start` is new and holds at least `len` elements; `old` has `len` of them.
        unsafe { self.start.copy_from_nonoverlapping(old, len) };
        Ok(())
    }

    /// New memory for `capacity` elements, with nothing in it yet.
    #[inline]
    fn take(&mut self, capacity: usize) -> Result<(), DecodeError> {
        let layout = layout::<T>(capacity);
        let memory = if layout.size() <= SMALL {
            self.arena.try_take_high(layout)
        } else {
            self.arena.try_take_low(layout)
        };
        self.start = memory?.cast();
        self.capacity = capacity;
        Ok(())
    }
}

/// Out of line, so that a push has no code for it.
#[cold]
#[inline(never)]
fn forget(error: DecodeError) {
    drop(error);
}

#[inline]
fn layout<T>(capacity: usize) -> Layout {
    let Ok(layout) = Layout::array::<T>(capacity) else {
        panic!("arena vector of {capacity} elements")
    };
    layout
}

impl<T: Copy + core::fmt::Debug> core::fmt::Debug for ArenaVec<'_, T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.as_slice().fmt(f)
    }
}
