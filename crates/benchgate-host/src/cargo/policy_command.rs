//! Commands of the policy, run in a checkout before or in place of cargo's own build.

use std::path::Path;
use std::process::Command;

use crate::cargo::command::{OF_ONE_FOLDER, clean_command, without_network};
use crate::progress::{let_cargo_count, pass_on};
use crate::system::process;
use crate::system::sandbox::{ASKS, OF_A_BUILD, Sandbox};
use crate::{HostError, Progress};

/// How a command failed, and the end of its output.
pub(crate) struct Failed {
    pub(crate) how: String,
    pub(crate) output: String,
}

/// Runs the words of a command in a folder; how it failed, if it did. `prepare` gives it what its harness needs.
///
/// # Errors
/// When interrupted, or when files of our own cannot be used.
pub(crate) fn run(
    words: &[String],
    folder: &Path,
    sandbox: &Sandbox,
    progress: &dyn Progress,
    prepare: impl FnOnce(&mut Command),
) -> Result<Option<Failed>, HostError> {
    let Some((program, arguments)) = words.split_first() else { return Ok(None) };
    let program = if program.contains('/') { folder.join(program) } else { program.into() };
    let mut command = clean_command(program);
    command.current_dir(folder).args(arguments);
    // Most of these are cargo too, or call it.
    let_cargo_count(&mut command);
    for name in OF_ONE_FOLDER {
        command.env_remove(name);
    }
    without_network(&mut command, sandbox);
    prepare(&mut command);
    let mut confined = match sandbox.command(command) {
        Err(HostError::Start { source, .. }) => return Ok(Some(not_started(&source))),
        confined => confined?,
    };
    match process::run(&mut confined, None, &mut |line| pass_on(line, progress)) {
        Ok(done) if done.succeeded() => Ok(None),
        Ok(done) => {
            let how = done.status.map_or_else(String::new, |status| status.to_string());
            let mut output = done.tail(process::TAIL);
            if done.failed_by_itself() {
                progress.line(ASKS);
                output = sandbox.explained(&confined, &output, OF_A_BUILD)?;
            }
            Ok(Some(Failed { how: format!("ended with {how}"), output }))
        }
        Err(HostError::Start { source, .. }) => Ok(Some(not_started(&source))),
        Err(error) => Err(error),
    }
}

fn not_started(why: &std::io::Error) -> Failed {
    Failed { how: format!("did not start: {why}"), output: String::new() }
}
