//! What forbids warnings compiles as it does with Criterion.

#![deny(warnings, missing_docs, unsafe_code, rust_2018_idioms)]

use criterion::{criterion_group, criterion_main, Criterion};

fn target(c: &mut Criterion) {
    c.bench_function("target", |b| b.iter(|| 1));
}

criterion_group!(benches, target);
criterion_main!(benches);
