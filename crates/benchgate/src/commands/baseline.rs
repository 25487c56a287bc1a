//! `benchgate baseline`: records of a commit on a machine, which are committed.

use std::collections::BTreeMap;
use std::path::Path;

use benchgate_core::adapters::critcmp::BaselineBenchmark;
use benchgate_core::judge::{Observation, Outcome};
use benchgate_core::model::{Finding, Side, Sides, SuiteKey};
use benchgate_core::policy::Policy;
use benchgate_core::result::{Method, SuiteReport};
use benchgate_host::HostError;
use benchgate_host::git::Repository;
use benchgate_host::harness::toolchain;
use benchgate_host::measure::Inventory;
use benchgate_host::sides::BuiltSide;
use benchgate_host::store::baselines::{self, BaselineContext};

use super::compare::{Named, compare};
use crate::error::CommandError;
use crate::exit::Exit;
use crate::observe::{Bench, untimed_suites};
use crate::policy::EffectivePolicy;
use crate::record::record;
use crate::request::MeasureRequest;
use crate::session::{Session, of_own_head, suites, workspace};
use crate::{policy, progress, show};

/// Refuses a baseline that would not be one of a whole commit.
fn refuse_part(request: &MeasureRequest) -> Result<(), CommandError> {
    if !request.selection.filter.is_empty() || !request.selection.suites.is_empty() {
        return Err(HostError::usage(
            "a baseline of some benchmarks would drop the others from its file",
            "omit --filter and --suite",
        )
        .into());
    }
    Ok(())
}

/// The error of a baseline that is not written: of a suite or benchmark that gave no value.
fn unmeasured(what: &str, reason: &str, output: &str) -> CommandError {
    let output: String = output.lines().map(|line| format!("\n    | {line}")).collect();
    CommandError::Unmeasured(format!("no baseline was written: {what}: {reason}{output}"))
}

fn by_suite(
    benchmarks: Vec<(SuiteKey, BaselineBenchmark)>,
) -> BTreeMap<SuiteKey, Vec<BaselineBenchmark>> {
    let mut by_suite: BTreeMap<_, Vec<BaselineBenchmark>> = BTreeMap::new();
    for (suite, benchmark) in benchmarks {
        by_suite.entry(suite).or_default().push(benchmark);
    }
    by_suite
}

fn dirty() -> CommandError {
    let message =
        "a baseline is the record of a commit, and the working tree has uncommitted changes";
    HostError::usage(message, "commit or stash them, or add --allow-dirty").into()
}

/// Measures the head commit and writes its baseline. Writes nothing if anything fails.
pub(crate) fn save(request: &MeasureRequest, allow_dirty: bool) -> Result<Exit, CommandError> {
    refuse_part(request)?;
    let session = Session::open(request.machine.as_deref(), request.manifest_path.as_deref())?;
    let head = session.head(None)?;
    if head.dirty && !allow_dirty {
        return Err(dirty());
    }
    let EffectivePolicy { policy, .. } =
        policy::of_commit(request, &session.repository, &session.workspace, &head, &head)?;
    let progress = progress::progress();
    let build_dir = session.build_dir(&policy, of_own_head(request))?;
    let building = session.building(&request.selection, &policy, &build_dir, &*progress);
    let side = building.prepare(Side::Head, &head)?;
    let mut left_out = suites(None, &side.inventory);
    left_out.extend(untimed_suites(&side.inventory));
    if let Some(failed) = left_out.iter().find(|suite| suite.finding == Finding::Failed) {
        return Err(unmeasured(&failed.key().to_string(), &failed.reason, &failed.output));
    }
    let matches = request.selection.matches(
        Inventory::timed_keys,
        Sides::new(&Inventory::default(), &side.inventory),
        &policy,
        None,
    );
    let bench = Bench::new(&policy, 0, &build_dir, &*progress);
    let measured = record(&side.inventory, matches, &bench)?;
    // Half a baseline is none.
    benchgate_host::system::interrupt::check()?;
    if let Some(Observation { key, outcome: Outcome::Failed { reason, output, .. }, .. }) =
        measured.others.iter().find(|o| matches!(o.outcome, Outcome::Failed { .. }))
    {
        return Err(unmeasured(&format!("`{key}`"), reason, output));
    }
    if measured.benchmarks.is_empty() {
        let message = "no baseline was written: there is no benchmark with a time to measure";
        return Err(CommandError::Unmeasured(message.to_owned()));
    }
    let workspace = side.built.as_ref().map_or(&session.workspace, |built| &built.workspace);
    let declared = side.built.iter().flat_map(BuiltSide::declared);
    let context = BaselineContext {
        commit: &head.commit,
        time: &show::now(),
        machine: &session.machine,
        toolchain: &toolchain::fingerprint(workspace, &policy.build, declared)?,
    };
    let number = measured.benchmarks.len();
    for path in baselines::save(&session.workspace.root, &context, by_suite(measured.benchmarks))? {
        let shown = path.strip_prefix(&session.workspace.root).unwrap_or(&path);
        show::say(&format!("written: {}", shown.display()));
    }
    say_skipped(&left_out, &measured.others);
    show::say(&format!(
        "{number} benchmarks; commit the files to make them this machine's baseline"
    ));
    Ok(Exit::Pass)
}

