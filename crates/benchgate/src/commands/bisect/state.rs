//! Where a search is kept, and whether it can be resumed.

use std::path::{Path, PathBuf};

use benchgate_core::bisect::State;
use benchgate_core::policy::Policy;
use benchgate_host::HostError;
use benchgate_host::cargo::Workspace;
use benchgate_host::harness::toolchain;
use benchgate_host::system::files;

use crate::error::CommandError;

/// The file, below the user's target folder.
pub(super) fn path(workspace: &Workspace) -> PathBuf {
    workspace.work_dir().join("bisect-state.json")
}

pub(super) fn read(path: &Path) -> Result<State, CommandError> {
    if !path.is_file() {
        return Err(HostError::usage(
            format!("there is no search to resume: {} is not there", path.display()),
            "begin one: `benchgate bisect --good REVISION BENCHMARK`",
        )
        .into());
    }
    Ok(State::read(&files::read(path)?).map_err(|error| HostError::format(path, error))?)
}

pub(super) fn write(path: &Path, state: &State) -> Result<(), HostError> {
    files::write_atomically(path, state.to_json().as_bytes())
}

/// How commits are built and measured: what was learnt in another way is of no use.
pub(super) fn settings(workspace: &Workspace, policy: &Policy) -> Result<String, CommandError> {
    let toolchain = toolchain::fingerprint(workspace, &policy.build, [])?;
    let text = [toolchain.rustc, toolchain.rustflags, policy.how()].join("\n");
    Ok(files::digest_of(text.as_bytes()))
}

pub(super) fn refuse_other(state: &State, settings: &str) -> Result<(), CommandError> {
    if state.settings == settings {
        return Ok(());
    }
    Err(HostError::usage(
        "cannot resume: the search built or measured with another toolchain or other settings",
        format!("begin again: `{}`", state.command),
    )
    .into())
}
