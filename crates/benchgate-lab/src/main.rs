//! `lab`: measures the error rates of the gate and of its peers on the same executables.

mod checks;
mod coverage;
mod designs;
mod engine;
mod estimators;
mod grouping;
mod kernels;
mod lengths;
mod linking;
mod placement;
mod plot;
mod raw;
mod record;
mod report;
mod simulate;
mod stats;
mod tables;
mod targets;
mod variant;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;

use benchgate_host::HostError;
use benchgate_host::system::interrupt;
use clap::{Parser, Subcommand, ValueEnum};

use kernels::KERNELS;
use record::{Part, Settings};

/// The accuracy lab of benchgate.
#[derive(Parser)]
#[command(name = "lab")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build the kernels and record raw data
    Run {
        /// How long to record, without building and counting instructions; a cycle that has begun is finished
        #[arg(long, default_value_t = 90.0)]
        minutes: f64,
        /// Number of busy processes alongside every third cycle
        #[arg(long, default_value_t = 2)]
        load: usize,
        /// Seed of all random draws
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Folder for the raw data
        #[arg(long)]
        out: PathBuf,
        /// Folder for executables
        #[arg(long, default_value = "target/lab")]
        work: PathBuf,
        /// Record only these
        #[arg(long, value_delimiter = ',')]
        parts: Vec<Part>,
        /// Let the gate decide only on these kernels
        #[arg(long, value_delimiter = ',', value_parser = kernel)]
        kernels: Vec<&'static str>,
    },
    /// Print every table from raw data
    Replay {
        /// Folder with raw data
        folder: PathBuf,
    },
    /// Write accuracy.md and its plots from raw data
    Report {
        /// Folder with raw data
        folder: PathBuf,
        /// Folder of the page
        #[arg(long, default_value = "docs/evidence")]
        docs: PathBuf,
    },
    /// Run the engine on simulated machines
    Simulate {
        /// Runs of 100 unchanged benchmarks; a fifth as many with slowdowns
        #[arg(long, default_value_t = 10_000)]
        runs: u64,
        /// Seed of all random draws
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Search simulated histories for the commits that slowdowns came with, and print JSON
    Bisect {
        /// Histories of up to 1,000 commits with none to two slowdowns
        #[arg(long, default_value_t = 10_000)]
        histories: u64,
        /// Seed of all random draws
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Look for change points in simulated histories of 1,000 merges, and print JSON
    History {
        /// Histories of each sort and noise
        #[arg(long, default_value_t = 100)]
        histories: usize,
        /// Seed of all random draws
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Compare a process per benchmark with one for all of them
    Grouping {
        /// Folder with raw data
        folder: PathBuf,
    },
    /// Compare processes of several lengths
    Lengths {
        /// Folder with raw data
        folder: PathBuf,
    },
    /// Compare estimators by coverage, width and bias on recorded sequences
    Estimators {
        /// Folder with raw data
        folder: PathBuf,
    },
    /// Keep a core busy until standard input is closed
    #[command(hide = true)]
    Busy,
}

fn main() -> ExitCode {
    match interrupt::install().and_then(|()| run(Cli::parse().command)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            if let HostError::Cargo { output, .. } = &error {
                eprintln!("{output}");
            }
            ExitCode::FAILURE
        }
    }
}

fn kernel(name: &str) -> Result<&'static str, String> {
    let known = KERNELS.into_iter().find(|kernel| *kernel == name);
    known.ok_or_else(|| format!("unknown kernel: expected one of {}", KERNELS.join(", ")))
}

fn run(command: Command) -> Result<(), HostError> {
    match command {
        Command::Run { minutes, load, seed, out, work, parts, kernels } => {
            let parts: BTreeSet<Part> = if parts.is_empty() {
                Part::value_variants().iter().copied().collect()
            } else {
                parts.into_iter().collect()
            };
            std::fs::create_dir_all(&work)?;
            let work = work.canonicalize()?;
            let kernels = if kernels.is_empty() { KERNELS.to_vec() } else { kernels };
            let settings = Settings { out, work, minutes, load, seed, parts, kernels };
            let packed = record::record(&settings)?;
            eprintln!("raw data: {}", packed.display());
        }
        Command::Replay { folder } => print!("{}", report::markdown(&raw::read(&folder)?)),
        Command::Report { folder, docs } => report::write(&raw::read(&folder)?, &docs)?,
        Command::Simulate { runs, seed } => print!("{}", simulate::tables(runs, seed)),
        Command::Bisect { histories, seed } => {
            let simulation = simulate::bisect::simulate(histories, seed);
            println!("{}", serde_json::to_string_pretty(&simulation).unwrap_or_default());
        }
        Command::History { histories, seed } => {
            let simulation = simulate::history::simulate(histories, seed);
            println!("{}", serde_json::to_string_pretty(&simulation).unwrap_or_default());
        }
        Command::Lengths { folder } => print!("{}", lengths::table(&raw::read(&folder)?)),
        Command::Grouping { folder } => print!("{}", grouping::table(&raw::read(&folder)?)),
        Command::Estimators { folder } => print!("{}", estimators::tables(&raw::read(&folder)?)),
        Command::Busy => record::be_busy(),
    }
    Ok(())
}
