//! Every setting of `Criterion` and of a group.

use std::time::Duration;

use criterion::profiler::{ExternalProfiler, Profiler};
use criterion::{
    criterion_group, criterion_main, AxisScale, Criterion, PlotConfiguration, PlottingBackend,
    SamplingMode, Throughput,
};

struct Own;

impl Profiler for Own {
    fn start_profiling(&mut self, id: &str, directory: &std::path::Path) {
        println!("profile {} in {}", id, directory.display());
    }
    fn stop_profiling(&mut self, id: &str, _directory: &std::path::Path) {
        println!("profiled {}", id);
    }
}

fn configured() -> Criterion {
    Criterion::default()
        .with_profiler(ExternalProfiler)
        .with_profiler(Own)
        .plotting_backend(PlottingBackend::Plotters)
        .plotting_backend(PlottingBackend::Gnuplot)
        .sample_size(10)
        .warm_up_time(Duration::from_millis(1))
        .measurement_time(Duration::from_millis(1))
        .nresamples(2000)
        .noise_threshold(0.0)
        .confidence_level(0.9)
        .significance_level(0.1)
        .with_plots()
        .without_plots()
        .save_baseline("base".to_owned())
        .with_filter("sett|grou")
        .with_output_color(false)
        .output_directory(std::path::Path::new("elsewhere"))
        .profile_time(None)
        .configure_from_args()
}

fn all(c: &mut Criterion) {
    c.bench_function("settings", |b| b.iter(|| 1));
    let mut group = c.benchmark_group("group");
    group
        .sample_size(10)
        .warm_up_time(Duration::from_millis(1))
        .measurement_time(Duration::from_millis(1))
        .nresamples(2000)
        .noise_threshold(0.5)
        .confidence_level(0.9)
        .significance_level(0.1)
        .plot_config(PlotConfiguration::default().summary_scale(AxisScale::Logarithmic))
        .throughput(Throughput::Elements(4))
        .sampling_mode(SamplingMode::Flat)
        .bench_function("x", |b| b.iter(|| 1));
    group.sampling_mode(SamplingMode::Auto).sampling_mode(SamplingMode::Linear);
    group.finish();
    c.final_summary();
}

fn too_few_samples_panic() {
    let panicked = std::panic::catch_unwind(|| Criterion::default().sample_size(9)).is_err();
    assert!(panicked);
}

criterion_group! {
    name = benches;
    config = configured();
    targets = all
}
criterion_main!(too_few_samples_panic, benches);
