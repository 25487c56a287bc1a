//! Ids with spaces, slashes and regex characters, a parametrised group, and settings of its own.

use criterion::{
    criterion_group, criterion_main, BenchmarkId, Criterion, SamplingMode, Throughput,
};
use fixture::{mix, OWN_SECONDS, SIZES, STEADY, WORK};
use std::hint::black_box;
use std::time::Duration;

fn scaled(c: &mut Criterion) {
    c.bench_function("a (b)/c+d [1]", |b| b.iter(|| mix(black_box(1), black_box(WORK))));
}

fn sizes(c: &mut Criterion) {
    let mut group = c.benchmark_group("sizes of input");
    for &size in SIZES {
        group.throughput(Throughput::Bytes(size));
        group.bench_with_input(BenchmarkId::new("mix", size), &size, |b, &size| {
            b.iter(|| mix(black_box(size), black_box(STEADY)));
        });
    }
    group.finish();
}

/// Runs a group whose own settings override the command line.
fn with_own_settings(c: &mut Criterion) {
    if OWN_SECONDS > 0 {
        let mut group = c.benchmark_group("own settings");
        group.measurement_time(Duration::from_secs(OWN_SECONDS)).sample_size(50);
        group.sampling_mode(SamplingMode::Flat);
        group.bench_function("mix", |b| b.iter(|| mix(black_box(3), black_box(STEADY))));
        group.finish();
    }
}

/// Criterion cuts titles at 100 bytes and distinguishes them by ` #2`.
fn long(c: &mut Criterion) {
    for (end, work) in [("one", STEADY), ("two", 2 * STEADY)] {
        let id = format!("{}{end}", "long ".repeat(24));
        c.bench_function(&id, |b| b.iter(|| mix(black_box(4), black_box(work))));
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(1500))
        .measurement_time(Duration::from_secs(2));
    targets = scaled, sizes, with_own_settings, long
}
criterion_main!(benches);
