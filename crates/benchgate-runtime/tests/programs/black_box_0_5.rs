//! Up to 0.5 `black_box` is not deprecated.

#![deny(warnings)]

use criterion::{black_box, criterion_group, criterion_main, Criterion};

fn target(c: &mut Criterion) {
    c.bench_function("target", |b| b.iter(|| black_box(String::from("dropped once"))));
}

criterion_group!(benches, target);
criterion_main!(benches);
