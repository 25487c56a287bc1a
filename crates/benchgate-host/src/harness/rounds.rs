//! `rounds`: any program that measures itself and prints its values. `docs/harnesses.md` has the protocol.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use benchgate_core::adapters::rounds::{self, LIST, MEASURE};
use benchgate_core::model::{Identity, Metric};

use super::ask::{Failure, PROTOCOLS, ended_badly, padded, patience, run, run_command};
use super::{Asking, Draws, Opened, Request, Round, Suite};
use crate::HostError;
use crate::sides::Executable;
use crate::system::files::Scratch;

pub(super) struct Harness;

struct Rounds {
    executable: Executable,
    benchmarks: BTreeMap<String, Result<(), Failure>>,
}

impl super::Harness for Harness {
    fn open(&self, executable: &Executable, asking: &Asking<'_>) -> Result<Opened, HostError> {
        if asking.help.is_some_and(|help| !help.stdout.contains(rounds::PROTOCOL)) {
            return Ok(Opened::Other);
        }
        let home = Scratch::new(asking.scratch.join("asked"))?;
        let patience = patience(asking.measure);
        let list = run(executable, home.path(), [LIST], patience)?;
        if let Some(failure) = ended_badly(&list, patience) {
            let reason = format!("`{LIST}`: {}", failure.reason);
            return Ok(Opened::Failed(Failure { reason, ..failure }));
        }
        let ids = match rounds::list(&list.stdout) {
            Ok(ids) if ids.is_empty() => return Ok(Opened::Empty),
            Ok(ids) => ids,
            Err(error) => {
                return Ok(Opened::Failed(Failure::of(&list, format!("`{LIST}`: {error}"))));
            }
        };
        let benchmarks = super::ask::unique(ids);
        Ok(Opened::Sampled(Arc::new(Rounds { executable: executable.clone(), benchmarks })))
    }

    fn mark(&self) -> Option<&'static str> {
        Some(PROTOCOLS)
    }
}

impl Suite for Rounds {
    fn benchmarks(&self) -> &BTreeMap<String, Result<(), Failure>> {
        &self.benchmarks
    }

    fn metrics(&self) -> &[Metric] {
        // Which ones they are, only their values say.
        &[Metric::TIME]
    }

    fn draws(&self) -> Draws {
        Draws { samples: false, padding: true }
    }

    fn round(&self, id: &str, request: &Request<'_>) -> Result<Result<Round, Failure>, HostError> {
        let Request { measure, nuisance, scratch, .. } = request;
        let home = Scratch::new(scratch.join("round"))?;
        let mut command = padded(&self.executable, home.path(), nuisance);
        command.args([MEASURE, id]);
        let started = Instant::now();
        let done = run_command(&self.executable, Some(home.path()), command, measure.timeout)?;
        let seconds = started.elapsed().as_secs_f64();
        if let Some(failure) = ended_badly(&done, measure.timeout) {
            return Ok(Err(failure));
        }
        Ok(match rounds::values(&done.stdout, id) {
            Ok(values) if values.is_empty() => {
                Err(Failure::of(&done, format!("`{LIST}` names it, but it printed no value")))
            }
            Ok(values) => Ok(Round { identity: Identity::of_id(id), values, seconds }),
            Err(error) => Err(Failure::of(&done, error.to_string())),
        })
    }

    fn once(&self, _: &str) -> Option<Vec<String>> {
        // How often it runs the work is the program's affair.
        None
    }

    fn executable(&self) -> &Executable {
        &self.executable
    }
}
