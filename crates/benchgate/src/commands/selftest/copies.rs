//! Compares every benchmark with a copy of itself, using the gate's own engine.

use std::time::Instant;

use benchgate_core::judge::{Context, decide};
use benchgate_core::model::{Side, Sides};
use benchgate_core::result::{Origin, SuiteReport};
use benchgate_core::selftest::{Copied, LEAST_PAIRS};
use benchgate_host::cargo::neighbours;
use benchgate_host::measure::Inventory;
use benchgate_host::sides::{BuildDir, Executable};
use benchgate_host::system::files;
use benchgate_host::{HostError, Progress};
use fs_err as fs;

use super::stopwatch::Stopwatch;
use crate::building::scratch;
use crate::error::CommandError;
use crate::observe::{Bench, observe, observe_counts};
use crate::policy::{self, EffectivePolicy};
use crate::request::SelftestRequest;
use crate::session::{Session, of_own_head};

/// The outcome.
pub(super) struct Copies {
    pub(super) head: Origin,
    pub(super) suites: Vec<SuiteReport>,
    pub(super) benchmarks: Vec<Copied>,
}

/// Builds the working tree once and measures it against byte copies of its executables.
pub(super) fn compare(
    request: &SelftestRequest,
    session: &Session,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Copies, CommandError> {
    let began = Instant::now();
    let head = session.head(None)?;
    let EffectivePolicy { policy, .. } =
        policy::of_commit(&request.measure, &session.repository, &session.workspace, &head, &head)?;
    let selection = &request.measure.selection;
    let build_dir = session.build_dir(&policy, of_own_head(&request.measure))?;
    let building = session.building(selection, &policy, &build_dir, progress);
    let prepared = building.prepare(Side::Head, &head)?;
    let origin = Origin { commit: head.commit, name: head.name, dirty: head.dirty };
    let original = prepared.inventory;
    let mut suites = original.suites_left_out.clone();
    let Some(built) = prepared.built else {
        return Ok(Copies { head: origin, suites, benchmarks: Vec::new() });
    };
    let copies = copies(&built.executables, &build_dir)?;
    let copy = Inventory::of(&copies, &policy.measure, &scratch(&build_dir), progress)?;
    suites.extend(
        copy.suites_left_out
            .iter()
            .filter(|s| s.finding == benchgate_core::model::Finding::Failed)
            .cloned(),
    );

    let stopwatch = Stopwatch::new(progress);
    let bench = Bench {
        budget: request.budget.map(|budget| (began, budget)),
        least_pairs: LEAST_PAIRS,
        // They are the same, and measuring must show it.
        ..Bench::new(&policy, seed, &build_dir, &stopwatch)
    };
    let counted = |side: &Inventory| side.counts().keys().cloned().collect();
    let inventories = Sides::new(&copy, &original);
    let counts = selection.matches(counted, inventories, &policy, None);
    let sampled = selection.matches(Inventory::keys, inventories, &policy, None);
    let mut observed = observe_counts(inventories, counts, &bench);
    let timed = observe(inventories, sampled, &bench)?.observed;
    benchgate_host::system::interrupt::check()?;
    observed.extend(timed);
    let benchmarks = decide(observed, Vec::new(), &policy, Context::default())
        .benchmarks
        .into_iter()
        .map(|report| {
            let seconds = match report.metric.is_count() {
                true => 0.0,
                false => stopwatch.seconds(&report.key()),
            };
            Copied::new(report, seconds)
        })
        .collect();
    Ok(Copies { head: origin, suites, benchmarks })
}

/// Copies executables to paths of equal length: a longer path moves the stack of the process.
fn copies(originals: &[Executable], build_dir: &BuildDir) -> Result<Vec<Executable>, HostError> {
    let folder = build_dir.work.join("bin").join(Side::Base.name());
    files::remove_dir(&folder)?;
    fs::create_dir_all(&folder)?;
    originals
        .iter()
        .map(|original| {
            // It runs where it was built: it is compared with itself.
            if original.declared.is_some() {
                return Ok(original.clone());
            }
            let has_neighbours = !original.neighbours.is_empty();
            let path = neighbours::place(&folder, &original.key, has_neighbours);
            neighbours::copy([&original.path, &path], &original.neighbours)?;
            fs::copy(&original.path, &path)?;
            Ok(Executable { path, ..original.clone() })
        })
        .collect()
}
