//! Checks benchmarks that would be red: is it the code, or only its layout in memory?

use std::collections::{BTreeMap, BTreeSet};

use benchgate_core::judge::{Context, Observation, Outcome, decide};
use benchgate_core::model::{
    BenchmarkKey, Evidence, Instructions, Layout, Metric, Side, Sides, SuiteKey,
};
use benchgate_core::result::Method;
use benchgate_core::schedule::{Goal, MOST_COUNTED, PAIRS_PER_LAYOUT, Plan};
use benchgate_host::instructions::{Count, count};
use benchgate_host::journal::Journal;
use benchgate_host::measure::{Inventory, Settings, Work, measure};
use benchgate_host::relink::{Relinked, relink};
use benchgate_host::sides::Executable;
use benchgate_host::{HostError, interrupt};

use super::gate::Gate;
use crate::error::CommandError;
use crate::session::{Prepared, scratch};

/// The inputs of that check.
pub(super) struct Suspects<'a> {
    pub(super) gate: &'a Gate<'a>,
    pub(super) sides: Option<Sides<Prepared>>,
    pub(super) journal: &'a Journal,
}

/// A benchmark that would be red, by its index among what was observed.
struct Suspect {
    index: usize,
    keys: Sides<BenchmarkKey>,
}

/// Pairs of the suspects of one suite in other layouts of the code.
enum Moved {
    /// The pairs of each suspect, in their order.
    Layouts(Vec<Vec<Layout>>),
    /// They could not be measured: the reason.
    Unavailable(String),
}

