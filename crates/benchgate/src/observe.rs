//! Measuring what is matched, and what was observed of it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use benchgate_core::judge::{
    Counted, Earlier, Known, Match, Observation, Outcome, counters, new_ones, unmatched,
};
use benchgate_core::model::{
    BenchmarkKey, Evidence, Means, Metric, Shard, Sides, SkipReason, SuiteKey, Twice,
};
use benchgate_core::policy::Policy;
use benchgate_core::result::{MeasuredSuite, SuiteReport};
use benchgate_core::schedule::{Goal, Measurements, PAIRS_FOR_RULE, Plan, Relation};
use benchgate_core::stats;
use benchgate_host::Progress;
use benchgate_host::measure::{Inventory, Layouts, Measured, Settings, Work, measure};
use benchgate_host::sides::BuildDir;
use benchgate_host::store::journal::Journal;

use crate::building::scratch;
use crate::error::CommandError;

/// Settings of a run of the gate, and what is known before it measures.
pub(crate) struct Bench<'a> {
    pub(crate) policy: &'a Policy,
    pub(crate) seed: u64,
    pub(crate) build_dir: &'a BuildDir,
    pub(crate) progress: &'a dyn Progress,
    /// Start of the run and its maximum time; `None` for no limit.
    pub(crate) budget: Option<(Instant, Duration)>,
    /// Rounds of the committed baseline of this machine.
    pub(crate) baseline: BTreeMap<BenchmarkKey, Vec<f64>>,
    /// Pairs that every benchmark gets, however clear it is with fewer.
    pub(crate) least_pairs: u32,
    /// Layouts of the executables of confirmation pairs; `None` for the built ones.
    pub(crate) layouts: Option<&'a Layouts<'a>>,
    /// The journal that keeps turns during the run.
    pub(crate) journal: Option<&'a Journal>,
    /// The part of the run that is measured.
    pub(crate) shard: Option<Shard>,
    /// The earlier attempts on the same base and head.
    pub(crate) earlier: Option<&'a Earlier>,
    /// Suites whose executables are the same on both sides; how that is known.
    pub(crate) same: BTreeMap<SuiteKey, String>,
}

impl<'a> Bench<'a> {
    /// As much time as it takes, no baseline, nothing known to be the same.
    pub(crate) fn new(
        policy: &'a Policy,
        seed: u64,
        build_dir: &'a BuildDir,
        progress: &'a dyn Progress,
    ) -> Self {
        Self {
            policy,
            seed,
            build_dir,
            progress,
            budget: None,
            baseline: BTreeMap::new(),
            least_pairs: 0,
            layouts: None,
            journal: None,
            shard: None,
            earlier: None,
            same: BTreeMap::new(),
        }
    }

    /// Rounds of the committed baseline; of a renamed benchmark, under its old name.
    fn baseline_of(&self, pair: Sides<&BenchmarkKey>) -> Option<&[f64]> {
        self.baseline.get(pair.head).or_else(|| self.baseline.get(pair.base)).map(Vec::as_slice)
    }

    fn why_same(&self, pair: Sides<&BenchmarkKey>) -> Option<String> {
        let reason = self.same.get(&pair.head.suite_key())?;
        (pair.base == pair.head).then(|| reason.clone())
    }

    fn goal(&self, pair: Sides<&BenchmarkKey>) -> Goal {
        Goal::Compare {
            limits: self.policy.limits_for(pair.head),
            at_least: self.least_pairs.max(self.pairs_for_rules(pair.head)),
            baseline: self.baseline_of(pair).and_then(stats::median),
        }
    }

    /// The pairs that earlier attempts measured of a benchmark.
    fn known(&self, key: &BenchmarkKey, has_base: bool) -> BTreeMap<Metric, Known> {
        self.earlier.map(|earlier| earlier.known(key, has_base)).unwrap_or_default()
    }

