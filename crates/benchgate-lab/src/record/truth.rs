//! The true change of a kernel, without Criterion and without the gate: long processes that take turns
//! and draw a new heap for every value; and the instructions that valgrind counts.

use std::path::Path;

use benchgate_host::HostError;
use benchgate_host::harness::Suite as _;
use benchgate_host::system::process;

use super::{Bench, in_mode};
use crate::kernels::{KERNELS, broken};
use crate::raw::{Instructions, Raw, Truth, rounded};
use crate::variant::{Family, Variant};

/// States of the heap per process.
const STATES: usize = 24;

/// Pairs of processes per kernel, slowdown and cycle.
const PAIRS: u64 = 5;

/// Adds to the true change of every kernel under every slowdown. Not alongside busy processes: the truth
/// is the cost of the work without disturbance.
pub(super) fn cycle(bench: &mut Bench, cycle: u32) -> Result<(), HostError> {
    if bench.loaded {
        return Ok(());
    }
    for kernel in KERNELS {
        let mut variants = Variant::of(Family::Slower);
        let mut logs = vec![Vec::new(); variants.len()];
        for pair in 0..PAIRS {
            let seed = u64::from(cycle) * PAIRS + pair + 1;
            // Two slowdowns next to each base, alternately before and after it.
            for (two, logs) in variants.chunks(2).zip(logs.chunks_mut(2)) {
                let first = states(bench, Some(two[0]), kernel, seed)?;
                let base = states(bench, None, kernel, seed)?;
                let second = states(bench, Some(two[1]), kernel, seed)?;
                logs[0].push(rounded(mean_log(&base, &first)));
                logs[1].push(rounded(mean_log(&base, &second)));
            }
            variants.chunks_mut(2).for_each(<[Variant]>::reverse);
            logs.chunks_mut(2).for_each(<[Vec<f64>]>::reverse);
        }
        for (variant, logs) in variants.into_iter().zip(logs) {
            let (kernel, percent) = (kernel.to_owned(), variant.percent());
            bench.raw.write(&Raw::Truth(Truth { kernel, percent, logs }))?;
        }
    }
    Ok(())
}

fn states(
    bench: &Bench,
    variant: Option<Variant>,
    kernel: &str,
    seed: u64,
) -> Result<Vec<f64>, HostError> {
    let suite = match variant {
        Some(variant) => bench.kernels.head(variant),
        None => bench.kernels.base(Variant::Same),
    };
    let mode = format!("calibrate {kernel} {seed} {STATES}");
    let done = process::run(&mut in_mode(&suite.executable().path, &mode), None, &mut |_| {})?;
    let values: Vec<f64> = done.stdout.lines().filter_map(|line| line.parse().ok()).collect();
    if !done.succeeded() || values.len() != STATES {
        return Err(broken(suite, format!("{mode}: {}", done.tail(5))));
    }
    Ok(values)
}

/// The mean over the states of the heap: with the same seed, both processes went through the same.
/// The tenth at either end is dropped, where a process was preempted for a whole value.
fn mean_log(base: &[f64], head: &[f64]) -> f64 {
    let mut logs: Vec<f64> = base.iter().zip(head).map(|(base, head)| (head / base).ln()).collect();
    logs.sort_by(f64::total_cmp);
    let cut = logs.len() / 10;
    let middle = &logs[cut..logs.len() - cut];
    middle.iter().sum::<f64>() / middle.len() as f64
}

/// Iterations of the shorter and the longer counted process.
const COUNTED: [u64; 2] = [4, 24];

/// Counts instructions per iteration, where valgrind is installed: two processes of different length,
/// whose difference is the work alone.
///
/// # Errors
/// When an executable does not answer.
pub(crate) fn instructions(bench: &mut Bench) -> Result<(), HostError> {
    let mut variants = vec![Variant::Same];
    variants.extend(Variant::of(Family::Slower));
    for variant in variants {
        for kernel in KERNELS {
            let path = bench.kernels.head(variant).executable().path.clone();
            let [Some(short), Some(long)] =
                COUNTED.map(|iterations| count(&path, kernel, iterations))
            else {
                eprintln!("instructions are not counted: valgrind is not installed or failed");
                return Ok(());
            };
            let count = rounded((long - short) / (COUNTED[1] - COUNTED[0]) as f64);
            let kernel = kernel.to_owned();
            bench.raw.write(&Raw::Instructions(Instructions { kernel, variant, count }))?;
        }
    }
    Ok(())
}

fn count(path: &Path, kernel: &str, iterations: u64) -> Option<f64> {
    let mut command = std::process::Command::new("valgrind");
    command
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(path)
        .env("LAB_MODE", format!("count {kernel} {iterations}"));
    let done = process::run(&mut command, None, &mut |_| {}).ok()?;
    let line = done.stderr.lines().find_map(|line| line.split("Collected : ").nth(1))?;
    line.trim().parse().ok()
}
