//! Reads the policy. For a change, the base's is effective: a change does not set its own limits.

use std::path::{Path, PathBuf};

use benchgate_core::model::Level;
use benchgate_core::policy::{FILE_NAME, Policy, Suite, Thresholds};
use benchgate_host::cargo::Workspace;
use benchgate_host::git::{Repository, Revision};
use benchgate_host::system::files;

use crate::error::CommandError;
use crate::request::MeasureRequest;
use crate::show;

/// The effective policy of a run.
pub(crate) struct EffectivePolicy {
    /// The policy of the base commit, or of the file that the user named, with the command line's
    /// changes.
    pub(crate) policy: Policy,
    /// The head's, if it differs: it is effective beginning with the next change, and can only remove exceptions
    /// from this change.
    pub(crate) of_head: Option<Policy>,
    /// Notices about it.
    pub(crate) notices: Vec<String>,
}

/// The effective policy for the change from `base` to `head`. An invalid policy of the head is an error
/// too: once merged it would stop every later run, including the fix.
pub(crate) fn of_commit(
    request: &MeasureRequest,
    repository: &Repository,
    workspace: &Workspace,
    base: &Revision,
    head: &Revision,
) -> Result<EffectivePolicy, CommandError> {
    let mut notices = Vec::new();
    let mut of_head = None;
    let mut policy = match &request.policy {
        Some(path) => of_file(path)?,
        None => {
            let inside = &inside(repository, workspace);
            let committed = repository.file_at(&base.commit, &inside.to_string_lossy())?;
            let proposed = repository.file_at(&head.checkout, &inside.to_string_lossy())?;
            if committed != proposed {
                notices.push(format!(
                    "`{FILE_NAME}` differs between base and head: the base's holds for this run"
                ));
                of_head = Some({
                    let named = PathBuf::from(format!("{} of the head", inside.display()));
                    parse(&named, &proposed.unwrap_or_default())?
                });
            }
            let committed = parse(inside, &committed.unwrap_or_default())?;
            notices.extend(of_head.iter().flat_map(|proposed| new_suites(&committed, proposed)));
            committed
        }
    };
    if let Some(pairs) = request.pairs {
        policy.measure.pairs = pairs;
    }
    policy.build.runtime = request.runtime.unwrap_or(policy.build.runtime);
    policy.build.features.extend(request.features.iter().cloned());
    policy.build.default_features &= !request.no_default_features;
    policy.build.all_features |= request.all_features;
    if policy.build.features.is_empty() && policy.suites.is_empty() {
        policy.build.features = workspace.needed_features(&policy.build);
        if !policy.build.features.is_empty() {
            notices.push(format!(
                "no suite can be built without features: all are built with {}, which they need; `[build] features` \
                 in {FILE_NAME} chooses others",
                policy.build.features.join(", ")
            ));
        }
    }
    Ok(EffectivePolicy { policy, of_head, notices })
}

/// The sources of a run's policy: the commits, and values of the command line that override it.
pub(crate) struct Grading<'a> {
    /// The request that the policy is read for.
    pub(crate) request: &'a MeasureRequest,
    /// The commit whose policy holds: the base, or of a release the head.
    pub(crate) by: &'a Revision,
    /// The tip of the branch that the head forked from. Whoever makes a change chooses where it forks, and not what
    /// was decided since.
    pub(crate) tip: Option<&'a Revision>,
    /// The sizes of the levels, instead of the policy's.
    pub(crate) levels: Option<Thresholds>,
    /// The lowest level that makes the gate red, instead of the policy's.
    pub(crate) fail_on: Option<Level>,
}

/// The effective policy of a run that judges `head`.
pub(crate) fn of_run(
    grading: &Grading<'_>,
    repository: &Repository,
    workspace: &Workspace,
    head: &Revision,
) -> Result<EffectivePolicy, CommandError> {
    let &Grading { request, by, tip, levels, fail_on } = grading;
    let EffectivePolicy { mut policy, of_head, mut notices } =
        of_commit(request, repository, workspace, by, head)?;
    if let Some(tip) = tip
        && let Some(of_tip) = of_tip(request, repository, workspace, by, tip)?
    {
        policy = policy.stricter(of_tip);
        let name = &tip.name;
        notices.push(format!(
            "`{FILE_NAME}` differs between {name} and where the head forked from it: the stricter of both holds"
        ));
    }
    if let Some(levels) = levels {
        policy.set_levels(levels);
    }
    if let Some(level) = fail_on {
        policy.fail_on(level);
    }
    Ok(EffectivePolicy { policy, of_head, notices })
}

/// The policy at the tip, if it is another than at the fork.
fn of_tip(
    request: &MeasureRequest,
    repository: &Repository,
    workspace: &Workspace,
    fork: &Revision,
    tip: &Revision,
) -> Result<Option<Policy>, CommandError> {
    if request.policy.is_some() {
        return Ok(None);
    }
    let path = inside(repository, workspace);
    let [of_fork, of_tip] = [&fork.commit, &tip.commit]
        .map(|commit| repository.file_at(commit, &path.to_string_lossy()));
    let (of_fork, of_tip) = (of_fork?, of_tip?);
    if of_fork == of_tip {
        return Ok(None);
    }
    let named = PathBuf::from(format!("{} of {}", path.display(), tip.name));
    Ok(Some(parse(&named, &of_tip.unwrap_or_default())?))
}

/// The path of the policy inside the repository.
fn inside(repository: &Repository, workspace: &Workspace) -> PathBuf {
    let here = workspace.root.join(FILE_NAME);
    here.strip_prefix(repository.top()).unwrap_or(&here).to_owned()
}

/// Names the suites that the head declares: the base cannot be asked about them.
fn new_suites(committed: &Policy, proposed: &Policy) -> Vec<String> {
    let is_new = |suite: &&Suite| committed.suites.iter().all(|old| old.key("") != suite.key(""));
    let notice = |suite: &Suite| {
        format!("`[[suite]]` {} is new: it is measured from the next change on", suite.name)
    };
    proposed.suites.iter().filter(is_new).map(notice).collect()
}

/// The policy of a named file.
pub(crate) fn of_file(path: &Path) -> Result<Policy, CommandError> {
    show::existing(path)?;
    parse(path, &String::from_utf8_lossy(&files::read(path)?))
}

fn parse(path: &Path, text: &str) -> Result<Policy, CommandError> {
    Policy::parse(text).map_err(|error| CommandError::Policy { path: path.to_owned(), error })
}