    /// The rounds that rules about a benchmark need.
    fn pairs_for_rules(&self, key: &BenchmarkKey) -> u32 {
        let is_in_rule = self.policy.rules.iter().any(|rule| rule.is_about(key));
        if is_in_rule { PAIRS_FOR_RULE } else { 0 }
    }
}

/// The metric under which a benchmark without a value is named.
fn metric_of(inventories: Sides<&Inventory>, key: &BenchmarkKey) -> Metric {
    let suite = key.suite_key();
    let of_head = inventories.head.metric_of(&suite);
    of_head.or_else(|| inventories.base.metric_of(&suite)).unwrap_or(Metric::TIME)
}

/// What was observed of times.
pub(crate) struct Times {
    pub(crate) observed: Vec<Observation>,
    /// The benchmarks that the time was too short for.
    pub(crate) cut: Vec<BenchmarkKey>,
    /// What it took to measure each suite.
    pub(crate) suites: Vec<MeasuredSuite>,
}

/// Measures what is matched and reports what was observed of each benchmark.
pub(crate) fn observe(
    inventories: Sides<&Inventory>,
    matches: Vec<Match>,
    bench: &Bench<'_>,
) -> Result<Times, CommandError> {
    let candidates = new_ones(&matches);
    let (mut work, mut goals, mut known) = (Vec::new(), Vec::new(), Vec::new());
    let (mut observed, mut cut) = (Vec::new(), Vec::new());
    for matched in matches {
        match matched {
            Match::Both { base, head } => {
                let pair = Sides::new(&base, &head);
                if let Some(reason) = bench.why_same(pair) {
                    let metric = metric_of(inventories, &head);
                    let outcome = Outcome::Identical { reason, head: Vec::new() };
                    observed.push(Observation { key: head, metric, outcome });
                    continue;
                }
                goals.push(bench.goal(pair));
                known.push(bench.known(&head, true));
                work.push(Work::new(Some(base), Some(head)));
            }
            // That it runs is worth knowing before it becomes a base, and a rule may be about it.
            Match::New(key) => {
                let rounds = bench.policy.measure.rounds.max(bench.pairs_for_rules(&key));
                goals.push(Goal::Record(rounds));
                known.push(bench.known(&key, false));
                work.push(Work::new(None, Some(key)));
            }
            other => {
                let metric = metric_of(inventories, other.key());
                observed.push(unmatched(other, &candidates, &metric));
            }
        }
    }
    let plan = plan(bench, inventories, &work, goals, known);
    let measured = run(bench, inventories, &work, plan)?;
    let mut suites = Vec::new();
    for (work, measured) in work.into_iter().zip(measured) {
        let Some(key) = work.head else { continue };
        suites.push(MeasuredSuite::of(key.suite_key(), measured.seconds, measured.held));
        if measured.measurements.is_cut {
            cut.push(key.clone());
        }
        let named = metric_of(inventories, &key);
        match failure(&measured) {
            Some(outcome) => observed.push(Observation { key, metric: named, outcome }),
            None => observed.extend(of_benchmark(work.base, &key, measured, bench, named)),
        }
    }
    Ok(Times { observed, cut, suites: MeasuredSuite::merged(&suites) })
}

/// Runs a plan.
fn run(
    bench: &Bench<'_>,
    inventories: Sides<&Inventory>,
    work: &[Work],
    plan: Plan,
) -> Result<Vec<Measured>, CommandError> {
    let scratch = scratch(bench.build_dir);
    let settings = Settings {
        measure: &bench.policy.measure,
        budget: bench.budget,
        scratch: &scratch,
        journal: bench.journal,
        layouts: bench.layouts,
        part: "pairs",
        progress: bench.progress,
    };
    Ok(measure(inventories.base, inventories.head, work, plan, &settings)?)
}

