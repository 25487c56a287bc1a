//! How many inputs and outputs live at a time, and in which order they are dropped. Prints a line for each call.

use std::cell::RefCell;

use criterion::{criterion_group, criterion_main, BatchSize, Bencher, Criterion};

#[derive(Default)]
struct Counts {
    alive: usize,
    most: usize,
    dropped: String,
}

thread_local!(static COUNTS: RefCell<Counts> = RefCell::default());

/// An input or an output.
struct Counted(char);

impl Counted {
    fn new(kind: char) -> Self {
        COUNTS.with(|counts| {
            let mut counts = counts.borrow_mut();
            counts.alive += 1;
            counts.most = counts.most.max(counts.alive);
        });
        Counted(kind)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        COUNTS.with(|counts| {
            let mut counts = counts.borrow_mut();
            counts.alive -= 1;
            counts.dropped.push(self.0);
        });
    }
}

fn counted(c: &mut Criterion, id: &str, call: impl Fn(&mut Bencher<'_>)) {
    c.bench_function(id, |b| {
        COUNTS.with(|counts| *counts.borrow_mut() = Counts::default());
        call(b);
        COUNTS.with(|counts| {
            let counts = counts.borrow();
            assert_eq!(counts.alive, 0);
            let shown: String = counts.dropped.chars().take(12).collect();
            eprintln!("{} most {} dropped {} {}", id, counts.most, counts.dropped.len(), shown);
        });
    });
}

fn sizes(c: &mut Criterion) {
    for (name, size) in [
        ("small", BatchSize::SmallInput),
        ("large", BatchSize::LargeInput),
        ("one", BatchSize::PerIteration),
        ("two batches", BatchSize::NumBatches(2)),
        ("threes", BatchSize::NumIterations(3)),
    ] {
        counted(c, &format!("value {}", name), |b| {
            b.iter_batched(|| Counted::new('i'), |_input| Counted::new('o'), size)
        });
        counted(c, &format!("ref {}", name), |b| {
            b.iter_batched_ref(|| Counted::new('i'), |_input| Counted::new('o'), size)
        });
    }
    counted(c, "large drop", |b| b.iter_with_large_drop(|| Counted::new('o')));
    counted(c, "setup", |b| b.iter_with_setup(|| Counted::new('i'), |_input| Counted::new('o')));
    counted(c, "plain", |b| b.iter(|| Counted::new('o')));
}

criterion_group!(benches, sizes);
criterion_main!(benches);
