//! Which policy holds. Of a change, the base's: a change does not set its own limits.

use std::path::{Path, PathBuf};

use benchgate_core::policy::{FILE_NAME, Policy};
use benchgate_host::cargo::Workspace;
use benchgate_host::files;
use benchgate_host::git::{Repository, Revision};

use crate::cli::MeasureArgs;
use crate::error::CommandError;
use crate::show;

/// What holds for a run.
pub(crate) struct Held {
    /// The policy of the base commit, or of the file that the user named, with the command line's
    /// changes.
    pub(crate) policy: Policy,
    /// The head's, where it is another: it holds from the next change on, and can only take exceptions
    /// away from this one.
    pub(crate) of_head: Option<Policy>,
    /// What a reader should know about it.
    pub(crate) remarks: Vec<String>,
}

/// The policy that holds for the change from `base` to `head`. One of the head that cannot be followed
/// is an error too: once merged it would stop every later run, its own mending included.
pub(crate) fn of_commit(
    arguments: &MeasureArgs,
    repository: &Repository,
    workspace: &Workspace,
    base: &Revision,
    head: &Revision,
) -> Result<Held, CommandError> {
    let mut remarks = Vec::new();
    let mut of_head = None;
    let mut policy = match &arguments.policy {
        Some(path) => of_file(path)?,
        None => {
            let here = workspace.root.join(FILE_NAME);
            let inside = here.strip_prefix(repository.top()).unwrap_or(&here);
            let committed = repository.file_at(&base.commit, &inside.to_string_lossy())?;
            let proposed = repository.file_at(&head.checkout, &inside.to_string_lossy())?;
            if committed != proposed {
                remarks.push(format!(
                    "`{FILE_NAME}` differs between base and head: the base's holds for this run"
                ));
                of_head = Some({
                    let named = PathBuf::from(format!("{} of the head", inside.display()));
                    parse(&named, &proposed.unwrap_or_default())?
                });
            }
            parse(inside, &committed.unwrap_or_default())?
        }
    };
    if let Some(pairs) = arguments.pairs {
        policy.measure.pairs = pairs;
    }
    Ok(Held { policy, of_head, remarks })
}

/// The policy of a named file.
pub(crate) fn of_file(path: &Path) -> Result<Policy, CommandError> {
    show::existing(path)?;
    parse(path, &String::from_utf8_lossy(&files::read(path)?))
}

fn parse(path: &Path, text: &str) -> Result<Policy, CommandError> {
    Policy::parse(text).map_err(|error| CommandError::Policy { path: path.to_owned(), error })
}
