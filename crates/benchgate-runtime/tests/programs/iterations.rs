//! Closures that call no iter method, two of them, or one that measures nothing.

use std::time::Duration;

use criterion::{criterion_group, criterion_main, Criterion};

fn calls(c: &mut Criterion) {
    c.bench_function("two", |b| {
        b.iter_custom(|n| Duration::from_nanos(n * 3));
        b.iter_custom(|n| Duration::from_nanos(n * 5));
    });
    c.bench_function("zero time", |b| b.iter_custom(|_| Duration::from_nanos(0)));
    c.bench_function("given time", |b| b.iter_custom(|n| Duration::from_nanos(n * 7)));
    let mut calls = 0;
    c.bench_function("closure", |b| {
        calls += 1;
        let n = calls;
        b.iter_custom(|_| Duration::from_nanos(n))
    });
    c.bench_function("seen iterations", |b| b.iter_custom(|n| Duration::from_nanos(n)));
    c.bench_function("set-up", |b| {
        std::thread::sleep(Duration::from_millis(20));
        b.iter_custom(|_| Duration::from_nanos(1))
    });
    c.bench_function("none", |_| {});
    c.bench_function("last", |b| b.iter(|| 1));
}

criterion_group!(benches, calls);
criterion_main!(benches);
