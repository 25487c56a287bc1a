//! Iterations on other threads than that of the benchmark.

use criterion::{criterion_group, criterion_main, Criterion};

fn on_a_thread(c: &mut Criterion) {
    c.bench_function("scope", |b| {
        std::thread::scope(|scope| {
            scope.spawn(|| b.iter(|| println!("from another thread")));
        });
    });
    c.bench_function("custom", |b| {
        b.iter_custom(|iterations| {
            let work = move || {
                let start = std::time::Instant::now();
                (0..iterations).for_each(|n| assert!(std::hint::black_box(n) < iterations));
                start.elapsed()
            };
            std::thread::spawn(work).join().unwrap()
        })
    });
}

// Nothing of the protocol may wait for the lock that is held here.
fn holding_the_locks() {
    let _output = std::io::stdout().lock();
    let _input = std::io::stdin().lock();
    let mut criterion = Criterion::default().configure_from_args();
    criterion.bench_function("locked", |b| b.iter(|| 1 + 1));
}

criterion_group!(benches, on_a_thread);
criterion_main!(benches, holding_the_locks);
