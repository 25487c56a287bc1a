//! What only versions before 0.4 have.

#![allow(deprecated)]

use std::time::Duration;

use criterion::{
    black_box, criterion_group, criterion_main, BatchSize, Bencher, Benchmark, Criterion, Fun,
    ParameterizedBenchmark, Throughput,
};

fn old(c: &mut Criterion) {
    c.bench(
        "group",
        Benchmark::new("one", |b| b.iter(|| 1)).with_function("two", |b| b.iter(|| 2)),
    );
    c.bench("same", Benchmark::new("same", |b| b.iter(|| 1)).throughput(Throughput::Bytes(1)));
    let parameters = ParameterizedBenchmark::new("one", |b, n| b.iter(|| n + 1), vec![1, 2])
        .with_function("two", |b: &mut Bencher, n: &u64| b.iter(|| n + 2))
        .throughput(|n| Throughput::Elements(*n))
        .sample_size(10)
        .warm_up_time(Duration::from_millis(1));
    c.bench("parameters", parameters);
    let functions = vec![
        Fun::new("first", |b: &mut Bencher, n: &u64| b.iter(|| n + 1)),
        Fun::new("second", |b: &mut Bencher, n: &u64| b.iter(|| n + 2)),
    ];
    c.bench_functions("functions", functions, 5);
    c.bench_function_over_inputs("inputs", |b, n| b.iter(|| black_box(*n) + 1), vec![1, 2]);
    c.bench_function_over_inputs("text", |b, s| b.iter(|| s.len()), vec!["a", "b"]);
    c.bench_function("large", |b| b.iter_with_large_setup(|| vec![1], |v| v.len()));
    c.bench_function("batch", |b| b.iter_batched(|| 1, |n| n, BatchSize::NumBatches(1)));
    assert!(c.can_plot());
}

fn config() -> Criterion {
    Criterion::default().retain_baseline("base".to_owned())
}

criterion_group!(name = benches; config = config(); targets = old);
criterion_main!(benches);
