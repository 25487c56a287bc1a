//! A benchmark under valgrind's callgrind.
//!
//! The harness runs the benchmark once; with Criterion (`--test`) that is one iteration, the first, with the
//! set-up that `iter_batched` does around it.

use std::path::Path;
use std::time::Duration;

use crate::harness::{Suite, command, run_command};
use crate::system::files::{self, Scratch};
use crate::system::process::Finished;
use crate::{Availability, HostError};

/// The arguments that run one iteration, or why there are none: then the program need not be an executable that was built.
pub(crate) fn once(suite: &dyn Suite, id: &str) -> Result<Vec<String>, String> {
    suite.once(id).ok_or_else(|| "its harness cannot run one iteration".to_owned())
}

/// Returns callgrind's output, or why there is none. `arguments` makes its arguments from the path that it writes to.
///
/// # Errors
/// When interrupted, or when files of our own cannot be used.
pub(crate) fn run(
    suite: &dyn Suite,
    id: &str,
    timeout: Duration,
    home: &Path,
    arguments: impl Fn(&str) -> Vec<String>,
) -> Result<Availability<String>, HostError> {
    let home = Scratch::new(home.to_owned())?;
    let out = home.path().join("callgrind.out");
    let once = match once(suite, id) {
        Ok(once) => once,
        Err(reason) => return Ok(Availability::Unavailable(reason)),
    };
    let executable = suite.executable();
    let mut command = command("valgrind", executable, home.path());
    command
        .args(arguments(&out.to_string_lossy()))
        .arg(&executable.path)
        .args(&executable.arguments)
        .args(once);
    let done = match run_command(executable, Some(home.path()), command, timeout) {
        Err(HostError::Start { program, .. }) => {
            let reason = format!("`{program}` is not installed");
            return Ok(Availability::Unavailable(reason));
        }
        done => done?,
    };
    if !done.succeeded() {
        return Ok(Availability::Unavailable(failed(&done, timeout)));
    }
    Ok(match files::read_written(&out) {
        Ok(bytes) => Availability::Available(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) => Availability::Unavailable(format!("callgrind wrote nothing: {error}")),
    })
}

fn failed(done: &Finished, timeout: Duration) -> String {
    let all = done.tail(usize::MAX);
    let signs = ["unhandled instruction bytes", "Unrecognised instruction"];
    if signs.iter().any(|sign| all.contains(sign)) {
        return "valgrind does not know an instruction of the executable, such as one of AVX-512"
            .to_owned();
    }
    let how = match done.status {
        Some(status) => format!("ended with {status}"),
        None => format!("was stopped after {} s", timeout.as_secs_f64()),
    };
    format!("under valgrind the benchmark {how}: {}", done.tail(2))
}
