//! What versions since 0.5 have, and 0.4 has not.

use criterion::{criterion_main, BenchmarkFilter, Criterion};

fn filtered() {
    let accepted = |filter: BenchmarkFilter| {
        let mut criterion = Criterion::default().with_benchmark_filter(filter.clone());
        let mut calls = 0;
        criterion.bench_function("target", |b| {
            calls += 1;
            b.iter(|| 1)
        });
        format!("{:?} {}", filter, calls > 0)
    };
    eprintln!("{}", accepted(BenchmarkFilter::AcceptAll));
    eprintln!("{}", accepted(BenchmarkFilter::Exact("target".to_owned())));
    eprintln!("{}", accepted(BenchmarkFilter::Exact("targe".to_owned())));
    eprintln!("{}", accepted(BenchmarkFilter::RejectAll));
}

criterion_main!(filtered);
