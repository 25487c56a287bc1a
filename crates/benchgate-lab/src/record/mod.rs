//! Recording: everything that uses a clock or a process. Nothing is decided here, except by the gate's own
//! engine, which plans what to measure next.

mod bench;
mod blocks;
mod criterion;
mod gate;
mod grouped;
mod lengths;
mod load;
mod lockstep;
mod sequences;
mod truth;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use benchgate_core::policy::Measure;
use benchgate_host::HostError;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::kernels::Kernels;
use crate::raw::{Raw, Run, Writer};

use bench::{Bench, changed_of, in_mode, null_of, one_of, slowdowns_of};
pub(crate) use criterion::DEFAULT as DEFAULT_SETTINGS;
pub(crate) use load::be_busy;

/// Settings of a recording.
pub(crate) struct Settings {
    /// Folder for the raw data.
    pub(crate) out: PathBuf,
    /// Folder where executables are built and run.
    pub(crate) work: PathBuf,
    /// Duration of the recording.
    pub(crate) minutes: f64,
    /// Busy processes of every third cycle.
    pub(crate) load: usize,
    /// Seed of all random draws.
    pub(crate) seed: u64,
    /// The parts to record in each cycle.
    pub(crate) parts: BTreeSet<Part>,
    /// The kernels that the gate decides on.
    pub(crate) kernels: Vec<&'static str>,
}

/// Parts of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub(crate) enum Part {
    /// The true changes.
    Truth,
    /// Instruction counts, once, where valgrind is installed.
    Instructions,
    /// Decisions of the gate.
    Gate,
    /// Decisions of the gate, most of them on slowdowns.
    Slowdowns,
    /// Pairs in long sequences.
    Sequences,
    /// Two Criterion runs.
    Criterion,
    /// Ten processes, then ten.
    Blocks,
    /// Two processes in lock step.
    Lockstep,
    /// Several benchmarks in one process.
    Grouped,
    /// Pairs of processes of several lengths.
    Lengths,
}

/// A cycle of a part.
type Cycle = fn(&mut Bench, u32) -> Result<(), HostError>;

/// The parts, in the order of a cycle, each with one in how many cycles it is recorded in. What needs the most decisions
/// is recorded in all of them. No such number shares a factor with [`LOADED_EVERY`].
const PARTS: [(Part, u32, Cycle); 9] = [
    (Part::Gate, 1, gate::cycle),
    (Part::Slowdowns, 1, gate::slowdowns),
    (Part::Truth, 2, truth::cycle),
    (Part::Criterion, 4, criterion::cycle),
    (Part::Sequences, 4, sequences::cycle),
    (Part::Blocks, 4, blocks::cycle),
    (Part::Lockstep, 4, lockstep::cycle),
    (Part::Grouped, 8, grouped::cycle),
    (Part::Lengths, 8, lengths::cycle),
];

/// The folder of the engine, as git names what is committed of it.
const ENGINE: &str = "HEAD:./../benchgate-core";

/// Each third cycle runs alongside busy processes.
const LOADED_EVERY: u32 = 3;

/// Records until the time is over.
///
/// # Errors
/// When an executable does not behave as expected, when interrupted, and when a file cannot be written.
pub(crate) fn record(settings: &Settings) -> Result<PathBuf, HostError> {
    // A recording is a separate build, in a separate folder: every seed has another one.
    let work = std::path::absolute(&settings.work)?.join(format!("seed-{}", settings.seed));
    let scratch = work.join("scratch");
    let mut random = ChaCha8Rng::seed_from_u64(settings.seed);
    let kernels = Kernels::build(&work, random.next_u32())?;
    let mut raw = Writer::create(&settings.out, settings.seed)?;
    let machine = benchgate_host::system::machine::fingerprint(None)?;
    let measure = Measure::default();
    raw.write(&Raw::Run(Run {
        seed: settings.seed,
        minutes: settings.minutes,
        load: settings.load,
        cpu: machine.cpu.clone(),
        cores: machine.cores as usize,
        rustc: said_by("rustc", &["--version"]),
        engine: said_by("git", &["rev-parse", "--short=12", ENGINE]),
        process: [measure.warm_up, measure.measurement].map(|it| it.as_millis() as u32).into(),
    }))?;
    for executable in kernels.described()? {
        raw.write(&Raw::Executable(executable))?;
    }
    let deadline = Instant::now();
    let decided = settings.kernels.clone();
    let mut bench = Bench { kernels, scratch, raw, random, loaded: false, deadline, decided };
    let has = |part| settings.parts.contains(&part);
    if has(Part::Instructions) {
        truth::instructions(&mut bench)?;
    }
    bench.deadline = Instant::now() + Duration::from_secs_f64(settings.minutes * 60.0);
    let mut cycle = 0;
    while !bench.is_over() {
        bench.loaded = settings.load > 0 && cycle % LOADED_EVERY == LOADED_EVERY - 1;
        let _load = if bench.loaded { load::start(settings.load)? } else { Vec::new() };
        eprintln!("cycle {cycle}{}", if bench.loaded { ", loaded" } else { "" });
        for (part, every, run) in PARTS {
            if has(part) && cycle.is_multiple_of(every) && !bench.is_over() {
                let order = bench.random.next_u32();
                bench.kernels.link(order)?;
                let turn = cycle / every;
                // Otherwise the same variants would meet the busy processes in every cycle that has them.
                run(&mut bench, turn + turn / LOADED_EVERY)?;
            }
        }
        cycle += 1;
    }
    bench.raw.finish()
}

/// The first line of what a program prints; empty if it cannot.
fn said_by(program: &str, arguments: &[&str]) -> String {
    let here = env!("CARGO_MANIFEST_DIR");
    let output = std::process::Command::new(program).args(arguments).current_dir(here).output();
    let printed = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    printed.unwrap_or_default().lines().next().unwrap_or_default().to_owned()
}
