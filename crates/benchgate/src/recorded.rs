//! The history that the repository around the current directory has.

use benchgate_core::history::History;
use benchgate_host::HostError;
use benchgate_host::git::Repository;
use benchgate_host::store::history::{Branch, Kept};

/// The runs of the branch here, or of the remote's as it was last fetched.
pub(crate) fn kept(repository: &Repository) -> Result<Kept, HostError> {
    let here = Branch::of(repository, None).read()?;
    if here.records.is_empty() && here.unreadable.is_empty() {
        return Branch::of(repository, Some("origin")).read();
    }
    Ok(here)
}

/// The runs that led to a commit. A page is complete without them: none if nothing is recorded or there is no
/// repository, or it does not have the commit.
pub(crate) fn before(commit: &str) -> Option<History> {
    let repository = Repository::around(&std::env::current_dir().ok()?).ok()?;
    let records = kept(&repository).ok()?.records;
    if records.is_empty() {
        return None;
    }
    let commits = repository.line_of(commit, None).ok()?;
    Some(History::of(records, &commits)).filter(|history| !history.runs.is_empty())
}
