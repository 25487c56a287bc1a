//! Records one process for all benchmarks of an executable, with the gate's own settings.

use std::process::Command;
use std::time::Instant;

use benchgate_core::adapters::criterion::round_value;
use benchgate_core::policy::Measure;
use benchgate_host::HostError;
use benchgate_host::harness::{Criterion as Executable, Suite as _};
use benchgate_host::system::files::{self, Scratch};
use benchgate_host::system::process;

use super::Bench;
use super::sequences::nuisance;
use crate::kernels::{KERNELS, broken};
use crate::raw::{Grouped, Pair, Raw, rounded};
use crate::variant::Variant;

/// The variants that are compared with the base.
const VARIANTS: [Variant; 2] = [Variant::Same, Variant::Slower(5)];

/// Pairs per cycle.
const PAIRS: usize = 3;

/// All kernels in one process on either side.
pub(crate) fn cycle(bench: &mut Bench, _cycle: u32) -> Result<(), HostError> {
    for variant in VARIANTS {
        let mut pairs = vec![Vec::new(); KERNELS.len()];
        for _ in 0..PAIRS {
            let nuisance = nuisance(bench);
            let start = Instant::now();
            let home =
                bench.scratch.join(format!("round{}", "-".repeat(nuisance.padding as usize)));
            let base_first = bench.draw(2) == 0;
            let run = |suite| together(suite, nuisance.more_samples, Scratch::new(home.clone())?);
            let (base, head) = (bench.kernels.base(variant), bench.kernels.head(variant));
            let (base, head) = if base_first {
                let base = run(base)?;
                (base, run(head)?)
            } else {
                let head = run(head)?;
                (run(base)?, head)
            };
            let seconds = start.elapsed().as_secs_f64() / KERNELS.len() as f64;
            for ((base, head), pairs) in base.into_iter().zip(head).zip(&mut pairs) {
                pairs.push(Pair(
                    base,
                    head,
                    nuisance.more_samples,
                    nuisance.padding,
                    rounded(seconds),
                ));
            }
        }
        for (kernel, pairs) in KERNELS.iter().zip(pairs) {
            let (kernel, together) = ((*kernel).to_owned(), KERNELS.len());
            bench.raw.write(&Raw::Grouped(Grouped { kernel, variant, together, pairs }))?;
        }
    }
    Ok(())
}

fn together(suite: &Executable, more_samples: u32, home: Scratch) -> Result<Vec<f64>, HostError> {
    let measure = Measure::default();
    let mut command = Command::new(&suite.executable().path);
    command
        .args(["--bench", "--noplot", "--nresamples", "1001", "--warm-up-time"])
        .arg(measure.warm_up.as_secs_f64().to_string())
        .arg("--measurement-time")
        .arg(measure.measurement.as_secs_f64().to_string())
        .arg("--sample-size")
        .arg((measure.sample_size + more_samples).to_string())
        .arg(format!("^({})$", KERNELS.join("|")))
        .env("CRITERION_HOME", home.path());
    let done = process::run(&mut command, None, &mut |_| {})?;
    if !done.succeeded() {
        return Err(broken(suite, done.tail(5)));
    }
    KERNELS
        .iter()
        .map(|kernel| {
            let path = home.path().join(kernel).join("new/sample.json");
            let value = round_value(&files::read(&path)?)
                .map_err(|error| HostError::format(path, error))?;
            Ok(rounded(value))
        })
        .collect()
}
