//! `divan`: divan 0.1. Its table is read, for it writes no file.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use benchgate_core::adapters::divan::{self, LIST, LIST_TREE, LIST_VARIABLE, Settings};
use benchgate_core::model::{Identity, Metric};
use benchgate_core::schedule::{Nuisance, Values};

use super::ask::{Failure, ended_badly, padded, patience, run_command, unique};
use super::{Asking, Draws, Opened, Request, Round, Suite};
use crate::HostError;
use crate::sides::Executable;
use crate::system::files::Scratch;

pub(super) struct Harness;

struct Divan {
    executable: Executable,
    benchmarks: BTreeMap<String, Result<(), Failure>>,
}

impl super::Harness for Harness {
    fn open(&self, executable: &Executable, asking: &Asking<'_>) -> Result<Opened, HostError> {
        if asking.help.is_some_and(|help| !divan::is_spoken(&help.stdout)) {
            return Ok(Opened::Other);
        }
        let home = Scratch::new(asking.scratch.join("asked"))?;
        let patience = patience(asking.measure);
        let mut command = padded(executable, home.path(), &Nuisance::default());
        command.args(LIST).env(LIST_VARIABLE.0, LIST_VARIABLE.1);
        let mut list = run_command(executable, Some(home.path()), command, patience)?;
        let mut names = divan::names(&list.stdout);
        if names.is_empty() {
            // Without `--format` it prints a tree. One that cannot list has the words of its first answer.
            let mut command = padded(executable, home.path(), &Nuisance::default());
            command.args(LIST_TREE);
            let tree = run_command(executable, Some(home.path()), command, patience)?;
            if tree.succeeded() {
                names = divan::names_of_tree(&tree.stdout);
                list = tree;
            }
        }
        if let Some(failure) = ended_badly(&list, patience) {
            let reason = format!("`--list`: {}", failure.reason);
            return Ok(Opened::Failed(Failure { reason, ..failure }));
        }
        if names.is_empty() {
            return Ok(Opened::Empty);
        }
        let executable = executable.clone();
        Ok(Opened::Sampled(Arc::new(Divan { executable, benchmarks: unique(names) })))
    }

    fn mark(&self) -> Option<&'static str> {
        Some("sample-count")
    }

    fn package(&self) -> Option<&'static str> {
        Some("divan")
    }
}

impl Suite for Divan {
    fn benchmarks(&self) -> &BTreeMap<String, Result<(), Failure>> {
        &self.benchmarks
    }

    fn metrics(&self) -> &[Metric] {
        &[Metric::TIME]
    }

    fn draws(&self) -> Draws {
        Draws { samples: true, padding: true }
    }

    fn has_layouts(&self) -> bool {
        true
    }

    fn round(&self, id: &str, request: &Request<'_>) -> Result<Result<Round, Failure>, HostError> {
        let Request { measure, nuisance, scratch, .. } = request;
        let home = Scratch::new(scratch.join("round"))?;
        let settings = Settings {
            measurement: measure.measurement,
            sample_count: measure.sample_size.saturating_add(nuisance.more_samples),
        };
        let mut command = padded(&self.executable, home.path(), nuisance);
        command.args(divan::round(id, &settings));
        let started = Instant::now();
        let done = run_command(&self.executable, Some(home.path()), command, measure.timeout)?;
        let seconds = started.elapsed().as_secs_f64();
        if let Some(failure) = ended_badly(&done, measure.timeout) {
            return Ok(Err(failure));
        }
        Ok(match divan::value(&done.stdout) {
            Ok(value) => {
                let values = Values::from([(Metric::TIME, value)]);
                Ok(Round { identity: Identity::of_id(id), values, seconds })
            }
            Err(problem) => Err(Failure::of(&done, problem)),
        })
    }

    fn once(&self, _: &str) -> Option<Vec<String>> {
        // Which of its instructions are the benchmark's is known of Criterion only.
        None
    }

    fn executable(&self) -> &Executable {
        &self.executable
    }
}
