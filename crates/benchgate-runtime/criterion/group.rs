use std::time::Duration;

use crate::bencher::Bencher;
use crate::black_box;
use crate::criterion::Criterion;
use crate::id::{BenchmarkId, FullId, IntoBenchmarkId};
use crate::measurement::Measurement;
use crate::run;
use crate::settings::{PlotConfiguration, SamplingMode, Throughput};

/// Benchmarks that belong together.
pub struct BenchmarkGroup<'a, M: Measurement> {
    criterion: &'a mut Criterion<M>,
    name: String,
    ids: Vec<FullId>,
    any_matched: bool,
    throughput: Option<Throughput>,
}

// Settings are checked as upstream does, and have no effect: the gate says how long is measured.
impl<'a, M: Measurement> BenchmarkGroup<'a, M> {
    pub(crate) fn new(criterion: &'a mut Criterion<M>, name: String) -> Self {
        BenchmarkGroup { criterion, name, ids: Vec::new(), any_matched: false, throughput: None }
    }

    /// Checks the number of samples.
    pub fn sample_size(&mut self, n: usize) -> &mut Self {
        assert!(n >= 10);
        self
    }

    /// Checks the time of the warm-up.
    pub fn warm_up_time(&mut self, dur: Duration) -> &mut Self {
        assert!(dur.as_nanos() > 0);
        self
    }

    /// Checks the time of measuring.
    pub fn measurement_time(&mut self, dur: Duration) -> &mut Self {
        assert!(dur.as_nanos() > 0);
        self
    }

    /// Checks the number of resamples.
    pub fn nresamples(&mut self, n: usize) -> &mut Self {
        assert!(n > 0);
        self
    }

    /// Checks the threshold.
    pub fn noise_threshold(&mut self, threshold: f64) -> &mut Self {
        assert!(threshold >= 0.0);
        self
    }

    /// Checks the level.
    pub fn confidence_level(&mut self, cl: f64) -> &mut Self {
        assert!(cl > 0.0 && cl < 1.0);
        self
    }

    /// Checks the level.
    pub fn significance_level(&mut self, sl: f64) -> &mut Self {
        assert!(sl > 0.0 && sl < 1.0);
        self
    }

    /// Has no effect.
    pub fn plot_config(&mut self, _new_config: PlotConfiguration) -> &mut Self {
        self
    }

    /// Sets what the benchmarks that follow process in an iteration.
    pub fn throughput(&mut self, throughput: Throughput) -> &mut Self {
        self.throughput = Some(throughput);
        self
    }

    /// Has no effect.
    pub fn sampling_mode(&mut self, _new_mode: SamplingMode) -> &mut Self {
        self
    }

    /// Runs a benchmark.
    pub fn bench_function<ID: IntoBenchmarkId, F>(&mut self, id: ID, mut f: F) -> &mut Self
    where
        F: FnMut(&mut Bencher<'_, M>),
    {
        self.run(id.into_benchmark_id(), &mut f);
        self
    }

    /// Runs a benchmark with an input.
    pub fn bench_with_input<ID: IntoBenchmarkId, F, I>(
        &mut self,
        id: ID,
        input: &I,
        mut f: F,
    ) -> &mut Self
    where
        F: FnMut(&mut Bencher<'_, M>, &I),
        I: ?Sized,
    {
        self.run(id.into_benchmark_id(), &mut |b: &mut Bencher<'_, M>| f(b, hidden(input)));
        self
    }

    fn run(&mut self, id: BenchmarkId, call: &mut dyn FnMut(&mut Bencher<'_, M>)) {
        let mut id = FullId::new(&self.name, id, self.throughput.clone());
        if self.ids.contains(&id) {
            before_0_4! {
                panic!("Benchmark IDs must be unique within a group.");
            }
            panic!(
                "Benchmark IDs must be unique within a group. Encountered duplicated benchmark ID {}",
                id.title
            );
        }
        id.take(&mut self.criterion.taken);
        self.any_matched |= run::one(self.criterion, &id, call);
        self.ids.push(id);
    }

    /// Ends the group.
    pub fn finish(self) {
        drop(self);
    }
}

impl<'a, M: Measurement> Drop for BenchmarkGroup<'a, M> {
    fn drop(&mut self) {
        if self.any_matched {
            run::separate(self.criterion);
        }
    }
}

before_0_4! {
    fn hidden<I: ?Sized>(input: &I) -> &I {
        input
    }
}
since_0_4! {
    fn hidden<I: ?Sized>(input: &I) -> &I {
        black_box(input)
    }
}
