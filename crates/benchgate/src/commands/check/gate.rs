//! Building, asking and measuring both sides.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use benchgate_core::judge::{Observed, observe_records};
use benchgate_core::model::{BenchmarkKey, Recorded, Side, Toolchain};
use benchgate_core::policy::Policy;
use benchgate_core::result::{Seconds, SuiteReport};
use benchgate_host::cargo::Workspace;
use benchgate_host::git::Revision;
use benchgate_host::measure::Inventory;
use benchgate_host::sides::{BuiltSide, Workshop};
use benchgate_host::{HostError, Progress, store, toolchain};

use super::same::same_suites;
use crate::error::CommandError;
use crate::observe::{Bench, counted_suites, observe, observe_counts};
use crate::record::{Recording, record, recorded};
use crate::session::{Prepared, Session, ask, suites};

/// What came of building and measuring.
pub(super) struct Seen {
    pub(super) observed: Vec<Observed>,
    pub(super) suites: Vec<SuiteReport>,
    pub(super) toolchain: Option<Toolchain>,
    pub(super) seconds: Seconds,
    /// Both sides, where both were built.
    pub(super) sides: Option<[Prepared; 2]>,
}

/// One run of the gate.
pub(super) struct Gate<'a> {
    pub(super) session: &'a Session,
    pub(super) policy: &'a Policy,
    pub(super) workshop: &'a Workshop,
    pub(super) seed: u64,
    pub(super) progress: &'a dyn Progress,
    /// When the run began, and how long it may take.
    pub(super) budget: Option<(Instant, Duration)>,
    /// Whether suites whose executables are the same are measured all the same.
    pub(super) measure_identical: bool,
}

