//! A match on the throughputs of this version, without a wildcard.

use criterion::{criterion_group, criterion_main, Criterion, Throughput};

fn amount(throughput: Throughput) -> u64 {
    match throughput {
        Throughput::Bytes(n) | Throughput::Elements(n) => n,
        Throughput::BytesDecimal(n) => n,
    }
}

fn target(c: &mut Criterion) {
    assert_eq!(amount(Throughput::Bytes(3).clone()), 3);
    c.bench_function("target", |b| b.iter(|| 1));
}

criterion_group!(benches, target);
criterion_main!(benches);
