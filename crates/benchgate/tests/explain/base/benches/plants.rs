use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use plants::*;
use std::hint::black_box;

fn all(criterion: &mut Criterion) {
    let data = Data::new();
    criterion
        .bench_function("inlined_helper", |b| b.iter(|| inlined_helper::run(black_box(&data))));
    criterion.bench_function("clone", |b| b.iter(|| clone::run(black_box(&data))));
    criterion
        .bench_function("extra_allocation", |b| b.iter(|| extra_allocation::run(black_box(&data))));
    criterion.bench_function("hash", |b| b.iter(|| hash::run(black_box(&data))));
    criterion.bench_function("bounds_check", |b| b.iter(|| bounds_check::run(black_box(&data))));
    criterion.bench_function("lost_inline", |b| b.iter(|| lost_inline::run(black_box(&data))));
    criterion
        .bench_function("quadratic_loop", |b| b.iter(|| quadratic_loop::run(black_box(&data))));
    criterion
        .bench_function("wrong_capacity", |b| b.iter(|| wrong_capacity::run(black_box(&data))));
    criterion.bench_function("dependency", |b| b.iter(|| dependency::run(black_box(&data))));
    criterion.bench_function("called_twice", |b| b.iter(|| called_twice::run(black_box(&data))));
    criterion.bench_function("early_exit", |b| b.iter(|| early_exit::run(black_box(&data))));
    criterion
        .bench_function("dynamic_dispatch", |b| b.iter(|| dynamic_dispatch::run(black_box(&data))));
    criterion.bench_function("formatting", |b| b.iter(|| formatting::run(black_box(&data))));
    criterion.bench_function("sorting", |b| b.iter(|| sorting::run(black_box(&data))));
    criterion.bench_function("utf8", |b| b.iter(|| utf8::run(black_box(&data))));
    criterion.bench_function("lost_cache", |b| b.iter(|| lost_cache::run(black_box(&data))));
    criterion.bench_function("deep_helper", |b| b.iter(|| deep_helper::run(black_box(&data))));
    criterion.bench_function("recursion", |b| b.iter(|| recursion::run(black_box(&data))));
    criterion.bench_function("checked", |b| b.iter(|| checked::run(black_box(&data))));
    criterion.bench_function("collected", |b| b.iter(|| collected::run(black_box(&data))));
    criterion.bench_function("pushing", |b| b.iter(|| pushing::run(black_box(&data))));
    criterion.bench_function("linear_search", |b| b.iter(|| linear_search::run(black_box(&data))));
    criterion.bench_function("boxed", |b| b.iter(|| boxed::run(black_box(&data))));
    criterion.bench_function("with_setup", |b| {
        b.iter_batched(|| with_setup::setup(&data), with_setup::routine, BatchSize::SmallInput)
    });
}

criterion_group!(group, all);
criterion_main!(group);
