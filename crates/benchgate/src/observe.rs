//! Measuring what is matched, and what was seen of it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use benchgate_core::judge::{
    Compared, Counted, Match, Observed, Outcome, Sequence, new_ones, unmatched,
};
use benchgate_core::model::{BenchmarkKey, Finding, Metric};
use benchgate_core::policy::Policy;
use benchgate_core::result::{Means, SuiteReport};
use benchgate_core::schedule::{self, Goal, Plan};
use benchgate_core::stats;
use benchgate_host::Progress;
use benchgate_host::measure::{Inventory, Measured, Settings, Work, measure};
use benchgate_host::sides::Workshop;

use crate::error::CommandError;
use crate::session::scratch;

/// What a gate runs with.
pub(crate) struct Bench<'a> {
    pub(crate) policy: &'a Policy,
    pub(crate) seed: u64,
    pub(crate) workshop: &'a Workshop,
    pub(crate) progress: &'a dyn Progress,
    /// When the run began, and how long it may take.
    pub(crate) budget: Option<(Instant, Duration)>,
    /// Rounds of the committed baseline of this machine.
    pub(crate) baseline: BTreeMap<BenchmarkKey, Vec<f64>>,
    /// Pairs that every benchmark gets, however clear it is with fewer.
    pub(crate) least_pairs: u32,
    /// Suites, by package and name, whose executables are the same on both sides; how that is known.
    pub(crate) same: BTreeMap<(String, String), String>,
}

impl<'a> Bench<'a> {
    /// As much time as it takes, no baseline, nothing known to be the same.
    pub(crate) fn new(
        policy: &'a Policy,
        seed: u64,
        workshop: &'a Workshop,
        progress: &'a dyn Progress,
    ) -> Self {
        Self {
            policy,
            seed,
            workshop,
            progress,
            budget: None,
            baseline: BTreeMap::new(),
            least_pairs: 0,
            same: BTreeMap::new(),
        }
    }

    /// Rounds of the committed baseline; of a renamed benchmark, under its old name.
    fn baseline_of(&self, base: &BenchmarkKey, head: &BenchmarkKey) -> Option<&[f64]> {
        self.baseline.get(head).or_else(|| self.baseline.get(base)).map(Vec::as_slice)
    }

    fn why_same(&self, base: &BenchmarkKey, head: &BenchmarkKey) -> Option<String> {
        let reason = self.same.get(&(head.package.clone(), head.suite.clone()))?;
        (base == head).then(|| reason.clone())
    }
}

/// Pairs that a rule about a benchmark needs: fewer cannot prove that it is broken.
const PAIRS_FOR_RULE: u32 = 10;

/// Measures what is matched and says what was seen of each benchmark, and which ones the time was too
/// short for.
pub(crate) fn observe(
    base: &Inventory,
    head: &Inventory,
    matches: Vec<Match>,
    bench: &Bench<'_>,
) -> Result<(Vec<Observed>, Vec<BenchmarkKey>), CommandError> {
    let Bench { policy, .. } = bench;
    let candidates = new_ones(&matches);
    let (mut work, mut goals, mut observed) = (Vec::new(), Vec::new(), Vec::new());
    for matched in matches {
        match matched {
            Match::Both { base, head } if bench.why_same(&base, &head).is_some() => {
                let reason = bench.why_same(&base, &head).unwrap_or_default();
                let outcome = Outcome::Identical { reason, head: Vec::new() };
                observed.push(Observed { key: head, metric: Metric::Time, outcome });
            }
            Match::Both { base, head } => {
                let is_in_rule = policy.rules.iter().any(|rule| rule.is_about(&head.id));
                goals.push(Goal::Compare {
                    limits: policy.limits_for(&head),
                    at_least: bench.least_pairs.max(if is_in_rule { PAIRS_FOR_RULE } else { 0 }),
                    baseline: bench.baseline_of(&base, &head).and_then(stats::median),
                });
                work.push(Work { base: Some(base), head: Some(head) });
            }
            // That it runs is worth knowing before it becomes a base, and a rule may be about it.
            Match::New(key) => {
                goals.push(Goal::Record(policy.measure.rounds));
                work.push(Work { base: None, head: Some(key) });
            }
            other => observed.push(unmatched(other, &candidates)),
        }
    }
    let plan = Plan::new(goals, policy.measure.pairs, bench.seed);
    let scratch = scratch(bench.workshop);
    let settings = Settings {
        measure: &policy.measure,
        budget: bench.budget,
        scratch: &scratch,
        progress: bench.progress,
    };
    let measured = measure(base, head, &work, plan, &settings)?;
    let mut cut = Vec::new();
    for (work, measured) in work.into_iter().zip(measured) {
        let Some(key) = work.head else { continue };
        if measured.outcome.is_cut {
            cut.push(key.clone());
        }
        let outcome =
            failure(&measured).unwrap_or_else(|| seen(work.base, &key, measured.outcome, bench));
        observed.push(Observed { key, metric: Metric::Time, outcome });
    }
    Ok((observed, cut))
}

