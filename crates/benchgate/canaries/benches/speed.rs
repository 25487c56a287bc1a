//! Four benchmarks of the same work; a commit gives three of them more.

use std::hint::black_box;

use canaries::work;
use criterion::{criterion_group, criterion_main, Criterion};

const SAME: u64 = 10_000;
const THREE_PERCENT: u64 = 10_000;
const SIX_PERCENT: u64 = 10_000;
const TWELVE_PERCENT: u64 = 10_000;

fn speed(c: &mut Criterion) {
    for (id, steps) in [
        ("speed/same", SAME),
        ("speed/three_percent", THREE_PERCENT),
        ("speed/six_percent", SIX_PERCENT),
        ("speed/twelve_percent", TWELVE_PERCENT),
    ] {
        c.bench_function(id, |b| b.iter(|| work(black_box(steps))));
    }
}

criterion_group!(benches, speed);
criterion_main!(benches);
