//! Counts the instructions of benchmarks that would be red, or of all measured ones if the policy requires it: more
//! instructions are more work, wherever the code lies.

use std::cell::LazyCell;
use std::collections::BTreeMap;

use benchgate_core::judge::{Observation, Outcome, red_in_any_layout};
use benchgate_core::model::{BenchmarkKey, Evidence, Instructions, Metric, Side, Sides, SuiteKey};
use benchgate_core::policy::MoreInstructions;
use benchgate_core::result::Method;
use benchgate_core::schedule::MOST_COUNTED;
use benchgate_host::evidence::instructions;
use benchgate_host::store::journal::Journal;
use benchgate_host::system::interrupt;
use benchgate_host::{Availability, HostError};

use super::plan::Plan;
use crate::building::Prepared;
use crate::building::scratch;
use crate::error::CommandError;

/// Adds the instructions of the times that they are wanted of, or why they could not be counted, and returns notices.
/// When the run is interrupted, it adds those that are counted by then.
pub(super) fn count_instructions(
    plan: &Plan<'_>,
    sides: &Sides<Prepared>,
    journal: &Journal,
    observed: &mut [Observation],
) -> Result<Vec<String>, CommandError> {
    if plan.method != Method::Paired || interrupt::is_interrupted() {
        return Ok(Vec::new());
    }
    let mut counting = Counting { plan, sides, notices: Vec::new() };
    match counting.add_instructions(observed) {
        Err(CommandError::Host(HostError::Interrupted)) | Ok(()) => Ok(counting.notices),
        // The screening and confirmation pairs are worth more than this evidence.
        Err(CommandError::Host(HostError::File(error))) => {
            journal.stop(&error);
            Ok(counting.notices)
        }
        Err(error) => Err(error),
    }
}

/// The plan and the built sides of a run, to count instructions with.
struct Counting<'a> {
    plan: &'a Plan<'a>,
    sides: &'a Sides<Prepared>,
    notices: Vec<String>,
}

/// A benchmark whose instructions are counted, by its index among what was observed.
struct Wanted {
    index: usize,
    keys: Sides<BenchmarkKey>,
    /// Whether it would be red: of those, no more than [`MOST_COUNTED`] are counted.
    is_red: bool,
}

impl Counting<'_> {
    fn add_instructions(&mut self, observed: &mut [Observation]) -> Result<(), CommandError> {
        let wanted = self.wanted(observed);
        if wanted.is_empty() {
            return Ok(());
        }
        self.plan.progress.phase("counting instructions");
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
                self.instructions(wanted)?
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
        self.notices.extend(unmoved.into_iter().map(|(suite, why): (SuiteKey, String)| {
            format!("`{suite}` was not measured in other layouts of its code: {why}")
        }));
        self.notices.extend(uncounted.into_iter().map(|((_, why), key)| {
            format!("the instructions of `{key}` could not be counted: {why}")
        }));
        self.plan.progress.done();
        Ok(())
    }

    /// Returns the benchmarks that would be red if layouts were not required, or all that were compared.
    fn wanted(&self, observed: &[Observation]) -> Vec<Wanted> {
        let is_wanted_of_all = |observation: &Observation| {
            let limits = self.plan.scope.policy.limits_for(&observation.key);
            limits.more_instructions > MoreInstructions::Evidence
        };
        let red = LazyCell::new(|| red_in_any_layout(observed, &self.plan.scope.policy));
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

    /// Instructions of one iteration on both sides, or why they cannot be counted.
    fn instructions(&self, wanted: &Wanted) -> Result<Availability<Instructions>, CommandError> {
        let unavailable = |reason: String| Ok(Availability::Unavailable(reason));
        let mut counts = Instructions::default();
        for side in [Side::Base, Side::Head] {
            if self.plan.scope.is_out_of_time() {
                return unavailable("the budget ended".to_owned());
            }
            let key = &wanted.keys[side];
            let Some(suite) = self.sides[side].inventory.suite_of(key) else {
                return unavailable(format!("the {} does not have it", side.name()));
            };
            let timeout = self.plan.scope.policy.measure.timeout;
            let scratch = scratch(&self.plan.build_dir);
            match instructions::count(suite, &key.id, timeout, &scratch)? {
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
