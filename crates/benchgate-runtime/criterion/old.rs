//! What only versions before 0.4 have.

use std::fmt::Debug;
use std::time::Duration;

use crate::bencher::Bencher;
use crate::criterion::Criterion;
use crate::id::{BenchmarkId, FullId};
use crate::measurement::{Measurement, WallTime};
use crate::run;
use crate::settings::{PlotConfiguration, SamplingMode, Throughput};

struct Routine<T, M: Measurement> {
    id: String,
    call: Box<dyn FnMut(&mut Bencher<'_, M>, &T)>,
}

/// Benchmarks with parameters.
#[doc(hidden)]
#[deprecated(since = "0.3.4", note = "Please use BenchmarkGroups instead.")]
pub struct ParameterizedBenchmark<T: Debug, M: Measurement = WallTime> {
    values: Vec<T>,
    routines: Vec<Routine<T, M>>,
    throughput: Option<Box<dyn Fn(&T) -> Throughput>>,
}

/// Benchmarks without parameters.
#[doc(hidden)]
#[deprecated(since = "0.3.4", note = "Please use BenchmarkGroups instead.")]
pub struct Benchmark<M: Measurement = WallTime> {
    routines: Vec<Routine<(), M>>,
    throughput: Option<Throughput>,
}

/// What `Criterion::bench` runs.
#[doc(hidden)]
pub trait BenchmarkDefinition<M: Measurement = WallTime>: Sized {
    #[doc(hidden)]
    fn run(self, group_id: &str, c: &mut Criterion<M>);
}

/// A function for `Criterion::bench_functions`.
#[doc(hidden)]
pub struct Fun<I: Debug, M: Measurement + 'static = WallTime> {
    routine: Routine<I, M>,
}

