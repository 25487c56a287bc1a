//! Counts the instructions of benchmarks that would be red, or of all that were measured where the policy says so: more
//! instructions are more work, wherever the code lies.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

use benchgate_core::judge::{Context, Observation, Outcome, decide};
use benchgate_core::model::{BenchmarkKey, Evidence, Instructions, Metric, Side, Sides, SuiteKey};
use benchgate_core::policy::MoreInstructions;
use benchgate_core::result::Method;
use benchgate_core::schedule::MOST_COUNTED;
use benchgate_host::instruction_store::InstructionStore;
use benchgate_host::journal::Journal;
use benchgate_host::sides::cache_dir;
use benchgate_host::{Availability, HostError, interrupt};

use super::gate::Gate;
use crate::error::CommandError;
use crate::session::{Prepared, scratch};

/// The gate, the built sides and the journal of a run, to count instructions with.
pub(super) struct Counting<'a> {
    pub(super) gate: &'a Gate<'a>,
    /// The commits that were checked out.
    pub(super) commits: Sides<&'a str>,
    pub(super) sides: Option<Sides<Prepared>>,
    /// The journal, which keeps the measured pairs.
    pub(super) journal: &'a Journal,
}

/// A benchmark whose instructions are counted, by its index among what was observed.
struct Wanted {
    index: usize,
    keys: Sides<BenchmarkKey>,
    /// Whether it would be red: of those, no more than [`MOST_COUNTED`] are counted.
    is_red: bool,
}

