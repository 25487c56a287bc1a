//! The bump allocator that decoded messages live in.
//!
//! A chunk is filled from both ends. Values of a fixed size go down from the high end; growing
//! vectors go up from the low end, so that the vector a decoder is filling stays next to the free
//! space and grows without a copy while the values inside its elements are allocated. That, and a
//! first chunk whose size follows the input, is why this is not `bumpalo`: with one free end the
//! vector of a large message is copied at each doubling and leaves its old halves behind.

use alloc::alloc::{alloc, dealloc, handle_alloc_error};
use core::alloc::Layout;
use core::cell::Cell;
use core::ptr::{self, NonNull};

use crate::error::{DecodeError, DecodeErrorKind};

/// Arena bytes expected per input byte: a message of short fields decodes to about four times its
/// encoding (google_message2: 3.2).
const BYTES_PER_INPUT_BYTE: usize = 4;
/// Below this a chunk's own overhead would show.
const MIN_CHUNK: usize = 512;
/// A length in the input must not decide about more memory than this; larger messages double.
const MAX_FIRST_CHUNK: usize = 1 << 20;

/// The header at the start of each chunk.
#[repr(C, align(16))]
struct Chunk {
    older: Option<NonNull<Chunk>>,
    /// Bytes of the whole chunk, this header included.
    size: usize,
}

const HEADER: usize = size_of::<Chunk>();

/// Memory that is given out piece by piece and freed as a whole.
///
/// Values in an arena are [`Copy`], so nothing is dropped when it is reset or dropped.
///
/// # A limit
///
/// A message takes a multiple of its encoding's size, which depends on its type. An arena that was made by
/// [`Self::with_limit`] refuses to decode what does not fit: the functions of [`Message`](crate::Message) then fail with
/// [`DecodeErrorKind::ArenaLimit`], which has the limit and what was needed. What is allocated by the functions of the
/// arena and of [`ArenaVec`](crate::ArenaVec) outside of a decode counts too, and is not refused.
///
/// The limit is one of [`Self::allocated_bytes`], whichever decodes took them. No decode takes memory beyond it, whether
/// it fails or not. A decode may need twice as much as the values: a list that grows by a copy leaves its old half.
///
/// # Examples
///
/// ```
/// let mut arena = defiant::Arena::new();
/// assert_eq!(arena.allocated_bytes(), 0);
/// assert_eq!(arena.alloc_str("kept"), "kept");
/// assert!(arena.allocated_bytes() > 0);
/// arena.reset();
/// ```
pub struct Arena {
    /// Free memory is `low..high`; both are null before the first chunk.
    low: Cell<*mut u8>,
    high: Cell<*mut u8>,
    newest: Cell<Option<NonNull<Chunk>>>,
    /// Bytes of all chunks.
    allocated: Cell<usize>,
    /// Size of the next chunk in bytes, unless one request needs more.
    next_size: Cell<usize>,
    /// Messages are entered only with more levels left than this: none, or more than there are once the limit was
    /// exceeded. One comparison for each message is for both.
    floor: Cell<u32>,
    /// The limit in bytes, if there is one.
    limit: usize,
    /// The limit while something is decoded.
    enforced: Cell<usize>,
    /// What the arena would have held, in bytes, if the limit had not been exceeded; zero if it was not.
    exceeded: Cell<usize>,
}

// SAFETY: an arena owns its chunks, nothing in them is tied to a thread, and it cannot be moved to
// another thread while a reference it gave out is alive.
unsafe impl Send for Arena {}

impl Arena {
    /// An arena without memory; the first value allocates the first chunk.
    pub const fn new() -> Self {
        Self {
            low: Cell::new(ptr::null_mut()),
            high: Cell::new(ptr::null_mut()),
            newest: Cell::new(None),
            allocated: Cell::new(0),
            next_size: Cell::new(MIN_CHUNK),
            floor: Cell::new(0),
            limit: usize::MAX,
            enforced: Cell::new(usize::MAX),
            exceeded: Cell::new(0),
        }
    }

    /// An arena without memory that takes at most `bytes` for what is decoded.
    ///
    /// # Examples
    ///
    /// ```
    /// let arena = defiant::Arena::with_limit(1 << 20);
    /// assert_eq!((arena.limit(), arena.allocated_bytes()), (Some(1 << 20), 0));
    /// ```
    pub const fn with_limit(bytes: usize) -> Self {
        let mut arena = Self::new();
        arena.limit = bytes;
        arena
    }

    /// The limit in bytes; `None` without one.
    pub const fn limit(&self) -> Option<usize> {
        if self.limit == usize::MAX { None } else { Some(self.limit) }
    }

