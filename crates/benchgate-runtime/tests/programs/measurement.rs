//! Measurements of the bench's own: one that passes on to wall time, one of bytes.

use std::time::{Duration, Instant};

use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use criterion::{criterion_group, criterion_main, BatchSize, Criterion, Throughput};

struct HalfSeconds;

impl Measurement for HalfSeconds {
    type Intermediate = Instant;
    type Value = Duration;

    fn start(&self) -> Instant {
        WallTime.start()
    }
    fn end(&self, i: Instant) -> Duration {
        WallTime.end(i)
    }
    fn add(&self, v1: &Duration, v2: &Duration) -> Duration {
        WallTime.add(v1, v2)
    }
    fn zero(&self) -> Duration {
        WallTime.zero()
    }
    fn to_f64(&self, val: &Duration) -> f64 {
        WallTime.to_f64(val)
    }
    fn formatter(&self) -> &dyn ValueFormatter {
        WallTime.formatter()
    }
}

struct Bytes;

impl Measurement for Bytes {
    type Intermediate = u64;
    type Value = u64;

    fn start(&self) -> u64 {
        0
    }
    fn end(&self, _: u64) -> u64 {
        2048
    }
    fn add(&self, v1: &u64, v2: &u64) -> u64 {
        v1 + v2
    }
    fn zero(&self) -> u64 {
        0
    }
    fn to_f64(&self, value: &u64) -> f64 {
        *value as f64
    }
    fn formatter(&self) -> &dyn ValueFormatter {
        self
    }
}

impl ValueFormatter for Bytes {
    fn scale_values(&self, _typical: f64, _values: &mut [f64]) -> &'static str {
        "B"
    }
    fn scale_throughputs(
        &self,
        _typical: f64,
        throughput: &Throughput,
        _values: &mut [f64],
    ) -> &'static str {
        match throughput {
            Throughput::Elements(_) => "B/elem",
            _ => "B/other",
        }
    }
    fn scale_for_machines(&self, values: &mut [f64]) -> &'static str {
        values.iter_mut().for_each(|value| *value /= 1024.0);
        "KiB"
    }
}

fn times(c: &mut Criterion<HalfSeconds>) {
    c.bench_function("time", |b| b.iter(|| 1 + 1));
}

fn bytes(c: &mut Criterion<Bytes>) {
    c.bench_function("bytes", |b| b.iter(|| 1 + 1));
    c.bench_function("batched", |b| b.iter_batched(|| 1, |n| n + 1, BatchSize::SmallInput));
    c.bench_function("custom", |b| b.iter_custom(|iterations| iterations * 1024));
    let shown = WallTime.formatter().format_throughput(&Throughput::Bytes(2048), 1e9);
    assert_eq!(shown, "2.0000 KiB/s");
    assert_eq!(WallTime.formatter().format_value(1_500.0), "1.5000 µs");
}

criterion_group!(name = of_time; config = Criterion::default().with_measurement(HalfSeconds); targets = times);
criterion_group!(name = of_bytes; config = Criterion::default().with_measurement(Bytes); targets = bytes);
criterion_main!(of_time, of_bytes);
