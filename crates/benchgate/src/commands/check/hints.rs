//! What an author can paste where something is not there, or is not any more.

use std::collections::BTreeMap;

use benchgate_core::judge::{Match, Observation, Outcome};
use benchgate_core::model::{Finding, Sides, SuiteKey};
use benchgate_core::policy::{FILE_NAME, common_rename};
use benchgate_core::report::quoted;
use benchgate_core::result::{MemoryReport, SuiteReport};
use benchgate_host::cargo::Workspace;
use benchgate_host::measure::UNSTABLE;
use benchgate_host::sides::{BuiltSide, denied as folders_to_allow, lendable as files_to_lend};
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

/// Names the suites whose sides took turns: what disturbs the machine then meets one side alone.
pub(super) fn in_turn(memory: &[MemoryReport]) -> Option<String> {
    let suites: Vec<String> = memory
        .iter()
        .filter(|held| held.in_turn)
        .map(|held| format!("`{}` ({})", held.suite_key(), held.both()))
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

/// The line that adds these lines to the policy.
fn appending<const N: usize>(lines: [String; N]) -> String {
    let lines = lines.map(|line| quoted(&line)).join(" ");
    format!("printf '%s\\n' {lines} >>{FILE_NAME}")
}

/// The line that adds paths to a list of a table of the policy; `None` where a path cannot be spelled in it.
fn listing(policy: &str, table: &str, key: &str, paths: &[String]) -> Option<String> {
    let heading = format!("[{table}]");
    let mut lines = policy.lines().skip_while(|line| !line.starts_with(&heading)).skip(1);
    let has_table = policy.lines().any(|line| line.starts_with(&heading));
    let has_key = lines
        .by_ref()
        .take_while(|line| !line.starts_with('['))
        .any(|line| line.strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('=')));
    if !has_table {
        return Some(appending([heading, format!("{key} = {paths:?}")]));
    }
    // Words of sed, in which other characters have a meaning.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-$".contains(c);
    if !paths.iter().all(|path| path.chars().all(is_plain)) {
        return None;
    }
    let items: Vec<String> = paths.iter().map(|path| format!("{path:?}")).collect();
    let items = items.join(", ");
    let script = if has_key {
        format!(r"/^\[{table}\]/,/^{key}/s|^{key} *= *\[|&{items}, |")
    } else {
        format!(r"/^\[{table}\]/a {key} = [{items}]")
    };
    Some(format!("sed -i {} {FILE_NAME}", quoted(&script)))
}

/// The line that lets benches write where they were denied it, in a folder of their side.
pub(super) fn writable(
    plan: &Plan<'_>,
    sides: &Sides<Prepared>,
    observed: &[Observation],
    suites: &[SuiteReport],
) -> Option<String> {
    if !plan.sandbox.restricts() {
        return None;
    }
    let outputs = outputs_of_failed(observed, suites);
    let built: Vec<&BuiltSide> = built(sides);
    let paths = folders_to_allow(&built, &outputs);
    let policy = policy(plan);
    let line = listing(&policy, "sandbox", "write", &paths).filter(|_| !paths.is_empty())?;
    let named: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
    Some(format!(
        "the sandbox may have denied a bench to write in {} of its checkout: to allow it in the base's policy, run {line}",
        named.join(", ")
    ))
}

/// The line that lends both sides the files which only the user's checkout has, where something failed for them.
pub(super) fn lendable(
    plan: &Plan<'_>,
    sides: &Sides<Prepared>,
    observed: &[Observation],
    suites: &[SuiteReport],
) -> Option<String> {
    let outputs = outputs_of_failed(observed, suites);
    let built = built(sides);
    let Session { repository, workspace, .. } = &plan.scope.session;
    let Workspace { root, target_dir, .. } = workspace;
    // A hint that cannot be given is no reason to lose the measurements.
    let paths = files_to_lend(repository, root, target_dir, &built, &outputs).unwrap_or_default();
    if paths.is_empty() {
        return None;
    }
    let named: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
    let named = named.join(", ");
    let what = format!("your checkout has {named}, and no commit does: to lend it to both sides,");
    Some(match listing(&policy(plan), "data", "paths", &paths) {
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

fn built(sides: &Sides<Prepared>) -> Vec<&BuiltSide> {
    [&sides.base, &sides.head].into_iter().filter_map(|side| side.built.as_ref()).collect()
}

/// The policy of the user's checkout, to which a line adds.
fn policy(plan: &Plan<'_>) -> String {
    let path = plan.scope.session.workspace.root.join(FILE_NAME);
    String::from_utf8_lossy(&files::read(&path).unwrap_or_default()).into_owned()
}
