//! What runs inside a suite, and how it is asked. One file and one line of `HARNESSES` each.
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
mod rounds;

use std::path::Path;

use benchgate_core::policy::{self, Measure};

use crate::HostError;
use crate::sandbox::Sandbox;
use crate::sides::Executable;

pub use self::ask::{Failure, TAIL};
pub(crate) use self::ask::{command, run_command};
pub use self::contract::{Asking, Draws, Harness, Opened, Request, Round, Suite};
pub use self::counts::heap;
pub use self::criterion::Criterion;

/// Every harness, in the order in which an executable that names none is tried: the one that asks the
/// most questions is last.
static HARNESSES: [&dyn Harness; 6] = [
    &counts::Harness,
    &rounds::Harness,
    &command::Harness,
    &jmh::Harness,
    &divan::Harness,
    &criterion::Harness,
];

/// The names of all harnesses.
pub fn names() -> impl Iterator<Item = &'static str> {
    HARNESSES.iter().map(|harness| harness.name())
}

/// What the suites of a policy run on besides the machine, such as a Java virtual machine; each once, in the order of
/// the policy.
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
        let harness = HARNESSES.iter().find(|harness| harness.name() == suite.harness);
        let runtime =
            harness.map(|harness| harness.runtime(suite, root, sandbox)).transpose()?.flatten();
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
        return open_declared(executable, &suite.harness, &Asking { help: None, measure, scratch });
    }
    let Some(help) = ask::help(executable, measure, scratch)? else { return Ok(Opened::Other) };
    let asking = Asking { help: Some(&help), measure, scratch };
    for harness in HARNESSES {
        match harness.open(executable, &asking)? {
            Opened::Other => {}
            opened => return Ok(opened),
        }
    }
    Ok(Opened::Other)
}

/// A suite that says what its harness is cannot be another's: that would pass for skipped.
fn open_declared(
    executable: &Executable,
    name: &str,
    asking: &Asking<'_>,
) -> Result<Opened, HostError> {
    let not_spoken = || {
        let reason = format!("benchgate.toml declares it as `{name}`, and it is not");
        Ok(Opened::Failed(Failure::new(reason)))
    };
    let Some(harness) = HARNESSES.iter().find(|harness| harness.name() == name) else {
        return not_spoken();
    };
    match harness.open(executable, asking) {
        Ok(Opened::Other) => not_spoken(),
        Err(HostError::Start { program, source }) => {
            Ok(Opened::Failed(Failure::new(format!("cannot run `{program}`: {source}"))))
        }
        opened => opened,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn the_harnesses_that_policies_may_name_are_those_that_there_are() {
        let known: BTreeSet<&str> = super::names().collect();
        assert_eq!(known, benchgate_core::policy::HARNESSES.into_iter().collect());
    }
}
