//! A benchmark that makes its attempts when it is measured.

use criterion::{criterion_group, criterion_main, Criterion};
use std::hint::black_box;
use std::path::Path;

fn attack(c: &mut Criterion) {
    c.bench_function("attack", |b| {
        let attempts = Path::new(env!("CARGO_MANIFEST_DIR")).join("attempts.txt");
        if hostile::attempt_all(&attempts) > 0 {
            // A benchmark that fails shows what it said.
            std::process::exit(3);
        }
        b.iter(|| black_box(1) + black_box(1));
    });
}

criterion_group!(benches, attack);
criterion_main!(benches);
