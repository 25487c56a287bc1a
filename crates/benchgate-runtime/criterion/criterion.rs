use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::arguments::Arguments;
use crate::bencher::Bencher;
use crate::group::BenchmarkGroup;
use crate::id::{BenchmarkId, Taken};
use crate::lead;
use crate::measurement::{Measurement, WallTime};
use crate::profiler::{ExternalProfiler, Profiler};
use crate::settings::{BenchmarkFilter, PlottingBackend};

/// What is done with benchmarks.
#[derive(Clone, Copy)]
pub(crate) enum Mode {
    Measure,
    Test,
    List { terse: bool },
    Profile(Duration),
}

/// Runs benchmarks.
pub struct Criterion<M: Measurement = WallTime> {
    pub(crate) measurement: M,
    pub(crate) mode: Mode,
    pub(crate) filter: BenchmarkFilter,
    pub(crate) profiler: Box<RefCell<dyn Profiler>>,
    pub(crate) output: PathBuf,
    pub(crate) taken: Taken,
}

impl Default for Criterion {
    // Starts no other process, as Criterion does for gnuplot and cargo.
    fn default() -> Criterion {
        lead::begin();
        Criterion {
            measurement: WallTime,
            mode: Mode::Measure,
            filter: BenchmarkFilter::AcceptAll,
            profiler: Box::new(RefCell::new(ExternalProfiler)),
            output: PathBuf::from("target/criterion"),
            taken: Taken::default(),
        }
    }
}

// Settings are checked as upstream does, and have no effect: the gate says how long is measured.
impl<M: Measurement> Criterion<M> {
    /// Sets what is measured.
    pub fn with_measurement<M2: Measurement>(self, m: M2) -> Criterion<M2> {
        Criterion {
            measurement: m,
            mode: self.mode,
            filter: self.filter,
            profiler: self.profiler,
            output: self.output,
            taken: self.taken,
        }
    }

    must_use! {
        /// Sets what is told of benchmarks with `--profile-time`.
        pub fn with_profiler<P: Profiler + 'static>(self, p: P) -> Criterion<M> {
            Criterion { profiler: Box::new(RefCell::new(p)), ..self }
        }
    }

    must_use! {
        /// Has no effect.
        pub fn plotting_backend(self, _backend: PlottingBackend) -> Criterion<M> {
            self
        }
    }

    must_use! {
        /// Checks the number of samples.
        pub fn sample_size(self, n: usize) -> Criterion<M> {
            assert!(n >= 10);
            self
        }
    }

    must_use! {
        /// Checks the time of the warm-up.
        pub fn warm_up_time(self, dur: Duration) -> Criterion<M> {
            assert!(dur.as_nanos() > 0);
            self
        }
    }

    must_use! {
        /// Checks the time of measuring.
        pub fn measurement_time(self, dur: Duration) -> Criterion<M> {
            assert!(dur.as_nanos() > 0);
            self
        }
    }

    must_use! {
        /// Checks the number of resamples.
        pub fn nresamples(self, n: usize) -> Criterion<M> {
            assert!(n > 0);
            self
        }
    }

    must_use! {
        /// Checks the threshold.
        pub fn noise_threshold(self, threshold: f64) -> Criterion<M> {
            assert!(threshold >= 0.0);
            self
        }
    }

    must_use! {
        /// Checks the level.
        pub fn confidence_level(self, cl: f64) -> Criterion<M> {
            assert!(cl > 0.0 && cl < 1.0);
            self
        }
    }

    must_use! {
        /// Checks the level.
        pub fn significance_level(self, sl: f64) -> Criterion<M> {
            assert!(sl > 0.0 && sl < 1.0);
            self
        }
    }

    must_use! {
        /// Has no effect.
        pub fn with_plots(self) -> Criterion<M> {
            self
        }
    }

    must_use! {
        /// Has no effect.
        pub fn without_plots(self) -> Criterion<M> {
            self
        }
    }

    before_0_4! {
        /// Returns whether plots can be made.
        #[deprecated(
            since = "0.3.4",
            note = "No longer useful; since the plotters backend is available Criterion.rs can always generate plots"
        )]
        pub fn can_plot(&self) -> bool {
            true
        }

        /// Has no effect.
        pub fn retain_baseline(self, _baseline: String) -> Criterion<M> {
            self
        }
    }

    since_0_4! {
        must_use! {
            /// Has no effect.
            pub fn retain_baseline(self, _baseline: String, _strict: bool) -> Criterion<M> {
                self
            }
        }
    }

    must_use! {
        /// Has no effect.
        pub fn save_baseline(self, _baseline: String) -> Criterion<M> {
            self
        }
    }

    must_use! {
        /// Runs only benchmarks whose id matches somewhere.
        pub fn with_filter<S: Into<String>>(mut self, filter: S) -> Criterion<M> {
            self.filter = BenchmarkFilter::regex(&filter.into());
            self
        }
    }

    since_0_5! {
        /// Runs only benchmarks that the filter accepts.
        pub fn with_benchmark_filter(mut self, filter: BenchmarkFilter) -> Criterion<M> {
            self.filter = filter;
            self
        }
    }

    must_use! {
        /// Has no effect.
        pub fn with_output_color(self, _enabled: bool) -> Criterion<M> {
            self
        }
    }

    must_use! {
        #[doc(hidden)]
        pub fn output_directory(mut self, path: &Path) -> Criterion<M> {
            self.output = path.to_owned();
            self
        }
    }

    must_use! {
        #[doc(hidden)]
        pub fn profile_time(mut self, profile_time: Option<Duration>) -> Criterion<M> {
            self.mode = profile_time.map_or(Mode::Measure, Mode::Profile);
            self
        }
    }

    #[doc(hidden)]
    pub fn final_summary(&self) {}

    must_use! {
        /// Takes mode and filter from the command line.
        pub fn configure_from_args(mut self) -> Criterion<M> {
            lead::begin();
            let arguments = Arguments::of_process();
            self.mode = arguments.mode();
            if let Some(filter) = arguments.filter() {
                self.filter = filter;
            }
            self
        }
    }

    /// Begins a group.
    pub fn benchmark_group<S: Into<String>>(&mut self, group_name: S) -> BenchmarkGroup<'_, M> {
        let name = group_name.into();
        assert!(!name.is_empty(), "Group name must not be empty.");
        BenchmarkGroup::new(self, name)
    }
}

impl<M> Criterion<M>
where
    M: Measurement + 'static,
{
    /// Runs a benchmark.
    pub fn bench_function<F>(&mut self, id: &str, f: F) -> &mut Criterion<M>
    where
        F: FnMut(&mut Bencher<'_, M>),
    {
        self.benchmark_group(id).bench_function(BenchmarkId::none(), f);
        self
    }

    /// Runs a benchmark with an input.
    pub fn bench_with_input<F, I>(&mut self, id: BenchmarkId, input: &I, f: F) -> &mut Criterion<M>
    where
        F: FnMut(&mut Bencher<'_, M>, &I),
    {
        let BenchmarkId { function, parameter } = id;
        let group = function.expect(
            "Cannot use BenchmarkId::from_parameter with Criterion::bench_with_input. \
             Consider using a BenchmarkGroup or BenchmarkId::new instead.",
        );
        let id = BenchmarkId { function: None, parameter };
        self.benchmark_group(group).bench_with_input(id, input, f);
        self
    }
}
