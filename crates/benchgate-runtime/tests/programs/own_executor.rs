//! Asynchronous benchmarks on an executor of the bench's own.

use std::future::Future;
use std::task::{Context, Poll, RawWaker, RawWakerVTable, Waker};

use criterion::async_executor::AsyncExecutor;
use criterion::measurement::WallTime;
use criterion::{criterion_group, criterion_main, AsyncBencher, BatchSize, Criterion};

#[derive(Clone, Copy)]
struct Own;

impl AsyncExecutor for Own {
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        const TABLE: RawWakerVTable = RawWakerVTable::new(|_| WAKER, |_| {}, |_| {}, |_| {});
        const WAKER: RawWaker = RawWaker::new(std::ptr::null(), &TABLE);
        let waker = unsafe { Waker::from_raw(WAKER) };
        let mut future = Box::pin(future);
        loop {
            if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
                return output;
            }
        }
    }
}

fn named(b: &mut AsyncBencher<'_, '_, Own, WallTime>) {
    b.iter(|| async { 1 });
}

fn asynchronous(c: &mut Criterion) {
    c.bench_function("iter", |b| named(&mut b.to_async(Own)));
    c.bench_function("custom", |b| {
        b.to_async(Own).iter_custom(|n| async move { std::time::Duration::from_nanos(n) })
    });
    c.bench_function("batched", |b| {
        b.to_async(Own).iter_batched(|| 1, |n| async move { n + 1 }, BatchSize::SmallInput)
    });
    c.bench_function("ref", |b| {
        let routine = |n: &mut u64| std::future::ready(*n + 1);
        b.to_async(Own).iter_batched_ref(|| 1, routine, BatchSize::PerIteration);
    });
    c.bench_function("large drop", |b| b.to_async(Own).iter_with_large_drop(|| async { vec![1] }));
    c.bench_function("setup", |b| b.to_async(Own).iter_with_setup(|| 1, |n| async move { n }));
    c.bench_function("large setup", |b| {
        b.to_async(Own).iter_with_large_setup(|| 1, |n| async move { n })
    });
}

criterion_group!(benches, asynchronous);
criterion_main!(benches);
