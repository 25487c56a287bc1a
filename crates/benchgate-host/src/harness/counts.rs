//! `counts`: executables that count exactly, such as allocations, sizes or system calls. They are run
//! twice; `docs/formats.md` has the protocol.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use benchgate_core::adapters::counts::{self, Counts};
use benchgate_core::adapters::dhat::{self, Heap};
use benchgate_core::model::Twice;

use super::ask::{Failure, PROTOCOLS, ended_badly, run};
use super::{Asking, Opened};
use crate::sides::Executable;
use crate::system::files::{self, Scratch};
use crate::{Availability, HostError};

pub(super) struct Harness;

impl super::Harness for Harness {
    fn open(&self, executable: &Executable, asking: &Asking<'_>) -> Result<Opened, HostError> {
        if asking.help.is_some_and(|help| !counts::is_spoken(&help.stdout)) {
            return Ok(Opened::Other);
        }
        let home = Scratch::new(asking.scratch.join("asked"))?;
        let count = || count(executable, &home, asking.measure.timeout);
        let (first, second) = match (count()?, count()?) {
            (Ok(first), Ok(second)) => (first, second),
            (Err(failure), _) | (_, Err(failure)) => return Ok(Opened::Failed(failure)),
        };
        Ok(match twice(first, second) {
            Some(counts) => Opened::Counted(counts),
            None => {
                let reason = "it counted other benchmarks or metrics in its second run";
                Opened::Failed(Failure::new(reason))
            }
        })
    }

    fn mark(&self) -> Option<&'static str> {
        Some(PROTOCOLS)
    }
}

/// Returns dhat's record of one iteration of a benchmark; `Err` has the reason why there is none.
///
/// # Errors
/// When interrupted, or when files of our own cannot be used.
pub fn heap(
    executable: &Executable,
    id: &str,
    timeout: Duration,
    home: PathBuf,
) -> Result<Availability<Heap>, HostError> {
    let home = Scratch::new(home)?;
    let help = run(executable, home.path(), ["--bench", "--help"], timeout)?;
    if !help.stdout.contains(dhat::PROTOCOL) {
        let reason =
            format!("its executable does not write allocation sites (`{}`)", dhat::PROTOCOL);
        return Ok(Availability::Unavailable(reason));
    }
    let out = home.path().join("heap.json");
    let done = run(executable, home.path(), dhat::arguments(id, &out.to_string_lossy()), timeout)?;
    if let Some(failure) = ended_badly(&done, timeout) {
        let reason = format!("with `--heap` {}: {}", failure.reason, done.tail(2));
        return Ok(Availability::Unavailable(reason));
    }
    let heap = match files::read_written(&out) {
        Ok(bytes) => Heap::read(&bytes).map_err(|error| format!("dhat's file: {error}")),
        Err(error) => Err(format!("with `--heap` it wrote nothing: {error}")),
    };
    Ok(heap.into())
}

fn count(
    executable: &Executable,
    home: &Scratch,
    timeout: Duration,
) -> Result<Result<Counts, Failure>, HostError> {
    let done = run(executable, home.path(), counts::ARGUMENTS, timeout)?;
    if let Some(failure) = ended_badly(&done, timeout) {
        return Ok(Err(failure));
    }
    Ok(match counts::read(&done.stdout) {
        Ok(counts) if counts.is_empty() => Err(Failure::of(&done, "it counted no benchmark")),
        Ok(counts) => Ok(counts),
        Err(error) => Err(Failure::of(&done, error.to_string())),
    })
}

/// The counts of both runs; `None` where they are not of the same benchmarks and metrics.
fn twice(
    first: Counts,
    mut second: Counts,
) -> Option<BTreeMap<String, BTreeMap<benchgate_core::model::Metric, Twice<f64>>>> {
    let mut counts = BTreeMap::new();
    for (id, metrics) in first {
        let mut again = second.remove(&id)?;
        let metrics: Option<BTreeMap<_, _>> = metrics
            .into_iter()
            .map(|(metric, value)| {
                let second = again.remove(&metric)?;
                Some((metric, Twice::new(value, second)))
            })
            .collect();
        if !again.is_empty() {
            return None;
        }
        counts.insert(id, metrics?);
    }
    second.is_empty().then_some(counts)
}
