//! How often decoding and encoding ask the global allocator for memory, and for how much.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use defiant::{Arena, Message};
use defiant_fixtures::dataset;
use defiant_fixtures::defiant::benchmarks::proto2::{GoogleMessage1, GoogleMessage2};

struct Counting;

thread_local! {
    /// Allocations and their bytes on this thread, as the tests run on several.
    static COUNT: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
        // SAFETY: the caller keeps the contract.
        unsafe { System.realloc(memory, layout, size) }
    }
}

fn count(bytes: usize) {
    let (blocks, sum) = COUNT.get();
    COUNT.set((blocks + 1, sum + bytes));
}

/// Allocations and bytes that `work` asks for.
fn allocations<T>(work: impl FnOnce() -> T) -> (usize, usize) {
    COUNT.set((0, 0));
    drop(work());
    COUNT.get()
}

/// The messages to measure: one of the official shape, and the official one if it is there.
fn messages() -> impl Iterator<Item = Vec<u8>> {
    [dataset::like_google_message2()].into_iter().chain(dataset::official("google_message2"))
}

#[test]
fn a_fresh_arena_asks_for_memory_once() {
    for bytes in messages() {
        let (blocks, size) = allocations(|| {
            let arena = Arena::new();
            GoogleMessage2::decode(&bytes, &arena).expect("it is valid").group1.len()
        });
        assert_eq!(blocks, 1, "{size} bytes");
        assert!(size <= 520_000, "{size} bytes");
    }
}

#[test]
fn an_arena_with_a_capacity_asks_for_memory_once() {
    for bytes in messages() {
        let (blocks, size) = allocations(|| {
            let arena = Arena::with_capacity(300_000);
            GoogleMessage2::decode(&bytes, &arena).expect("it is valid").group1.len()
        });
        assert_eq!((blocks, size / 1000), (1, 300));
    }
}

#[test]
fn a_reset_arena_asks_for_no_memory() {
    for bytes in messages() {
        for first_capacity in [0, 10, 1000, 100_000] {
            let mut arena = Arena::with_capacity(first_capacity);
            GoogleMessage2::decode(&bytes, &arena).expect("it is valid");
            arena.reset();
            for _ in 0..3 {
                let (blocks, _) = allocations(|| {
                    GoogleMessage2::decode(&bytes, &arena).expect("it is valid").group1.len()
                });
                assert_eq!(blocks, 0, "after a capacity of {first_capacity}");
                arena.reset();
            }
        }
    }
}

#[test]
fn a_message_of_plain_fields_asks_for_no_memory() {
    let bytes = [0x0a, 2, b'a', b'b', 16, 1, 24, 2];
    let (blocks, _) = allocations(|| {
        let arena = Arena::new();
        GoogleMessage1::decode(&bytes, &arena).expect("it is valid").field2
    });
    assert_eq!(blocks, 0);
}

#[test]
fn encoding_into_a_vector_of_the_right_size_asks_for_no_memory() {
    for bytes in messages() {
        let arena = Arena::new();
        let message = GoogleMessage2::decode(&bytes, &arena).expect("it is valid");
        let mut out = Vec::with_capacity(message.encoded_len());
        let (blocks, _) = allocations(|| message.encode(&mut out));
        assert_eq!(blocks, 0);
        assert_eq!(out, bytes);
    }
}
