use crate::black_box;
use crate::measurement::{Measurement, WallTime};
use crate::settings::BatchSize;

#[cfg(feature = "async")]
use crate::async_bencher::AsyncBencher;
#[cfg(feature = "async")]
use crate::async_executor::AsyncExecutor;

/// Times a routine.
pub struct Bencher<'a, M: Measurement = WallTime> {
    pub(crate) iterations: u64,
    pub(crate) value: M::Value,
    pub(crate) measurement: &'a M,
    /// Whether an iter method was called.
    pub(crate) is_called: bool,
}

// What is in the timer and what is not, the sizes of batches and the order of drops are Criterion's. The loops are
// written as there, so that they compile to the same code.
impl<'a, M: Measurement> Bencher<'a, M> {
    pub(crate) fn new(measurement: &'a M, iterations: u64) -> Self {
        Bencher { iterations, value: measurement.zero(), measurement, is_called: false }
    }

    pub(crate) fn called(&mut self) {
        self.is_called = true;
    }

    pub(crate) fn add(&mut self, value: &M::Value) {
        self.value = self.measurement.add(&self.value, value);
    }

    /// Times calls of the routine, with the drop of what it returns.
    #[inline(never)]
    pub fn iter<O, R>(&mut self, mut routine: R)
    where
        R: FnMut() -> O,
    {
        self.called();
        let start = self.measurement.start();
        for _ in 0..self.iterations {
            black_box(routine());
        }
        self.value = self.measurement.end(start);
    }

    /// Takes what the routine has measured.
    #[inline(never)]
    pub fn iter_custom<R>(&mut self, mut routine: R)
    where
        R: FnMut(u64) -> M::Value,
    {
        self.called();
        self.value = routine(self.iterations);
    }

    before_0_4! {
        #[doc(hidden)]
        pub fn iter_with_large_setup<I, O, S, R>(&mut self, setup: S, routine: R)
        where
            S: FnMut() -> I,
            R: FnMut(I) -> O,
        {
            self.iter_batched(setup, routine, BatchSize::NumBatches(1));
        }
    }

    #[doc(hidden)]
    pub fn iter_with_setup<I, O, S, R>(&mut self, setup: S, routine: R)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> O,
    {
        self.iter_batched(setup, routine, BatchSize::PerIteration);
    }

    /// Times calls of the routine, without the drop of what it returns.
    pub fn iter_with_large_drop<O, R>(&mut self, mut routine: R)
    where
        R: FnMut() -> O,
    {
        self.iter_batched(|| (), |_| routine(), BatchSize::SmallInput);
    }

    /// Times calls of the routine, each with an input of its own.
    #[inline(never)]
    pub fn iter_batched<I, O, S, R>(&mut self, mut setup: S, mut routine: R, size: BatchSize)
    where
        S: FnMut() -> I,
        R: FnMut(I) -> O,
    {
        self.called();
        let batch_size = size.checked(self.iterations);
        self.value = self.measurement.zero();

        if batch_size == 1 {
            for _ in 0..self.iterations {
                let input = black_box(setup());

                let start = self.measurement.start();
                let output = routine(input);
                let end = self.measurement.end(start);
                self.add(&end);

                drop(black_box(output));
            }
            return;
        }
        let mut done = 0;
        while done < self.iterations {
            let batch_size = std::cmp::min(batch_size, self.iterations - done);

            let inputs = black_box((0..batch_size).map(|_| setup()).collect::<Vec<_>>());
            let mut outputs = Vec::with_capacity(batch_size as usize);

            let start = self.measurement.start();
            outputs.extend(inputs.into_iter().map(&mut routine));
            let end = self.measurement.end(start);
            self.add(&end);

            black_box(outputs);

            done += batch_size;
        }
    }

    /// Times calls of the routine, each with an input of its own that is dropped outside of the timer.
    #[inline(never)]
    pub fn iter_batched_ref<I, O, S, R>(&mut self, mut setup: S, mut routine: R, size: BatchSize)
    where
        S: FnMut() -> I,
        R: FnMut(&mut I) -> O,
    {
        self.called();
        let batch_size = size.checked(self.iterations);
        self.value = self.measurement.zero();

        if batch_size == 1 {
            for _ in 0..self.iterations {
                let mut input = black_box(setup());

                let start = self.measurement.start();
                let output = routine(&mut input);
                let end = self.measurement.end(start);
                self.add(&end);

                drop(black_box(output));
                drop(black_box(input));
            }
            return;
        }
        let mut done = 0;
        while done < self.iterations {
            let batch_size = std::cmp::min(batch_size, self.iterations - done);

            let mut inputs = black_box((0..batch_size).map(|_| setup()).collect::<Vec<_>>());
            let mut outputs = Vec::with_capacity(batch_size as usize);

            let start = self.measurement.start();
            outputs.extend(inputs.iter_mut().map(&mut routine));
            let end = self.measurement.end(start);
            self.add(&end);

            black_box(outputs);

            done += batch_size;
        }
    }

    /// Times routines that return futures.
    #[cfg(feature = "async")]
    pub fn to_async<'b, A: AsyncExecutor>(&'b mut self, runner: A) -> AsyncBencher<'a, 'b, A, M> {
        AsyncBencher { b: self, runner }
    }
}
