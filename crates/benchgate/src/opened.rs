//! A run before anything is built: its commits, its policy and notices.

use benchgate_core::policy::Policy;
use benchgate_host::HostError;
use benchgate_host::git::Revision;
use benchgate_host::platform::Support;

use crate::error::CommandError;
use crate::policy::{self, EffectivePolicy, Grading};
use crate::request::{Base, CheckRequest};
use crate::session::Session;

/// The commits, policy and notices of a run.
pub(crate) struct Opened {
    pub(crate) session: Session,
    pub(crate) head: Revision,
    pub(crate) base: Revision,
    /// The tip of the branch that the head forked from, where one was named.
    pub(crate) tip: Option<Revision>,
    pub(crate) policy: Policy,
    pub(crate) of_head: Option<Policy>,
    pub(crate) notices: Vec<String>,
}

impl Opened {
    pub(crate) fn new(request: &CheckRequest) -> Result<Self, CommandError> {
        let mut session = Session::open(&request.measure)?;
        session.sensitive = request.sensitive;
        let head = session.head(request.head.as_deref())?;
        let base = base(&session, request, &head)?;
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
            fail_on: request.fail_on,
        };
        let EffectivePolicy { policy, of_head, mut notices } =
            policy::of_run(&grading, &session.repository, &session.workspace, &head)?;
        if base.checkout == head.checkout {
            // Of the head alone nothing is compared with the base.
            if !request.is_of_head_alone(&policy) && !request.is_preview {
                refuse_one_commit(request, tip.as_ref(), &head)?;
            }
            notices.push(
                "base and head are the same commit: the code is compared with itself".to_owned(),
            );
        }
        notices.extend(Support::here().notice().map(str::to_owned));
        // The bench targets of another commit are known after its checkout.
        if request.head.is_none() {
            session.refuse_unknown_packages(&policy)?;
            session.refuse_unknown_suites(&policy)?;
        }
        Ok(Self { session, head, base, tip, policy, of_head, notices })
    }
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
    // A note or a log that lies in the checkout does not choose what is compared.
    if head.dirty && !head.only_untracked {
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

/// Refuses a base that comes to the head's own commit: nothing would be compared, and that is no pass. Asked for, a commit
/// is measured against itself.
fn refuse_one_commit(
    request: &CheckRequest,
    tip: Option<&Revision>,
    head: &Revision,
) -> Result<(), CommandError> {
    let forked = tip.filter(|tip| tip.commit != head.commit);
    if forked.is_none() && request.measure_identical {
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
            format!("nothing was compared: base and head are the same commit ({commit})"),
            "name an older commit with --base, such as `--base HEAD~1`; `--measure-identical` measures a commit \
             against itself",
        ),
    };
    Err(error.into())
}
