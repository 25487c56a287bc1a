//! `command`: wall time, CPU time and peak memory of a whole process. Only a `[[suite]]` can have it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use benchgate_core::adapters::command::Usage;
use benchgate_core::model::{Identity, Metric};

use super::ask::{Failure, PADDING, ended_badly, padding, run_judged};
use super::{Asking, Draws, Opened, Request, Round, Suite};
use crate::HostError;
use crate::cargo::command::{OF_ONE_FOLDER, clean_command};
use crate::sides::Executable;
use crate::system::{launcher, process};

/// Names another launcher: how tests have commands of known speeds. It is called as ours.
const OTHER_LAUNCHER: &str = "BENCHGATE_LAUNCHER";

/// The metrics of its rounds.
const METRICS: &[Metric] = &[Metric::WALL, Metric::CPU, Metric::MEMORY_PEAK];

pub(super) struct Harness;

struct Commands {
    executable: Executable,
    launcher: PathBuf,
    benchmarks: BTreeMap<String, Result<(), Failure>>,
    /// The arguments that each benchmark adds.
    arguments: BTreeMap<String, Vec<String>>,
}

impl super::Harness for Harness {
    fn open(&self, executable: &Executable, _: &Asking<'_>) -> Result<Opened, HostError> {
        let Some(suite) = &executable.declared else { return Ok(Opened::Other) };
        let launcher = match std::env::var_os(OTHER_LAUNCHER) {
            Some(other) => other.into(),
            None => std::env::current_exe()?,
        };
        let mut arguments = suite.arguments.clone();
        if arguments.is_empty() {
            arguments.insert(suite.name.clone(), Vec::new());
        }
        let benchmarks = arguments.keys().map(|id| (id.clone(), Ok(()))).collect();
        let mut executable = executable.clone();
        executable.sandbox = executable.sandbox.reading([launcher.clone()]);
        Ok(Opened::Sampled(Arc::new(Commands { executable, launcher, benchmarks, arguments })))
    }
}

impl Suite for Commands {
    fn benchmarks(&self) -> &BTreeMap<String, Result<(), Failure>> {
        &self.benchmarks
    }

    fn metrics(&self) -> &[Metric] {
        METRICS
    }

    fn draws(&self) -> Draws {
        Draws { samples: false, padding: true }
    }

    fn round(&self, id: &str, request: &Request<'_>) -> Result<Result<Round, Failure>, HostError> {
        let Request { measure, nuisance, .. } = request;
        let Executable { path, arguments, folder, .. } = &self.executable;
        let mut command = clean_command(&self.launcher);
        command
            .arg(launcher::WORD)
            .arg(path)
            .args(arguments)
            .args(self.arguments.get(id).into_iter().flatten())
            .current_dir(folder)
            .env(PADDING, padding(nuisance));
        for name in OF_ONE_FOLDER {
            command.env_remove(name);
        }
        let started = Instant::now();
        let is_failure = |done: &process::Finished| {
            Usage::read(&done.stdout).is_ok_and(|it| it.failure.is_some())
        };
        let done = run_judged(&self.executable, None, command, measure.timeout, is_failure)?;
        let seconds = started.elapsed().as_secs_f64();
        if let Some(failure) = ended_badly(&done, measure.timeout) {
            return Ok(Err(failure));
        }
        let usage = match Usage::read(&done.stdout) {
            Ok(Usage { failure: Some(how), .. }) => {
                // The launcher's own line is not output of the command.
                let done = process::Finished { stdout: String::new(), ..done };
                return Ok(Err(Failure::of(&done, how)));
            }
            Ok(usage) => usage.values(),
            Err(error) => Err(error),
        };
        Ok(match usage {
            Ok(values) => Ok(Round { identity: Identity::of_id(id), values, seconds }),
            Err(error) => Err(Failure::of(&done, error.to_string())),
        })
    }

    fn once(&self, _: &str) -> Option<Vec<String>> {
        // Its instructions would be those of one process, and nothing asks for them.
        None
    }

    fn executable(&self) -> &Executable {
        &self.executable
    }
}
