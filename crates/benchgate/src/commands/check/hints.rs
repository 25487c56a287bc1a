//! What an author can paste where something is not there, or is not any more.

use std::collections::BTreeMap;

use benchgate_core::judge::{Match, Observation, Outcome};
use benchgate_core::model::{Finding, SuiteKey};
use benchgate_core::policy::{FILE_NAME, Reach, common_rename};
use benchgate_core::result::{MeasuredSuite, SuiteReport};
use benchgate_host::cargo::Workspace;
use benchgate_host::measure::UNSTABLE;
use benchgate_host::system::sandbox::Denial;

use super::addition::{Addition, PolicyFile};
use super::plan::Plan;
use crate::session::Session;

/// An entry to paste where benchmarks of a suite seem to have other names now, all of them changed in the same way.
pub(super) fn moved(plan: &Plan<'_>, matches: &[Match]) -> Vec<String> {
    let mut suites: BTreeMap<SuiteKey, (Vec<&str>, Vec<&str>)> = BTreeMap::new();
    for matched in matches {
        let key = matched.key();
        let suite = suites.entry(key.suite_key()).or_default();
        match matched {
            Match::Missing(_) => suite.0.push(&key.id),
            Match::New(_) => suite.1.push(&key.id),
            _ => {}
        }
    }
    let named = suites.into_iter().filter_map(|(suite, (gone, new))| {
        let (from, to) = common_rename(&gone, &new)?;
        let entry = ["[[rename]]".to_owned(), format!("from = {from:?}"), format!("to = {to:?}")];
        Some(format!(
            "`{suite}`: ids that begin with `{from}` seem to be `{to}` now; to rename them in this change, run {}",
            policy(plan).appending(entry)
        ))
    });
    named.collect()
}

/// Names the suites whose sides took turns: what disturbs the machine then meets one side alone.
pub(super) fn in_turn(measured: &[MeasuredSuite]) -> Option<String> {
    let suites: Vec<String> = measured
        .iter()
        .filter_map(|suite| Some((suite.key(), suite.held()?)))
        .filter(|(_, held)| held.in_turn)
        .map(|(suite, held)| format!("`{suite}` ({})", held.shown()))
        .collect();
    (!suites.is_empty()).then(|| {
        format!(
            "base and head took turns, because both together do not fit into memory (`[measure] memory`): {}; their pairs \
             scatter more",
            suites.join(", ")
        )
    })
}

/// Names what is left out because its id is another one at each listing: a report lists no reasons of what is skipped.
pub(super) fn unstable(matches: &[Match]) -> Vec<String> {
    let mut suites: BTreeMap<SuiteKey, Vec<&str>> = BTreeMap::new();
    for matched in matches {
        if let Match::Skipped(key, reason) = matched
            && reason == UNSTABLE
        {
            suites.entry(key.suite_key()).or_default().push(&key.id);
        }
    }
    let named = suites.into_iter().map(|(suite, ids)| {
        let (first, rest) = (ids.first().copied().unwrap_or_default(), ids.len() - 1);
        format!(
            "`{suite}`: `{first}` (and {rest} more) is another one each time the suite is listed: skipped, because nothing can \
             be compared with it; give it a fixed id"
        )
    });
    named.collect()
}

/// The line that allows what processes that failed were denied.
pub(super) fn allowable(
    plan: &Plan<'_>,
    observed: &[Observation],
    suites: &[SuiteReport],
) -> Option<String> {
    let outputs = outputs_of_failed(observed, suites);
    // Others failed on the way, and were measured in another one.
    let is_said = |denial: &Denial| outputs.iter().any(|it| it.contains(&denial.to_string()));
    let denials = plan.build_dir.denials().filter(is_said);
    let Reach { network, read, write, variables } = plan.build_dir.allowing(denials);
    let lists = [("read", &read), ("write", &write), ("variables", &variables)];
    let lists = lists.iter().filter(|(_, entries)| !entries.is_empty());
    let mut additions: Vec<(&str, Addition<'_>)> =
        lists.map(|(key, entries)| (*key, Addition::Entries(entries))).collect();
    additions.extend(network.then_some(("network", Addition::On)));
    if additions.is_empty() {
        return None;
    }
    let named: Vec<String> =
        additions.iter().map(|(key, added)| format!("`{key} = {}`", added.value())).collect();
    let what = format!(
        "the sandbox denied what failed something that {} of `[sandbox]` allows: to allow it in the base's policy,",
        named.join(", ")
    );
    Some(match policy(plan).adding("sandbox", &additions) {
        None => format!("{what} add that to {FILE_NAME}"),
        Some(line) => format!("{what} run {line}"),
    })
}

/// The line that lends both sides the files which only the user's checkout has, where something failed for them.
pub(super) fn lendable(
    plan: &Plan<'_>,
    observed: &[Observation],
    suites: &[SuiteReport],
) -> Option<String> {
    if outputs_of_failed(observed, suites).is_empty() {
        return None;
    }
    let Session { repository, workspace, .. } = &plan.scope.session;
    let Workspace { root, target_dir, .. } = workspace;
    // A hint that cannot be given is no reason to lose the measurements.
    let paths = plan.build_dir.lendable(repository, root, target_dir).unwrap_or_default();
    if paths.is_empty() {
        return None;
    }
    let named: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
    let named = named.join(", ");
    let what = format!("your checkout has {named}, and no commit does: to lend it to both sides,");
    Some(match policy(plan).adding("data", &[("paths", Addition::Entries(&paths))]) {
        None => format!("{what} add it to `paths` of `[data]` in {FILE_NAME}"),
        Some(line) => format!("{what} run {line}"),
    })
}

fn outputs_of_failed<'a>(observed: &'a [Observation], suites: &'a [SuiteReport]) -> Vec<&'a str> {
    let failed = suites.iter().filter(|suite| suite.finding == Finding::Failed);
    let of_suites = failed.map(|suite| suite.output.as_str());
    let of_benchmarks = observed.iter().filter_map(|observed| match &observed.outcome {
        Outcome::Failed { output, .. } => Some(output.as_str()),
        _ => None,
    });
    of_suites.chain(of_benchmarks).collect()
}

fn policy(plan: &Plan<'_>) -> PolicyFile {
    PolicyFile::of(&plan.scope.session.workspace.root)
}
