//! Runs one command and prints what it used. The binary is called in this way by itself only: a hidden first
//! argument, before anything else is read or allocated.
//!
//! A kernel counts what a process held *before* it became another program as its own peak: a child of the
//! gate, with a large result in memory, would seem to need as much. A process that has done nothing yet holds
//! a few MB, and this is the least that `memory.peak` shows.

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::time::Instant;

use benchgate_core::adapters::command::Usage;

/// The first argument that makes the binary a launcher.
pub const WORD: &str = "__measure";

/// Runs the program that the arguments name, and prints a line about it.
pub fn run(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let Some(program) = arguments.next() else { return ExitCode::from(2) };
    let mut command = Command::new(&program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null());
    let started = Instant::now();
    let usage = match command.spawn() {
        Ok(child) => match wait(child.id()) {
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

struct Used {
    cpu: f64,
    peak: f64,
}

/// Waits for a child with the accounting of this child alone.
fn wait(child: u32) -> std::io::Result<(ExitStatus, Used)> {
    let child = libc::pid_t::try_from(child).map_err(std::io::Error::other)?;
    let mut status = 0;
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: both pointers are to locals that outlive the call, and nothing else waits for this child.
    while unsafe { libc::wait4(child, &raw mut status, 0, usage.as_mut_ptr()) } == -1 {
        let error = std::io::Error::last_os_error();
        if error.kind() != std::io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    // SAFETY: zeroes are a valid `rusage`, which is integers only, and the kernel has written it since.
    let usage = unsafe { usage.assume_init() };
    let ns = |time: libc::timeval| time.tv_sec as f64 * 1e9 + time.tv_usec as f64 * 1e3;
    // The kernel knows the sum to the nanosecond and shares it out by what the clock's ticks met: of a
    // process of a few milliseconds the user's part alone is all or nothing.
    let cpu = ns(usage.ru_utime) + ns(usage.ru_stime);
    let kib = if cfg!(target_os = "macos") { 1.0 } else { 1024.0 };
    Ok((ExitStatus::from_raw(status), Used { cpu, peak: usage.ru_maxrss as f64 * kib }))
}