    /// An arena with one chunk of at least `bytes` usable bytes.
    pub fn with_capacity(bytes: usize) -> Self {
        let arena = Self::new();
        if bytes > 0 {
            arena.next_size.set(0);
            arena.add_chunk(bytes);
        }
        arena
    }

    /// Forgets all values and keeps the memory for new ones.
    ///
    /// Several chunks become one of their total size, so that the work that filled them finds room
    /// without another allocation.
    #[inline]
    pub fn reset(&mut self) {
        let Some(newest) = self.newest.get() else { return };
        // SAFETY: `newest` is a live chunk of this arena.
        let Chunk { older, size } = unsafe { newest.read() };
        if older.is_none() {
            self.open(newest, size);
        } else {
            self.join_chunks();
        }
    }

    #[cold]
    #[inline(never)]
    fn join_chunks(&mut self) {
        let total = self.allocated_bytes();
        self.free_chunks();
        self.next_size.set(0);
        self.add_chunk(total - HEADER);
    }

    /// Bytes this arena holds from the global allocator, used or not.
    pub fn allocated_bytes(&self) -> usize {
        self.allocated.get()
    }

    /// Moves `value` into the arena.
    #[inline(always)]
    #[expect(clippy::mut_from_ref, reason = "each call returns other memory")]
    pub fn alloc<T: Copy>(&self, value: T) -> &mut T {
        let slot = self.take_high(Layout::new::<T>()).cast::<T>();
        // SAFETY: `take_high` returns memory for the layout of `T` that nothing else refers to and
        // that stays until `reset` or `drop`, which need the arena unborrowed.
        unsafe {
            slot.write(value);
            &mut *slot.as_ptr()
        }
    }

    /// Copies `text` into the arena.
    pub fn alloc_str(&self, text: &str) -> &str {
        let bytes = self.alloc_slice_copy(text.as_bytes());
        // SAFETY: the bytes are a copy of a `str`.
        unsafe { core::str::from_utf8_unchecked(bytes) }
    }

    /// Copies `items` into the arena.
    pub fn alloc_slice_copy<T: Copy>(&self, items: &[T]) -> &[T] {
        if items.is_empty() {
            return &[];
        }
        let slot = self.take_high(Layout::for_value(items)).cast::<T>();
        // SAFETY: the memory has the layout of `items` and is new, so it does not overlap them.
        unsafe {
            slot.copy_from_nonoverlapping(NonNull::from(items).cast(), items.len());
            core::slice::from_raw_parts(slot.as_ptr(), items.len())
        }
    }

    /// Lets the first chunk's size follow an input of `len` bytes.
    #[inline]
    pub(crate) fn expect_input(&self, len: usize) {
        self.expect(len.saturating_mul(BYTES_PER_INPUT_BYTE));
    }

    /// The same, for an input that is copied into the arena first.
    #[inline]
    pub(crate) fn expect_copied_input(&self, len: usize) {
        self.expect(len.saturating_mul(BYTES_PER_INPUT_BYTE + 1));
    }

    #[inline]
    fn expect(&self, bytes: usize) {
        if self.newest.get().is_none() {
            self.next_size.set(bytes.clamp(MIN_CHUNK, MAX_FIRST_CHUNK));
        }
    }

    /// Has `work`, which decodes, keep to the limit.
    ///
    /// # Errors
    ///
    /// Those of `work`, and [`DecodeErrorKind::ArenaLimit`].
    #[inline(always)]
    pub(crate) fn limited<T>(
        &self,
        work: impl FnOnce() -> Result<T, DecodeError>,
    ) -> Result<T, DecodeError> {
        // One call of `work`, whether there is a limit or not: with two, the decoder is inlined in neither.
        let enforcing = (self.limit != usize::MAX).then(|| Enforcing::begin(self));
        let result = work();
        if enforcing.is_some() { self.judge(result) } else { result }
    }

    /// `result`, or the error of a list that found no memory, which has lost elements and has no error of its own.
    #[cold]
    #[inline(never)]
    fn judge<T>(&self, result: Result<T, DecodeError>) -> Result<T, DecodeError> {
        match self.over_limit() {
            Some(kind) if result.is_ok() => Err(kind.into()),
            _ => result,
        }
    }

    /// The least number of levels that a message is not entered with.
    #[inline(always)]
    pub(crate) fn floor(&self) -> u32 {
        self.floor.get()
    }

    /// The error of a limit that was exceeded.
    #[cold]
    #[inline(never)]
    pub(crate) fn over_limit(&self) -> Option<DecodeErrorKind> {
        let needed = self.exceeded.get();
        (needed > 0).then_some(DecodeErrorKind::ArenaLimit { limit: self.limit, needed })
    }