impl Gate<'_> {
    /// Alternating rounds of both sides.
    pub(super) fn in_pairs(
        &self,
        base: &Revision,
        head: &Revision,
        baseline: Option<Recorded>,
        remarks: &mut Vec<String>,
    ) -> Result<Seen, CommandError> {
        let started = Instant::now();
        let Self { session, policy, workshop, progress, .. } = *self;
        let build = |side, revision| session.build(side, revision, workshop, policy, progress);
        // The head's checkout comes after the base's build, see `benchgate_host::sides`.
        let built = [build(Side::Base, base)?, build(Side::Head, head)?];
        let same = match &built {
            [Ok(of_base), Ok(of_head)] if !self.measure_identical => {
                let changed = session.repository.changed_files(base, head)?;
                same_suites(of_base, of_head, &changed, remarks)?
            }
            _ => BTreeMap::new(),
        };
        let is_same =
            |package: &str, suite: &str| same.contains_key(&(package.to_owned(), suite.to_owned()));
        let [base, head] = built;
        let mut base = ask(
            Side::Base,
            base,
            |executable| !is_same(&executable.package, &executable.suite),
            workshop,
            policy,
            progress,
        )?;
        let head = ask(Side::Head, head, |_| true, workshop, policy, progress)?;
        base.inventory.take_over(&head.inventory, is_same);
        let build = started.elapsed().as_secs_f64();
        let toolchains = [self.toolchain(&base.built)?, self.toolchain(&head.built)?];
        if let [Some(of_base), Some(of_head)] = &toolchains {
            let found = of_head.differences(of_base);
            if !found.is_empty() {
                let found = found.join("; ");
                remarks.push(format!("head and base were built differently: {found}"));
            }
        }
        if let [Some(of_base), Some(of_head)] = [&base.built, &head.built] {
            remarks.extend(other_instrument(&of_base.workspace, &of_head.workspace));
        }
        let [_, toolchain] = toolchains;
        let started = Instant::now();
        // A side that does not build leaves nothing to match.
        let observed = if base.built.is_some() && head.built.is_some() {
            let bench = self.bench(baseline, same);
            let (base, head) = (&base.inventory, &head.inventory);
            let counted = |side: &Inventory| side.counts().keys().cloned().collect();
            let counted = session.matches(counted, base, head, policy);
            let timed = session.matches(Inventory::keys, base, head, policy);
            let mut observed = observe_counts(base, head, counted, &bench);
            let (times, cut) = observe(base, head, timed, &bench)?;
            self.remark_cut(&cut, remarks);
            observed.extend(times);
            observed
        } else {
            Vec::new()
        };
        Ok(Seen {
            observed,
            suites: suites(Some(&base.inventory), &head.inventory),
            toolchain,
            seconds: Seconds { build, measure: started.elapsed().as_secs_f64() },
            sides: Some([base, head]),
        })
    }

    /// Rounds of the head, held against a committed baseline.
    pub(super) fn against_baseline(
        &self,
        baseline: Recorded,
        head: &Revision,
        remarks: &mut Vec<String>,
    ) -> Result<Seen, CommandError> {
        let started = Instant::now();
        let head =
            self.session.prepare(Side::Head, head, self.workshop, self.policy, self.progress)?;
        let build = started.elapsed().as_secs_f64();
        let toolchain = self.toolchain(&head.built)?;
        let started = Instant::now();
        let observed = if head.built.is_some() {
            let nothing = Inventory::default();
            let matches =
                self.session.matches(Inventory::keys, &nothing, &head.inventory, self.policy);
            let bench = self.bench(None, BTreeMap::new());
            let Recording { benchmarks, others, cut } = record(&head.inventory, matches, &bench)?;
            self.remark_cut(&cut, remarks);
            let mut observed = observe_records(baseline, recorded(benchmarks), self.policy)?;
            observed.retain(|o| others.iter().all(|other| other.key != o.key));
            observed.extend(others);
            observed
        } else {
            Vec::new()
        };
        Ok(Seen {
            observed,
            suites: {
                let mut all = suites(None, &head.inventory);
                all.extend(counted_suites(&head.inventory));
                all
            },
            toolchain,
            seconds: Seconds { build, measure: started.elapsed().as_secs_f64() },
            sides: None,
        })
    }

    fn bench(
        &self,
        baseline: Option<Recorded>,
        same: BTreeMap<(String, String), String>,
    ) -> Bench<'_> {
        let rounds = baseline
            .into_iter()
            .flat_map(|record| record.benchmarks)
            .map(|(key, values)| (key, values.rounds))
            .collect();
        Bench {
            budget: self.budget,
            baseline: rounds,
            same,
            ..Bench::new(self.policy, self.seed, self.workshop, self.progress)
        }
    }

    fn remark_cut(&self, cut: &[BenchmarkKey], remarks: &mut Vec<String>) {
        if let (Some((_, budget)), false) = (self.budget, cut.is_empty()) {
            remarks.push(cut_off(budget, cut));
        }
    }

    /// The baseline that the base commit holds for this machine, unless it was measured on something
    /// else; then a remark says what differs. `alone`: the baseline was to decide, and pairs do now.
    pub(super) fn usable_baseline(
        &self,
        base: &Revision,
        alone: bool,
        remarks: &mut Vec<String>,
    ) -> Result<Option<Recorded>, CommandError> {
        let Session { repository, workspace, machine, .. } = self.session;
        let records = store::committed(repository, &base.commit, &workspace.root, &machine.name)?;
        if records.is_empty() {
            let instead = if alone {
                "base and head are measured in pairs instead"
            } else {
                "what drifts from release to release is not seen"
            };
            remarks.push(format!(
                "{} has no baseline for the machine `{}`: {instead} (`benchgate baseline save` makes one)",
                base.name, machine.name
            ));
            return Ok(None);
        }
        let here = toolchain::fingerprint(&workspace.root, &self.policy.build)?;
        // Suites may have been saved on different occasions: every file is looked at.
        for (name, record) in &records {
            let found = match (&record.machine, &record.toolchain) {
                (Some(then), Some(with)) => {
                    [machine.differences(then), here.differences(with)].concat()
                }
                _ => vec!["the file does not say on what".to_owned()],
            };
            if !found.is_empty() {
                let so = if alone {
                    "base and head are measured in pairs instead"
                } else {
                    "it tells nothing about drift"
                };
                remarks.push(format!(
                    "`{name}` was measured on something else ({}): {so}",
                    found.join("; ")
                ));
                return Ok(None);
            }
        }
        Ok(store::merged(records))
    }

    fn toolchain(&self, side: &Option<BuiltSide>) -> Result<Option<Toolchain>, CommandError> {
        let of = |built: &BuiltSide| self.toolchain_of(&built.workspace);
        Ok(side.as_ref().map(of).transpose()?)
    }

    fn toolchain_of(&self, workspace: &Workspace) -> Result<Toolchain, HostError> {
        toolchain::fingerprint(&workspace.root, &self.policy.build)
    }
}

/// Two Criterions measure in two ways: what changed may be the measuring.
fn other_instrument(base: &Workspace, head: &Workspace) -> Option<String> {
    let [base, head] = [base, head].map(|workspace| toolchain::criterions(&workspace.root));
    let told = |versions: BTreeSet<String>| versions.into_iter().collect::<Vec<_>>().join(" and ");
    (base != head && !base.is_empty() && !head.is_empty()).then(|| {
        format!(
            "the base is measured by Criterion {}, the head by {}: a change may be the measuring's",
            told(base),
            told(head)
        )
    })
}

/// Says which benchmarks the time was too short for.
fn cut_off(budget: Duration, cut: &[BenchmarkKey]) -> String {
    const NAMED: usize = 20;
    let names: Vec<String> = cut.iter().take(NAMED).map(|key| format!("`{key}`")).collect();
    let more = match cut.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(
        "the budget of {} ended before {} benchmark{} settled: {}{more}",
        humantime::format_duration(budget),
        cut.len(),
        if cut.len() == 1 { " was" } else { "s were" },
        names.join(", ")
    )
}
