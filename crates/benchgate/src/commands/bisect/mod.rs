//! `benchgate bisect`: which commit a slowdown came with.

mod search;
mod state;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use benchgate_core::bisect::{STATE_SCHEMA, Searched, State, replay_log};
use benchgate_core::policy::{Policy, Runtime};
use benchgate_core::report::{bisection, option, words};
use benchgate_core::result::{BISECTION_SCHEMA, BisectCommit, BisectRefusal, Bisection};
use benchgate_host::HostError;
use benchgate_host::evidence::bisect::Testees;
use benchgate_host::git::{Commit, Revision};
use benchgate_host::sides::{BuildOptions, cache_dir};
use benchgate_host::store::bases::BaseStore;
use benchgate_host::system::files;
use clap::Parser as _;

use self::search::{Builder, Search};
use crate::cli::{BisectArgs, BisectFormat, Cli, Command};
use crate::error::CommandError;
use crate::exit::Exit;
use crate::policy;
use crate::request::{MeasureRequest, globs_of};
use crate::session::Session;
use crate::{progress, seed, show};

pub(crate) fn run(arguments: &BisectArgs) -> Result<Exit, CommandError> {
    let began = Instant::now();
    let session = Session::open(None, arguments.cargo.manifest_path.as_deref())?;
    let file = state::path(&session.workspace);
    let known = arguments.resume.then(|| state::read(&file)).transpose()?;
    let request = request(arguments, known.as_ref());
    let commits = commits(&session, arguments, known.as_ref())?;
    let (Some(first), Some(last)) = (commits.first(), commits.last()) else {
        return Err(CommandError::Unmeasured("there is no history".to_owned()));
    };
    let bad = last.revision();
    let policy = policy(&session, &request, &bad)?;
    let settings = state::settings(&session.workspace, &policy)?;
    if let Some(known) = &known {
        state::refuse_other(known, &settings)?;
    }
    let build_dir = session.build_dir(&policy, of_commits(&request))?;
    let progress = progress::progress();
    let building = session.building(&request.selection, &policy, &build_dir, &*progress);
    let testees = Testees::new(&build_dir, &session.repository, &policy.measure)?;
    let mut builder = Builder::new(building, &request.selection, testees, &commits);
    let state = match known {
        Some(known) => known,
        None => State {
            schema: STATE_SCHEMA.to_owned(),
            seed: seed::of(arguments.seed),
            commits: commits.iter().map(|commit| commit.commit.clone()).collect(),
            settings,
            command: command(&request, first, last),
            benchmarks: benchmarks(&mut builder, commits.len() - 1)?,
        },
    };
    builder.only(&state);
    // First in every call: a repository that tracks no lock file gets the first one's for all commits, and what is
    // kept is known by it.
    builder.build(commits.len() - 1)?;
    let deadline = arguments.budget.map(|budget| began + Duration::from(budget));
    let mut search = Search { builder, state, file, deadline };
    let benchmarks = search.run()?;
    let bisection = Bisection {
        schema: BISECTION_SCHEMA.to_owned(),
        seed: search.state.seed,
        commits: commits.iter().map(named).collect(),
        builds: search.builder.builds(),
        benchmarks,
    };
    let folder = arguments.output.clone().unwrap_or_else(|| search.builder.work());
    write(&bisection, &folder)?;
    show(&bisection, arguments.format);
    Ok(exit(&bisection))
}

/// How commits are built: each as a base that is kept.
fn of_commits(request: &MeasureRequest) -> BuildOptions {
    BuildOptions {
        cargo_options: request.cargo_options.clone(),
        jobs: request.jobs,
        store: Some(BaseStore::below(&cache_dir())),
        head_is_elsewhere: true,
        ..BuildOptions::default()
    }
}

/// Prints the report.
pub(crate) fn show(bisection: &Bisection, format: BisectFormat) {
    show::text(&match format {
        BisectFormat::Terminal => bisection::terminal(bisection),
        BisectFormat::Markdown => bisection::markdown(bisection),
        BisectFormat::Json => bisection.to_json(),
    });
}

/// The history that is searched: that of the last search, if it is resumed.
fn commits(
    session: &Session,
    arguments: &BisectArgs,
    known: Option<&State>,
) -> Result<Vec<Commit>, CommandError> {
    let repository = &session.repository;
    let (good, bad) = match known {
        Some(State { commits, .. }) => (commits.first().cloned(), commits.last().cloned()),
        None => (arguments.good.clone(), Some(arguments.bad.clone())),
    };
    let [good, bad] = [good, bad].map(Option::unwrap_or_default);
    let commits =
        repository.first_parents(&repository.commit(&good)?, &repository.commit(&bad)?)?;
    Ok(commits)
}

/// The bad commit's policy. Suites that it declares have separate builds, whose results stay in one folder. Rounds of
/// many commits are compared, and lockstep leads two.
fn policy(
    session: &Session,
    request: &MeasureRequest,
    bad: &Revision,
) -> Result<Policy, CommandError> {
    let effective = policy::of_commit(request, &session.repository, &session.workspace, bad, bad)?;
    let mut policy = effective.policy;
    policy.suites.clear();
    if request.runtime == Some(Runtime::Lockstep) {
        let message = "nothing was searched: a search measures many commits in rounds, with Criterion itself, and not in lockstep";
        return Err(HostError::usage(message, "omit `--runtime lockstep`").into());
    }
    policy.build.runtime = Runtime::Criterion;
    Ok(policy)
}