fn seen(
    base: Option<BenchmarkKey>,
    head: &BenchmarkKey,
    outcome: schedule::Outcome,
    bench: &Bench<'_>,
) -> Outcome {
    let schedule::Outcome { sequence, rounds, .. } = outcome;
    let Some(base) = base else { return Outcome::New { head: rounds } };
    let Sequence { screening, confirmation } = sequence;
    if screening.is_empty() {
        return no_time();
    }
    let mean = |first: &[f64], fresh: &[f64]| stats::mean(&[first, fresh].concat());
    let means = Means {
        base: mean(&screening.base, &confirmation.base),
        head: mean(&screening.head, &confirmation.head),
    };
    Outcome::Compared(Box::new(Compared {
        rounds: screening,
        confirmation,
        means,
        baseline: bench.baseline_of(&base, head).unwrap_or_default().to_vec(),
        renamed_from: (&base != head).then_some(base.id),
        ..Compared::default()
    }))
}

/// The time was too short for a benchmark.
pub(crate) fn no_time() -> Outcome {
    Outcome::Unreached { reason: "there was no time left for it".to_owned() }
}

/// What was counted of each benchmark, one entry per metric; of a benchmark that only one side has, one
/// for all.
pub(crate) fn observe_counts(
    base: &Inventory,
    head: &Inventory,
    matches: Vec<Match>,
    bench: &Bench<'_>,
) -> Vec<Observed> {
    let candidates = new_ones(&matches);
    let nothing = BTreeMap::new();
    let mut observed = Vec::new();
    for matched in matches {
        match matched {
            Match::Both { base, head: key } if bench.why_same(&base, &key).is_some() => {
                for (metric, values) in head.counts().get(&key).unwrap_or(&nothing) {
                    let reason = bench.why_same(&base, &key).unwrap_or_default();
                    let outcome = Outcome::Identical { reason, head: values.to_vec() };
                    observed.push(Observed { key: key.clone(), metric: *metric, outcome });
                }
            }
            Match::Both { base: old, head: key } => {
                let renamed_from = (old != key).then(|| old.id.clone());
                let old = base.counts().get(&old).unwrap_or(&nothing);
                let new = head.counts().get(&key).unwrap_or(&nothing);
                for ((metric, base), head) in old.iter().zip(new.values()) {
                    let counted = Counted { base: *base, head: *head };
                    let renamed_from = renamed_from.clone();
                    let outcome = Outcome::Counted { counted, renamed_from };
                    observed.push(Observed { key: key.clone(), metric: *metric, outcome });
                }
            }
            Match::New(key) => {
                for (metric, [first, second]) in head.counts().get(&key).unwrap_or(&nothing) {
                    let outcome = Outcome::New { head: vec![*first, *second] };
                    observed.push(Observed { key: key.clone(), metric: *metric, outcome });
                }
            }
            other => {
                observed.push(Observed {
                    metric: Metric::AllocBlocks,
                    ..unmatched(other, &candidates)
                });
            }
        }
    }
    observed
}

/// The suites that count allocations, as a run that only has times leaves them out.
pub(crate) fn counted_suites(inventory: &Inventory) -> Vec<SuiteReport> {
    let suites: BTreeSet<(&str, &str)> =
        inventory.counts().keys().map(|key| (key.package.as_str(), key.suite.as_str())).collect();
    suites
        .into_iter()
        .map(|(package, suite)| SuiteReport {
            package: package.to_owned(),
            suite: suite.to_owned(),
            finding: Finding::Skipped,
            reason: "a baseline holds times; allocations are gated against the base commit"
                .to_owned(),
            output: String::new(),
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
