//! Ids that are taken twice, and ids of any characters.

use criterion::{criterion_group, criterion_main, BenchmarkId, Criterion, Throughput};

fn across_groups(c: &mut Criterion) {
    for _ in 0..2 {
        let mut group = c.benchmark_group("same");
        group.bench_function("id", |b| b.iter(|| 1));
        group.finish();
    }
    c.bench_function("same/id", |b| b.iter(|| 1));
}

fn characters(c: &mut Criterion) {
    c.bench_function("line\nfeed\r and \\ and \u{7}", |b| b.iter(|| 1));
    c.bench_function(" spaces  ", |b| b.iter(|| 1));
    c.bench_function("a/b/c", |b| b.iter(|| 1));
    c.bench_function("🦀 µ", |b| b.iter(|| 1));
    c.bench_function(&"ä".repeat(150), |b| b.iter(|| 1));
    let mut group = c.benchmark_group("empty value");
    group.throughput(Throughput::Bytes(64));
    group.bench_function(BenchmarkId::new("", ""), |b| b.iter(|| 1));
}

fn empty(c: &mut Criterion) {
    c.benchmark_group("without benchmarks").finish();
}

fn twice_in_one_group(c: &mut Criterion) {
    if std::env::var_os("TWICE").is_some() {
        let mut group = c.benchmark_group("twice");
        group.bench_function("id", |b| b.iter(|| 1));
        group.bench_function("id", |b| b.iter(|| 1));
    }
}

criterion_group!(first, across_groups, characters, empty);
criterion_group!(second, across_groups, twice_in_one_group);
criterion_main!(first, second);
