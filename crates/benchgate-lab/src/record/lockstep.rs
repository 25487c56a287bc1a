//! Two processes that take turns batch by batch, as tango runs them since 2026: each waits for the
//! other. Here they are driven over pipes, not over a shared page.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use benchgate_host::HostError;
use benchgate_host::harness::{Criterion as Executable, Suite as _};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use super::{Bench, changed_of, in_mode};
use crate::kernels::{KERNELS, broken};
use crate::raw::{Lockstep, Raw, rounded};
use crate::variant::Variant;

/// Measuring time of a decision.
const MEASURED: Duration = Duration::from_millis(500);

/// Intended duration of a batch.
const BATCH: Duration = Duration::from_micros(100);

/// Per kernel a decision without a change, and one with a slowdown or a shift.
pub(crate) fn cycle(bench: &mut Bench, cycle: u32) -> Result<(), HostError> {
    for kernel in KERNELS {
        for variant in [Variant::Same, changed_of(cycle)] {
            let lockstep = decide(bench, kernel, variant)?;
            bench.raw.write(&Raw::Lockstep(lockstep))?;
        }
    }
    Ok(())
}

fn decide(bench: &mut Bench, kernel: &str, variant: Variant) -> Result<Lockstep, HostError> {
    let seed = bench.random.next_u64();
    let start = Instant::now();
    let mut base = Server::start(bench.kernels.base(variant), kernel)?;
    let mut head = Server::start(bench.kernels.head(variant), kernel)?;
    // The iterations of a batch are found once, on the base, and used for both.
    let mut iterations = 1_u64;
    while base.run(iterations)? < BATCH.as_nanos() as f64 / 2.0 {
        iterations *= 2;
    }
    head.run(iterations)?;
    let until = Instant::now() + MEASURED;
    let (mut bases, mut differences) = (Vec::new(), Vec::new());
    let mut order = ChaCha8Rng::seed_from_u64(seed);
    while Instant::now() < until {
        let (b, h) = if order.next_u32() & 1 == 0 {
            let b = base.run(iterations)?;
            (b, head.run(iterations)?)
        } else {
            let h = head.run(iterations)?;
            (base.run(iterations)?, h)
        };
        bases.push(b / iterations as f64);
        differences.push((h - b) / iterations as f64);
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let difference = mean(&differences);
    let squares: f64 = differences.iter().map(|value| (value - difference).powi(2)).sum();
    Ok(Lockstep {
        kernel: kernel.to_owned(),
        variant,
        loaded: bench.loaded,
        pairs: differences.len(),
        base: rounded(mean(&bases)),
        difference: rounded(difference),
        deviation: rounded((squares / (differences.len() as f64 - 1.0)).sqrt()),
        seconds: rounded(start.elapsed().as_secs_f64()),
    })
}

struct Server<'a> {
    suite: &'a Executable,
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl<'a> Server<'a> {
    fn start(suite: &'a Executable, kernel: &str) -> Result<Self, HostError> {
        let mut child = in_mode(&suite.executable().path, &format!("serve {kernel}"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(requests), Some(answers)) => {
                Ok(Self { suite, child, requests, answers: BufReader::new(answers) })
            }
            _ => Err(broken(suite, "it has no pipes".to_owned())),
        }
    }

    fn run(&mut self, iterations: u64) -> Result<f64, HostError> {
        writeln!(self.requests, "{iterations}")?;
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        line.trim().parse().map_err(|_| broken(self.suite, format!("it answered `{line}`")))
    }
}

impl Drop for Server<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