    /// Makes room for a chunk with `bytes`, or notes that the limit is in the way.
    ///
    /// # Errors
    ///
    /// [`DecodeErrorKind::ArenaLimit`].
    fn admit(&self, bytes: usize) -> Result<(), DecodeError> {
        let enforced = self.enforced.get();
        if enforced == usize::MAX {
            return Ok(());
        }
        let needed = self.allocated_bytes().saturating_add(chunk_size(bytes));
        if needed <= enforced && self.exceeded.get() == 0 {
            return Ok(());
        }
        if self.exceeded.get() == 0 {
            self.exceeded.set(needed);
            self.floor.set(u32::MAX);
        }
        Err(self
            .over_limit()
            .unwrap_or(DecodeErrorKind::ArenaLimit { limit: enforced, needed })
            .into())
    }

    /// [`Self::alloc`], within the limit.
    #[inline(always)]
    #[expect(clippy::mut_from_ref, reason = "each call returns other memory")]
    pub(crate) fn try_alloc<T: Copy>(&self, value: T) -> Result<&mut T, DecodeError> {
        let slot = self.try_take_high(Layout::new::<T>())?.cast::<T>();
        // SAFETY: as in `alloc`.
        unsafe {
            slot.write(value);
            Ok(&mut *slot.as_ptr())
        }
    }

    /// Memory from the end where nothing grows.
    #[inline(always)]
    pub(crate) fn take_high(&self, layout: Layout) -> NonNull<u8> {
        if layout.size() == 0 {
            return dangling(layout);
        }
        self.take_free_high(layout).unwrap_or_else(|| self.take_new_high(layout))
    }

    /// The same, within the limit.
    #[inline(always)]
    pub(crate) fn try_take_high(&self, layout: Layout) -> Result<NonNull<u8>, DecodeError> {
        if layout.size() == 0 {
            return Ok(dangling(layout));
        }
        match self.take_free_high(layout) {
            Some(memory) => Ok(memory),
            None => self.try_take_new_high(layout),
        }
    }

    #[cold]
    #[inline(never)]
    fn try_take_new_high(&self, layout: Layout) -> Result<NonNull<u8>, DecodeError> {
        self.admit(layout.size() + layout.align())?;
        Ok(self.take_new_high(layout))
    }

    #[inline(always)]
    fn take_free_high(&self, layout: Layout) -> Option<NonNull<u8>> {
        let high = self.high.get();
        // The bytes above the last aligned place, and the value.
        let taken = (high.addr() & (layout.align() - 1)) + layout.pad_to_align().size();
        if high.addr() - self.low.get().addr() < taken {
            return None;
        }
        // SAFETY: `taken` bytes below `high` are free in the newest chunk.
        let start = unsafe { high.sub(taken) };
        self.high.set(start);
        // SAFETY: a pointer into a chunk is not null, and with `taken > 0` there is one.
        Some(unsafe { NonNull::new_unchecked(start) })
    }

    #[cold]
    #[inline(never)]
    fn take_new_high(&self, layout: Layout) -> NonNull<u8> {
        loop {
            self.add_chunk(layout.size() + layout.align());
            if let Some(memory) = self.take_free_high(layout) {
                return memory;
            }
        }
    }

    /// Memory from the end where [`Self::extend`] can make it longer.
    #[inline]
    pub(crate) fn take_low(&self, layout: Layout) -> NonNull<u8> {
        match self.take_free_low(layout) {
            Some(memory) => memory,
            None => self.take_new_low(layout),
        }
    }

    /// The same, within the limit.
    #[inline]
    pub(crate) fn try_take_low(&self, layout: Layout) -> Result<NonNull<u8>, DecodeError> {
        if let Some(memory) = self.take_free_low(layout) {
            return Ok(memory);
        }
        self.admit(layout.size() + layout.align())?;
        Ok(self.take_new_low(layout))
    }

    #[inline]
    fn take_free_low(&self, layout: Layout) -> Option<NonNull<u8>> {
        if layout.size() == 0 {
            return Some(dangling(layout));
        }
        let low = self.low.get();
        let pad = low.addr().wrapping_neg() & (layout.align() - 1);
        let free = self.high.get().addr() - low.addr();
        if free >= pad + layout.size() {
            // SAFETY: `pad + size` bytes from `low` are free in the newest chunk.
            let (start, end) = unsafe { (low.add(pad), low.add(pad + layout.size())) };
            self.low.set(end);
            // SAFETY: a pointer into a chunk is not null, and with `free > 0` there is one.
            return Some(unsafe { NonNull::new_unchecked(start) });
        }
        None
    }

    #[cold]
    #[inline(never)]
    fn take_new_low(&self, layout: Layout) -> NonNull<u8> {
        self.add_chunk(layout.size() + layout.align());
        self.take_low(layout)
    }

