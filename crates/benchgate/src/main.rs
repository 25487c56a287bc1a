//! The binary: commands, exit codes, progress. It wires the host's measuring to the core's judging.

mod building;
mod cli;
mod commands;
mod error;
mod exit;
mod explaining;
#[cfg(test)]
mod named;
mod observe;
mod policy;
#[cfg(test)]
mod printed;
mod progress;
mod record;
mod recorded;
mod request;
mod schema;
mod seed;
mod session;
mod shard;
mod show;

use std::process::ExitCode;

use benchgate_host::cargo::start;
use benchgate_host::system::{launcher, sandbox};
use clap::Parser as _;

use crate::cli::{BaselineCommand, Cli, Command, OutputArgs, PolicyCommand};
use crate::error::CommandError;
use crate::exit::Exit;
use crate::progress::Verbosity;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    match arguments.next() {
        Some(first) if first == launcher::WORD => return launcher::run(arguments),
        Some(first) if first == start::WORD => return start::note(arguments),
        Some(first) if first == sandbox::WORD => return sandbox::run(arguments),
        Some(first) if first == sandbox::WATCH => return sandbox::watch(arguments),
        _ => {}
    }
    // A panic is a bug, and its exit code would be 101: "could not measure".
    let exit = std::panic::catch_unwind(|| {
        let cli = Cli::parse();
        talk(cli.output);
        run(cli.command).unwrap_or_else(|error| {
            error.report();
            Exit::from(&error)
        })
    });
    exit::code(exit.unwrap_or(Exit::Internal))
}

/// Colour and progress are of the whole process.
fn talk(output: OutputArgs) {
    anstream::ColorChoice::from(output.color).write_global();
    progress::set_verbosity(match (output.quiet, output.verbose) {
        (true, _) => Verbosity::Quiet,
        (false, true) => Verbosity::Verbose,
        (false, false) => Verbosity::Normal,
    });
}

fn run(command: Option<Command>) -> Result<Exit, CommandError> {
    benchgate_host::system::interrupt::install()?;
    benchgate_host::system::process::adopt_orphans()?;
    benchgate_host::system::process::keep_standing();
    let Some(command) = command else { return commands::here::run() };
    match command {
        Command::Check(arguments) => {
            let (preview, format) = (arguments.preview(), arguments.format);
            commands::check::run(arguments.into(), preview, format)
        }
        Command::Compare(arguments) => commands::compare::run(&arguments),
        Command::Explain(arguments) => commands::explain::run(&arguments),
        Command::Bisect(arguments) => commands::bisect::run(&arguments),
        Command::History(arguments) => commands::history::run(&arguments),
        Command::Cache { command } => commands::cache::run(command),
        Command::Merge(arguments) => commands::merge::run(&arguments),
        Command::Report(arguments) => commands::report::run(&arguments),
        Command::Doctor(arguments) => commands::doctor::run(&arguments),
        Command::Selftest(arguments) => commands::selftest::run(&arguments.into()),
        Command::Demo => commands::demo::run(),
        Command::Init(arguments) => commands::init::run(&arguments),
        Command::Policy(PolicyCommand::Check { file }) => commands::policy::check(file.as_deref()),
        Command::Policy(PolicyCommand::Show(arguments)) => commands::policy::show(&arguments),
        Command::Completions { shell } => Ok(commands::manual::completions(shell)),
        Command::Man { command } => commands::manual::man(command.as_deref()),
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
