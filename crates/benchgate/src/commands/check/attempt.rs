//! Which attempt a run is: a first one, a continuation of an earlier result, or an interrupted run that is resumed.

use std::path::PathBuf;

use benchgate_core::journal::Header;
use benchgate_core::model::{Machine, Sides};
use benchgate_core::result::AttemptReport;
use benchgate_host::git::Revision;
use benchgate_host::sides::BuildDir;

use super::earlier::{self, Previous};
use super::resume;
use super::scope::Scope;
use crate::error::CommandError;
use crate::request::{Base, CheckRequest};
use crate::{schema, seed, show};

/// An attempt on base and head.
pub(super) struct Attempt {
    /// Its report; `None` for a run that no other one can continue.
    pub(super) report: Option<AttemptReport>,
    /// The earlier attempts that it continues.
    pub(super) previous: Option<Previous>,
    /// The interrupted run that it resumes.
    pub(super) interrupted: Option<Header>,
    pub(super) seed: u64,
    /// The request of this very run: its commits, its seed and the earlier result by their names.
    exact: CheckRequest,
    /// The folder of its result.
    pub(super) output: PathBuf,
}

impl Attempt {
    /// Reads the earlier attempts, and removes the results of the run before it.
    pub(super) fn begin(scope: &Scope, build_dir: &BuildDir) -> Result<Self, CommandError> {
        let Scope { request, session, revisions, .. } = scope;
        let report = earlier::attempt(scope);
        let output = request.output.clone().unwrap_or_else(|| build_dir.work.clone());
        let previous = earlier::read(request, report.as_ref(), &output)?;
        let digest = previous.as_ref().map(|previous| previous.digest.as_str());
        let header = || resume::header(build_dir, revisions.as_ref(), digest);
        let interrupted = request.resume.then(header).transpose()?;
        let seed = interrupted.as_ref().map_or_else(|| seed::of(request.seed), |run| run.seed);
        match &previous {
            Some(previous) => previous.keep()?,
            None => earlier::forget(&output)?,
        }
        let earlier = previous.as_ref().map(|previous| previous.earlier.attempts().to_vec());
        let report =
            report.map(|report| AttemptReport { earlier: earlier.unwrap_or_default(), ..report });
        let file = previous.as_ref().map(|previous| show::shown(&previous.kept).into());
        let exact = exact(request, revisions.as_ref(), file, seed);
        // The files of an earlier run would be taken for this one's if this run failed.
        show::remove(&output)?;
        schema::write(&session.workspace)?;
        Ok(Self { report, previous, interrupted, seed, exact, output })
    }

    pub(super) fn notices(&self, machine: &Machine) -> Vec<String> {
        self.previous.as_ref().map(|previous| previous.notices(machine)).unwrap_or_default()
    }

    /// Returns the digest of the result that it continues.
    pub(super) fn digest_of_earlier(&self) -> Option<&str> {
        self.previous.as_ref().map(|previous| previous.digest.as_str())
    }

    /// Returns the command that repeats it.
    pub(super) fn repeat(&self) -> String {
        self.exact.command()
    }

    /// Returns the command that resumes it: the seed is the journal's.
    pub(super) fn resume(&self) -> String {
        CheckRequest { seed: None, resume: true, ..self.exact.clone() }.command()
    }

    /// Returns the command of the next attempt, which draws its own order.
    pub(super) fn more(&self) -> String {
        let earlier = Some(show::shown(&self.output.join("result.json")).into());
        CheckRequest { seed: None, earlier, ..self.exact.clone() }.command()
    }
}

fn exact(
    request: &CheckRequest,
    revisions: Sides<&Revision>,
    earlier: Option<PathBuf>,
    seed: u64,
) -> CheckRequest {
    let Sides { base, head } = revisions;
    CheckRequest {
        base: Some(match request.base {
            Some(Base::Exact(_)) => Base::Exact(base.commit.clone()),
            _ if request.is_anchored() => Base::Release(base.name.clone()),
            _ => Base::Fork(base.commit.clone()),
        }),
        head: (!head.dirty).then(|| head.commit.clone()),
        earlier,
        seed: Some(seed),
        // Where the base comes from and where the result goes changes no number.
        rebuild: false,
        output: None,
        resume: false,
        ..request.clone()
    }
}
