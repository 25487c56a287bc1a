//! Recording: everything that touches a clock or a process. What is measured is written down; nothing
//! is decided here, save by the gate's own engine, which says what it wants measured next.

mod blocks;
mod criterion;
mod gate;
mod grouped;
mod load;
mod lockstep;
mod sequences;
mod truth;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use benchgate_host::HostError;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::kernels::Kernels;
use crate::raw::{Raw, Run, Writer};
use crate::variant::{Family, Variant};

pub(crate) use criterion::DEFAULT as DEFAULT_SETTINGS;
pub(crate) use load::be_busy;

/// What to record.
pub(crate) struct Settings {
    /// Where the raw data goes.
    pub(crate) out: PathBuf,
    /// Where executables are built and run.
    pub(crate) work: PathBuf,
    /// How long.
    pub(crate) minutes: f64,
    /// Busy processes of every third cycle.
    pub(crate) load: usize,
    /// Everything drawn is drawn from it.
    pub(crate) seed: u64,
    /// What to record in each cycle.
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
}

/// What every part of a recording uses.
struct Bench {
    kernels: Kernels,
    scratch: PathBuf,
    raw: Writer,
    random: ChaCha8Rng,
    loaded: bool,
    deadline: Instant,
    /// The kernels that the gate decides on.
    decided: Vec<&'static str>,
}

impl Bench {
    fn is_over(&self) -> bool {
        Instant::now() >= self.deadline
    }

    fn draw(&mut self, limit: usize) -> usize {
        self.random.next_u32() as usize % limit.max(1)
    }
}

/// What a part does in one cycle.
type Cycle = fn(&mut Bench, u32) -> Result<(), HostError>;

/// One in so many cycles runs beside busy processes.
const LOADED_EVERY: u32 = 3;

/// Records until the time is over.
///
/// # Errors
/// When an executable does not do what it should, when interrupted, and when a file cannot be written.
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
        let parts: [(Part, Cycle); 8] = [
            (Part::Truth, truth::cycle),
            (Part::Gate, gate::cycle),
            (Part::Slowdowns, gate::slowdowns),
            (Part::Criterion, criterion::cycle),
            (Part::Sequences, sequences::cycle),
            (Part::Blocks, blocks::cycle),
            (Part::Lockstep, lockstep::cycle),
            (Part::Grouped, grouped::cycle),
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

/// Of the slowdowns, those whose turn it is.
fn slowdowns_of(cycle: u32, count: usize) -> Vec<Variant> {
    let all = Variant::of(Family::Slower);
    all.iter().cycle().skip(cycle as usize * count).take(count).copied().collect()
}

/// Of a family, the one whose turn it is.
fn one_of(family: Family, cycle: u32) -> Variant {
    let all = Variant::of(family);
    all[cycle as usize % all.len()]
}

/// Of the two shifts that change no work, the one whose turn it is.
fn null_of(cycle: u32) -> Variant {
    let families = [Family::Address, Family::Heap];
    one_of(families[cycle as usize % families.len()], cycle / 2)
}

/// A slowdown in two cycles of three, a shift in the third.
fn changed_of(cycle: u32) -> Variant {
    let slowdowns = Variant::of(Family::Slower);
    match cycle % 3 {
        2 => null_of(cycle / 3),
        at => slowdowns[(cycle / 3 * 2 + at) as usize % slowdowns.len()],
    }
}

fn rustc() -> String {
    std::process::Command::new("rustc")
        .arg("--version")
        .output()
        .map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
        .unwrap_or_default()
}

/// A command that runs an executable of the kernels in one of its own modes.
fn in_mode(path: &Path, mode: &str) -> std::process::Command {
    let mut command = std::process::Command::new(path);
    command.env("LAB_MODE", mode);
    command
}
