//! Counts the instructions of benchmarks that would be red: more instructions are more work, wherever the code lies.
//!
//! A `Suspect` here is such a benchmark. It is not a *suspect* of `docs/glossary.md`, which is a benchmark that looked
//! slower after three pairs.

use std::collections::{BTreeMap, BTreeSet};

use benchgate_core::judge::{Context, Observation, Outcome, decide};
use benchgate_core::model::{BenchmarkKey, Evidence, Instructions, Metric, Side, Sides, SuiteKey};
use benchgate_core::result::Method;
use benchgate_core::schedule::MOST_COUNTED;
use benchgate_host::instructions::count;
use benchgate_host::journal::Journal;
use benchgate_host::{Availability, HostError, interrupt};

use super::gate::Gate;
use crate::error::CommandError;
use crate::session::{Prepared, scratch};

/// The gate, the built sides and the journal of a run, to count instructions with.
pub(super) struct Suspects<'a> {
    pub(super) gate: &'a Gate<'a>,
    pub(super) sides: Option<Sides<Prepared>>,
    /// The journal, which keeps the measured pairs.
    pub(super) journal: &'a Journal,
}

/// A benchmark that would be red, by its index among what was observed.
struct Suspect {
    index: usize,
    keys: Sides<BenchmarkKey>,
}

impl Suspects<'_> {
    /// Adds the instructions of every time that would be red, or why they could not be counted. When the run is
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
        let suspects = self.suspects(observed);
        if suspects.is_empty() {
            return Ok(());
        }
        self.gate.progress.phase("counting instructions of slower benchmarks");
        let (mut unmoved, mut uncounted) = (BTreeMap::new(), BTreeMap::new());
        for (number, suspect) in suspects.iter().enumerate() {
            let counted = if number < MOST_COUNTED {
                self.instructions(suspect, sides)?
            } else {
                let reason = format!("{MOST_COUNTED} others of the run were counted before");
                Availability::Unavailable(reason)
            };
            let Some(evidence) = evidence(observed, suspect) else { continue };
            let suite = suspect.keys.head.suite_key();
            if !evidence.not_relinked.is_empty() {
                unmoved.insert(suite.clone(), evidence.not_relinked.clone());
            }
            match counted {
                Availability::Available(instructions) => evidence.instructions = Some(instructions),
                Availability::Unavailable(reason) => {
                    uncounted.insert((suite, reason.clone()), suspect.keys.head.clone());
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
        self.gate.progress.done();
        Ok(())
    }

    /// Returns the benchmarks that would be red if layouts were not required.
    fn suspects(&self, observed: &[Observation]) -> Vec<Suspect> {
        // Only confirmation pairs prove a slowdown; most runs have none, and decide nothing here.
        let is_confirmed = |observation: &Observation| {
            matches!(&observation.outcome, Outcome::Compared { evidence, .. }
                if observation.metric == Metric::TIME && !evidence.confirmation.is_empty())
        };
        if !observed.iter().any(is_confirmed) {
            return Vec::new();
        }
        let mut any_layout = observed.to_vec();
        for observation in &mut any_layout {
            if let Outcome::Compared { evidence, .. } = &mut observation.outcome {
                evidence.layouts.clear();
            }
        }
        let result = decide(any_layout, Vec::new(), self.gate.policy, Context::default());
        let red: BTreeSet<BenchmarkKey> = result
            .benchmarks
            .iter()
            .filter(|r| r.metric == Metric::TIME && r.blocking && r.finding.level().is_some())
            .map(|r| r.key())
            .collect();
        let suspect = |(index, observed): (usize, &Observation)| match &observed.outcome {
            Outcome::Compared { renamed_from, .. }
                if observed.metric == Metric::TIME && red.contains(&observed.key) =>
            {
                let head = observed.key.clone();
                let base = renamed_from.clone().unwrap_or_else(|| head.clone());
                Some(Suspect { index, keys: Sides { base, head } })
            }
            _ => None,
        };
        observed.iter().enumerate().filter_map(suspect).collect()
    }

    pub(super) fn is_out_of_time(&self) -> bool {
        self.gate.budget.is_some_and(|(began, given)| began.elapsed() >= given)
    }

    /// Instructions of one iteration on both sides, or why they cannot be counted.
    fn instructions(
        &self,
        suspect: &Suspect,
        sides: &Sides<Prepared>,
    ) -> Result<Availability<Instructions>, CommandError> {
        let unavailable = |reason: String| Ok(Availability::Unavailable(reason));
        let mut counts = Instructions::default();
        for side in [Side::Base, Side::Head] {
            if self.is_out_of_time() {
                return unavailable("the budget ended".to_owned());
            }
            let key = &suspect.keys[side];
            let Some(suite) = sides[side].inventory.suite_of(key) else {
                return unavailable(format!("the {} does not have it", side.name()));
            };
            let timeout = self.gate.policy.measure.timeout;
            match count(suite, &key.id, timeout, &scratch(self.gate.build_dir))? {
                Availability::Available(0) => return unavailable("there are none".to_owned()),
                #[expect(clippy::cast_precision_loss, reason = "shown as a share")]
                Availability::Available(instructions) => counts[side] = instructions as f64,
                Availability::Unavailable(reason) => return unavailable(reason),
            }
        }
        Ok(Availability::Available(counts))
    }
}

fn evidence<'a>(observed: &'a mut [Observation], suspect: &Suspect) -> Option<&'a mut Evidence> {
    match &mut observed.get_mut(suspect.index)?.outcome {
        Outcome::Compared { evidence, .. } => Some(evidence),
        _ => None,
    }
}