impl Counting<'_> {
    /// Adds the instructions of the times that they are wanted of, or why they could not be counted. When the run is
    /// interrupted, it adds those that are counted by then.
    pub(super) fn with_instructions(
        &self,
        mut observed: Vec<Observation>,
        method: Method,
        notices: &mut Vec<String>,
    ) -> Result<Vec<Observation>, CommandError> {
        let added = match (method, &self.sides) {
            (Method::Paired, Some(sides)) if !interrupt::is_interrupted() => {
                self.add_instructions(&mut observed, sides, notices)
            }
            _ => Ok(()),
        };
        match added {
            Err(CommandError::Host(HostError::Interrupted)) | Ok(()) => Ok(observed),
            // The screening and confirmation pairs are worth more than this evidence.
            Err(CommandError::Host(HostError::File(error))) => {
                self.journal.stop(&error);
                Ok(observed)
            }
            Err(error) => Err(error),
        }
    }

    fn add_instructions(
        &self,
        observed: &mut [Observation],
        sides: &Sides<Prepared>,
        notices: &mut Vec<String>,
    ) -> Result<(), CommandError> {
        let wanted = self.wanted(observed);
        if wanted.is_empty() {
            return Ok(());
        }
        self.gate.progress.phase("counting instructions");
        let store = InstructionStore::below(&cache_dir());
        let (mut unmoved, mut uncounted) = (BTreeMap::new(), BTreeMap::new());
        for (number, wanted) in wanted.iter().enumerate() {
            let Some(evidence) = evidence(observed, wanted) else { continue };
            let suite = wanted.keys.head.suite_key();
            if !evidence.not_relinked.is_empty() {
                unmoved.insert(suite.clone(), evidence.not_relinked.clone());
            }
            // An earlier attempt counted the same code.
            if evidence.instructions.is_some() {
                continue;
            }
            let counted = if number < MOST_COUNTED || !wanted.is_red {
                self.instructions(wanted, sides, &store)?
            } else {
                let reason = format!("{MOST_COUNTED} others of the run were counted before");
                Availability::Unavailable(reason)
            };
            evidence.not_counted.clear();
            match counted {
                Availability::Available(instructions) => evidence.instructions = Some(instructions),
                Availability::Unavailable(reason) => {
                    uncounted.insert((suite, reason.clone()), wanted.keys.head.clone());
                    evidence.not_counted = reason;
                }
            }
        }
        notices.extend(unmoved.into_iter().map(|(suite, why): (SuiteKey, String)| {
            format!("`{suite}` was not measured in other layouts of its code: {why}")
        }));
        notices.extend(uncounted.into_iter().map(|((_, why), key)| {
            format!("the instructions of `{key}` could not be counted: {why}")
        }));
        store.prune();
        self.gate.progress.done();
        Ok(())
    }

    /// Returns the benchmarks that would be red if layouts were not required, or all that were compared.
    fn wanted(&self, observed: &[Observation]) -> Vec<Wanted> {
        let is_wanted_of_all = |observation: &Observation| {
            let limits = self.gate.policy.limits_for(&observation.key);
            limits.more_instructions > MoreInstructions::Evidence
        };
        let red = LazyCell::new(|| self.red(observed));
        let wanted = |(index, observed): (usize, &Observation)| {
            let Outcome::Compared { renamed_from, .. } = &observed.outcome else { return None };
            let is_red = !is_wanted_of_all(observed);
            if observed.metric != Metric::TIME || (is_red && !red.contains(&observed.key)) {
                return None;
            }
            let head = observed.key.clone();
            let base = renamed_from.clone().unwrap_or_else(|| head.clone());
            Some(Wanted { index, keys: Sides { base, head }, is_red })
        };
        observed.iter().enumerate().filter_map(wanted).collect()
    }

    fn red(&self, observed: &[Observation]) -> BTreeSet<BenchmarkKey> {
        // Only confirmation pairs prove a slowdown; most runs have none, and decide nothing here.
        let is_confirmed = |observation: &Observation| {
            matches!(&observation.outcome, Outcome::Compared { evidence, .. }
                if observation.metric == Metric::TIME && !evidence.confirmation.is_empty())
        };
        if !observed.iter().any(is_confirmed) {
            return BTreeSet::new();
        }
        let mut any_layout = observed.to_vec();
        for observation in &mut any_layout {
            if let Outcome::Compared { evidence, .. } = &mut observation.outcome {
                evidence.layouts.clear();
            }
        }
        let result = decide(any_layout, Vec::new(), self.gate.policy, Context::default());
        result
            .benchmarks
            .iter()
            .filter(|r| r.metric == Metric::TIME && r.blocking && r.finding.level().is_some())
            .map(|r| r.key())
            .collect()
    }

    pub(super) fn is_out_of_time(&self) -> bool {
        self.gate.budget.is_some_and(|(began, given)| began.elapsed() >= given)
    }

    /// Instructions of one iteration on both sides, or why they cannot be counted.
    fn instructions(
        &self,
        wanted: &Wanted,
        sides: &Sides<Prepared>,
        store: &InstructionStore,
    ) -> Result<Availability<Instructions>, CommandError> {
        let unavailable = |reason: String| Ok(Availability::Unavailable(reason));
        let mut counts = Instructions::default();
        for side in [Side::Base, Side::Head] {
            if self.is_out_of_time() {
                return unavailable("the budget ended".to_owned());
            }
            let key = &wanted.keys[side];
            let Some(suite) = sides[side].inventory.suite_of(key) else {
                return unavailable(format!("the {} does not have it", side.name()));
            };
            let timeout = self.gate.policy.measure.timeout;
            let scratch = scratch(self.gate.build_dir);
            match store.count(self.commits[side], suite, &key.id, timeout, &scratch)? {
                Availability::Available(0) => return unavailable("there are none".to_owned()),
                #[expect(clippy::cast_precision_loss, reason = "shown as a share")]
                Availability::Available(instructions) => counts[side] = instructions as f64,
                Availability::Unavailable(reason) => return unavailable(reason),
            }
        }
        Ok(Availability::Available(counts))
    }
}

fn evidence<'a>(observed: &'a mut [Observation], wanted: &Wanted) -> Option<&'a mut Evidence> {
    match &mut observed.get_mut(wanted.index)?.outcome {
        Outcome::Compared { evidence, .. } => Some(evidence),
        _ => None,
    }
}
