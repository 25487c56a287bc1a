//! The official datasets for tests.
//!
//! Tests that need them take them from the folder in `BENCH_DATASETS`, or else from
//! `../shared/datasets` next to the workspace; without either they say that they did nothing.

use std::io::{self, Write as _};
use std::path::Path;

use benchmarks::datasets::{FOLDER_VARIABLE, Source};

/// The official files, or nothing and a line that says which test did not happen.
pub(crate) fn official(skipped: &str) -> Option<Source> {
    // A variable that is set and wrong must fail the test, not skip it.
    if let source @ Source::Official(_) = Source::from_env().unwrap() {
        return Some(source);
    }
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/datasets");
    if shared.is_dir() {
        return Some(Source::Official(shared));
    }
    // Straight to stderr: the test harness hides what a passing test prints with `eprintln!`.
    let mut stderr = io::stderr().lock();
    writeln!(stderr, "SKIPPED {skipped}: no official datasets; set {FOLDER_VARIABLE}").unwrap();
    None
}
