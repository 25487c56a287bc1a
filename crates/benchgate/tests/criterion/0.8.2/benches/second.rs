//! The same id as in `first`: two suites of one package must not overwrite each other's results.

use criterion::{criterion_group, criterion_main, Criterion};
use fixture::{mix, PANIC, STEADY};
use std::hint::black_box;

fn steady(c: &mut Criterion) {
    c.bench_function("a (b)/c+d [1]", |b| {
        assert!(!PANIC, "the fixture panics on purpose");
        b.iter(|| mix(black_box(2), black_box(STEADY)));
    });
}

/// Criterion cuts titles at 100 bytes and distinguishes them by ` #2`.
fn long(c: &mut Criterion) {
    for (end, work) in [("one", STEADY), ("two", 2 * STEADY)] {
        let id = format!("{}{end}", "long ".repeat(24));
        c.bench_function(&id, |b| b.iter(|| mix(black_box(4), black_box(work))));
    }
}

criterion_group!(benches, steady, long);
criterion_main!(benches);
