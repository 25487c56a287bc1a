//! What versions since 0.4 have, and 0.3 has not.

use criterion::{criterion_group, criterion_main, Baseline, Criterion, PlottingBackend};

fn target(c: &mut Criterion) {
    c.bench_function("target", |b| b.iter(|| 1));
    let shown = match Baseline::Discard {
        Baseline::CompareLenient | Baseline::CompareStrict | Baseline::Save => "",
        Baseline::Discard => "discard",
    };
    assert_eq!(shown, "discard");
}

fn config() -> Criterion {
    Criterion::default()
        .retain_baseline("base".to_owned(), true)
        .plotting_backend(PlottingBackend::None)
}

criterion_group!(name = benches; config = config(); targets = target);
criterion_main!(benches);