/// The benchmarks that are led one after the other, by index: those of a suite, in the order of the head's executable.
fn walks(inventories: Sides<&Inventory>, work: &[Work]) -> Vec<Vec<usize>> {
    let mut walks: BTreeMap<SuiteKey, Vec<(u64, usize)>> = BTreeMap::new();
    for (index, item) in work.iter().enumerate() {
        let position = item.iter().rev().find_map(|(side, key)| {
            let key = key.as_ref()?;
            Some((key.suite_key(), inventories[side].position(key)?))
        });
        if let Some((suite, position)) = position {
            walks.entry(suite).or_default().push((position, index));
        }
    }
    let in_order = |mut walk: Vec<(u64, usize)>| {
        walk.sort_unstable();
        walk.into_iter().map(|(_, index)| index).collect()
    };
    walks.into_values().map(in_order).collect()
}

/// The plan of rounds for work that has these goals, of which earlier attempts know this much.
fn plan(
    bench: &Bench<'_>,
    inventories: Sides<&Inventory>,
    work: &[Work],
    goals: Vec<Goal>,
    known: Vec<BTreeMap<Metric, Known>>,
) -> Plan {
    let Policy { rules, measure, build, .. } = bench.policy;
    let keys: Vec<Option<&BenchmarkKey>> = work.iter().map(|work| work.head.as_ref()).collect();
    let attempts = bench.earlier.map_or(0, |earlier| earlier.attempts().len());
    let plan = Plan::new(goals, measure.pairs, bench.seed)
        .with_walks(walks(inventories, work))
        .with_relations(Relation::of_rules(rules, &keys))
        .of_shard(bench.shard)
        .after(attempts, known);
    match bench.layouts {
        Some(_) => plan.with_layouts(build.layouts),
        None => plan,
    }
}

/// An observation for each metric; one for a benchmark that has no value.
fn of_benchmark(
    base: Option<BenchmarkKey>,
    head: &BenchmarkKey,
    measured: Measured,
    bench: &Bench<'_>,
    named: Metric,
) -> Vec<Observation> {
    let observation = |metric, outcome| Observation { key: head.clone(), metric, outcome };
    let Measured {
        measurements: Measurements { evidence, rounds, .. }, not_relinked, counts, ..
    } = measured;
    let counters = counters(&counts);
    let observations: Vec<Observation> = match &base {
        None => rounds
            .into_iter()
            .map(|(metric, Evidence { rounds, earlier, .. })| {
                observation(metric, Outcome::New { head: rounds.head, earlier })
            })
            .collect(),
        Some(base) => evidence
            .into_iter()
            .map(|(metric, evidence)| {
                let pair = Sides::new(base, head);
                let renamed_from = (base != head).then(|| base.clone());
                let outcome = if metric.is_count() {
                    match Counted::of_rounds(evidence.rounds) {
                        Some(counted) => Outcome::Counted { counted, renamed_from },
                        None => no_time(),
                    }
                } else {
                    let mut evidence = evidence;
                    // An attempt that measured no confirmation pair says nothing of it.
                    if !not_relinked.is_empty() {
                        evidence.not_relinked.clone_from(&not_relinked);
                    }
                    let evidence = evidence.counted(counters);
                    let evidence = Box::new(completed(evidence, &metric, pair, bench));
                    Outcome::Compared { evidence, renamed_from }
                };
                observation(metric, outcome)
            })
            .collect(),
    };
    if !observations.is_empty() {
        return observations;
    }
    let outcome = if base.is_some() { no_time() } else { Outcome::new_one(Vec::new()) };
    vec![observation(named, outcome)]
}

/// Adds the means and what the committed baseline holds.
fn completed(
    evidence: Evidence,
    metric: &Metric,
    pair: Sides<&BenchmarkKey>,
    bench: &Bench<'_>,
) -> Evidence {
    let mean: Means = evidence.all().map(|values| stats::mean(&values));
    let baseline = bench.baseline_of(pair).filter(|_| *metric == Metric::TIME);
    Evidence { mean, baseline: baseline.unwrap_or_default().to_vec(), ..evidence }
}

