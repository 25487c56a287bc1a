//! `benchgate history`: how benchmarks changed from merge to merge.

use std::path::Path;

use benchgate_core::history::{History, Record};
use benchgate_core::policy::Selector;
use benchgate_core::report::history as report;
use benchgate_host::HostError;
use benchgate_host::cargo::Workspace;
use benchgate_host::git::Repository;
use benchgate_host::store::baselines;
use benchgate_host::store::history::{BRANCH, Branch};
use benchgate_host::system::files;

use super::report::judged;
use crate::cli::{HistoryArgs, HistoryCommand, HistoryFormat};
use crate::error::CommandError;
use crate::exit::Exit;
use crate::request::globs_of;
use crate::{progress, recorded, show};

pub(crate) fn run(arguments: &HistoryArgs) -> Result<Exit, CommandError> {
    let repository = || Repository::around(&std::env::current_dir().map_err(HostError::from)?);
    match &arguments.command {
        // Of a file alone: a job that renders has no checkout.
        Some(HistoryCommand::Record { result }) => show::text(&record(result)?.to_json()),
        Some(HistoryCommand::Append { result, to }) => {
            append(&repository()?, result, to.remote.as_deref())?;
        }
        Some(HistoryCommand::Compact { to }) => {
            let today = show::now();
            let this_month = today.get(..7).unwrap_or(&today);
            let count = Branch::of(&repository()?, to.remote.as_deref()).compact(this_month)?;
            show::say(&format!("{count} files put together"));
        }
        None => shown(&repository()?, arguments)?,
    }
    Ok(Exit::Pass)
}

/// The record of a result that was judged again.
fn record(path: &Path) -> Result<Record, CommandError> {
    let problem = |problem: String| HostError::Content {
        path: path.to_owned(),
        problem: format!("this result cannot be part of a history: {problem}"),
    };
    Ok(Record::of(&judged(path)?).map_err(problem)?)
}

fn append(repository: &Repository, path: &Path, remote: Option<&str>) -> Result<(), CommandError> {
    let record = record(path)?;
    Branch::of(repository, remote).append(&record)?;
    show::say(&format!("recorded {} on {BRANCH}", record.commit));
    Ok(())
}

fn shown(repository: &Repository, arguments: &HistoryArgs) -> Result<(), CommandError> {
    let commits = repository.line_of(&arguments.head, arguments.since.as_deref())?;
    let mut history = history_of(repository, &commits)?;
    let globs = |globs: &[String], of: fn(&str) -> Selector| -> Vec<Selector> {
        globs.iter().map(|glob| of(glob)).collect()
    };
    let benchmarks = globs(&globs_of(&[], &arguments.benchmarks), Selector::benchmark);
    let suites = globs(&arguments.suite, Selector::suite);
    history.series.retain(|key, _| {
        let is_of = |selectors: &[Selector]| {
            selectors.is_empty() || selectors.iter().any(|one| one.matches(&key.benchmark))
        };
        is_of(&benchmarks) && is_of(&suites)
    });
    if history.series.is_empty() && !history.runs.is_empty() {
        let help = "`benchgate history` without a name shows all of them";
        return Err(HostError::usage("no benchmark of the history is named so", help).into());
    }
    if let Some(folder) = &arguments.site {
        let pages = report::site(&history);
        for (path, text) in &pages {
            files::write_atomically(&folder.join(path), text.as_bytes())?;
        }
        progress::say(&format!("  written: {} pages in {}", pages.len(), show::shown(folder)));
    }
    match arguments.format {
        HistoryFormat::Terminal if arguments.site.is_some() => {}
        HistoryFormat::Terminal => show::text(&report::terminal(&history)),
        HistoryFormat::Json => show::text(&report::json(&history)),
    }
    Ok(())
}

/// The runs that were recorded; without any, the committed baselines.
fn history_of(repository: &Repository, commits: &[String]) -> Result<History, CommandError> {
    let recorded = recorded::kept(repository)?;
    for problem in &recorded.unreadable {
        progress::say(&format!("warning: not read: {problem}"));
    }
    if !recorded.records.is_empty() {
        return Ok(History::of(recorded.records, commits));
    }
    let root = Workspace::around(&std::env::current_dir().map_err(HostError::from)?)?.root;
    let mut records = Vec::new();
    for (commit, time) in repository.commits_that_touch(&root.join(baselines::FOLDER), commits)? {
        for machine in baselines::machines(repository, &commit, &root)? {
            let Some(recorded) =
                baselines::merged(baselines::committed(repository, &commit, &root, &machine)?)
            else {
                continue;
            };
            records.push(Record::of_baseline(&commit, &time, &machine, &recorded));
        }
    }
    if records.is_empty() {
        let help = format!(
            "`benchgate history append result.json` records a run on the branch {BRANCH}; `benchgate baseline save` \
             makes baselines"
        );
        return Err(HostError::usage(
            "there is no history yet: no run and no baseline is recorded",
            help,
        )
        .into());
    }
    progress::say(
        "no run is recorded: these are the committed baselines, and nothing is proven by them",
    );
    Ok(History::of_baselines(records, commits))
}
