//! `jmh`: JMH 1.x. Only a `[[suite]]` can have it: its build makes the jar, and `run` starts it.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use benchgate_core::adapters::jmh;
use benchgate_core::adapters::jmh_cli::{self, LIST, Listed};
use benchgate_core::model::{Identity, Metric};
use benchgate_core::policy;
use benchgate_core::schedule::Nuisance;

use super::ask::{Failure, ended_badly, padded, patience, run, run_command, unique};
use super::{Asking, Draws, Opened, Request, Round, Suite};
use crate::HostError;
use crate::cargo::command::clean_command;
use crate::sides::Executable;
use crate::system::files::{self, Scratch};
use crate::system::process;
use crate::system::sandbox::Sandbox;

/// Options of every Java virtual machine.
const OPTIONS: &str = "JAVA_TOOL_OPTIONS";

pub(super) struct Harness;

struct Jmh {
    executable: Executable,
    benchmarks: BTreeMap<String, Result<(), Failure>>,
    listed: BTreeMap<String, Listed>,
}

impl super::Harness for Harness {
    fn open(&self, executable: &Executable, asking: &Asking<'_>) -> Result<Opened, HostError> {
        if executable.declared.is_none() {
            return Ok(Opened::Other);
        }
        // Its forks speak to it by TCP.
        let sandbox = executable.sandbox.with_network(true);
        let executable = &Executable { sandbox, ..executable.clone() };
        let home = Scratch::new(asking.scratch.join("asked"))?;
        let patience = patience(asking.measure);
        let done = run(executable, home.path(), LIST, patience)?;
        let asked = LIST.join(" ");
        if let Some(failure) = ended_badly(&done, patience) {
            let reason = format!("`{asked}`: {}", failure.reason);
            return Ok(Opened::Failed(Failure { reason, ..failure }));
        }
        let listed = jmh_cli::list(&done.stdout);
        if listed.is_empty() {
            let reason = format!("`{asked}`: it lists no benchmark");
            return Ok(Opened::Failed(Failure::of(&done, reason)));
        }
        let benchmarks = unique(listed.iter().map(|listed| listed.id.clone()));
        let listed = listed.into_iter().map(|listed| (listed.id.clone(), listed)).collect();
        let executable = executable.clone();
        Ok(Opened::Sampled(Arc::new(Jmh { executable, benchmarks, listed })))
    }

    /// The line of `-version` that names the virtual machine and its build.
    fn runtime(
        &self,
        suite: &policy::Suite,
        root: &Path,
        sandbox: &Sandbox,
    ) -> Result<Option<String>, HostError> {
        let Some(program) = suite.run.first() else { return Ok(None) };
        let mut command = clean_command(program);
        command.arg("-version").current_dir(root);
        // A suite may bring its own.
        let run = |mut command| process::run(&mut command, None, &mut |_| {});
        let done = match sandbox.command(command).and_then(run) {
            // That it is not there is said where the suite is measured.
            Err(HostError::Start { .. }) => return Ok(None),
            done => done?,
        };
        let lines: Vec<&str> = done.stderr.lines().chain(done.stdout.lines()).collect();
        let build = lines.iter().find(|line| line.contains("build ")).or(lines.first());
        Ok(build.map(|line| line.trim().to_owned()))
    }

    /// The compiler is a Java virtual machine too.
    fn prepare_build(&self, command: &mut Command, sandbox: &Sandbox) {
        name_temporary(command, sandbox);
    }
}

/// Names the folder for short-lived files to Java virtual machines: they take `/tmp`, whatever `TMPDIR` says.
fn name_temporary(command: &mut Command, sandbox: &Sandbox) {
    if let Some(folder) = sandbox.temporary() {
        let given = std::env::var(OPTIONS).unwrap_or_default();
        let options = format!("{given} -Djava.io.tmpdir={}", folder.display());
        command.env(OPTIONS, options.trim_start());
    }
}

impl Suite for Jmh {
    fn benchmarks(&self) -> &BTreeMap<String, Result<(), Failure>> {
        &self.benchmarks
    }

    fn metrics(&self) -> &[Metric] {
        &[Metric::TIME, Metric::ALLOC_BYTES]
    }

    fn draws(&self) -> Draws {
        // Its stack and heap are not where the process's environment could move them, and JMH's iterations are
        // not samples of a distribution: other numbers of them would be other work.
        Draws::default()
    }

    fn round(&self, id: &str, request: &Request<'_>) -> Result<Result<Round, Failure>, HostError> {
        let Request { measure, scratch, .. } = request;
        let Some(listed) = self.listed.get(id) else {
            return Ok(Err(Failure::new("it is not there")));
        };
        let home = Scratch::new(scratch.join("round"))?;
        let file = home.path().join("result.json");
        let arguments = match listed.round(&self.executable.arguments, &file.to_string_lossy()) {
            Ok(arguments) => arguments,
            Err(reason) => return Ok(Err(Failure::new(reason))),
        };
        let mut command = padded(&self.executable, home.path(), &Nuisance::default());
        command.args(arguments);
        name_temporary(&mut command, &self.executable.sandbox);
        let started = Instant::now();
        let done = run_command(&self.executable, Some(home.path()), command, measure.timeout)?;
        let seconds = started.elapsed().as_secs_f64();
        if let Some(failure) = ended_badly(&done, measure.timeout) {
            return Ok(Err(failure));
        }
        if file.symlink_metadata().is_err() {
            let reason = "its list names it, but it wrote no result";
            return Ok(Err(Failure::of(&done, reason)));
        }
        let values = files::read_result(&file).and_then(|bytes| {
            jmh::round(&bytes, id).map_err(|error| format!("result.json: {error}"))
        });
        Ok(match values {
            Ok(values) => Ok(Round { identity: Identity::of_id(id), values, seconds }),
            Err(reason) => Err(Failure::of(&done, reason)),
        })
    }

    fn once(&self, _: &str) -> Option<Vec<String>> {
        // The instructions of a virtual machine are those of its compiler, mostly.
        None
    }

    fn executable(&self) -> &Executable {
        &self.executable
    }
}