impl<I, M: Measurement> Fun<I, M>
where
    I: Debug + 'static,
{
    /// Names a function.
    pub fn new<F>(name: &str, f: F) -> Fun<I, M>
    where
        F: FnMut(&mut Bencher<'_, M>, &I) + 'static,
    {
        Fun { routine: Routine { id: name.to_owned(), call: Box::new(f) } }
    }
}

// Checked as upstream does, and without effect.
macro_rules! settings {
    () => {
        /// Checks the number of samples.
        pub fn sample_size(self, n: usize) -> Self {
            assert!(n >= 10);
            self
        }
        /// Checks the time of the warm-up.
        pub fn warm_up_time(self, dur: Duration) -> Self {
            assert!(dur.as_nanos() > 0);
            self
        }
        /// Checks the time of measuring.
        pub fn measurement_time(self, dur: Duration) -> Self {
            assert!(dur.as_nanos() > 0);
            self
        }
        /// Checks the number of resamples.
        pub fn nresamples(self, n: usize) -> Self {
            assert!(n > 0);
            self
        }
        /// Checks the threshold.
        pub fn noise_threshold(self, threshold: f64) -> Self {
            assert!(threshold >= 0.0);
            self
        }
        /// Checks the level.
        pub fn confidence_level(self, cl: f64) -> Self {
            assert!(cl > 0.0 && cl < 1.0);
            self
        }
        /// Checks the level.
        pub fn significance_level(self, sl: f64) -> Self {
            assert!(sl > 0.0 && sl < 1.0);
            self
        }
        /// Has no effect.
        pub fn plot_config(self, _new_config: PlotConfiguration) -> Self {
            self
        }
        /// Has no effect.
        pub fn sampling_mode(self, _new_mode: SamplingMode) -> Self {
            self
        }
    };
}

impl<M> Benchmark<M>
where
    M: Measurement + 'static,
{
    settings!();

    /// Of one function.
    pub fn new<S, F>(id: S, f: F) -> Benchmark<M>
    where
        S: Into<String>,
        F: FnMut(&mut Bencher<'_, M>) + 'static,
    {
        Benchmark { routines: Vec::new(), throughput: None }.with_function(id, f)
    }

    /// And of another.
    pub fn with_function<S, F>(mut self, id: S, mut f: F) -> Benchmark<M>
    where
        S: Into<String>,
        F: FnMut(&mut Bencher<'_, M>) + 'static,
    {
        let call = Box::new(move |b: &mut Bencher<'_, M>, _: &()| f(b));
        self.routines.push(Routine { id: id.into(), call });
        self
    }

    /// Sets what is processed in an iteration.
    pub fn throughput(mut self, throughput: Throughput) -> Benchmark<M> {
        self.throughput = Some(throughput);
        self
    }
}

impl<M: Measurement> BenchmarkDefinition<M> for Benchmark<M> {
    fn run(self, group_id: &str, c: &mut Criterion<M>) {
        let throughput = self.throughput;
        let of = |_: &()| throughput.clone();
        all(c, group_id, self.routines, &[()], &of);
    }
}

impl<T, M> ParameterizedBenchmark<T, M>
where
    T: Debug + 'static,
    M: Measurement + 'static,
{
    settings!();

    /// Of one function.
    pub fn new<S, F, I>(id: S, f: F, parameters: I) -> ParameterizedBenchmark<T, M>
    where
        S: Into<String>,
        F: FnMut(&mut Bencher<'_, M>, &T) + 'static,
        I: IntoIterator<Item = T>,
    {
        let values = parameters.into_iter().collect();
        ParameterizedBenchmark { values, routines: Vec::new(), throughput: None }
            .with_function(id, f)
    }

    /// And of another.
    pub fn with_function<S, F>(mut self, id: S, f: F) -> ParameterizedBenchmark<T, M>
    where
        S: Into<String>,
        F: FnMut(&mut Bencher<'_, M>, &T) + 'static,
    {
        self.routines.push(Routine { id: id.into(), call: Box::new(f) });
        self
    }

    /// Sets what is processed in an iteration.
    pub fn throughput<F>(mut self, throughput: F) -> ParameterizedBenchmark<T, M>
    where
        F: Fn(&T) -> Throughput + 'static,
    {
        self.throughput = Some(Box::new(throughput));
        self
    }
}

impl<T, M> BenchmarkDefinition<M> for ParameterizedBenchmark<T, M>
where
    T: Debug + 'static,
    M: Measurement + 'static,
{
    fn run(self, group_id: &str, c: &mut Criterion<M>) {
        let throughput = self.throughput;
        let of = |value: &T| throughput.as_ref().map(|throughput| throughput(value));
        all(c, group_id, self.routines, &self.values, &of);
    }
}

/// Runs every function with every value. What is only one is not in the id.
fn all<T: Debug, M: Measurement>(
    c: &mut Criterion<M>,
    group: &str,
    routines: Vec<Routine<T, M>>,
    values: &[T],
    throughput: &dyn Fn(&T) -> Option<Throughput>,
) {
    let one = routines.len() == 1;
    let mut any_matched = false;
    for mut routine in routines {
        for value in values {
            let id = BenchmarkId {
                function: Some(routine.id.clone()).filter(|id| !(one && id == group)),
                parameter: Some(format!("{:?}", value)).filter(|_| values.len() > 1),
            };
            let mut id = FullId::new(group, id, throughput(value));
            id.take(&mut c.taken);
            let call = &mut routine.call;
            any_matched |= run::one(c, &id, &mut |b: &mut Bencher<'_, M>| call(b, value));
        }
    }
    if any_matched {
        run::separate(c);
    }
}

impl<M> Criterion<M>
where
    M: Measurement + 'static,
{
    /// Runs a function with every input.
    #[doc(hidden)]
    #[deprecated(since = "0.3.4", note = "Please use BenchmarkGroups instead.")]
    pub fn bench_function_over_inputs<I, F>(
        &mut self,
        id: &str,
        f: F,
        inputs: I,
    ) -> &mut Criterion<M>
    where
        I: IntoIterator,
        I::Item: Debug + 'static,
        F: FnMut(&mut Bencher<'_, M>, &I::Item) + 'static,
    {
        self.bench(id, ParameterizedBenchmark::new(id, f, inputs))
    }

    /// Runs every function with one input.
    #[doc(hidden)]
    #[deprecated(since = "0.3.4", note = "Please use BenchmarkGroups instead.")]
    pub fn bench_functions<I>(
        &mut self,
        id: &str,
        funs: Vec<Fun<I, M>>,
        input: I,
    ) -> &mut Criterion<M>
    where
        I: Debug + 'static,
    {
        let routines = funs.into_iter().map(|fun| fun.routine).collect();
        self.bench(id, ParameterizedBenchmark { values: vec![input], routines, throughput: None })
    }

    /// Runs benchmarks.
    #[doc(hidden)]
    #[deprecated(since = "0.3.4", note = "Please use BenchmarkGroups instead.")]
    pub fn bench<B: BenchmarkDefinition<M>>(
        &mut self,
        group_id: &str,
        benchmark: B,
    ) -> &mut Criterion<M> {
        benchmark.run(group_id, self);
        self
    }
}
