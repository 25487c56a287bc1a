//! The scope of a run: what is compared, and by which policy. Nothing is built or locked for it.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use benchgate_core::model::{Sides, SuiteKey};
use benchgate_core::policy::{FILE_NAME, GateMethod, Policy};
use benchgate_core::report::option;
use benchgate_core::result::{Method, Origin, ShardReport};
use benchgate_host::HostError;
use benchgate_host::cargo::choice::Choice;
use benchgate_host::git::Revision;
use benchgate_host::sides::{BuildDir, BuildOptions, cache_dir};
use benchgate_host::store::bases::BaseStore;
use benchgate_host::system::platform::Support;

use crate::cli::FailOn;
use crate::error::CommandError;
use crate::policy::{self, EffectivePolicy, Grading};
use crate::request::{Base, CheckRequest, MeasureRequest};
use crate::session::Session;

/// The commits of a run, its policy and what was asked for.
pub(crate) struct Scope {
    pub(crate) request: CheckRequest,
    /// Start of the run.
    began: Instant,
    pub(crate) session: Session,
    pub(crate) revisions: Sides<Revision>,
    /// The tip of the branch that the head forked from, where one was named.
    pub(crate) tip: Option<Revision>,
    /// The policy by which it is decided.
    pub(crate) policy: Policy,
    /// The head's, if it differs: it may say what the change renames and removes.
    pub(crate) of_head: Option<Policy>,
    pub(crate) method: Method,
    pub(crate) notices: Vec<String>,
}

impl Scope {
    pub(crate) fn open(request: CheckRequest) -> Result<Self, CommandError> {
        let began = Instant::now();
        let MeasureRequest { machine, manifest_path, .. } = &request.measure;
        let session = Session::open(machine.as_deref(), manifest_path.as_deref())?;
        let head = session.head(request.head.as_deref())?;
        let base = base(&session, &request, &head)?;
        let tip = match &request.base {
            Some(Base::Fork(name) | Base::Exact(name)) => Some(session.repository.commit(name)?),
            _ => None,
        };
        let grading = Grading {
            request: &request.measure,
            // A release does not grade what came after it: a change that landed was graded in its own run.
            by: if request.is_anchored() { &head } else { &base },
            tip: tip.as_ref(),
            levels: request.levels,
            fail_on: request.fail_on.and_then(FailOn::level),
        };
        let EffectivePolicy { policy, of_head, mut notices } =
            policy::of_run(&grading, &session.repository, &session.workspace, &head)?;
        if base.checkout == head.checkout {
            notices.push(
                "base and head are the same commit: the code is compared with itself".to_owned(),
            );
        }
        notices.extend(head.notices.iter().cloned());
        notices.extend(Support::here().notice().map(str::to_owned));
        // The bench targets of another commit are known after its checkout.
        if request.head.is_none() {
            let selection = &request.measure.selection;
            selection.refuse_unknown_packages(&session.workspace, &policy)?;
            selection.refuse_unknown_suites(&session.workspace, &policy)?;
            notices.extend(without_suites(&session, &policy));
        }
        let method = match request.baseline || policy.gate == GateMethod::Baseline {
            true => Method::Baseline,
            false => Method::Paired,
        };
        refuse_shard(&request, method)?;
        let revisions = Sides::new(base, head);
        Ok(Self { request, began, session, revisions, tip, policy, of_head, method, notices })
    }

    /// Refuses a base that comes to the head's own commit: nothing would be compared, and that is no pass. Asked for, a
    /// commit is measured against itself; and of the head alone nothing is compared with the base.
    pub(super) fn refuse_one_commit(
        &self,
        method: Method,
        why_no_baseline: Option<&str>,
    ) -> Result<(), CommandError> {
        let Sides { base, head } = &self.revisions;
        if base.checkout != head.checkout || method == Method::Baseline {
            return Ok(());
        }
        let forked = self.tip.as_ref().filter(|tip| tip.commit != head.commit);
        if forked.is_none() && self.request.measure_identical {
            return Ok(());
        }
        let commit = head.commit.get(..10).unwrap_or(&head.commit);
        let error = match forked {
            Some(tip) => HostError::usage(
                format!(
                    "nothing was compared: the base is where {} forked from `{}`, and that is {} itself ({commit})",
                    head.name, tip.name, head.name
                ),
                format!(
                    "add `--exact-base` to compare with `{}` itself, or exchange the two revisions",
                    tip.name
                ),
            ),
            None => HostError::usage(
                [
                    format!("nothing was compared: base and head are the same commit ({commit})"),
                    why_no_baseline.map_or_else(String::new, |why| format!("\n{why}")),
                ]
                .concat(),
                "name an older commit with --base, such as `--base HEAD~1`; `--measure-identical` measures a commit \
                 against itself",
            ),
        };
        Err(error.into())
    }

