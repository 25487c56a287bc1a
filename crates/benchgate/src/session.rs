//! What `check` and `baseline save` share: repository, workspace, machine, built sides, their rounds.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use benchgate_core::judge::{
    Compared, Counted, Match, Observed, Outcome, Sequence, match_sides, new_ones, unmatched,
};
use benchgate_core::model::{BenchmarkKey, Finding, Machine, Metric, Side};
use benchgate_core::policy::{Policy, Selector};
use benchgate_core::result::{Means, SuiteReport};
use benchgate_core::schedule::{self, Goal, Plan};
use benchgate_core::stats;
use benchgate_host::cargo::Workspace;
use benchgate_host::git::{Repository, Revision};
use benchgate_host::measure::{Inventory, Measured, Settings, Work, measure};
use benchgate_host::sides::{BuiltSide, Executable, Workshop};
use benchgate_host::{HostError, Progress, machine};

use crate::cli::MeasureArgs;
use crate::error::CommandError;

/// Everything known before something is built.
pub(crate) struct Session {
    pub(crate) repository: Repository,
    pub(crate) workspace: Workspace,
    pub(crate) machine: Machine,
    /// Whether only what the policy marks as sensitive is measured.
    pub(crate) sensitive: bool,
    filter: Vec<String>,
    suites: Vec<String>,
}

/// One side that was built and asked; or the report of why it could not be.
pub(crate) struct Prepared {
    pub(crate) built: Option<BuiltSide>,
    pub(crate) inventory: Inventory,
}

impl Session {
    pub(crate) fn open(arguments: &MeasureArgs) -> Result<Self, CommandError> {
        let here = std::env::current_dir().map_err(HostError::from)?;
        let repository = Repository::around(&here)?;
        let workspace = Workspace::around(&here)?;
        let machine = machine::fingerprint(arguments.machine.as_deref())?;
        Ok(Self {
            repository,
            workspace,
            machine,
            sensitive: false,
            filter: arguments.filter.clone(),
            suites: arguments.suite.clone(),
        })
    }

    /// The working tree, or the revision that the user named.
    pub(crate) fn head(&self, named: Option<&str>) -> Result<Revision, CommandError> {
        Ok(match named {
            Some(name) => self.repository.commit(name)?,
            None => self.repository.working_tree(&self.workspace.target_dir)?,
        })
    }

    /// Has only those suites built that hold what is asked for; says whether some are left out.
    pub(crate) fn narrow(&self, workshop: &mut Workshop, policy: &Policy) -> bool {
        if self.suites.is_empty() && !self.sensitive {
            return false;
        }
        let named: Vec<Selector> = self.suites.iter().map(|glob| Selector::suite(glob)).collect();
        let sensitive = self.sensitive.then(|| policy.sensitive_selectors());
        workshop.only(move |package, suite| {
            let is_in = |selectors: &[Selector]| {
                selectors.iter().any(|selector| selector.is_about_suite(package, suite))
            };
            (named.is_empty() || is_in(&named)) && sensitive.as_deref().is_none_or(is_in)
        });
        true
    }

    /// Builds a side and asks its executables.
    pub(crate) fn prepare(
        &self,
        side: Side,
        revision: &Revision,
        workshop: &Workshop,
        policy: &Policy,
        progress: &dyn Progress,
    ) -> Result<Prepared, CommandError> {
        let built = self.build(side, revision, workshop, policy, progress)?;
        ask(side, built, |_| true, workshop, policy, progress)
    }

