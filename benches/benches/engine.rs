//! The gate's own work on records: what `benchgate compare` does on two exports of ten thousand
//! benchmarks, step by step. `scripts/engine-vs-critcmp` holds the whole process against critcmp.

use std::fmt::Write as _;
use std::hint::black_box;

use benchgate_core::adapters::critcmp;
use benchgate_core::judge::{judge, observe_records, verdict};
use benchgate_core::policy::Policy;
use benchgate_core::report;
use benchgate_core::result::{Method, Origin, RESULT_SCHEMA, RunResult, Seconds, Waivers};
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

fn result(base: &str, head: &str, policy: &Policy) -> RunResult {
    let read = |text: &str| critcmp::read(text.as_bytes()).expect("an export of our own making");
    let observed = observe_records(read(base), read(head), policy).expect("both without suites");
    let benchmarks = judge(observed, policy, Method::Recorded);
    RunResult {
        schema: RESULT_SCHEMA.to_owned(),
        version: String::new(),
        verdict: verdict(&benchmarks, &[], &[]),
        time: String::new(),
        method: Method::Recorded,
        base: Origin::default(),
        head: Origin::default(),
        machine: None,
        toolchain: None,
        seed: 0,
        seconds: Seconds::default(),
        suites: Vec::new(),
        benchmarks,
        rules: Vec::new(),
        false_alarm: None,
        waivers: Waivers::default(),
        remarks: Vec::new(),
        reproduce: String::new(),
    }
}

fn engine(criterion: &mut Criterion) {
    let policy = Policy::default();
    let (base, head) = (export(1), export(2));
    let mut group = criterion.benchmark_group("engine");
    group.sample_size(10);
    group.throughput(Throughput::Elements(BENCHMARKS as u64));
    group.bench_function("read", |b| {
        b.iter(|| critcmp::read(black_box(base.as_bytes())).map(|record| record.benchmarks.len()));
    });
    let read = |text: &str| critcmp::read(text.as_bytes()).expect("an export of our own making");
    group.bench_function("judge", |b| {
        b.iter_batched(
            || (read(&base), read(&head)),
            |(base, head)| {
                observe_records(base, head, &policy)
                    .map(|observed| judge(observed, &policy, Method::Recorded).len())
            },
            BatchSize::LargeInput,
        );
    });
    let result = result(&base, &head, &policy);
    group.bench_function("markdown", |b| {
        b.iter(|| report::markdown(black_box(&result), usize::MAX).len());
    });
    group.finish();
}

criterion_group!(benches, engine);
criterion_main!(benches);