    /// Locks the folders of the run.
    pub(crate) fn build_dir(&self) -> Result<BuildDir, CommandError> {
        let options = BuildOptions {
            head_is_elsewhere: self.request.head.is_some(),
            cargo_options: self.request.measure.cargo_options.clone(),
            jobs: self.request.measure.jobs,
            store: (!self.request.rebuild).then(|| BaseStore::below(&cache_dir())),
            ..BuildOptions::default()
        };
        Ok(self.session.build_dir(&self.policy, options)?)
    }

    /// The suites that are built: of a shard its own, and none that the change cannot reach.
    pub(crate) fn choice<'a>(
        &'a self,
        shard: Option<&'a ShardReport>,
        untouched: BTreeSet<SuiteKey>,
    ) -> Choice<'a> {
        let Self { request, session, policy, .. } = self;
        let selection = &request.measure.selection;
        let left_out = selection.suites_left_out(&session.workspace.name, policy, shard);
        Choice { left_out: Some(left_out), untouched }
    }

    /// Start of the run, and the time that it may take; `None` for no limit.
    pub(super) fn budget(&self) -> Option<(Instant, Duration)> {
        self.request.budget.map(|budget| (self.began, budget))
    }

    pub(super) fn is_out_of_time(&self) -> bool {
        self.budget().is_some_and(|(began, given)| began.elapsed() >= given)
    }
}

/// The origin of a side, as a result names it.
pub(crate) fn origin_of(revision: &Revision) -> Origin {
    Origin { commit: revision.commit.clone(), name: revision.name.clone(), dirty: revision.dirty }
}

/// Says that there is nothing to measure, and where else in the repository there is.
fn without_suites(session: &Session, policy: &Policy) -> Option<String> {
    if !session.workspace.benches.is_empty() || !policy.suites.is_empty() {
        return None;
    }
    let what = "no package of this workspace has a bench target";
    // A hint that cannot be given is no reason to end.
    let elsewhere = session.repository.benched().unwrap_or_default();
    Some(match elsewhere.split_first() {
        Some((first, rest)) => {
            let first = option("--manifest-path", first);
            let more = if rest.is_empty() {
                String::new()
            } else {
                format!(" (and {} more: {})", rest.len(), rest.join(", "))
            };
            format!(
                "{what}; one that is no member has: from the top of the repository, `benchgate check {first}`{more}"
            )
        }
        None => format!("{what}, and {FILE_NAME} declares no `[[suite]]`"),
    })
}

/// A committed baseline has no pairs, and rounds of several machines.
fn refuse_shard(request: &CheckRequest, method: Method) -> Result<(), CommandError> {
    if request.shard.is_none() || method == Method::Paired {
        return Ok(());
    }
    let message = "`--shard` shares out pairs of base and head, and `[gate]` of the policy has `method = \"baseline\"`";
    Err(HostError::usage(message, "omit --shard").into())
}

/// The base that the head is compared with; by default its parent or the last commit.
fn base(
    session: &Session,
    request: &CheckRequest,
    head: &Revision,
) -> Result<Revision, CommandError> {
    match &request.base {
        Some(Base::Fork(name)) => return Ok(session.repository.merge_base(name, head)?),
        Some(Base::Exact(name)) => return Ok(session.repository.commit(name)?),
        Some(Base::Release(tag)) => return Ok(session.repository.commit(tag)?),
        Some(Base::LastRelease) => return Ok(session.repository.last_tag(head)?),
        None => {}
    }
    if head.has_tracked_changes() {
        return Ok(session.repository.commit("HEAD")?);
    }
    if let Some(parent) = session.repository.parent(head)? {
        return Ok(parent);
    }
    if head.dirty {
        return Ok(session.repository.commit("HEAD")?);
    }
    Err(HostError::usage(
        format!("{} is the first commit of this repository: there is no base", head.name),
        "commit a change, or name a base with --base (`--base HEAD --measure-identical` compares a commit with \
         itself)",
    )
    .into())
}