    /// Builds a side. One that does not build is a finding, not an error: the report says so.
    pub(crate) fn build(
        &self,
        side: Side,
        revision: &Revision,
        workshop: &Workshop,
        policy: &Policy,
        progress: &dyn Progress,
    ) -> Result<Result<BuiltSide, SuiteReport>, CommandError> {
        match workshop.build(side, &self.repository, revision, &policy.build, progress) {
            Ok(built) => Ok(Ok(built)),
            Err(HostError::Cargo { what, output }) => {
                progress.done();
                Ok(Err(SuiteReport {
                    package: String::new(),
                    suite: String::new(),
                    finding: Finding::Failed,
                    reason: format!("cargo could not {what}"),
                    output,
                }))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// What is to be done with every benchmark of either side.
    pub(crate) fn matches(
        &self,
        keys: impl Fn(&Inventory) -> BTreeSet<BenchmarkKey>,
        base: &Inventory,
        head: &Inventory,
        policy: &Policy,
    ) -> Vec<Match> {
        let failed: Vec<_> = base
            .suites_left_out
            .iter()
            .chain(&head.suites_left_out)
            .filter(|suite| suite.finding == Finding::Failed)
            .map(|suite| (suite.package.clone(), suite.suite.clone()))
            .collect();
        // Of a suite that failed as a whole there is one report, not one for each of its benchmarks.
        let keys = |inventory: &Inventory| {
            let mut keys = keys(inventory);
            keys.retain(|key| !failed.contains(&(key.package.clone(), key.suite.clone())));
            keys
        };
        let benchmarks: Vec<_> = self.filter.iter().map(|glob| Selector::benchmark(glob)).collect();
        let suites: Vec<_> = self.suites.iter().map(|glob| Selector::suite(glob)).collect();
        let wanted = |selectors: &[Selector], key: &BenchmarkKey| {
            selectors.is_empty() || selectors.iter().any(|selector| selector.matches(key))
        };
        match_sides(&keys(base), &keys(head), policy)
            .into_iter()
            .map(|matched| {
                let key = matched.key();
                if !wanted(&suites, key) {
                    Match::Skipped(key.clone(), "left out by --suite".to_owned())
                } else if !wanted(&benchmarks, key) {
                    Match::Skipped(key.clone(), "left out by --filter".to_owned())
                } else if self.sensitive && !policy.limits_for(key).sensitive {
                    Match::Skipped(key.clone(), "left out by --sensitive".to_owned())
                } else {
                    matched
                }
            })
            .collect()
    }
}

/// Asks those executables of a side that are `wanted`.
pub(crate) fn ask(
    side: Side,
    built: Result<BuiltSide, SuiteReport>,
    wanted: impl Fn(&Executable) -> bool,
    workshop: &Workshop,
    policy: &Policy,
    progress: &dyn Progress,
) -> Result<Prepared, CommandError> {
    let mut inventory = Inventory::default();
    let built = match built {
        Ok(built) => built,
        Err(failed) => {
            inventory.suites_left_out.push(failed);
            return Ok(Prepared { built: None, inventory });
        }
    };
    progress.phase(&format!("asking {} what it holds", side.name()));
    let executables = built.executables.iter().filter(|executable| wanted(executable));
    inventory = Inventory::of(executables, &policy.measure, &scratch(workshop), progress)?;
    inventory.suites_left_out.extend(built.left_out.iter().cloned());
    progress.done();
    Ok(Prepared { built: Some(built), inventory })
}

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

impl Bench<'_> {
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
        let is_new = work.base.is_none();
        let renamed_from = work.base.filter(|base| base != &key).map(|base| base.id);
        let outcome = failure(&measured)
            .unwrap_or_else(|| seen(&key, measured.outcome, is_new, renamed_from, bench));
        observed.push(Observed { key, metric: Metric::Time, outcome });
    }
    Ok((observed, cut))
}

fn seen(
    key: &BenchmarkKey,
    outcome: schedule::Outcome,
    is_new: bool,
    renamed_from: Option<String>,
    bench: &Bench<'_>,
) -> Outcome {
    let schedule::Outcome { sequence, rounds, .. } = outcome;
    if is_new {
        return Outcome::New { head: rounds };
    }
    let Sequence { screening, confirmation } = sequence;
    if screening.is_empty() {
        let reason = "there was no time left for it".to_owned();
        return Outcome::Unreached { reason };
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
        baseline: bench.baseline.get(key).cloned().unwrap_or_default(),
        renamed_from,
        ..Compared::default()
    }))
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

/// Suites that were not measured, each once; a failure says on which side.
pub(crate) fn suites(base: Option<&Inventory>, head: &Inventory) -> Vec<SuiteReport> {
    let mut all: Vec<SuiteReport> = Vec::new();
    let sides = [(Side::Head, Some(head)), (Side::Base, base)];
    for (side, inventory) in sides {
        for suite in inventory.map(|i| i.suites_left_out.as_slice()).unwrap_or_default() {
            let mut suite = suite.clone();
            if suite.finding == Finding::Failed {
                suite.reason = format!("{}: {}", side.name(), suite.reason);
            } else if all.iter().any(|s| (&s.package, &s.suite) == (&suite.package, &suite.suite)) {
                continue;
            }
            all.push(suite);
        }
    }
    all.sort_by(|a, b| (&a.package, &a.suite).cmp(&(&b.package, &b.suite)));
    all
}

/// Where Criterion homes and other short-lived things are.
pub(crate) fn scratch(workshop: &Workshop) -> PathBuf {
    workshop.work.join("run")
}