/// The time was too short for a benchmark.
pub(crate) fn no_time() -> Outcome {
    Outcome::Unreached { reason: "there was no time left for it".to_owned() }
}

/// Returns the counts of each benchmark, one entry per metric; one entry in all for a benchmark that only the base has,
/// or that is skipped.
pub(crate) fn observe_counts(
    inventories: Sides<&Inventory>,
    matches: Vec<Match>,
    bench: &Bench<'_>,
) -> Vec<Observation> {
    let candidates = new_ones(&matches);
    let nothing = BTreeMap::new();
    let counts = inventories.map(Inventory::counts);
    let mut observed = Vec::new();
    for matched in matches {
        match matched {
            Match::Both { base, head: key } => {
                let renamed_from = (base != key).then(|| base.clone());
                let why_same = bench.why_same(Sides::new(&base, &key));
                let old = counts.base.get(&base).unwrap_or(&nothing);
                let new = counts.head.get(&key).unwrap_or(&nothing);
                let metrics: BTreeSet<&Metric> = old.keys().chain(new.keys()).collect();
                for metric in metrics {
                    let pair =
                        Sides::new(old.get(metric), new.get(metric)).map(Option::<&_>::copied);
                    let outcome = match &why_same {
                        Some(reason) => Outcome::Identical {
                            reason: reason.clone(),
                            head: pair.head.map(Twice::to_vec).unwrap_or_default(),
                        },
                        None => {
                            let earlier = bench.earlier;
                            let pair = earlier.map_or(pair, |it| it.counts(&key, metric, pair));
                            counted(pair, renamed_from.clone())
                        }
                    };
                    observed.push(Observation {
                        key: key.clone(),
                        metric: metric.clone(),
                        outcome,
                    });
                }
            }
            Match::New(key) => {
                for (metric, twice) in counts.head.get(&key).unwrap_or(&nothing) {
                    let outcome = Outcome::new_one(twice.to_vec());
                    observed.push(Observation {
                        key: key.clone(),
                        metric: metric.clone(),
                        outcome,
                    });
                }
            }
            other => {
                let metric = metric_of(inventories, other.key());
                observed.push(unmatched(other, &candidates, &metric));
            }
        }
    }
    observed
}

/// A metric that one side alone counts is new, or missing.
fn counted(pair: Sides<Option<Twice<f64>>>, renamed_from: Option<BenchmarkKey>) -> Outcome {
    match pair {
        Sides { base: Some(base), head: Some(head) } => {
            Outcome::Counted { counted: Counted::twice(base, head), renamed_from }
        }
        Sides { base: None, head } => Outcome::new_one(head.map(Twice::to_vec).unwrap_or_default()),
        Sides { base: Some(base), head: None } => {
            Outcome::Missing { candidates: Vec::new(), base: base.to_vec() }
        }
    }
}

/// The suites without times, as a run that only has times leaves them out.
pub(crate) fn untimed_suites(inventory: &Inventory) -> Vec<SuiteReport> {
    let timed = inventory.timed_keys();
    let sampled = inventory.keys();
    let untimed = sampled.difference(&timed).chain(inventory.counts().keys());
    let suites: BTreeSet<SuiteKey> = untimed.map(BenchmarkKey::suite_key).collect();
    suites
        .into_iter()
        .map(|key| {
            let reason = "a baseline has times; everything else is compared with the base commit";
            SuiteReport::skipped(key, SkipReason::NotInBaseline, reason)
        })
        .collect()
}

/// Why a benchmark gave no value; `None` when it gave some.
pub(crate) fn failure(measured: &Measured) -> Option<Outcome> {
    let (side, failure) = measured.failure.as_ref()?;
    Some(Outcome::Failed {
        side: *side,
        reason: failure.reason.clone(),
        output: failure.output.clone(),
    })
}
