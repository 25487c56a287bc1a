//! Every benchmark against a copy of itself, through the gate's own engine.

use std::time::{Duration, Instant};

use benchgate_core::judge::judge;
use benchgate_core::model::{BenchmarkKey, Side};
use benchgate_core::result::{Method, Origin, SuiteReport};
use benchgate_core::selftest::{Copied, LEAST_PAIRS};
use benchgate_host::measure::Inventory;
use benchgate_host::sides::{Executable, Workshop};
use benchgate_host::{HostError, Progress, files};
use fs_err as fs;

use super::stopwatch::Stopwatch;
use crate::cli::SelftestArgs;
use crate::error::CommandError;
use crate::observe::{Bench, observe, observe_counts};
use crate::policy::{self, Held};
use crate::session::{Session, scratch};

/// What came of it.
pub(super) struct Copies {
    pub(super) head: Origin,
    pub(super) suites: Vec<SuiteReport>,
    pub(super) benchmarks: Vec<Copied>,
}

/// Builds the working tree once and measures it against byte copies of its executables.
pub(super) fn compare(
    arguments: &SelftestArgs,
    session: &Session,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Copies, CommandError> {
    let began = Instant::now();
    let head = session.head(None)?;
    let Held { policy, .. } = policy::of_commit(
        &arguments.measure,
        &session.repository,
        &session.workspace,
        &head,
        &head,
    )?;
    let workshop = Workshop::open(&session.repository, &session.workspace)?;
    let prepared = session.prepare(Side::Head, &head, &workshop, &policy, progress)?;
    let origin = Origin { commit: head.commit, name: head.name, dirty: head.dirty };
    let original = prepared.inventory;
    let mut suites = original.suites_left_out.clone();
    let Some(built) = prepared.built else {
        return Ok(Copies { head: origin, suites, benchmarks: Vec::new() });
    };
    let copies = copies(&built.executables, &workshop)?;
    let copy = Inventory::of(&copies, &policy.measure, &scratch(&workshop), progress)?;
    suites.extend(
        copy.suites_left_out
            .iter()
            .filter(|s| s.finding == benchgate_core::model::Finding::Failed)
            .cloned(),
    );

    let stopwatch = Stopwatch::new(progress);
    let bench = Bench {
        budget: arguments.budget.map(|budget| (began, Duration::from(budget))),
        least_pairs: LEAST_PAIRS,
        // They are the same, and that is what is to be found out by measuring.
        ..Bench::new(&policy, seed, &workshop, &stopwatch)
    };
    let counted = |side: &Inventory| side.counts().keys().cloned().collect();
    let counts = session.matches(counted, &copy, &original, &policy);
    let times = session.matches(Inventory::keys, &copy, &original, &policy);
    let mut observed = observe_counts(&copy, &original, counts, &bench);
    let (timed, _) = observe(&copy, &original, times, &bench)?;
    observed.extend(timed);
    let benchmarks = judge(observed, &policy, Method::Paired)
        .into_iter()
        .map(|report| {
            let seconds = match report.metric.is_count() {
                true => 0.0,
                false => {
                    let (package, suite) = (report.package.as_str(), report.suite.as_str());
                    stopwatch.seconds(&BenchmarkKey::new(package, suite, report.id.as_str()))
                }
            };
            Copied::new(report, seconds)
        })
        .collect();
    Ok(Copies { head: origin, suites, benchmarks })
}

/// Copies executables beside the originals. The paths are of one length: a longer one moves the stack of
/// what is measured.
fn copies(originals: &[Executable], workshop: &Workshop) -> Result<Vec<Executable>, HostError> {
    let folder = workshop.work.join("bin").join(Side::Base.name());
    files::remove_dir(&folder)?;
    fs::create_dir_all(&folder)?;
    originals
        .iter()
        .map(|original| {
            let path = folder.join(original.path.file_name().unwrap_or_default());
            fs::copy(&original.path, &path)?;
            Ok(Executable { path, ..original.clone() })
        })
        .collect()
}
