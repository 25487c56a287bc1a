//! One benchmark for each function of the library.

use std::hint::black_box;

use calculator::{largest, sum};
use criterion::{criterion_group, criterion_main, Criterion};

fn speed(c: &mut Criterion) {
    let list = (0..200).map(|number| (number * 7919 % 1000).to_string());
    let list = list.collect::<Vec<_>>().join(", ");
    c.bench_function("sum", |b| b.iter(|| sum(black_box(&list))));
    c.bench_function("largest", |b| b.iter(|| largest(black_box(&list))));
}

criterion_group!(benches, speed);
criterion_main!(benches);
