use std::future::Future;

use crate::async_executor::AsyncExecutor;
use crate::bencher::Bencher;
use crate::black_box;
use crate::measurement::{Measurement, WallTime};
use crate::settings::BatchSize;

/// Times a routine that returns a future. One `block_on` is around all iterations of a call.
pub struct AsyncBencher<'a, 'b, A: AsyncExecutor, M: Measurement = WallTime> {
    pub(crate) b: &'b mut Bencher<'a, M>,
    pub(crate) runner: A,
}

impl<'a, 'b, A: AsyncExecutor, M: Measurement> AsyncBencher<'a, 'b, A, M> {
    /// Times calls of the routine, with the drop of what it returns.
    #[inline(never)]
    pub fn iter<O, R, F>(&mut self, mut routine: R)
    where
        R: FnMut() -> F,
        F: Future<Output = O>,
    {
        let AsyncBencher { b, runner } = self;
        runner.block_on(async {
            b.called();
            let start = b.measurement.start();
            for _ in 0..b.iterations {
                black_box(routine().await);
            }
            b.value = b.measurement.end(start);
        });
    }

    /// Takes what the routine has measured.
    #[inline(never)]
    pub fn iter_custom<R, F>(&mut self, mut routine: R)
    where
        R: FnMut(u64) -> F,
        F: Future<Output = M::Value>,
    {
        let AsyncBencher { b, runner } = self;
        runner.block_on(async {
            b.called();
            b.value = routine(b.iterations).await;
        })
    }

    #[doc(hidden)]
    pub fn iter_with_setup<I, O, S, R, F>(&mut self, setup: S, routine: R)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> F,
        F: Future<Output = O>,
    {
        self.iter_batched(setup, routine, BatchSize::PerIteration);
    }

    /// Times calls of the routine, without the drop of what it returns.
    pub fn iter_with_large_drop<O, R, F>(&mut self, mut routine: R)
    where
        R: FnMut() -> F,
        F: Future<Output = O>,
    {
        self.iter_batched(|| (), |_| routine(), BatchSize::SmallInput);
    }

    #[doc(hidden)]
    pub fn iter_with_large_setup<I, O, S, R, F>(&mut self, setup: S, routine: R)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> F,
        F: Future<Output = O>,
    {
        self.iter_batched(setup, routine, BatchSize::NumBatches(1));
    }

    /// Times calls of the routine, each with an input of its own.
    #[inline(never)]
    pub fn iter_batched<I, O, S, R, F>(&mut self, mut setup: S, mut routine: R, size: BatchSize)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> F,
        F: Future<Output = O>,
    {
        let AsyncBencher { b, runner } = self;
        runner.block_on(async {
            b.called();
            let batch_size = size.checked(b.iterations);
            b.value = b.measurement.zero();

            if batch_size == 1 {
                for _ in 0..b.iterations {
                    let input = black_box(setup());

                    let start = b.measurement.start();
                    let output = routine(input).await;
                    let end = b.measurement.end(start);
                    b.add(&end);

                    drop(black_box(output));
                }
                return;
            }
            let mut done = 0;
            while done < b.iterations {
                let batch_size = std::cmp::min(batch_size, b.iterations - done);

                let inputs = black_box((0..batch_size).map(|_| setup()).collect::<Vec<_>>());
                let mut outputs = Vec::with_capacity(batch_size as usize);

                let start = b.measurement.start();
                for input in inputs {
                    outputs.push(routine(input).await);
                }
                let end = b.measurement.end(start);
                b.add(&end);

                black_box(outputs);

                done += batch_size;
            }
        })
    }

    /// Times calls of the routine, each with an input of its own. In a batch it is dropped inside of the timer.
    #[inline(never)]
    pub fn iter_batched_ref<I, O, S, R, F>(&mut self, mut setup: S, mut routine: R, size: BatchSize)
    where
        S: FnMut() -> I,
        R: FnMut(&mut I) -> F,
        F: Future<Output = O>,
    {
        let AsyncBencher { b, runner } = self;
        runner.block_on(async {
            b.called();
            let batch_size = size.checked(b.iterations);
            b.value = b.measurement.zero();

            if batch_size == 1 {
                for _ in 0..b.iterations {
                    let mut input = black_box(setup());

                    let start = b.measurement.start();
                    let output = routine(&mut input).await;
                    let end = b.measurement.end(start);
                    b.add(&end);

                    drop(black_box(output));
                    drop(black_box(input));
                }
                return;
            }
            let mut done = 0;
            while done < b.iterations {
                let batch_size = std::cmp::min(batch_size, b.iterations - done);

                let inputs = black_box((0..batch_size).map(|_| setup()).collect::<Vec<_>>());
                let mut outputs = Vec::with_capacity(batch_size as usize);

                let start = b.measurement.start();
                for mut input in inputs {
                    outputs.push(routine(&mut input).await);
                }
                let end = b.measurement.end(start);
                b.add(&end);

                black_box(outputs);

                done += batch_size;
            }
        });
    }
}
