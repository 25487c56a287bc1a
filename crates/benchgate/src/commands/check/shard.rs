//! A part of a run: which suites it builds, and what the others must agree with.

use std::collections::{BTreeMap, BTreeSet};

use benchgate_core::affected::Reach;
use benchgate_core::judge::{Match, Observation};
use benchgate_core::model::{BenchmarkKey, Shard, Sides, SkipReason, SuiteKey};
use benchgate_core::policy::Policy;
use benchgate_core::result::{RunResult, ShardReport, ShardSuite, SuiteReport};
use benchgate_core::schedule::loads;
use benchgate_core::shards::{Load, Place, share_out};
use benchgate_host::HostError;
use benchgate_host::store::baselines;
use benchgate_host::system::files;
use benchgate_host::system::sandbox::variables;

use super::affected::Reaches;
use super::scope::Scope;
use crate::error::CommandError;
use crate::request::CheckRequest;
use crate::shard::digest_of_policy;
use crate::show;

/// Shares the suites of both sides out, from what is the same for all shards: the two commits and a file.
pub(super) fn plan(
    scope: &Scope,
    part: Shard,
    reaches: &Reaches,
) -> Result<ShardReport, CommandError> {
    let Scope { request, session, revisions, tip, policy, of_head, .. } = scope;
    let mut known = recorded(scope)?;
    if let Some(path) = &request.durations {
        show::existing(path)?;
        let result = RunResult::from_json(&files::read(path)?)
            .map_err(|error| HostError::format(path, error))?;
        known.extend(loads(&result).into_iter().map(|load| (load.key.clone(), load)));
    }
    let workspace = &session.workspace.name;
    let selection = &request.measure.selection;
    let declared = policy.suites.iter().map(|suite| suite.key(workspace));
    let suites: BTreeSet<SuiteKey> = reaches.keys().cloned().chain(declared).collect();
    let left_out = selection.suites_left_out(workspace, policy, None);
    let loads: Vec<Load> = suites
        .into_iter()
        .map(|key| {
            let is_reached = request.measure_identical
                || reaches.get(&key).is_none_or(|taken| taken.reach != Reach::Untouched);
            let is_built = is_reached && left_out(&key).is_none();
            let load = known.remove(&key);
            let load = load.unwrap_or_else(|| Load::of_benchmarks(key, BTreeSet::new()));
            if is_built { load } else { load.idle() }
        })
        .collect();
    let policies: Vec<&Policy> = std::iter::once(policy).chain(of_head).collect();
    let inventory = share_out(&loads, &policies, part.of)
        .into_iter()
        .map(|(SuiteKey { package, suite }, Place { shard, elsewhere })| ShardSuite {
            package,
            suite,
            shard,
            elsewhere,
        })
        .collect();
    Ok(ShardReport {
        part,
        checkouts: revisions.as_ref().map(|revision| revision.checkout.clone()),
        tip: tip.as_ref().map(|tip| tip.commit.clone()),
        policy: digest_of_policy(policy, of_head.as_ref()),
        settings: settings(request, policy),
        is_narrowed: selection.is_narrowed(),
        inventory,
        left: Vec::new(),
        digest: String::new(),
    })
}

/// The benchmarks that the base commit has baselines of, of any machine.
fn recorded(scope: &Scope) -> Result<BTreeMap<SuiteKey, Load>, CommandError> {
    let Scope { session, revisions: Sides { base, .. }, .. } = scope;
    let (repository, root) = (&session.repository, &session.workspace.root);
    let mut ids: BTreeMap<SuiteKey, BTreeSet<String>> = BTreeMap::new();
    for machine in baselines::machines(repository, &base.commit, root)? {
        for (_, record) in baselines::committed(repository, &base.commit, root, &machine)? {
            for key in record.benchmarks.into_keys() {
                ids.entry(key.suite_key()).or_default().insert(key.id);
            }
        }
    }
    let load = |(key, ids): (SuiteKey, _)| (key.clone(), Load::of_benchmarks(key, ids));
    Ok(ids.into_iter().map(load).collect())
}

/// The digest of the request, of the settings of build and measurement, and of the variables that the policy hands to benches,
/// which may do other work by them.
pub(super) fn settings(request: &CheckRequest, policy: &Policy) -> String {
    let of_suites = policy.suites.iter().flat_map(|suite| &suite.sandbox.variables);
    let handed = variables::named(policy.sandbox.variables.iter().chain(of_suites));
    let text = format!("{}\n{}\n{handed:?}", policy.how(), request.shared());
    files::digest_of(text.as_bytes())
}

/// Takes those out that another shard measures, and returns their names.
pub(super) fn leave(shard: Option<&ShardReport>, matches: &mut Vec<Match>) -> Vec<BenchmarkKey> {
    let Some(shard) = shard else { return Vec::new() };
    let is_left = |key: &BenchmarkKey| shard.shard_of(key) != shard.part.number;
    let elsewhere = matches.extract_if(.., |matched| is_left(matched.key()));
    elsewhere.map(|matched| matched.key().clone()).collect()
}

/// A report on each suite of which other shards measure benchmarks: a rule may be about them.
pub(super) fn shared(left: &BTreeSet<BenchmarkKey>) -> Vec<SuiteReport> {
    let mut suites: BTreeMap<SuiteKey, usize> = BTreeMap::new();
    left.iter().for_each(|key| *suites.entry(key.suite_key()).or_default() += 1);
    let report = |(key, number): (SuiteKey, usize)| {
        let benchmarks = if number == 1 { "1 benchmark" } else { &*format!("{number} benchmarks") };
        let reason = format!("other shards measure {benchmarks} of it");
        SuiteReport::skipped(key, SkipReason::OtherShard, reason)
    };
    suites.into_iter().map(report).collect()
}

/// The suites of this shard that hold nothing: what another one says of them would be missed.
pub(super) fn without_benchmarks(
    shard: Option<&ShardReport>,
    observed: &[Observation],
    suites: &[SuiteReport],
) -> Vec<SuiteReport> {
    let Some(shard) = shard else { return Vec::new() };
    let is_said = |key: &SuiteKey| {
        observed.iter().any(|observed| observed.key.is_of(key))
            || suites.iter().any(|suite| suite.key() == *key || suite.key() == SuiteKey::of_all())
    };
    shard
        .own()
        .map(ShardSuite::key)
        .filter(|key| !is_said(key))
        .map(|key| SuiteReport::skipped(key, SkipReason::UnknownHarness, "it lists no benchmark"))
        .collect()
}
