//! An allocator that counts, for the numbers that no machine changes.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static BLOCKS: Cell<u64> = const { Cell::new(0) };
    static BYTES: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator, counting what each thread asks of it.
#[derive(Debug)]
pub struct Counting;

/// What some work asked of the allocator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allocations {
    /// Calls that gave or resized a block.
    pub blocks: u64,
    /// Bytes of those blocks, each at its new size.
    pub bytes: u64,
}

/// Runs `work` and says what it asked of the allocator on this thread. That is nothing at all
/// unless [`Counting`] is the global allocator.
pub fn allocations_of(work: impl FnOnce()) -> Allocations {
    let (blocks, bytes) = (BLOCKS.get(), BYTES.get());
    work();
    Allocations { blocks: BLOCKS.get() - blocks, bytes: BYTES.get() - bytes }
}

fn count(size: usize) {
    BLOCKS.set(BLOCKS.get() + 1);
    BYTES.set(BYTES.get() + size as u64);
}

// SAFETY: every call is passed on to `System` as it came. Counting allocates nothing: the
// thread-locals are initialized by constants and have no destructors.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller's promise about `layout` is the one asked for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: as in `alloc`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: `pointer` came from `System`, since nothing else allocates here.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        count(new_size);
        // SAFETY: `pointer` came from `System`; the caller's promises are the ones asked for.
        unsafe { System.realloc(pointer, layout, new_size) }
    }
}
