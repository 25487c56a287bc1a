//! Which suites the change can reach: the others are not built.

use std::collections::{BTreeMap, BTreeSet};

use benchgate_core::affected::{Reach, Taken, Way, Ways, of_change};
use benchgate_core::model::{Sides, SuiteKey};
use benchgate_core::result::{Method, ShardReport};
use benchgate_host::HostError;
use benchgate_host::sides::BuildDir;

use super::scope::Scope;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::progress;
use crate::show::say;

/// Whether and why the change reaches each suite, and the inputs of each.
pub(super) type Reaches = BTreeMap<SuiteKey, Taken>;

/// Says at once when no suite is left to build.
pub(super) fn note_untouched(scope: &Scope, method: Method, reaches: &Reaches) {
    if !reaches.is_empty() && untouched(scope, method, reaches).len() == reaches.len() {
        progress::say(NOTHING_TO_BUILD);
    }
}

/// The suites that need not be built, where pairs of both sides decide.
pub(super) fn untouched(scope: &Scope, method: Method, reaches: &Reaches) -> BTreeSet<SuiteKey> {
    // What a command generates before a build may come from any file.
    let has_generated = !scope.policy.build.before.is_empty();
    if has_generated || scope.request.measure_identical || method == Method::Baseline {
        return BTreeSet::new();
    }
    let is_untouched =
        |(key, taken): (&SuiteKey, &Taken)| (taken.reach == Reach::Untouched).then(|| key.clone());
    reaches.iter().filter_map(is_untouched).collect()
}

const NOTHING_TO_BUILD: &str = "\
base and head do not differ in anything that a bench target is built from: none is built
help: `benchgate check --measure-identical` builds and measures all of them
help: `benchgate selftest` shows how small a slowdown is detected on this machine
help: `benchgate demo` shows a red report, on its own repository";

/// Lists the suites, and what reaches them.
pub(super) fn explain(scope: &Scope, shard: Option<&ShardReport>, reaches: &Reaches) -> Exit {
    let shard = |key: &SuiteKey| {
        let Some(shard) = shard else { return String::new() };
        let numbers = shard.shards_of(key).iter().map(u32::to_string).collect::<Vec<_>>();
        format!(" (shard{} {})", if numbers.len() == 1 { "" } else { "s" }, numbers.join(", "))
    };
    for (key, Taken { reach, inputs, way, .. }) in reaches {
        let word = if *reach == Reach::Untouched { "untouched" } else { "reached" };
        say(&format!("{word}: {key}{}: {reach}", shard(key)));
        // stdout has a line for each suite, which scripts read.
        if let Some(inputs) = inputs.head.as_ref().or(inputs.base.as_ref()) {
            let inputs = inputs.to_string();
            progress::say(&format!("inputs of {key}:\n{}\n  read: {way}", inputs.trim_end()));
        }
    }
    for suite in scope.policy.suites.iter().filter(|suite| suite.built_from.is_empty()) {
        let key = suite.key(&scope.session.workspace.name);
        say(&format!("reached: {key}{}: it has no `built-from` in benchgate.toml", shard(&key)));
    }
    Exit::Pass
}

/// How it is known what a run of each suite of the base reads. Shards would plan by the stores of several machines.
fn ways<'k>(
    scope: &Scope,
    build_dir: &BuildDir,
    keys: impl Iterator<Item = &'k SuiteKey>,
) -> Result<Ways, CommandError> {
    if scope.request.shard.is_some() {
        let way = || Way::Names("shards plan alike, whatever each machine observed".to_owned());
        return Ok(keys.map(|key| (key.clone(), way())).collect());
    }
    Ok(build_dir.observed(&scope.revisions.base, &scope.policy.build, keys)?)
}

/// Determines whether and why the change reaches each suite of either side.
pub(super) fn reaches(scope: &Scope, build_dir: &BuildDir) -> Result<Reaches, CommandError> {
    let Scope { session, revisions: Sides { base, head }, policy, .. } = scope;
    let changed = session.repository.changed_files(base, head)?;
    match build_dir.trees(&session.repository, Sides::new(base, head), &policy.suites) {
        Ok(trees) => {
            let ways = ways(scope, build_dir, trees.base.suites.keys())?;
            Ok(of_change(&changed, trees.as_ref(), &ways))
        }
        // A side whose manifests cannot be read does not build, and that is reported when it is built.
        Err(HostError::Cargo { .. } | HostError::Content { .. }) => Ok(Reaches::new()),
        Err(error) => Err(error.into()),
    }
}
