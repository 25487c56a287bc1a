//! `benchgate merge`: makes one result of the shards of a run.

use std::path::Path;

use benchgate_core::judge::{Merging, merge};
use benchgate_core::report::Options;
use benchgate_core::result::{RunResult, ShardReport};
use benchgate_host::HostError;
use benchgate_host::cargo::Workspace;
use benchgate_host::git::trailers;
use benchgate_host::git::{Repository, Revision};
use benchgate_host::system::files;

use crate::cli::{FailOn, MergeArgs};
use crate::error::CommandError;
use crate::exit::Exit;
use crate::policy::{self, EffectivePolicy, Grading};
use crate::request::MeasureRequest;
use crate::shard::{digest_of_policy, is_sealed};
use crate::{session, show};

pub(crate) fn run(arguments: &MergeArgs) -> Result<Exit, CommandError> {
    let mut shards = Vec::new();
    for path in &arguments.results {
        shards.push((show::shown(path), read(path)?));
    }
    let here = std::env::current_dir().map_err(HostError::from)?;
    let repository = Repository::around(&here)?;
    let workspace = session::workspace()?;
    let Some((first, shard)) =
        shards.first().and_then(|(_, first)| Some((first, first.shard.as_ref()?)))
    else {
        return Err(CommandError::Unmeasured("no shard is named".to_owned()));
    };
    let [base, head] = [(&first.base, &shard.checkouts.base), (&first.head, &shard.checkouts.head)]
        .map(|(origin, checkout)| Revision {
            checkout: checkout.clone(),
            commit: origin.commit.clone(),
            name: origin.name.clone(),
            dirty: origin.dirty,
            only_untracked: false,
            notices: Vec::new(),
        });
    for revision in [&base, &head] {
        repository.commit(&revision.commit)?;
        repository.commit(&revision.checkout)?;
    }
    let EffectivePolicy { policy, of_head, .. } =
        effective(arguments, shard, &repository, &workspace, [&base, &head])?;
    let trailers = trailers::between(&repository, &base.commit, &head.commit)?;
    let merging = Merging {
        policy: &policy,
        head_policy: of_head.as_ref(),
        trailers: &trailers,
        today: show::today()?,
    };
    let result = merge(&shards, &merging)
        .map_err(|error| CommandError::Unmeasured(format!("nothing was merged: {error}")))?;
    let output = arguments.output.clone();
    let output = output.unwrap_or_else(|| workspace.work_dir());
    show::write(&result, &output)?;
    show::print(&result, arguments.format.0, Options::default());
    show::written(&output, arguments.format.0);
    Ok(FailOn::exit(arguments.fail_on, &result))
}

/// Reads a shard and checks that it is as it was written.
fn read(path: &Path) -> Result<RunResult, CommandError> {
    let result = RunResult::from_json(&files::read(path)?)
        .map_err(|error| HostError::format(path, error))?;
    if result.shard.is_some() && !is_sealed(&result) {
        let problem = "`shard.digest` is not that of the file: it was changed after it was written";
        return Err(HostError::Content { path: path.to_owned(), problem: problem.into() }.into());
    }
    Ok(result)
}

/// The policy of the run, read from the repository: a shard does not bring its own. Compared with a release, the
/// head's holds.
fn effective(
    arguments: &MergeArgs,
    shard: &ShardReport,
    repository: &Repository,
    workspace: &Workspace,
    [base, head]: [&Revision; 2],
) -> Result<EffectivePolicy, CommandError> {
    let request = MeasureRequest { policy: arguments.policy.clone(), ..MeasureRequest::default() };
    let tip = shard.tip.as_ref().map(|commit| repository.commit(commit)).transpose()?;
    for by in [base, head] {
        let grading = Grading {
            request: &request,
            by,
            tip: tip.as_ref(),
            levels: arguments.levels,
            fail_on: arguments.fail_on.and_then(FailOn::level),
        };
        let effective = policy::of_run(&grading, repository, workspace, head)?;
        if digest_of_policy(&effective.policy, effective.of_head.as_ref()) == shard.policy {
            return Ok(effective);
        }
    }
    let message = "nothing was merged: the policy of the shards is not that of their base commit; if they were run \
                   with --policy, --fail-on or --levels, name the same";
    Err(CommandError::Unmeasured(message.to_owned()))
}