fn say_skipped(suites: &[SuiteReport], benchmarks: &[Observation]) {
    for suite in suites {
        show::say(&format!("skipped: {}: {}", suite.key(), suite.reason));
    }
    for Observation { key, outcome, .. } in benchmarks {
        if let Outcome::Skipped { reason } = outcome {
            show::say(&format!("skipped: {key}: {reason}"));
        }
    }
}

/// Lists the baselines of the workspace.
pub(crate) fn list() -> Result<Exit, CommandError> {
    let root = workspace()?.root;
    let files = baselines::list(&root)?;
    if files.is_empty() {
        show::say(&format!(
            "no baseline below {}; `benchgate baseline save` makes one",
            baselines::FOLDER
        ));
    }
    for path in files {
        let record = baselines::read(&path)?;
        let commit = record.commit.unwrap_or_default();
        show::say(&format!(
            "{}  {} benchmarks  commit {}  {}",
            path.strip_prefix(&root).unwrap_or(&path).display(),
            record.benchmarks.len(),
            commit.get(..10).unwrap_or(&commit),
            record.time.unwrap_or_default(),
        ));
    }
    Ok(Exit::Pass)
}

/// Shows the values of one baseline file.
pub(crate) fn show(file: &Path) -> Result<Exit, CommandError> {
    show::existing(file)?;
    let record = baselines::read(file)?;
    if let Some(machine) = &record.machine {
        show::say(&format!(
            "machine    {} ({}, {} cores)",
            machine.name, machine.cpu, machine.cores
        ));
    }
    if let Some(toolchain) = &record.toolchain {
        show::say(&format!("toolchain  {}; {}", toolchain.rustc, toolchain.profile));
    }
    if let (Some(commit), Some(time)) = (&record.commit, &record.time) {
        show::say(&format!("commit     {commit} at {time}"));
    }
    for (key, values) in &record.benchmarks {
        show::say(&format!(
            "{:>16.3} ns ± {:.3}  {} rounds  {}",
            values.mean,
            values.std_dev,
            values.rounds.len(),
            key.id
        ));
    }
    Ok(Exit::Pass)
}

/// Reads every baseline file and reports errors.
pub(crate) fn verify() -> Result<Exit, CommandError> {
    let root = workspace()?.root;
    let files = baselines::list(&root)?;
    let mut wrong = 0;
    for path in &files {
        if let Err(problem) = verify_file(path) {
            wrong += 1;
            CommandError::from(problem).report();
        }
    }
    show::say(&format!("{} baseline files, {wrong} of them wrong", files.len()));
    Ok(if wrong == 0 { Exit::Pass } else { Exit::Incomplete })
}

fn verify_file(path: &Path) -> Result<(), HostError> {
    let record = baselines::read(path)?;
    let wrong = |problem: String| HostError::Content { path: path.to_owned(), problem };
    let Some(machine) = &record.machine else {
        return Err(wrong("`benchgate`: is missing; save the baseline again".into()));
    };
    let folder = path.parent().and_then(Path::file_name).map(|n| n.to_string_lossy().into_owned());
    if folder.as_deref() != Some(&machine.name) {
        return Err(wrong(format!(
            "`benchgate.machine.name`: `{}` is not the name of its folder",
            machine.name
        )));
    }
    let stem = path.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    match record.benchmarks.keys().find(|key| key.suite_key().to_string() != stem) {
        None => Ok(()),
        Some(key) => Err(wrong(format!(
            "`benchgate.suite`: the file is of `{}.{}`, but has another name",
            key.package, key.suite
        ))),
    }
}

/// Shows how the baselines differ from those of a commit. It is not a gate: the exit code is 0.
pub(crate) fn diff(revision: &str) -> Result<Exit, CommandError> {
    let workspace = workspace()?;
    let repository = Repository::around(&workspace.root)?;
    let commit = repository.commit(revision)?;
    let mut machines: Vec<String> = baselines::list(&workspace.root)?
        .iter()
        .filter_map(|path| Some(path.parent()?.file_name()?.to_string_lossy().into_owned()))
        .collect();
    machines.dedup();
    for machine in machines {
        let Some(before) = baselines::merged(baselines::committed(
            &repository,
            &commit.commit,
            &workspace.root,
            &machine,
        )?) else {
            show::say(&format!("{machine}: {revision} has no baseline for it"));
            continue;
        };
        let folder = workspace.root.join(baselines::FOLDER).join(&machine);
        let after = benchgate_host::store::sources::read(&folder.to_string_lossy())?;
        let result = compare(
            Named { name: &format!("{machine} at {revision}"), record: before },
            Named { name: &format!("{machine} now"), record: after },
            &Policy::default(),
            Method::Recorded,
        )?;
        show::print_terminal(&result);
    }
    Ok(Exit::Pass)
}
