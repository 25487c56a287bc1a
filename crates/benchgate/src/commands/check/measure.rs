//! Measures the builds, in pairs of both sides or as rounds of the head.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use benchgate_core::doctor::while_measuring;
use benchgate_core::judge::{Observation, observe_records, unused_entries};
use benchgate_core::model::{BenchmarkKey, Recorded, Sides, Toolchain};
use benchgate_core::policy::Policy;
use benchgate_core::result::{MeasuredSuite, Method, Seconds, SuiteReport};
use benchgate_host::measure::{Inventory, Layouts};
use benchgate_host::store::journal::Journal;
use benchgate_host::system::awake;
use benchgate_host::system::others::Others;

use super::build::Built;
use super::counting::count_instructions;
use super::plan::Plan;
use super::watch::Watch;
use super::{hints, journal, observed, resume, shard};
use crate::building::Prepared;
use crate::building::scratch;
use crate::error::CommandError;
use crate::observe::{Bench, Times, observe, observe_counts, untimed_suites};
use crate::record::{Recording, record, recorded};
use crate::session::suites;

/// Everything that was observed.
pub(super) struct Measured<'a> {
    pub(super) plan: &'a Plan<'a>,
    pub(super) sides: Sides<Prepared>,
    /// Where the values are kept until the run is decided.
    pub(super) journal: Journal,
    pub(super) observed: Vec<Observation>,
    /// What other shards measure.
    pub(super) left: BTreeSet<BenchmarkKey>,
    /// Suites that were not measured.
    pub(super) suites: Vec<SuiteReport>,
    pub(super) toolchain: Option<Toolchain>,
    pub(super) seconds: Seconds,
    /// What it took to measure each suite.
    pub(super) measured: Vec<MeasuredSuite>,
    pub(super) notices: Vec<String>,
}

/// The observations of one method.
#[derive(Default)]
struct Observed {
    observed: Vec<Observation>,
    /// Time spent on linking other layouts.
    linking: Duration,
    /// What other shards measure.
    left: BTreeSet<BenchmarkKey>,
    /// What the base read, or why that is not known; `None` if it is not kept.
    read: Option<Result<benchgate_core::affected::Observed, String>>,
    measured: Vec<MeasuredSuite>,
    notices: Vec<String>,
}

