//! Resumes an interrupted run, which its journal identifies.

use std::path::PathBuf;

use benchgate_core::journal::Header;
use benchgate_core::model::{Sides, SuiteKey};
use benchgate_core::result::SuiteReport;
use benchgate_host::HostError;
use benchgate_host::git::Revision;
use benchgate_host::sides::BuildDir;
use benchgate_host::store::journal::{self, Journal};
use benchgate_host::system::interrupt;

use crate::error::CommandError;
use crate::show;

/// The file, below the user's target folder.
pub(super) fn path(build_dir: &BuildDir) -> PathBuf {
    build_dir.work.join("journal.jsonl")
}

/// The run that is resumed; `earlier` is the digest of the earlier result that this one continues.
pub(super) fn header(
    build_dir: &BuildDir,
    revisions: Sides<&Revision>,
    earlier: Option<&str>,
) -> Result<Header, HostError> {
    let path = path(build_dir);
    if !path.is_file() {
        return Err(HostError::usage(
            format!("there is no interrupted run to resume: {} is not there", path.display()),
            "run `benchgate check` without --resume",
        ));
    }
    let header = journal::header(&path)?;
    if header.commits != commits(revisions) {
        let difference = "compared other code: another base or head, or another working tree";
        return Err(other_run(&header, difference));
    }
    // Its pairs are of another attempt, or they are in the earlier result already.
    match (header.earlier.as_deref(), earlier) {
        (own, now) if own == now => Ok(header),
        (None, _) => Err(other_run(&header, "did not resume an earlier result")),
        (Some(_), None) => Err(other_run(&header, "went on with an earlier result")),
        (Some(_), Some(_)) => Err(other_run(&header, "went on with another earlier result")),
    }
}

pub(super) fn other_run(header: &Header, difference: &str) -> HostError {
    HostError::usage(
        format!("cannot resume: the interrupted run {difference}"),
        format!("resume it with `{}`, or start again without --resume", header.command),
    )
}

/// Returns the report of an interrupted run, which names the command that resumes it, `next`; `None` for another run.
pub(super) fn interruption(journal: &Journal, next: &str) -> Option<SuiteReport> {
    interrupt::is_interrupted().then(|| {
        let reason = match journal.stopped() {
            None => format!("interrupted before it had measured everything: `{next}` resumes it"),
            Some(error) => format!(
                "stopped before it had measured everything: {error}; its values are in {}: \
                 make room, then `{next}` resumes it",
                show::shown(journal.path())
            ),
        };
        SuiteReport::failed(SuiteKey::of_all(), reason, "")
    })
}

/// The error of a result that could not be written: it can be made again without measuring.
pub(super) fn unwritten(error: CommandError, journal: &Journal, next: &str) -> CommandError {
    match error {
        CommandError::Host(error) => {
            let help = format!(
                "make room, then run `{next}`: its values are in {}",
                show::shown(journal.path())
            );
            CommandError::Unwritten { error, help }
        }
        error => error,
    }
}

/// The commits that were checked out.
pub(super) fn commits(revisions: Sides<&Revision>) -> Sides<String> {
    revisions.map(|revision| revision.checkout.clone())
}
