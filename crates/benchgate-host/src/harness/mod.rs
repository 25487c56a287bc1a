//! The programs inside suites, and how they are asked. One file and one line of `of` each.
//!
//! Measuring knows only these traits: what a suite holds, how one round of one benchmark is asked for,
//! which settings may be drawn, and how values come back with their metrics.

mod ask;
mod command;
mod contract;
mod counts;
mod criterion;
mod divan;
mod jmh;
mod led;
mod led_suite;
mod output;
mod rounds;
pub mod suites;
pub mod toolchain;

use std::path::Path;

use benchgate_core::policy::{self, HarnessName, Measure};

use crate::HostError;
use crate::sides::Executable;
use crate::system::sandbox::Sandbox;

pub use self::ask::Failure;
pub(crate) use self::ask::{command, outlasting, run_command};
pub use self::contract::{Asking, Draws, Harness, Opened, Request, Round, Suite};
pub use self::counts::heap;
pub use self::criterion::Criterion;
pub use self::led::Led;
pub(crate) use self::led::{Process, TO_END};

/// The harness of a name.
pub(crate) fn of(name: HarnessName) -> &'static dyn Harness {
    match name {
        HarnessName::Counts => &counts::Harness,
        HarnessName::Rounds => &rounds::Harness,
        HarnessName::Command => &command::Harness,
        HarnessName::Jmh => &jmh::Harness,
        HarnessName::Divan => &divan::Harness,
        HarnessName::Criterion => &criterion::Harness,
    }
}

/// The crates that bench targets measure with.
pub(crate) fn packages() -> impl Iterator<Item = &'static str> {
    HarnessName::ALL.iter().filter_map(|name| of(*name).package())
}

/// Collects the runtimes that the suites of a policy run on, such as a Java virtual machine; each once, in the order
/// of the policy.
///
/// # Errors
/// When interrupted.
pub(crate) fn runtimes<'a>(
    suites: impl IntoIterator<Item = &'a policy::Suite>,
    root: &Path,
    sandbox: &Sandbox,
) -> Result<Vec<String>, HostError> {
    let mut runtimes = Vec::new();
    for suite in suites {
        let runtime = of(suite.harness).runtime(suite, root, sandbox)?;
        runtimes.extend(runtime.filter(|runtime| !runtimes.contains(runtime)));
    }
    Ok(runtimes)
}

/// Asks an executable what it is: the harness that it names, or each in turn.
///
/// # Errors
/// When it cannot be started, and when interrupted.
pub fn open(
    executable: &Executable,
    measure: &Measure,
    scratch: &Path,
) -> Result<Opened, HostError> {
    if let Some(suite) = &executable.declared {
        return open_declared(executable, suite.harness, &Asking { help: None, measure, scratch });
    }
    // The harness that most suites have is the last.
    let marks = HarnessName::ALL.iter().rev().filter_map(|name| of(*name).mark());
    let Some(help) = ask::help(executable, marks, measure, scratch)? else {
        return Ok(Opened::Other);
    };
    let asking = Asking { help: Some(&help), measure, scratch };
    for name in HarnessName::ALL {
        match of(*name).open(executable, &asking)? {
            Opened::Other => {}
            opened => return Ok(opened),
        }
    }
    Ok(Opened::Other)
}

/// A suite that says what its harness is cannot be another's: that would pass for skipped.
fn open_declared(
    executable: &Executable,
    name: HarnessName,
    asking: &Asking<'_>,
) -> Result<Opened, HostError> {
    let not_spoken = || {
        let reason = format!("benchgate.toml declares it as `{}`, and it is not", name.name());
        Ok(Opened::Failed(Failure::new(reason)))
    };
    match of(name).open(executable, asking) {
        Ok(Opened::Other | Opened::Unasked) => not_spoken(),
        // Nobody declares a suite without benchmarks.
        Ok(Opened::Empty) => Ok(Opened::Failed(Failure::new("it lists no benchmark"))),
        Err(error @ HostError::Start { .. }) => Ok(Opened::Failed(Failure::new(error.to_string()))),
        opened => opened,
    }
}