pub(super) fn measure(built: Built<'_>) -> Result<Measured<'_>, CommandError> {
    let plan = built.plan;
    let journal = journal::open(&built)?;
    let began = Instant::now();
    // A head that does not build leaves nothing to match. Without a base, its benchmarks are new.
    let Observed { mut observed, linking, left, read, measured, notices } =
        match (plan.method, &plan.baseline) {
            _ if built.sides.head.built.is_none() => Observed::default(),
            (Method::Baseline, Some(baseline)) => against_baseline(&built, baseline, &journal)?,
            _ => in_pairs(&built, &journal)?,
        };
    let unobserved = observed::keep(&built, read, &observed)?;
    let (whole, linking) = (began.elapsed().as_secs_f64(), linking.as_secs_f64());
    let Built { sides, toolchain, seconds, notices: of_build, .. } = built;
    let mut notices = [of_build, notices].concat();
    notices.extend(unobserved);
    notices.extend(count_instructions(plan, &sides, &journal, &mut observed)?);
    let Sides { base, head } = sides.as_ref().map(|side| &side.inventory);
    let mut suites = suites(Some(base), head);
    if plan.method == Method::Baseline {
        suites.extend(untimed_suites(head));
    }
    suites.extend(shard::shared(&left));
    suites.extend(shard::without_benchmarks(plan.suites.shard.as_ref(), &observed, &suites));
    suites.extend(resume::interruption(&journal, &plan.attempt.resume()));
    notices.extend(hints::lendable(plan, &observed, &suites));
    notices.extend(hints::allowable(plan, &observed, &suites));
    // To link again is to compile again: it builds, while nothing is measured.
    let seconds = Seconds { build: seconds + linking, measure: whole - linking };
    Ok(Measured {
        plan,
        sides,
        journal,
        observed,
        left,
        suites,
        toolchain,
        seconds,
        measured,
        notices,
    })
}

/// Alternating rounds of both sides.
fn in_pairs(built: &Built<'_>, journal: &Journal) -> Result<Observed, CommandError> {
    let Built { plan, sides, .. } = built;
    let scope = plan.scope;
    let run = scratch(&plan.build_dir);
    let layouts = sides.as_ref().map(|side| side.built.as_ref()).both().map(|sides| {
        let Policy { build, measure, .. } = &scope.policy;
        let (seed, progress) = (plan.attempt.seed, &*plan.progress);
        Layouts::new(&plan.build_dir, sides, build, measure, &run, seed, progress)
    });
    let bench = Bench {
        baseline: rounds_of(plan.baseline.as_ref()),
        layouts: layouts.as_ref(),
        same: built.same.clone(),
        ..bench(plan, journal)
    };
    let inventories = sides.as_ref().map(|side| &side.inventory);
    let selection = &scope.request.measure.selection;
    let (policy, declared) = (&scope.policy, scope.of_head.as_ref());
    let counted = |side: &Inventory| side.counts().keys().cloned().collect();
    let mut counted = selection.matches(counted, inventories, policy, declared);
    let mut sampled = selection.matches(Inventory::keys, inventories, policy, declared);
    let shard = plan.suites.shard.as_ref();
    let left = [&mut counted, &mut sampled].into_iter().flat_map(|all| shard::leave(shard, all));
    let left = left.collect();
    let mut observed = observe_counts(inventories, counted, &bench);
    let watch = sides.base.built.as_ref().filter(|_| built.asked.is_some());
    let watch = Watch::begin(watch);
    let mut notices = [hints::moved(plan, &sampled), hints::unstable(&sampled)].concat();
    let others = (!sampled.is_empty()).then(Others::begin);
    let Times { observed: times, cut, suites: measured } = observe(inventories, sampled, &bench)?;
    let others = others.and_then(Others::end);
    let read = watch.map(Watch::end);
    observed.extend(times);
    notices.extend(cut_off(plan, &cut));
    notices.extend(awake::notice());
    notices.extend(others.and_then(|(used, of)| while_measuring(used, of)));
    notices.extend(hints::in_turn(&measured));
    notices.extend(unmatched(plan, inventories));
    let linking = layouts.as_ref().map(Layouts::linking).unwrap_or_default();
    Ok(Observed { observed, linking, left, read, measured, notices })
}

/// Rounds of the head, compared with a committed baseline.
fn against_baseline(
    built: &Built<'_>,
    baseline: &Recorded,
    journal: &Journal,
) -> Result<Observed, CommandError> {
    let plan = built.plan;
    let scope = plan.scope;
    let inventories = built.sides.as_ref().map(|side| &side.inventory);
    let matches = scope.request.measure.selection.matches(
        Inventory::timed_keys,
        inventories,
        &scope.policy,
        scope.of_head.as_ref(),
    );
    let bench = bench(plan, journal);
    let Recording { benchmarks, others, cut } = record(inventories.head, matches, &bench)?;
    let mut observed = observe_records(baseline.clone(), recorded(benchmarks), &scope.policy);
    observed.retain(|o| others.iter().all(|other| other.key != o.key));
    observed.extend(others);
    let notices = Vec::from_iter(cut_off(plan, &cut));
    Ok(Observed { observed, notices, ..Observed::default() })
}

fn bench<'b>(plan: &'b Plan<'_>, journal: &'b Journal) -> Bench<'b> {
    let Plan { scope, build_dir, attempt, suites, progress, .. } = plan;
    Bench {
        budget: scope.budget(),
        journal: Some(journal),
        shard: suites.shard.as_ref().map(|shard| shard.part),
        earlier: attempt.previous.as_ref().map(|previous| &previous.earlier),
        ..Bench::new(&scope.policy, attempt.seed, build_dir, &**progress)
    }
}

fn rounds_of(baseline: Option<&Recorded>) -> BTreeMap<BenchmarkKey, Vec<f64>> {
    let benchmarks = baseline.iter().flat_map(|record| &record.benchmarks);
    benchmarks.map(|(key, values)| (key.clone(), values.rounds.clone())).collect()
}

/// Names the globs of the command line that match nothing, and the entries of the policy, if all benchmarks were asked
/// for.
fn unmatched(plan: &Plan<'_>, inventories: Sides<&Inventory>) -> Vec<String> {
    let scope = plan.scope;
    let keys = inventories.map(|inventory| {
        let counted = inventory.counts().keys().cloned();
        inventory.keys().into_iter().chain(counted).collect::<BTreeSet<_>>()
    });
    let mut notices = Vec::new();
    // A glob may be about benchmarks of suites that are not built.
    if plan.untouched().is_empty() && plan.suites.shard.is_none() {
        let selection = &scope.request.measure.selection;
        notices.extend(selection.unmatched_globs(&(&keys.base | &keys.head)));
    }
    if plan.is_whole() {
        // The base's holds, and the author can still change the head's.
        let policy = scope.of_head.as_ref().unwrap_or(&scope.policy);
        let suites = suites(Some(inventories.base), inventories.head);
        notices.extend(unused_entries(policy, keys.as_ref(), &suites));
    }
    notices
}

/// Names the benchmarks that the budget was too short for.
fn cut_off(plan: &Plan<'_>, cut: &[BenchmarkKey]) -> Option<String> {
    const NAMED: usize = 20;
    let budget = plan.scope.request.budget.filter(|_| !cut.is_empty())?;
    let names: Vec<String> = cut.iter().take(NAMED).map(|key| format!("`{key}`")).collect();
    let more = match cut.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!(
        "the budget of {} ended before {} benchmark{} settled: {}{more}",
        humantime::format_duration(budget),
        cut.len(),
        if cut.len() == 1 { " was" } else { "s were" },
        names.join(", ")
    ))
}
