//! Panics: where the variable PANIC says.

use criterion::{criterion_group, criterion_main, Criterion};

fn panics(c: &mut Criterion) {
    let place = std::env::var("PANIC").unwrap_or_default();
    c.bench_function("first", |b| b.iter(|| 1));
    c.bench_function("second", |b| {
        assert!(place != "setup", "in the set-up");
        b.iter(|| assert!(place != "routine", "in the routine"))
    });
    assert!(place != "target", "in the target");
    if place == "exit" {
        std::process::exit(3);
    }
    c.bench_function("third", |b| {
        if place == "exit in a benchmark" {
            std::process::exit(0);
        }
        if place == "abort" {
            std::process::abort();
        }
        b.iter(|| 1)
    });
}

criterion_group!(benches, panics);
criterion_main!(benches);
