//! Instructions of one benchmark, counted by valgrind's callgrind: evidence alongside a time. They repeat to a
//! hundredth of a percent on a busy machine and do not see where code lies.
//!
//! The harness runs the benchmark once; with Criterion (`--test`) that is one iteration, the first, with the
//! set-up that `iter_batched` does around it.

use std::path::Path;
use std::time::Duration;

use benchgate_core::adapters::callgrind;

use crate::files::{self, Scratch};
use crate::harness::{Suite, command};
use crate::{HostError, process};

/// How far two counts of one executable may be apart: more, and it does not do the same work twice.
pub const REPEATABLE: f64 = 0.001;

/// What counting came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Count {
    /// Instructions of one iteration.
    Counted(u64),
    /// There is no count: the reason.
    Unavailable(String),
}

/// Counts a benchmark, twice.
///
/// # Errors
/// When interrupted, or when files of our own cannot be used.
pub fn count(
    suite: &dyn Suite,
    id: &str,
    timeout: Duration,
    scratch: &Path,
) -> Result<Count, HostError> {
    let mut counts = [0; 2];
    for count in &mut counts {
        match once(suite, id, timeout, scratch)? {
            Ok(instructions) => *count = instructions,
            Err(reason) => return Ok(Count::Unavailable(reason)),
        }
    }
    let [first, second] = counts;
    #[expect(clippy::cast_precision_loss, reason = "a share of a count")]
    let apart = first.abs_diff(second) as f64 / first.min(second).max(1) as f64;
    Ok(if apart <= REPEATABLE {
        Count::Counted(first.min(second))
    } else {
        Count::Unavailable(format!(
            "two counts of one executable differ ({first} and {second} instructions)"
        ))
    })
}

fn once(
    suite: &dyn Suite,
    id: &str,
    timeout: Duration,
    scratch: &Path,
) -> Result<Result<u64, String>, HostError> {
    let home = Scratch::new(scratch.join("count"))?;
    let out = home.path().join("callgrind.out");
    let Some(arguments) = suite.once(id) else {
        return Ok(Err("its harness cannot run one iteration".to_owned()));
    };
    let executable = suite.executable();
    let mut command = command("valgrind", executable, home.path());
    command
        .args(callgrind::arguments(&out.to_string_lossy()))
        .arg(&executable.path)
        .args(&executable.arguments)
        .args(arguments);
    let done = match process::run(&mut command, Some(timeout), &mut |_| {}) {
        Err(HostError::Start { program, .. }) => {
            return Ok(Err(format!("`{program}` is not installed")));
        }
        done => done?,
    };
    if !done.succeeded() {
        let how = match done.status {
            Some(status) => format!("ended with {status}"),
            None => format!("was stopped after {} s", timeout.as_secs_f64()),
        };
        return Ok(Err(format!("under valgrind the benchmark {how}: {}", done.tail(2))));
    }
    let file = match files::read(&out) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) => return Ok(Err(format!("callgrind wrote nothing: {error}"))),
    };
    Ok(callgrind::iteration(&file).map_err(|nothing| nothing.to_string()))
}
