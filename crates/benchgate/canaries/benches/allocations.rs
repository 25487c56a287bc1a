//! A benchmark to which a commit adds an allocation. Speaks `benchgate.allocations/1`.

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

const BUFFERS: usize = 2;
const BUFFER_BYTES: usize = 1024;
const ITERATIONS: usize = 10;

static BLOCKS: AtomicUsize = AtomicUsize::new(0);
static BYTES: AtomicUsize = AtomicUsize::new(0);
static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// Counts what goes through it. One that grows or shrinks is a new block: the default `realloc` calls
/// `alloc`.
struct Counting;

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        BLOCKS.fetch_add(1, Relaxed);
        BYTES.fetch_add(layout.size(), Relaxed);
        PEAK.fetch_max(LIVE.fetch_add(layout.size(), Relaxed) + layout.size(), Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Buffers that live one after the other, so that another one makes the peak no higher.
fn fill() {
    for _ in 0..BUFFERS {
        drop(black_box(Vec::<u8>::with_capacity(black_box(BUFFER_BYTES))));
    }
}

fn main() {
    if std::env::args().any(|argument| argument == "--help") {
        println!("--json prints benchgate.allocations/1");
        return;
    }
    let (blocks, bytes, live) = (BLOCKS.load(Relaxed), BYTES.load(Relaxed), LIVE.load(Relaxed));
    PEAK.store(live, Relaxed);
    for _ in 0..ITERATIONS {
        fill();
    }
    let (blocks, bytes) = (BLOCKS.load(Relaxed) - blocks, BYTES.load(Relaxed) - bytes);
    let peak = PEAK.load(Relaxed) - live;
    println!(
        r#"{{"schema":"benchgate.allocations/1","id":"allocations/buffers","iterations":{ITERATIONS},"blocks":{blocks},"bytes":{bytes},"peak":{peak}}}"#
    );
}