impl Suspects<'_> {
    /// Adds evidence from instructions and from other layouts to every time that would be red; of a run that is
    /// interrupted, what there is by then.
    pub(super) fn with_layout_evidence(
        &self,
        mut observed: Vec<Observation>,
        method: Method,
        notices: &mut Vec<String>,
    ) -> Result<Vec<Observation>, CommandError> {
        let added = match (method, &self.sides) {
            (Method::Paired, Some(sides)) if !interrupt::is_interrupted() => {
                self.add_layout_evidence(&mut observed, sides, notices)
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

    fn add_layout_evidence(
        &self,
        observed: &mut [Observation],
        sides: &Sides<Prepared>,
        notices: &mut Vec<String>,
    ) -> Result<(), CommandError> {
        let suspects = self.suspects(observed);
        if suspects.is_empty() || self.gate.policy.build.layouts == 0 {
            return Ok(());
        }
        self.gate.progress.phase("measuring slower benchmarks in other layouts");
        for suspect in suspects.iter().take(MOST_COUNTED) {
            let instructions = self.instructions(suspect, sides)?;
            if let Some(evidence) = evidence(observed, suspect) {
                evidence.instructions = instructions;
            }
        }
        let suites: BTreeSet<SuiteKey> =
            suspects.iter().map(|suspect| suspect.keys.head.suite_key()).collect();
        for suite in suites {
            let not_measured = |why: &str| {
                format!("`{suite}` was not measured in other layouts of its code: {why}")
            };
            if self.is_out_of_time() {
                notices.push(not_measured("the budget ended"));
                continue;
            }
            let of_suite: Vec<&Suspect> =
                suspects.iter().filter(|suspect| suspect.keys.head.is_of(&suite)).collect();
            let layouts = match self.layouts(&suite, &of_suite, sides)? {
                Moved::Layouts(layouts) => layouts,
                Moved::Unavailable(reason) => {
                    notices.push(not_measured(&reason));
                    continue;
                }
            };
            for (suspect, layouts) in of_suite.iter().zip(layouts) {
                let wanted = self.gate.policy.build.layouts as usize;
                if layouts.len() < wanted {
                    let (key, got) = (&suspect.keys.head, layouts.len());
                    notices.push(format!(
                        "`{key}` has values of {got} of {wanted} other layouts only"
                    ));
                }
                if let Some(evidence) = evidence(observed, suspect) {
                    evidence.layouts = layouts;
                }
            }
        }
        self.gate.progress.done();
        Ok(())
    }

    fn suspects(&self, observed: &[Observation]) -> Vec<Suspect> {
        let result = decide(observed.to_vec(), Vec::new(), self.gate.policy, Context::default());
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

    /// Instructions of one iteration on both sides; `None` where they cannot be counted.
    fn instructions(
        &self,
        suspect: &Suspect,
        sides: &Sides<Prepared>,
    ) -> Result<Option<Instructions>, CommandError> {
        let counts = sides.as_ref().zip(suspect.keys.as_ref()).try_map(|_, (side, key)| {
            if self.is_out_of_time() {
                return Ok(None);
            }
            let Some(suite) = side.inventory.suite_of(key) else { return Ok(None) };
            let timeout = self.gate.policy.measure.timeout;
            #[expect(clippy::cast_precision_loss, reason = "shown as a share")]
            Ok::<_, CommandError>(
                match count(suite, &key.id, timeout, &scratch(self.gate.build_dir))? {
                    Count::Counted(instructions) => Some(instructions as f64),
                    Count::Unavailable(_) => None,
                },
            )
        })?;
        Ok(counts.both().filter(|counts| counts.base > 0.0 && counts.head > 0.0))
    }

    /// Pairs of each suspect of one suite in other layouts of both sides.
    fn layouts(
        &self,
        suite: &SuiteKey,
        suspects: &[&Suspect],
        sides: &Sides<Prepared>,
    ) -> Result<Moved, CommandError> {
        let Gate { policy, seed, .. } = self.gate;
        // Padding seeds are 32 bits wide.
        let seeds: Vec<u32> =
            (1..=policy.build.layouts).map(|n| (*seed as u32).wrapping_add(n)).collect();
        let mut linked: BTreeMap<Side, Vec<Executable>> = BTreeMap::new();
        for (side, prepared) in sides.iter() {
            match self.relinked(side, prepared, suite, &seeds)? {
                Relinked::Executables(executables) => linked.insert(side, executables),
                Relinked::Unavailable(reason) => return Ok(Moved::Unavailable(reason)),
            };
        }
        let mut layouts: Vec<Vec<Layout>> = vec![Vec::new(); suspects.len()];
        for (number, seed) in seeds.iter().enumerate() {
            let of_side = |side: Side| linked.get(&side).and_then(|all| all.get(number));
            let both = Sides::new(of_side(Side::Base), of_side(Side::Head)).both();
            let Some(executables) = both else { continue };
            for (layouts, found) in
                layouts.iter_mut().zip(self.layout(executables, suspects, *seed)?)
            {
                layouts.extend(found);
            }
        }
        Ok(Moved::Layouts(layouts))
    }

    fn relinked(
        &self,
        side: Side,
        prepared: &Prepared,
        suite: &SuiteKey,
        seeds: &[u32],
    ) -> Result<Relinked, CommandError> {
        let Gate { build_dir, policy, progress, .. } = self.gate;
        let of_suite = prepared.built.as_ref().and_then(|built| {
            Some((built, built.executables.iter().find(|executable| executable.key == *suite)?))
        });
        let Some((built, executable)) = of_suite else {
            return Ok(Relinked::Unavailable("it has no executable on one side".to_owned()));
        };
        Ok(relink(build_dir, side, built, executable, &policy.build, seeds, *progress)?)
    }

    /// Pairs of each suspect in one layout.
    fn layout(
        &self,
        executables: Sides<&Executable>,
        suspects: &[&Suspect],
        seed: u32,
    ) -> Result<Vec<Option<Layout>>, CommandError> {
        let Gate { build_dir, policy, progress, .. } = self.gate;
        let scratch = scratch(build_dir);
        let inventories = executables.try_map(|_, executable| {
            Inventory::of([executable], &policy.measure, &scratch, *progress)
        })?;
        let work: Vec<Work> =
            suspects.iter().map(|suspect| suspect.keys.clone().map(Some)).collect();
        let goal = |suspect: &&Suspect| Goal::Compare {
            limits: policy.limits_for(&suspect.keys.head),
            at_least: PAIRS_PER_LAYOUT,
            baseline: None,
        };
        let goals = suspects.iter().map(goal).collect();
        let plan = Plan::new(goals, PAIRS_PER_LAYOUT, u64::from(seed));
        let settings = Settings {
            measure: &policy.measure,
            // A layout that was begun is finished: fewer layouts prove less.
            budget: None,
            scratch: &scratch,
            journal: Some(self.journal),
            part: &format!("layout {seed}"),
            progress: *progress,
        };
        let measured = measure(&inventories.base, &inventories.head, &work, plan, &settings)?;
        let layout = |rounds: benchgate_core::model::Rounds| {
            let is_whole = rounds.base.len() >= PAIRS_PER_LAYOUT as usize;
            is_whole.then_some(Layout { seed: u64::from(seed), rounds })
        };
        Ok(measured
            .into_iter()
            .map(|mut measured| {
                let evidence = measured.measurements.evidence.remove(&Metric::TIME)?;
                layout(evidence.rounds)
            })
            .collect())
    }
}

fn evidence<'a>(observed: &'a mut [Observation], suspect: &Suspect) -> Option<&'a mut Evidence> {
    match &mut observed.get_mut(suspect.index)?.outcome {
        Outcome::Compared { evidence, .. } => Some(evidence),
        _ => None,
    }
}
