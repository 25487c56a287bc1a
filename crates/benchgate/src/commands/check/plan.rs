//! The plan of a run: everything that is settled before the first side is built.

use std::collections::BTreeSet;

use benchgate_core::judge::{Trailer, notice_of_shard};
use benchgate_core::model::{Recorded, SandboxReport, SuiteKey};
use benchgate_core::result::{Method, ShardReport};
use benchgate_host::Progress;
use benchgate_host::git::trailers;
use benchgate_host::sides::BuildDir;

use super::affected::{self, Reaches};
use super::attempt::Attempt;
use super::scope::Scope;
use super::{baseline, shard};
use crate::building::Building;
use crate::error::CommandError;
use crate::progress;

/// Folders, suites, attempt and method of a run.
pub(super) struct Plan<'a> {
    pub(super) scope: &'a Scope,
    /// The folders, which are locked.
    pub(super) build_dir: BuildDir,
    pub(super) suites: Suites,
    pub(super) sandbox: SandboxReport,
    pub(super) attempt: Attempt,
    /// The trailers of the commits of the change.
    pub(super) trailers: Vec<Trailer>,
    /// The committed baseline of this machine, if it can be used.
    pub(super) baseline: Option<Recorded>,
    /// Pairs decide, or the baseline.
    pub(super) method: Method,
    pub(super) progress: Box<dyn Progress>,
    pub(super) notices: Vec<String>,
}

/// The part of the suites that is built.
pub(super) struct Suites {
    /// Whether and why the change reaches each of them.
    pub(super) reaches: Reaches,
    /// The shard, and what each other one builds.
    pub(super) shard: Option<ShardReport>,
}

impl Suites {
    /// Determines them, from both commits and files that are the same for all shards.
    pub(super) fn chosen(scope: &Scope, build_dir: &BuildDir) -> Result<Self, CommandError> {
        let reaches = affected::reaches(scope, build_dir)?;
        let shard =
            scope.request.shard.map(|part| shard::plan(scope, part, &reaches)).transpose()?;
        Ok(Self { reaches, shard })
    }

    /// Checkouts of a run, which are read only if some suites need not be built.
    fn of_run(scope: &Scope, build_dir: &BuildDir, method: Method) -> Result<Self, CommandError> {
        let may_be_untouched = method == Method::Paired && !scope.request.measure_identical;
        if may_be_untouched || scope.request.shard.is_some() {
            return Self::chosen(scope, build_dir);
        }
        Ok(Self { reaches: Reaches::new(), shard: None })
    }
}

/// Settles the builds and the kind of run. Files of earlier runs are removed or kept, so that a run that fails
/// leaves none that could be taken for its own.
pub(super) fn plan(scope: &Scope) -> Result<Plan<'_>, CommandError> {
    let Scope { session, policy, revisions, .. } = scope;
    // Before anything is removed; below again, where a baseline was asked for and cannot be used.
    scope.refuse_one_commit(scope.method, None)?;
    let mut notices = Vec::new();
    let build_dir = scope.build_dir()?;
    let attempt = Attempt::begin(scope, &build_dir)?;
    // Where a baseline decides there are no shards. Without one that can be used, pairs decide.
    let by_baseline = match scope.method {
        Method::Baseline => Some(baseline::usable(scope, None)?),
        _ => None,
    };
    let method = match &by_baseline {
        Some((Some(_), _)) => Method::Baseline,
        _ => Method::Paired,
    };
    let why_no_baseline = by_baseline.as_ref().and_then(|(_, why)| why.as_deref());
    scope.refuse_one_commit(method, why_no_baseline)?;
    let suites = Suites::of_run(scope, &build_dir, method)?;
    notices.extend(scope.request.shard.map(notice_of_shard));
    affected::note_untouched(scope, method, &suites.reaches);
    let sandbox = session.kernel.report(&policy.sandbox);
    notices.extend(sandbox.notice());
    notices.extend(build_dir.unread_above(&session.repository));
    notices.extend(attempt.notices(&session.machine));
    let trailers =
        trailers::between(&session.repository, &revisions.base.commit, &revisions.head.commit)?;
    let (baseline, of_baseline) = match by_baseline {
        Some(found) => found,
        None => baseline::usable(scope, suites.shard.as_ref())?,
    };
    notices.extend(of_baseline);
    let progress = progress::progress();
    Ok(Plan {
        scope,
        build_dir,
        suites,
        sandbox,
        attempt,
        trailers,
        baseline,
        method,
        progress,
        notices,
    })
}

impl Plan<'_> {
    /// The suites that no change can reach.
    pub(super) fn untouched(&self) -> BTreeSet<SuiteKey> {
        affected::untouched(self.scope, self.method, &self.suites.reaches)
    }

    /// Whether every suite is built and every benchmark asked for.
    pub(super) fn is_whole(&self) -> bool {
        self.suites.shard.is_none() && self.scope.request.measure.selection.is_whole()
    }

    pub(super) fn building(&self) -> Building<'_> {
        let Self { scope, build_dir, suites, progress, .. } = self;
        Building {
            repository: &scope.session.repository,
            build_dir,
            policy: &scope.policy,
            choice: scope.choice(suites.shard.as_ref(), self.untouched()),
            progress: &**progress,
        }
    }
}
