//! Profilers inside of the process, for `--profile-time`.

use std::path::Path;

/// Is told when a benchmark begins and ends.
pub trait Profiler {
    /// A benchmark begins.
    fn start_profiling(&mut self, benchmark_id: &str, benchmark_dir: &Path);
    /// A benchmark ends.
    fn stop_profiling(&mut self, benchmark_id: &str, benchmark_dir: &Path);
}

/// Does nothing: the profiler is outside of the process.
pub struct ExternalProfiler;
impl Profiler for ExternalProfiler {
    fn start_profiling(&mut self, _benchmark_id: &str, _benchmark_dir: &Path) {}
    fn stop_profiling(&mut self, _benchmark_id: &str, _benchmark_dir: &Path) {}
}