    /// Whether `more` bytes could be added to the memory that ends at `end`.
    pub(crate) fn extend(&self, end: *mut u8, more: usize) -> bool {
        let low = self.low.get();
        if low != end || self.high.get().addr() - low.addr() < more {
            return false;
        }
        // SAFETY: `more` bytes from `low` are free in the newest chunk.
        self.low.set(unsafe { low.add(more) });
        true
    }

    /// Takes back `bytes` unused bytes of the memory that ends at `end`, if it is the last.
    pub(crate) fn give_back(&self, end: *mut u8, bytes: usize) {
        if self.low.get() == end {
            // SAFETY: the caller's memory ends here and is at least `bytes` long.
            self.low.set(unsafe { end.sub(bytes) });
        }
    }

    /// A new newest chunk with room for `bytes`.
    fn add_chunk(&self, bytes: usize) {
        let mut size = bytes.saturating_add(HEADER).max(self.next_size.get());
        if self.enforced.get() != usize::MAX {
            // No more than the limit has room for, unless that is too little: who called has asked before.
            let room = self.enforced.get().saturating_sub(self.allocated_bytes());
            size = size.min(room & !(align_of::<Chunk>() - 1)).max(bytes.saturating_add(HEADER));
        }
        let Ok(layout) = chunk_layout(size) else { panic!("arena chunk of {size} bytes") };
        // SAFETY: the layout holds the header, so its size is not zero.
        let Some(chunk) = NonNull::new(unsafe { alloc(layout) }.cast::<Chunk>()) else {
            handle_alloc_error(layout)
        };
        // SAFETY: the memory is new, aligned and large enough for the header.
        unsafe { chunk.write(Chunk { older: self.newest.get(), size: layout.size() }) };
        self.newest.set(Some(chunk));
        self.allocated.set(self.allocated.get() + layout.size());
        self.next_size.set(layout.size().saturating_mul(2));
        self.open(chunk, layout.size());
    }

    /// Makes the whole of `chunk` free.
    fn open(&self, chunk: NonNull<Chunk>, size: usize) {
        let base = chunk.as_ptr().cast::<u8>();
        // SAFETY: the chunk is `size` bytes long and `size >= HEADER`.
        unsafe {
            self.low.set(base.add(HEADER));
            self.high.set(base.add(size));
        }
    }

    fn free_chunks(&mut self) {
        let mut next = self.newest.take();
        self.allocated.set(0);
        self.low.set(ptr::null_mut());
        self.high.set(ptr::null_mut());
        while let Some(chunk) = next {
            // SAFETY: the list holds live chunks of this arena only, each read before it is freed.
            let Chunk { older, size } = unsafe { chunk.read() };
            if let Ok(layout) = chunk_layout(size) {
                // SAFETY: `add_chunk` allocated it with this layout.
                unsafe { dealloc(chunk.as_ptr().cast(), layout) };
            }
            next = older;
        }
    }
}

/// Bytes of the smallest chunk with room for `bytes`.
fn chunk_size(bytes: usize) -> usize {
    bytes.saturating_add(HEADER).checked_next_multiple_of(align_of::<Chunk>()).unwrap_or(usize::MAX)
}

/// A decode that keeps to the limit; it ends when this is dropped, however it ends.
struct Enforcing<'a> {
    arena: &'a Arena,
    /// The limit before: a decode may be a part of another one.
    before: usize,
}

impl<'a> Enforcing<'a> {
    #[cold]
    #[inline(never)]
    fn begin(arena: &'a Arena) -> Self {
        Self { arena, before: arena.enforced.replace(arena.limit) }
    }
}

impl Drop for Enforcing<'_> {
    #[cold]
    #[inline(never)]
    fn drop(&mut self) {
        self.arena.enforced.set(self.before);
        if self.before == usize::MAX {
            self.arena.exceeded.set(0);
            self.arena.floor.set(0);
        }
    }
}

fn chunk_layout(size: usize) -> Result<Layout, core::alloc::LayoutError> {
    Ok(Layout::from_size_align(size, align_of::<Chunk>())?.pad_to_align())
}

fn dangling(layout: Layout) -> NonNull<u8> {
    // SAFETY: an alignment is not zero.
    unsafe { NonNull::new_unchecked(ptr::without_provenance_mut(layout.align())) }
}

impl Drop for Arena {
    fn drop(&mut self) {
        self.free_chunks();
    }
}

impl Default for Arena {
    fn default() -> Self {
        Self::new()
    }
}

impl core::fmt::Debug for Arena {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Arena").field("allocated_bytes", &self.allocated_bytes()).finish()
    }
}

#[cfg(test)]
mod tests;
