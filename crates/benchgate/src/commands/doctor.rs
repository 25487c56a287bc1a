//! `benchgate doctor`: lists what makes results noisy on this machine.

use std::path::Path;

use benchgate_core::doctor::{CHECKS, State, diagnose, terminal};
use benchgate_host::HostError;
use benchgate_host::system::doctor;

use super::selftest;
use crate::cli::DoctorArgs;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::session::workspace;
use crate::show;

pub(crate) fn run(arguments: &DoctorArgs) -> Result<Exit, CommandError> {
    if !arguments.root.is_dir() {
        let message = format!("there is no folder {}", arguments.root.display());
        return Err(HostError::usage(message, "name an existing folder").into());
    }
    let mut diagnosis = diagnose(&doctor::facts(&arguments.root, Path::new(".")));
    if let Some(unknown) = diagnosis.allow(&arguments.allow).first() {
        let names: Vec<&str> = CHECKS.iter().map(|check| check.name).collect();
        return Err(HostError::usage(
            format!("no check is called `{unknown}`"),
            format!("name one of: {}", names.join(", ")),
        )
        .into());
    }
    show::text(&if arguments.is_json() { diagnosis.to_json() } else { terminal(&diagnosis) });
    if !arguments.is_json() && arguments.root == Path::new("/") {
        show_selftest();
    }
    match (arguments.check, diagnosis.count(State::Blocking)) {
        (false, _) | (_, 0) => Ok(Exit::Pass),
        (true, count) => Err(CommandError::Unmeasured(format!(
            "nothing should be measured on this machine: {count} blocking (fix them, or accept one \
             with --allow)"
        ))),
    }
}

/// Prints the summary of the last self-test, if there was one.
fn show_selftest() {
    let Ok(workspace) = workspace() else { return };
    match selftest::last(&workspace.work_dir()) {
        Some(Ok(last)) => show::say(&selftest::summary(&last)),
        Some(Err(problem)) => show::say(&problem.to_string()),
        None => {}
    }
}
