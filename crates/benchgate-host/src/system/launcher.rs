//! Runs one command and prints what it used. The binary is called in this way by itself only: a hidden first
//! argument, before anything else is read or allocated.
//!
//! A kernel counts what a process held *before* it became another program as its own peak: a child of the
//! gate, with a large result in memory, would seem to need as much. A process that has done nothing yet holds
//! a few MB, and this is the least that `memory.peak` shows.

use std::ffi::OsString;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use benchgate_core::adapters::command::Usage;

use crate::system::platform;

/// The first argument that makes the binary a launcher.
pub const WORD: &str = "__measure";

/// Runs the program that the arguments name, and prints a line about it.
pub fn run(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let Some(program) = arguments.next() else { return ExitCode::from(2) };
    let mut command = Command::new(&program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null());
    let started = Instant::now();
    let usage = match command.spawn() {
        Ok(mut child) => match platform::wait(&mut child) {
            Ok((status, used)) => {
                let wall = started.elapsed();
                match status.success() {
                    true => Usage::new(wall.as_nanos() as f64, used.cpu, used.peak),
                    false => Usage::failed(format!("it ended with {status}")),
                }
            }
            Err(error) => Usage::failed(format!("it could not be waited for: {error}")),
        },
        Err(error) => Usage::failed(format!("cannot run `{}`: {error}", program.display())),
    };
    #[expect(clippy::print_stdout, reason = "the line is what a launcher is for")]
    {
        println!("{}", usage.line());
    }
    ExitCode::SUCCESS
}
