//! Which policy holds. Of a change, the base's: a change does not set its own limits.

use std::path::Path;

use benchgate_core::policy::{FILE_NAME, Policy};
use benchgate_host::cargo::Workspace;
use benchgate_host::files;
use benchgate_host::git::{Repository, Revision};

use crate::cli::MeasureArgs;
use crate::error::CommandError;
use crate::show;

/// The policy of a commit, or of the file that the user named, with the command line's changes; and
/// what a reader should know about it.
pub(crate) fn of_commit(
    arguments: &MeasureArgs,
    repository: &Repository,
    workspace: &Workspace,
    base: &Revision,
    head: &Revision,
) -> Result<(Policy, Vec<String>), CommandError> {
    let mut remarks = Vec::new();
    let mut policy = match &arguments.policy {
        Some(path) => of_file(path)?,
        None => {
            let here = workspace.root.join(FILE_NAME);
            let inside = here.strip_prefix(repository.top()).unwrap_or(&here);
            let committed = repository.file_at(&base.commit, &inside.to_string_lossy())?;
            if committed != repository.file_at(&head.checkout, &inside.to_string_lossy())? {
                remarks.push(format!(
                    "`{FILE_NAME}` differs between base and head: the base's holds for this run"
                ));
            }
            parse(inside, &committed.unwrap_or_default())?
        }
    };
    if let Some(pairs) = arguments.pairs {
        policy.measure.pairs = pairs;
    }
    Ok((policy, remarks))
}

/// The policy of a named file.
pub(crate) fn of_file(path: &Path) -> Result<Policy, CommandError> {
    show::existing(path)?;
    parse(path, &String::from_utf8_lossy(&files::read(path)?))
}

fn parse(path: &Path, text: &str) -> Result<Policy, CommandError> {
    Policy::parse(text).map_err(|error| CommandError::Policy { path: path.to_owned(), error })
}
