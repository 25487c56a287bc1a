//! What is known of a run before something is built.

use benchgate_core::policy::{FILE_NAME, Policy};
use benchgate_host::HostError;
use benchgate_host::git::Revision;
use benchgate_host::platform::Support;

use crate::error::CommandError;
use crate::policy::{self, EffectivePolicy};
use crate::request::{Base, CheckRequest};
use crate::session::Session;

/// What is known before something is built.
pub(super) struct Opened {
    pub(super) session: Session,
    pub(super) head: Revision,
    pub(super) base: Revision,
    pub(super) policy: Policy,
    pub(super) of_head: Option<Policy>,
    pub(super) notices: Vec<String>,
}

impl Opened {
    pub(super) fn new(request: &CheckRequest) -> Result<Self, CommandError> {
        let mut session = Session::open(&request.measure)?;
        session.sensitive = request.sensitive;
        let head = session.head(request.head.as_deref())?;
        let base = base(&session, request, &head)?;
        // A release does not grade what came after it: a change that landed was graded in its own run.
        let EffectivePolicy { mut policy, of_head, mut notices } = policy::of_commit(
            &request.measure,
            &session.repository,
            &session.workspace,
            if request.is_anchored() { &head } else { &base },
            &head,
        )?;
        if let Some(Base::Fork(name)) = &request.base {
            let tip = session.repository.commit(name)?;
            let (repository, workspace) = (&session.repository, &session.workspace);
            if let Some(of_tip) =
                policy::of_tip(&request.measure, repository, workspace, &base, &tip)?
            {
                policy = policy.stricter(of_tip);
                notices.push(format!(
                    "`{FILE_NAME}` differs between {name} and where the head forked from it: the stricter of both \
                     holds"
                ));
            }
        }
        if let Some(levels) = request.levels {
            policy.set_levels(levels);
        }
        if let Some(level) = request.fail_on {
            policy.fail_on(level);
        }
        if base.checkout == head.checkout {
            notices.push(
                "base and head are the same commit: the code is compared with itself".to_owned(),
            );
        }
        notices.extend(Support::here().notice().map(str::to_owned));
        // The bench targets of another commit are known after its checkout.
        if request.head.is_none() {
            session.refuse_unknown_suites(&policy)?;
        }
        Ok(Self { session, head, base, policy, of_head, notices })
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
        Some(Base::Release(tag)) => return Ok(session.repository.commit(tag)?),
        Some(Base::LastRelease) => return Ok(session.repository.last_tag(head)?),
        None => {}
    }
    if head.dirty {
        return Ok(session.repository.commit("HEAD")?);
    }
    session.repository.parent(head)?.ok_or_else(|| {
        HostError::usage(
            format!("{} is the first commit of this repository: there is no base", head.name),
            "commit a change, or name a base with --base (`--base HEAD` compares a commit with itself)",
        )
        .into()
    })
}
