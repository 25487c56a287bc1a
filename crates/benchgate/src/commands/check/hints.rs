//! What an author can paste where something is not there, or is not any more.

use std::collections::BTreeMap;

use benchgate_core::judge::{Match, Observation, Outcome};
use benchgate_core::model::{Finding, Sides, SuiteKey};
use benchgate_core::policy::{FILE_NAME, common_rename};
use benchgate_core::report::quoted;
use benchgate_core::result::SuiteReport;
use benchgate_host::cargo::Workspace;
use benchgate_host::measure::UNSTABLE;
use benchgate_host::sides::{BuiltSide, lendable as files_to_lend};
use benchgate_host::system::files;

use super::plan::Plan;
use crate::building::Prepared;
use crate::session::Session;

/// An entry to paste where benchmarks of a suite seem to have other names now, all of them changed in the same way.
pub(super) fn moved(matches: &[Match]) -> Vec<String> {
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
            appending(entry)
        ))
    });
    named.collect()
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
            "`{suite}`: `{first}` (and {rest} more) is another one each time the suite is listed: left out, for nothing can \
             be compared with it; give it a fixed id"
        )
    });
    named.collect()
}

/// The line that adds these lines to the policy.
fn appending<const N: usize>(lines: [String; N]) -> String {
    let lines = lines.map(|line| quoted(&line)).join(" ");
    format!("printf '%s\\n' {lines} >>{FILE_NAME}")
}

/// The line that lends both sides the files which only the user's checkout has, where something failed for them.
pub(super) fn lendable(
    plan: &Plan<'_>,
    sides: &Sides<Prepared>,
    observed: &[Observation],
    suites: &[SuiteReport],
) -> Option<String> {
    let failed = suites.iter().filter(|suite| suite.finding == Finding::Failed);
    let of_suites = failed.map(|suite| suite.output.as_str());
    let of_benchmarks = observed.iter().filter_map(|observed| match &observed.outcome {
        Outcome::Failed { output, .. } => Some(output.as_str()),
        _ => None,
    });
    let outputs: Vec<&str> = of_suites.chain(of_benchmarks).collect();
    let built: Vec<&BuiltSide> =
        [&sides.base, &sides.head].into_iter().filter_map(|side| side.built.as_ref()).collect();
    let Session { repository, workspace, .. } = &plan.scope.session;
    let Workspace { root, target_dir, .. } = workspace;
    // A hint that cannot be given is no reason to lose what was measured.
    let paths = files_to_lend(repository, root, target_dir, &built, &outputs).unwrap_or_default();
    if paths.is_empty() {
        return None;
    }
    let named: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
    let named = named.join(", ");
    let policy = files::read(&root.join(FILE_NAME)).unwrap_or_default();
    let has_table = String::from_utf8_lossy(&policy).lines().any(|line| line.trim() == "[data]");
    let what = format!("your checkout has {named}, and no commit does: to lend it to both sides,");
    Some(if has_table {
        format!("{what} add it to `paths` of `[data]` in {FILE_NAME}")
    } else {
        let table = ["[data]".to_owned(), format!("paths = {paths:?}")];
        format!("{what} run {}", appending(table))
    })
}
