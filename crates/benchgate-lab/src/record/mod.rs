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

use benchgate_host::HostError;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

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

/// One cycle of a part.
type Cycle = fn(&mut Bench, u32) -> Result<(), HostError>;

/// One in this many cycles runs alongside busy processes.
const LOADED_EVERY: u32 = 3;

/// Records until the time is over.
///
/// # Errors
/// When an executable does not behave as expected, when interrupted, and when a file cannot be written.
pub(crate) fn record(settings: &Settings) -> Result<PathBuf, HostError> {
    let scratch = settings.work.join("scratch");
    let kernels = Kernels::build(&settings.work)?;
    let mut raw = Writer::create(&settings.out, settings.seed)?;
    let machine = benchgate_host::machine::fingerprint(None)?;
    raw.write(&Raw::Run(Run {
        seed: settings.seed,
        minutes: settings.minutes,
        load: settings.load,
        cpu: machine.cpu.clone(),
        cores: machine.cores as usize,
        rustc: rustc(),
    }))?;
    for executable in &kernels.described {
        raw.write(&Raw::Executable(executable.clone()))?;
    }
    let deadline = Instant::now();
    let random = ChaCha8Rng::seed_from_u64(settings.seed);
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
        let parts: [(Part, Cycle); 9] = [
            (Part::Truth, truth::cycle),
            (Part::Gate, gate::cycle),
            (Part::Slowdowns, gate::slowdowns),
            (Part::Criterion, criterion::cycle),
            (Part::Sequences, sequences::cycle),
            (Part::Blocks, blocks::cycle),
            (Part::Lockstep, lockstep::cycle),
            (Part::Grouped, grouped::cycle),
            (Part::Lengths, lengths::cycle),
        ];
        for (part, run) in parts {
            if has(part) && !bench.is_over() {
                run(&mut bench, cycle)?;
            }
        }
        cycle += 1;
    }
    bench.raw.finish()
}

fn rustc() -> String {
    std::process::Command::new("rustc")
        .arg("--version")
        .output()
        .map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
        .unwrap_or_default()
}
