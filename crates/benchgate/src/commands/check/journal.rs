//! The journal of a run: which run it is, and the file that keeps its values meanwhile.

use std::collections::BTreeMap;

use benchgate_core::journal::{Header, JOURNAL_SCHEMA};
use benchgate_host::HostError;
use benchgate_host::sides::BuiltSide;
use benchgate_host::store::journal::Journal;
use benchgate_host::system::files;

use super::build::Built;
use super::plan::Plan;
use super::resume::{commits, other_run, path};

/// The journal of a run: a new one, or the interrupted run's.
pub(super) fn open(built: &Built<'_>) -> Result<Journal, HostError> {
    let header = &describe(built)?;
    let path = path(&built.plan.build_dir);
    let Some(interrupted) = &built.plan.attempt.interrupted else {
        return Journal::begin(&path, header);
    };
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

/// Returns the header of a run's journal, by which the run is recognized.
fn describe(built: &Built<'_>) -> Result<Header, HostError> {
    let Plan { scope, attempt, .. } = built.plan;
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
        seed: attempt.seed,
        commits: commits(scope.revisions.as_ref()),
        earlier: attempt.digest_of_earlier().map(str::to_owned),
        executables: built.sides.as_ref().try_map(|_, side| digests(side.built.as_ref()))?,
        // A pair of one layout cannot be taken for one of another.
        measure: scope.policy.how(),
        command: attempt.resume(),
    })
}
