//! The same id as in `first`: two suites of one package must not overwrite each other's results.

use criterion::{criterion_group, criterion_main, Criterion};
use fixture::{mix, OWN_SECONDS, PANIC, STEADY};
use std::hint::black_box;
use std::time::Duration;

fn steady(c: &mut Criterion) {
    c.bench_function("a (b)/c+d [1]", |b| {
        assert!(!PANIC, "the fixture panics on purpose");
        b.iter(|| mix(black_box(2), black_box(STEADY)));
    });
}

/// What a group sets wins over the command line.
fn with_own_settings(c: &mut Criterion) {
    if OWN_SECONDS > 0 {
        let mut group = c.benchmark_group("own settings");
        group.measurement_time(Duration::from_secs(OWN_SECONDS)).sample_size(50);
        group.bench_function("mix", |b| b.iter(|| mix(black_box(3), black_box(STEADY))));
        group.finish();
    }
}

criterion_group!(benches, steady, with_own_settings);
criterion_main!(benches);
