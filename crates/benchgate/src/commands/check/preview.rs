//! Previews of a run: `--dry-run` builds nothing, `--list` builds the head.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use benchgate_core::judge::Match;
use benchgate_core::model::{BenchmarkKey, Finding, Side, Sides};
use benchgate_core::result::{Method, RunResult, SuiteReport};
use benchgate_core::schedule::{Estimate, estimate};
use benchgate_host::cargo::choice::choose;
use benchgate_host::git::Revision;
use benchgate_host::measure::Inventory;
use benchgate_host::sides::BuildDir;
use benchgate_host::system::files;

use super::affected;
use super::plan::Suites;
use super::scope::Scope;
use crate::cli::Preview;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::progress;
use crate::request::CheckRequest;
use crate::session::suites;
use crate::show::say;

/// Shows a preview.
pub(super) fn show(scope: &Scope, preview: Preview) -> Result<Exit, CommandError> {
    if preview == Preview::DryRun {
        return Ok(dry_run(scope));
    }
    let build_dir = scope.build_dir()?;
    if preview == Preview::List {
        return list(scope, &build_dir);
    }
    scope.refuse_one_commit(scope.method, None)?;
    let Suites { reaches, shard } = Suites::chosen(scope, &build_dir)?;
    Ok(affected::explain(scope, shard.as_ref(), &reaches))
}

/// Says what would be built and measured, as far as that is known without a build.
fn dry_run(scope: &Scope) -> Exit {
    let Scope { request, session, revisions: Sides { base, head }, policy, notices, .. } = scope;
    let selection = &request.measure.selection;
    say(&format!("base: {}", described(base)));
    say(&format!("head: {}", described(head)));
    let last = last_result(request, &session.workspace.work_dir());
    let left_out_by = selection.suites_left_out(&session.workspace.name, policy, None);
    let choice = scope.choice(None, BTreeSet::new());
    let (targets, mut left_out) = choose(&session.workspace, &policy.build, &choice);
    let mut built: Vec<(_, String)> =
        targets.iter().map(|target| (target.key(), String::new())).collect();
    for suite in &policy.suites {
        let key = suite.key(&session.workspace.name);
        if left_out_by(&key).is_none() {
            let how = if suite.build.is_empty() {
                "nothing to build".to_owned()
            } else {
                suite.build.join(" ")
            };
            built.push((key, format!(" ({how})")));
        }
    }
    let sides = if scope.method == Method::Baseline { "the head" } else { "both sides" };
    say(&format!("would build of {sides}, by the bench targets of this checkout:"));
    for (key, how) in &built {
        let known = last.as_ref().map_or_else(String::new, |last| {
            let ids = last.benchmarks.iter().filter(|b| b.key().is_of(key)).map(|b| &b.id);
            match ids.collect::<BTreeSet<_>>().len() {
                0 => ": no benchmark in the last run".to_owned(),
                number => format!(": {} in the last run", benchmarks(number)),
            }
        });
        say(&format!("  {key}{how}{known}"));
    }
    if built.is_empty() {
        say("  nothing");
    }
    left_out.sort_by_key(SuiteReport::key);
    for suite in &left_out {
        say(&format!("skipped: {}: {}", suite.key(), suite.reason));
    }
    say(&format!(
        "would measure what is not the same machine code on both sides, in up to {} pairs a benchmark{}",
        policy.measure.pairs,
        if request.measure_identical { ", and what is" } else { "" },
    ));
    if !request.measure_identical {
        say("  `benchgate check --explain-affected` lists those that the change cannot reach");
    }
    say("  `benchgate check --list` builds the head and lists the benchmarks");
    let is_wanted = |key: &BenchmarkKey| {
        built.iter().any(|(suite, _)| key.is_of(suite)) && selection.left_out(key, policy).is_none()
    };
    say(&time(last.as_ref(), last.as_ref().map(|last| estimate(last, is_wanted)), request.budget));
    for notice in notices {
        say(&format!("notice: {notice}"));
    }
    Exit::Pass
}

/// Lists the benchmarks of the head that would be measured, one on each line; everything else is on stderr.
fn list(scope: &Scope, build_dir: &BuildDir) -> Result<Exit, CommandError> {
    let Scope { request, session, revisions, policy, of_head, .. } = scope;
    let selection = &request.measure.selection;
    let progress = progress::progress();
    let building = session.building(selection, policy, build_dir, &*progress);
    let side = building.prepare(Side::Head, &revisions.head)?;
    let keys = |inventory: &Inventory| {
        inventory.keys().into_iter().chain(inventory.counts().keys().cloned()).collect()
    };
    let nothing = Inventory::default();
    let inventories = Sides::new(&nothing, &side.inventory);
    for matched in selection.matches(keys, inventories, policy, of_head.as_ref()) {
        match matched {
            Match::Skipped(key, reason) => progress::say(&format!("skipped: {key}: {reason}")),
            matched => say(&matched.key().to_string()),
        }
    }
    for notice in selection.unmatched_globs(&keys(&side.inventory)) {
        progress::say(&format!("notice: {notice}"));
    }
    let mut failed = Vec::new();
    for suite in suites(None, &side.inventory) {
        if suite.finding == Finding::Failed {
            let output: String =
                suite.output.lines().map(|line| format!("\n    | {line}")).collect();
            failed.push(format!("{}: {}{output}", suite.key(), suite.reason));
        } else {
            progress::say(&format!("skipped: {}: {}", suite.key(), suite.reason));
        }
    }
    match failed.is_empty() {
        true => Ok(Exit::Pass),
        false => {
            Err(CommandError::Unmeasured(format!("the list is incomplete: {}", failed.join("\n"))))
        }
    }
}

fn described(revision: &Revision) -> String {
    let commit = revision.commit.get(..10).unwrap_or(&revision.commit);
    let more = if revision.dirty { " and uncommitted changes" } else { "" };
    format!("{} ({commit}{more})", revision.name)
}

/// The result of the last run in the folder to which this one would write. One that cannot be read is none.
fn last_result(request: &CheckRequest, folder: &Path) -> Option<RunResult> {
    let folder = request.output.as_deref().unwrap_or(folder);
    RunResult::from_json(&files::read(&folder.join("result.json")).ok()?).ok()
}

fn benchmarks(number: usize) -> String {
    if number == 1 { "1 benchmark".to_owned() } else { format!("{number} benchmarks") }
}

fn time(last: Option<&RunResult>, estimate: Option<Estimate>, budget: Option<Duration>) -> String {
    let (Some(last), Some(estimate)) = (last, estimate) else {
        let limit =
            budget.map(|budget| format!("; at most {}", humantime::format_duration(budget)));
        return format!("time: unknown: there is no earlier result{}", limit.unwrap_or_default());
    };
    let minutes = |seconds: f64| format!("{:.1} min", seconds / 60.0);
    let measuring = estimate.measure.map_or_else(
        || "measuring unknown".to_owned(),
        |measure| format!("{} measuring", minutes(measure)),
    );
    let unmeasured = match estimate.unmeasured {
        0 => String::new(),
        number => format!(", without {} that it did not measure", benchmarks(number)),
    };
    let limit = budget.map(|budget| format!("; at most {}", humantime::format_duration(budget)));
    format!(
        "time: about {} building, {measuring}, by the run of {}{unmeasured}{}",
        minutes(estimate.build),
        last.time,
        limit.unwrap_or_default()
    )
}
