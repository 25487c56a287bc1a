//! Going on with a run that was interrupted: its journal says which run it was.

use std::collections::BTreeMap;
use std::path::PathBuf;

use benchgate_core::journal::{Header, JOURNAL_SCHEMA};
use benchgate_core::model::{Sides, SuiteKey};
use benchgate_core::policy::Policy;
use benchgate_core::result::SuiteReport;
use benchgate_host::git::Revision;
use benchgate_host::journal::{self, Journal};
use benchgate_host::sides::{BuildDir, BuiltSide};
use benchgate_host::{HostError, files, interrupt};

use crate::error::CommandError;
use crate::show;

/// The file, below the user's target folder.
pub(super) fn path(build_dir: &BuildDir) -> PathBuf {
    build_dir.work.join("journal.jsonl")
}

/// The run that is resumed; `earlier` is the digest of the earlier result that this one goes on with.
pub(super) fn header(
    build_dir: &BuildDir,
    base: &Revision,
    head: &Revision,
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
    if header.commits != commits(base, head) {
        let difference = "compared other code: another base or head, or another working tree";
        return Err(other_run(&header, difference));
    }
    // Its pairs are of another attempt, or they are in the earlier result already.
    match (header.earlier.as_deref(), earlier) {
        (own, now) if own == now => Ok(header),
        (None, _) => Err(other_run(&header, "did not go on with an earlier result")),
        (Some(_), None) => Err(other_run(&header, "went on with an earlier result")),
        (Some(_), Some(_)) => Err(other_run(&header, "went on with another earlier result")),
    }
}

/// The journal of this run: a new one, or the interrupted run's.
pub(super) fn open(
    build_dir: &BuildDir,
    header: &Header,
    interrupted: Option<&Header>,
) -> Result<Journal, HostError> {
    let path = path(build_dir);
    let Some(interrupted) = interrupted else { return Journal::begin(&path, header) };
    Journal::resume(&path, |_| {
        if interrupted.executables != header.executables {
            Err(other_run(interrupted, "measured other executables: they were built differently"))
        } else if interrupted.measure != header.measure {
            Err(other_run(interrupted, "measured with other settings"))
        } else {
            Ok(())
        }
    })
}

fn other_run(header: &Header, difference: &str) -> HostError {
    HostError::usage(
        format!("cannot resume: the interrupted run {difference}"),
        format!("go on with it by `{}`, or begin again without --resume", header.command),
    )
}

/// Returns the report of an interrupted run, which names the command that goes on, `next`; `None` for another run.
pub(super) fn interruption(journal: &Journal, next: &str) -> Option<SuiteReport> {
    interrupt::is_interrupted().then(|| {
        let reason = match journal.stopped() {
            None => format!("interrupted before it had measured everything: `{next}` goes on"),
            Some(error) => format!(
                "stopped before it had measured everything: {error}; what was measured is in {}: \
                 make room, then `{next}` goes on",
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
                "make room, then run `{next}`: what was measured is in {}",
                show::shown(journal.path())
            );
            CommandError::Unwritten { error, help }
        }
        error => error,
    }
}

/// Returns the header of a run's journal, by which the run is recognized.
pub(super) fn describe(
    seed: u64,
    revisions: Sides<&Revision>,
    built: Sides<Option<&BuiltSide>>,
    policy: &Policy,
    earlier: Option<&str>,
    command: &str,
) -> Result<Header, HostError> {
    let digests = |side: Option<&BuiltSide>| {
        let executables = side.map(|side| side.executables.as_slice()).unwrap_or_default();
        executables
            .iter()
            // A program that is looked up on `PATH` is not built.
            .filter(|executable| executable.path.is_file())
            .map(|executable| Ok((executable.key.to_string(), files::digest(&executable.path)?)))
            .collect::<Result<BTreeMap<String, String>, HostError>>()
    };
    Ok(Header {
        schema: JOURNAL_SCHEMA.to_owned(),
        seed,
        commits: commits(revisions.base, revisions.head),
        earlier: earlier.map(str::to_owned),
        executables: built.try_map(|_, side| digests(side))?,
        // A pair of one layout cannot be taken for one of another.
        measure: policy.how(),
        command: command.to_owned(),
    })
}

fn commits(base: &Revision, head: &Revision) -> Sides<String> {
    Sides::new(base.checkout.clone(), head.checkout.clone())
}
