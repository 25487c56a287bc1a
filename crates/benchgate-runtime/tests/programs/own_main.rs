//! A `main` of the bench's own, without a final summary.

use criterion::Criterion;

fn main() {
    println!("before the first use");
    let mut criterion = Criterion::default().configure_from_args();
    criterion.bench_function("own", |b| b.iter(|| 1));
    let mut other = Criterion::default();
    other.bench_function("other", |b| b.iter(|| 1));
}
