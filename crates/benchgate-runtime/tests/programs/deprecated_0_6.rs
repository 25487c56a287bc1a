//! The deprecation that a bench may expect since 0.6.

#![deny(warnings)]

use criterion::{criterion_group, criterion_main, Criterion};

fn target(c: &mut Criterion) {
    #[expect(deprecated)]
    c.bench_function("target", |b| b.iter(|| criterion::black_box(1)));
}

criterion_group!(benches, target);
criterion_main!(benches);
