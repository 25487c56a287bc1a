//! The gate's own work on records: what `benchgate compare` does on two exports of ten thousand
//! benchmarks, step by step. `scripts/evidence/engine-vs-critcmp` compares the whole process with critcmp.

use std::fmt::Write as _;
use std::hint::black_box;

use benchgate_core::adapters::critcmp;
use benchgate_core::judge::{Context, decide, observe_records};
use benchgate_core::model::Recorded;
use benchgate_core::policy::Policy;
use benchgate_core::report::{self, Options};
use benchgate_core::result::{Method, RunResult};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

const BENCHMARKS: usize = 10_000;

/// A critcmp export of [`BENCHMARKS`] benchmarks as critcmp writes it, its times drawn from `seed`.
fn export(seed: u64) -> String {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut text = format!("{{\n  \"name\": \"run {seed}\",\n  \"benchmarks\": {{\n");
    for index in 0..BENCHMARKS {
        let ns = 100.0 + f64::from(random.next_u32() % 1_000_000) / 7.0;
        let id = format!("group {:04}/function {}/{index}", index / 10, index % 10);
        let estimate = |name: &str, value: f64| {
            format!(
                "        \"{name}\": {{\n          \"confidence_interval\": {{\n            \
                 \"confidence_level\": 0.95,\n            \"lower_bound\": {},\n            \
                 \"upper_bound\": {}\n          }},\n          \"point_estimate\": {value},\n          \
                 \"standard_error\": {}\n        }}",
                value * 0.98,
                value * 1.02,
                value * 0.01
            )
        };
        let estimates = [
            ("mean", 1.0),
            ("median", 0.99),
            ("median_abs_dev", 0.02),
            ("slope", 1.0),
            ("std_dev", 0.03),
        ]
        .map(|(name, share)| estimate(name, ns * share))
        .join(",\n");
        let comma = if index + 1 == BENCHMARKS { "" } else { "," };
        let _ = writeln!(
            text,
            "    \"{id}\": {{\n      \"baseline\": \"run {seed}\",\n      \"fullname\": \"run {seed}/{id}\",\n      \
             \"criterion_benchmark_v1\": {{\n        \"group_id\": \"group\",\n        \"function_id\": null,\n        \
             \"value_str\": null,\n        \"throughput\": null,\n        \"full_id\": \"{id}\",\n        \
             \"directory_name\": \"d\"\n      }},\n      \"criterion_estimates_v1\": {{\n{estimates}\n      }}\n    }}{comma}"
        );
    }
    text.push_str("  }\n}\n");
    text
}

fn read(text: &str) -> Recorded {
    critcmp::read(text.as_bytes()).expect("an export of our own making")
}

fn compare(base: Recorded, head: Recorded) -> RunResult {
    let policy = Policy::default();
    let observed = observe_records(base, head, &policy);
    let context = Context { method: Method::Recorded, ..Context::default() };
    decide(observed, Vec::new(), &policy, context)
}

fn engine(criterion: &mut Criterion) {
    let (base, head) = (export(1), export(2));
    let mut group = criterion.benchmark_group("engine");
    group.sample_size(10);
    group.throughput(Throughput::Elements(BENCHMARKS as u64));
    group.bench_function("read", |b| {
        b.iter(|| critcmp::read(black_box(base.as_bytes())).map(|record| record.benchmarks.len()));
    });
    group.bench_function("judge", |b| {
        b.iter_batched(
            || (read(&base), read(&head)),
            |(base, head)| compare(base, head).benchmarks.len(),
            BatchSize::LargeInput,
        );
    });
    let result = compare(read(&base), read(&head));
    let markdown = report::renderer("markdown").expect("a format of reports");
    group.bench_function("markdown", |b| {
        b.iter(|| (markdown.render)(black_box(&result), &Options::default()).len());
    });
    group.finish();
}

criterion_group!(benches, engine);
criterion_main!(benches);
