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

criterion_group!(benches, steady);
criterion_main!(benches);
