//! Two Criterion runs, as usually compared: the suite of the base, then the suite of the head over its
//! results.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use benchgate_host::HostError;
use benchgate_host::harness::{Criterion as Executable, Suite as _};
use benchgate_host::system::files::{self, Scratch};
use benchgate_host::system::process;
use fs_err as fs;
use serde::Deserialize;

use super::{Bench, null_of, slowdowns_of};
use crate::kernels::{KERNELS, broken};
use crate::raw::{Criterion, Estimates, Raw, Verdict, rounded};
use crate::variant::Variant;

/// Criterion's warm-up and measurement in seconds: a tenth of its defaults and less, to get
/// enough decisions in an hour.
const SHORT: (f64, f64) = (0.15, 0.4);

/// Criterion's own defaults.
pub(crate) const DEFAULT: (f64, f64) = (3.0, 5.0);

/// Each third cycle also has a comparison of one unchanged kernel at the default settings.
const DEFAULT_EVERY: u32 = 3;

/// All kernels without a change, with a shift and with a slowdown, over the same base suite.
pub(crate) fn cycle(bench: &mut Bench, cycle: u32) -> Result<(), HostError> {
    let heads = [vec![Variant::Same, null_of(cycle)], slowdowns_of(cycle, 1)].concat();
    compare(bench, &heads, &KERNELS, SHORT)?;
    if cycle.is_multiple_of(DEFAULT_EVERY) {
        let kernel = KERNELS[(cycle / DEFAULT_EVERY) as usize % KERNELS.len()];
        compare(bench, &[Variant::Same], &[kernel], DEFAULT)?;
    }
    Ok(())
}

fn compare(
    bench: &mut Bench,
    heads: &[Variant],
    kernels: &[&str],
    settings: (f64, f64),
) -> Result<(), HostError> {
    let base = Scratch::new(bench.scratch.join("criterion-base"))?;
    // Every suite runs in a folder of this one path.
    let home = bench.scratch.join("criterion");
    let run = |suite: &Executable| suite_run(suite, kernels, settings, &home);
    files::remove_dir(&home)?;
    let (_, base_seconds) = run(bench.kernels.base(Variant::Same))?;
    copy(&home, base.path())?;
    for head in heads {
        files::remove_dir(&home)?;
        copy(base.path(), &home)?;
        let suite = bench.kernels.head(*head);
        let (stdout, head_seconds) = run(suite)?;
        for kernel in kernels {
            let verdict = verdict(&stdout, kernel)
                .ok_or_else(|| broken(suite, format!("Criterion gave no verdict on {kernel}")))?;
            let of = |folder: &Path| estimates(&folder.join(kernel).join("new/estimates.json"));
            bench.raw.write(&Raw::Criterion(Criterion {
                kernel: (*kernel).to_owned(),
                variant: *head,
                loaded: bench.loaded,
                settings,
                base: of(base.path())?,
                head: of(&home)?,
                verdict,
                seconds: rounded((base_seconds + head_seconds) / kernels.len() as f64),
            }))?;
        }
    }
    files::remove_dir(&home)
}

fn suite_run(
    suite: &Executable,
    kernels: &[&str],
    settings: (f64, f64),
    home: &Path,
) -> Result<(String, f64), HostError> {
    let start = Instant::now();
    let mut command = Command::new(&suite.executable().path);
    let seconds = [settings.0.to_string(), settings.1.to_string()];
    command.args(["--bench", "--noplot", "--warm-up-time", &seconds[0]]);
    command.args(["--measurement-time", &seconds[1]]);
    if let [kernel] = kernels {
        command.args(["--exact", kernel]);
    }
    command.env("CRITERION_HOME", home);
    let done = process::run(&mut command, None, &mut |_| {})?;
    if done.succeeded() {
        Ok((done.stdout, start.elapsed().as_secs_f64()))
    } else {
        Err(broken(suite, done.tail(5)))
    }
}

/// Criterion's verdict on a benchmark, which it prints below the line with its time.
fn verdict(stdout: &str, kernel: &str) -> Option<Verdict> {
    stdout
        .lines()
        .skip_while(|line| {
            line.strip_prefix(kernel).is_none_or(|rest| !rest.trim_start().starts_with("time:"))
        })
        .skip(1)
        .take_while(|line| line.starts_with(' ') || line.is_empty())
        .find_map(|line| match line.trim() {
            "Performance has regressed." => Some(Verdict::Regressed),
            "Performance has improved." => Some(Verdict::Improved),
            "Change within noise threshold." => Some(Verdict::WithinNoise),
            "No change in performance detected." => Some(Verdict::NoChange),
            _ => None,
        })
}

#[derive(Deserialize)]
struct EstimatesFile {
    mean: Point,
    median: Point,
}

#[derive(Deserialize)]
struct Point {
    point_estimate: f64,
}

fn estimates(path: &Path) -> Result<Estimates, HostError> {
    let file: EstimatesFile = serde_json::from_slice(&files::read(path)?)
        .map_err(|error| HostError::format(path, error))?;
    Ok(Estimates {
        mean: rounded(file.mean.point_estimate),
        median: rounded(file.median.point_estimate),
    })
}

fn copy(from: &Path, to: &Path) -> Result<(), HostError> {
    let mut pending: Vec<PathBuf> = vec![PathBuf::new()];
    while let Some(folder) = pending.pop() {
        fs::create_dir_all(to.join(&folder))?;
        for entry in fs::read_dir(from.join(&folder))? {
            let entry = entry?;
            let path = folder.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                pending.push(path);
            } else {
                fs::copy(entry.path(), to.join(&path))?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_is_the_one_below_the_benchmark_it_is_about() {
        let stdout = "\
hash                    time:   [1.0 µs 1.0 µs 1.0 µs]
                        change: [+4.0% +5.0% +6.0%] (p = 0.00 < 0.05)
                        Performance has regressed.
Found 3 outliers among 100 measurements (3.00%)

hashmap                 time:   [1.0 µs 1.0 µs 1.0 µs]
                        change: [-0.1% +0.0% +0.1%] (p = 0.90 > 0.05)
                        No change in performance detected.
";
        assert_eq!(verdict(stdout, "hash"), Some(Verdict::Regressed));
        assert_eq!(verdict(stdout, "hashmap"), Some(Verdict::NoChange));
        assert_eq!(verdict(stdout, "sort"), None);
    }
}
