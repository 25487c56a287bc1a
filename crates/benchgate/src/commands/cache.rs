//! `benchgate cache`: bases that were built before.

use std::time::SystemTime;

use benchgate_core::model::Side;
use benchgate_host::sides::{BuildOptions, cache_dir};
use benchgate_host::store::bases::{BaseStore, Entry, Of};

use crate::cli::{CacheCommand, FillArgs};
use crate::error::CommandError;
use crate::exit::Exit;
use crate::request::MeasureRequest;
use crate::session::Session;
use crate::show::say;
use crate::{policy, progress};

pub(crate) fn run(command: Option<CacheCommand>) -> Result<Exit, CommandError> {
    let store = BaseStore::below(&cache_dir());
    match command.unwrap_or(CacheCommand::Show) {
        CacheCommand::Show => show(&store)?,
        CacheCommand::Path => say(&store.folder().display().to_string()),
        CacheCommand::Fill(arguments) => return fill(store, arguments),
        CacheCommand::Prune { max_size } => {
            let removed = store.prune(max_size.saturating_mul(1 << 20))?;
            say(&format!("removed {} of {}", sum(&removed), counted(&removed)));
        }
    }
    Ok(Exit::Pass)
}

fn show(store: &BaseStore) -> Result<(), CommandError> {
    let entries = store.entries()?;
    let now = SystemTime::now();
    for entry in &entries {
        let age = now.duration_since(entry.used).unwrap_or_default().as_secs();
        let hours = humantime::format_duration(std::time::Duration::from_secs(age / 3600 * 3600));
        let of = match &entry.of {
            Of::Suite(commit, suite) => format!("{}  {suite}", commit.get(..10).unwrap_or(commit)),
            Of::Dependencies => "dependencies".to_owned(),
            Of::Unknown => "cannot be read".to_owned(),
        };
        say(&format!("{of}  {}  used {hours} ago", mib(entry.bytes)));
    }
    say(&format!("{} of {} in {}", sum(&entries), counted(&entries), store.folder().display()));
    Ok(())
}

/// Builds a commit as `check` would build it as a base.
fn fill(store: BaseStore, arguments: FillArgs) -> Result<Exit, CommandError> {
    let revision = arguments.revision.clone();
    let request = MeasureRequest::from(arguments);
    let session = Session::open(None, request.manifest_path.as_deref())?;
    let commit = session.repository.commit(&revision)?;
    let policy =
        policy::of_commit(&request, &session.repository, &session.workspace, &commit, &commit)?
            .policy;
    let options = BuildOptions {
        cargo_options: request.cargo_options.clone(),
        jobs: request.jobs,
        store: Some(store),
        keeps_dependencies: true,
        head_is_elsewhere: true,
        ..BuildOptions::default()
    };
    let build_dir = session.build_dir(&policy, options)?;
    let progress = progress::progress();
    let building = session.building(&request.selection, &policy, &build_dir, &*progress);
    let built = building.bench_targets(Side::Base, &commit)?;
    for report in &built.left_out {
        progress::say(&format!("skipped: {}: {}", report.key(), report.reason));
    }
    for notice in &built.notices {
        progress::say(&format!("notice: {notice}"));
    }
    say(&format!("kept: {} of {}", plural(built.kept), commit.commit));
    Ok(Exit::Pass)
}

fn sum(entries: &[Entry]) -> String {
    mib(entries.iter().map(|entry| entry.bytes).sum())
}

fn mib(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

/// Suites, and the dependencies of how many lock files.
fn counted(entries: &[Entry]) -> String {
    let dependencies = entries.iter().filter(|entry| entry.of == Of::Dependencies).count();
    let suites = plural(entries.len() - dependencies);
    match dependencies {
        0 => suites,
        1 => format!("{suites} and the dependencies of one lock file"),
        _ => format!("{suites} and the dependencies of {dependencies} lock files"),
    }
}

fn plural(suites: usize) -> String {
    format!("{suites} suite{}", if suites == 1 { "" } else { "s" })
}
