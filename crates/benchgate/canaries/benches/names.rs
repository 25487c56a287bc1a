//! Benchmarks that a commit deletes and renames.

use std::hint::black_box;

use canaries::work;
use criterion::{criterion_group, criterion_main, Criterion};

const IDS: &[&str] = &["names/kept", "names/deleted", "names/old"];

fn names(c: &mut Criterion) {
    for id in IDS {
        c.bench_function(id, |b| b.iter(|| work(black_box(10_000))));
    }
}

criterion_group!(benches, names);
criterion_main!(benches);
