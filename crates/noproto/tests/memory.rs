//! What a schema costs: memory in proportion to its text, and a bounded sum for what a few letters
//! can ask for.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use noproto::{Error, Schema};
use proptest::prelude::*;

/// Counts what is in use, and the most that ever was.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: both hand over to `System` what they were given.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        MOST.fetch_max(IN_USE.fetch_add(layout.size(), Relaxed) + layout.size(), Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The bytes that a schema of this text takes at most while it is read, and whether it is one.
fn cost(text: &str) -> (usize, Result<Schema, Error>) {
    let before = IN_USE.load(Relaxed);
    MOST.store(before, Relaxed);
    let schema = Schema::parse(text);
    (MOST.load(Relaxed) - before, schema)
}

/// All slots of all types, and for each letter what its part of a type may take.
fn limit(text: &str) -> usize {
    (9 << 20) + 600 * text.len()
}

/// Tuples in tuples, each of which would have 64 KiB again.
fn nested(depth: usize) -> String {
    let inner = vec!["string[4096]"; 15].join(",");
    format!("{}{inner}{}", "tuple(".repeat(depth), ")".repeat(depth))
}

/// One test, since the allocator is one for all threads.
#[test]
fn a_short_schema_takes_little_memory() {
    let fields: Vec<_> = (0..90).map(|at| format!("f{at}: list<{}>", nested(28))).collect();
    let text = format!("struct {{ {} }}", fields.join(", "));
    assert!(text.len() < 50_000);
    let (most, schema) = cost(&text);
    assert!(most < limit(""), "{most} bytes for {}", text.len());
    let expected = Error::Schema("all types of a schema have at most 4 MiB together");
    assert_eq!(schema, Err(expected));
    assert!(cost(&nested(28)).1.is_ok());

    let piece =
        prop_oneof![Just("u8"), Just("string[4096]"), Just("bytes[999]"), Just("decimal(2)")];
    let ty = piece.prop_map(String::from).prop_recursive(12, 64, 16, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..16)
                .prop_map(|all| format!("tuple({})", all.join(","))),
            inner.clone().prop_map(|item| format!("list<{item}>")),
            prop::collection::vec(inner, 1..16).prop_map(|all| {
                let all = all.iter().enumerate().map(|(at, ty)| format!("f{at}:{ty}"));
                format!("struct {{ {} }}", all.collect::<Vec<_>>().join(","))
            }),
        ]
    });
    proptest!(|(ty in ty, copies in 1..40_usize)| {
        let text = format!("tuple({})", vec![format!("list<{ty}>"); copies].join(","));
        let (most, _) = cost(&text);
        prop_assert!(most < limit(&text), "{} bytes for {}", most, text.len());
    });
}