/// The benchmarks of the bad commit that were asked for.
fn benchmarks(builder: &mut Builder<'_>, bad: usize) -> Result<Vec<Searched>, CommandError> {
    if let Some(reason) = builder.build(bad)? {
        return Err(CommandError::Unmeasured(format!(
            "nothing was searched: the bad commit cannot be tested: {reason}"
        )));
    }
    let keys = builder.wanted(bad);
    if keys.is_empty() {
        let message = "nothing was searched: no timed benchmark of the bad commit's bench targets is named so";
        let help = "`benchgate check --list` lists the benchmarks";
        return Err(HostError::usage(message, help).into());
    }
    Ok(keys.iter().map(Searched::new).collect())
}

fn named(commit: &Commit) -> BisectCommit {
    BisectCommit { commit: commit.commit.clone(), subject: commit.subject.clone() }
}

/// What is searched and how it is built. A search is resumed as it began, unless something else is requested.
fn request(arguments: &BisectArgs, known: Option<&State>) -> MeasureRequest {
    let began = known.and_then(|state| parsed(&state.command));
    let given = asked(arguments);
    began.map(|began| asked(&began)).filter(|_| given == MeasureRequest::default()).unwrap_or(given)
}

fn asked(arguments: &BisectArgs) -> MeasureRequest {
    let mut request = MeasureRequest {
        policy: arguments.policy.clone(),
        pairs: arguments.pairs,
        ..(&arguments.cargo).into()
    };
    let selection = &mut request.selection;
    selection.filter = globs_of(&arguments.filter, &arguments.benchmarks);
    selection.suites.clone_from(&arguments.suite);
    request
}

/// The arguments of a command that [`command`] made.
fn parsed(command: &str) -> Option<BisectArgs> {
    match Cli::try_parse_from(words(command)?).ok()?.command? {
        Command::Bisect(arguments) => Some(arguments),
        _ => None,
    }
}

/// The command that begins this search, with everything that decides builds and measurements.
fn command(request: &MeasureRequest, good: &Commit, bad: &Commit) -> String {
    let ends = [option("--good", &good.commit), option("--bad", &bad.commit)];
    let words = ["benchgate bisect".to_owned()].into_iter().chain(ends).chain(request.words());
    words.collect::<Vec<_>>().join(" ")
}

/// Writes the report and a log for git of each slowdown that was found.
fn write(bisection: &Bisection, folder: &Path) -> Result<(), CommandError> {
    files::write_atomically(&folder.join("bisect.json"), bisection.to_json().as_bytes())?;
    let markdown = bisection::markdown(bisection);
    files::write_atomically(&folder.join("bisect.md"), markdown.as_bytes())?;
    let mut logs = bisection.benchmarks.iter().flat_map(|benchmark| {
        benchmark.found.iter().map(|found| replay_log(&bisection.commits, benchmark, found))
    });
    for path in (1..).map(|number| log(folder, number)) {
        match logs.next() {
            Some(text) => files::write_atomically(&path, text.as_bytes())?,
            // Those of an earlier search.
            None if path.is_file() => files::remove_file(&path)?,
            None => break,
        }
    }
    Ok(())
}

fn log(folder: &Path, number: usize) -> PathBuf {
    match number {
        1 => folder.join("bisect.log"),
        _ => folder.join(format!("bisect.{number}.log")),
    }
}

fn exit(bisection: &Bisection) -> Exit {
    let is_untestable =
        |refused: &Option<BisectRefusal>| matches!(refused, Some(BisectRefusal::Untestable { .. }));
    if bisection.benchmarks.iter().any(|benchmark| is_untestable(&benchmark.refused)) {
        Exit::Incomplete
    } else if bisection.benchmarks.iter().all(|benchmark| benchmark.is_settled()) {
        Exit::Pass
    } else {
        Exit::Inconclusive
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_goes_on_as_it_began_unless_something_else_is_asked_for() {
        let of = |command: &str| parsed(command).unwrap();
        let first = of(
            "benchgate bisect --good v1 --policy p.toml --pairs 20 --suite speed --features simd --no-default-features \
             --runtime criterion --locked --filter=-1 -- decode/ -2",
        );
        let commit = |id: &str| Commit { commit: id.to_owned(), subject: String::new() };
        let command = command(&asked(&first), &commit("a1"), &commit("b2"));
        assert_eq!(asked(&of(&command)), asked(&first), "{command}");
        assert_eq!(of(&command).good.as_deref(), Some("a1"));
        let state = State {
            schema: STATE_SCHEMA.to_owned(),
            seed: 1,
            commits: Vec::new(),
            settings: String::new(),
            command,
            benchmarks: Vec::new(),
        };
        let resumed = of("benchgate bisect --resume");
        assert_eq!(request(&resumed, Some(&state)), asked(&first));
        let other = of("benchgate bisect --resume --features other");
        assert_eq!(request(&other, Some(&state)), asked(&other));
    }
}
