//! What would be red is questioned: is it the code, or only where the code lies?

use std::collections::BTreeSet;

use benchgate_core::judge::{Compared, Instructions, Layout, Observed, Outcome, judge};
use benchgate_core::model::{BenchmarkKey, Metric, Side};
use benchgate_core::result::Method;
use benchgate_core::schedule::{Goal, Plan};
use benchgate_host::instructions::{Instructions as Count, count};
use benchgate_host::measure::{Inventory, Settings, Work, measure};
use benchgate_host::relink::{Relinked, relink};
use benchgate_host::sides::Executable;

use super::gate::Gate;
use crate::error::CommandError;
use crate::session::{Prepared, scratch};

/// Pairs in each other layout: six that agree are no accident, and more are not needed to see a sign.
const PAIRS: u32 = 6;

/// Benchmarks whose instructions are counted: under valgrind each takes seconds.
const MOST_COUNTED: usize = 20;

/// What is needed to question findings.
pub(super) struct Suspects<'a> {
    pub(super) gate: &'a Gate<'a>,
    pub(super) sides: Option<[Prepared; 2]>,
}

/// A benchmark that would be red, by its index among what was observed.
struct Suspect {
    index: usize,
    base: BenchmarkKey,
    head: BenchmarkKey,
}

impl Suspects<'_> {
    /// Adds to every time that would be red what its instructions and other layouts of its code say.
    pub(super) fn questioned(
        &self,
        mut observed: Vec<Observed>,
        method: Method,
        remarks: &mut Vec<String>,
    ) -> Result<Vec<Observed>, CommandError> {
        let (Method::Paired, Some(sides)) = (method, &self.sides) else { return Ok(observed) };
        let suspects = self.suspects(&observed, method);
        if suspects.is_empty() || self.gate.policy.build.layouts == 0 {
            return Ok(observed);
        }
        self.gate.progress.phase("asking whether it is the code or its layout");
        for suspect in suspects.iter().take(MOST_COUNTED) {
            if let Some(instructions) = self.instructions(suspect, sides)?
                && let Some(compared) = compared(&mut observed, suspect.index)
            {
                compared.instructions = Some(instructions);
            }
        }
        let suites: BTreeSet<(String, String)> =
            suspects.iter().map(|s| (s.head.package.clone(), s.head.suite.clone())).collect();
        for (package, suite) in suites {
            if self.is_out_of_time() {
                remarks.push(format!(
                    "`{package}.{suite}` was not measured in other layouts of its code: the budget ended"
                ));
                continue;
            }
            let of_suite: Vec<&Suspect> = suspects
                .iter()
                .filter(|s| (&s.head.package, &s.head.suite) == (&package, &suite))
                .collect();
            match self.layouts(&of_suite, sides)? {
                Ok(layouts) => {
                    for (suspect, layouts) in of_suite.iter().zip(layouts) {
                        if layouts.len() < self.gate.policy.build.layouts as usize {
                            remarks.push(format!(
                                "`{}` has values of {} of {} other layouts only",
                                suspect.head,
                                layouts.len(),
                                self.gate.policy.build.layouts
                            ));
                        }
                        if let Some(compared) = compared(&mut observed, suspect.index) {
                            compared.layouts = layouts;
                        }
                    }
                }
                Err(reason) => remarks.push(format!(
                    "`{package}.{suite}` was not measured in other layouts of its code: {reason}"
                )),
            }
        }
        self.gate.progress.done();
        Ok(observed)
    }

    fn suspects(&self, observed: &[Observed], method: Method) -> Vec<Suspect> {
        let reports = judge(observed.to_vec(), self.gate.policy, method);
        let red: BTreeSet<BenchmarkKey> = reports
            .iter()
            .filter(|r| r.metric == Metric::Time && r.blocking && r.finding.level().is_some())
            .map(|r| BenchmarkKey::new(&*r.package, &*r.suite, &*r.id))
            .collect();
        let suspect = |(index, observed): (usize, &Observed)| match &observed.outcome {
            Outcome::Compared(compared) if red.contains(&observed.key) => {
                let head = observed.key.clone();
                let id = compared.renamed_from.clone().unwrap_or_else(|| head.id.clone());
                Some(Suspect { index, base: BenchmarkKey { id, ..head.clone() }, head })
            }
            _ => None,
        };
        observed.iter().enumerate().filter_map(suspect).collect()
    }

    fn is_out_of_time(&self) -> bool {
        self.gate.budget.is_some_and(|(began, given)| began.elapsed() >= given)
    }

    /// Instructions of one iteration on both sides; `None` where they cannot be counted.
    fn instructions(
        &self,
        suspect: &Suspect,
        [base, head]: &[Prepared; 2],
    ) -> Result<Option<Instructions>, CommandError> {
        let mut counts = [0.0; 2];
        let sides = [(&base.inventory, &suspect.base), (&head.inventory, &suspect.head)];
        for (slot, (inventory, key)) in counts.iter_mut().zip(sides) {
            if self.is_out_of_time() {
                return Ok(None);
            }
            let Some((suite, title)) = inventory.suite_and_title(key) else { return Ok(None) };
            let timeout = self.gate.policy.measure.timeout;
            match count(suite, title, timeout, &scratch(self.gate.workshop))? {
                #[expect(clippy::cast_precision_loss, reason = "shown as a share")]
                Count::Counted(instructions) => *slot = instructions as f64,
                Count::Unavailable(_) => return Ok(None),
            }
        }
        let [base, head] = counts;
        Ok((base > 0.0 && head > 0.0).then_some(Instructions { base, head }))
    }

    /// Pairs of each suspect of one suite in other layouts of both sides; or why there are none.
    fn layouts(
        &self,
        suspects: &[&Suspect],
        sides: &[Prepared; 2],
    ) -> Result<Result<Vec<Vec<Layout>>, String>, CommandError> {
        let Gate { workshop, policy, seed, progress, .. } = self.gate;
        // Padding seeds are 32 bits wide.
        let seeds: Vec<u32> =
            (1..=policy.build.layouts).map(|n| (*seed as u32).wrapping_add(n)).collect();
        let mut moved: Vec<Vec<Executable>> = Vec::new();
        for (side, prepared) in [Side::Base, Side::Head].into_iter().zip(sides) {
            let suite = suspects.first().map(|s| (&s.head.package, &s.head.suite));
            let of_suite = prepared.built.as_ref().and_then(|built| {
                let is_it = |e: &&Executable| suite == Some((&e.package, &e.suite));
                Some((built, built.executables.iter().find(is_it)?))
            });
            let Some((built, executable)) = of_suite else {
                return Ok(Err("it has no executable on one side".to_owned()));
            };
            let linked =
                relink(workshop, side, built, executable, &policy.build, &seeds, *progress)?;
            match linked {
                Relinked::Executables(executables) => moved.push(executables),
                Relinked::Unavailable(reason) => return Ok(Err(reason)),
            }
        }
        let mut layouts: Vec<Vec<Layout>> = vec![Vec::new(); suspects.len()];
        for (number, seed) in seeds.iter().enumerate() {
            let mut inventories = Vec::new();
            for executables in &moved {
                let scratch = scratch(workshop);
                let executable = executables.get(number);
                inventories.push(Inventory::of(executable, &policy.measure, &scratch, *progress)?);
            }
            let [base, head] = inventories.as_slice() else { continue };
            let work: Vec<Work> = suspects
                .iter()
                .map(|s| Work { base: Some(s.base.clone()), head: Some(s.head.clone()) })
                .collect();
            let goal = |suspect: &&Suspect| Goal::Compare {
                limits: policy.limits_for(&suspect.head),
                at_least: PAIRS,
                baseline: None,
            };
            let goals = suspects.iter().map(goal).collect();
            let plan = Plan::new(goals, PAIRS, u64::from(*seed));
            let settings = Settings {
                measure: &policy.measure,
                // What was begun is ended: some of the layouts prove less than all.
                budget: None,
                scratch: &scratch(workshop),
                progress: *progress,
            };
            for (layouts, measured) in
                layouts.iter_mut().zip(measure(base, head, &work, plan, &settings)?)
            {
                let rounds = measured.outcome.sequence.screening;
                if rounds.base.len() >= PAIRS as usize {
                    layouts.push(Layout { seed: u64::from(*seed), rounds });
                }
            }
        }
        Ok(Ok(layouts))
    }
}

fn compared(observed: &mut [Observed], index: usize) -> Option<&mut Compared> {
    match &mut observed.get_mut(index)?.outcome {
        Outcome::Compared(compared) => Some(compared),
        _ => None,
    }
}
