//! The binary: commands, exit codes, progress. It wires the host's measuring to the core's judging.

mod cli;
mod commands;
mod error;
mod exit;
mod observe;
mod policy;
mod progress;
mod record;
mod request;
mod schema;
mod seed;
mod session;
mod show;

use std::process::ExitCode;

use benchgate_host::{launcher, start};
use clap::Parser as _;

use crate::cli::{BaselineCommand, Cli, Command};
use crate::error::CommandError;
use crate::exit::Exit;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    match arguments.next() {
        Some(first) if first == launcher::WORD => return launcher::run(arguments),
        Some(first) if first == start::WORD => return start::note(arguments),
        _ => {}
    }
    // A panic is a bug, and its exit code would be 101: "could not measure".
    let exit = std::panic::catch_unwind(|| {
        let cli = Cli::parse();
        run(cli.command).unwrap_or_else(|error| {
            error.report();
            Exit::from(&error)
        })
    });
    exit::code(exit.unwrap_or(Exit::Internal))
}

fn run(command: Command) -> Result<Exit, CommandError> {
    benchgate_host::interrupt::install()?;
    match command {
        Command::Check(arguments) => commands::check::run(&arguments.into()),
        Command::Compare(arguments) => commands::compare::run(&arguments),
        Command::Report(arguments) => commands::report::run(&arguments),
        Command::Doctor(arguments) => commands::doctor::run(&arguments),
        Command::Selftest(arguments) => commands::selftest::run(&arguments.into()),
        Command::Init(arguments) => commands::init::run(&arguments),
        Command::Baseline(command) => match command {
            BaselineCommand::Save(arguments) => {
                commands::baseline::save(&arguments.measure.into(), arguments.allow_dirty)
            }
            BaselineCommand::List => commands::baseline::list(),
            BaselineCommand::Show { file } => commands::baseline::show(&file),
            BaselineCommand::Verify => commands::baseline::verify(),
            BaselineCommand::Diff { revision } => commands::baseline::diff(&revision),
        },
    }
}
