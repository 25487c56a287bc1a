//! `benchgate completions` and `benchgate man`: what a package of this program installs next to it.

use std::io::Write as _;

use benchgate_core::policy::nearest;
use benchgate_host::HostError;
use clap::{Command, CommandFactory as _};
use clap_complete::Shell;

use crate::cli::Cli;
use crate::error::CommandError;
use crate::exit::Exit;

/// Prints a script that completes commands, flags and their values.
pub(crate) fn completions(shell: Shell) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "benchgate", &mut script);
    print(&script)
}

/// Prints the manual page of the program, or of one of its commands.
pub(crate) fn man(name: Option<&str>) -> Result<Exit, CommandError> {
    let mut all = Cli::command();
    // Global flags and usages are known after it.
    all.build();
    let command = match name {
        None => all,
        Some(name) => of_name(&all, name)?,
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page).map_err(HostError::from)?;
    Ok(print(&page))
}

fn of_name(all: &Command, name: &str) -> Result<Command, CommandError> {
    if let Some(command) = all.find_subcommand(name) {
        return Ok(command.clone().version(env!("CARGO_PKG_VERSION")));
    }
    let names: Vec<&str> = all.get_subcommands().map(Command::get_name).collect();
    let help = match nearest(name, names.iter().copied()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("name one of: {}", names.join(", ")),
    };
    Err(HostError::usage(format!("no command is called `{name}`"), help).into())
}

/// A pipe that the reader closed early is not an error.
fn print(bytes: &[u8]) -> Exit {
    drop(std::io::stdout().lock().write_all(bytes));
    Exit::Pass
}
