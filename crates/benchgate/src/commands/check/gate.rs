//! Builds both sides, lists their benchmarks and measures them.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use benchgate_core::journal::Header;
use benchgate_core::judge::{Observation, observe_records, unused_entries};
use benchgate_core::model::{BenchmarkKey, Finding, Recorded, Side, Sides, SuiteKey, Toolchain};
use benchgate_core::policy::{Policy, Suite};
use benchgate_core::result::{Seconds, SuiteReport};
use benchgate_host::cargo::Workspace;
use benchgate_host::git::Revision;
use benchgate_host::journal::Journal;
use benchgate_host::measure::{Inventory, Layouts};
use benchgate_host::sides::{BuildDir, BuiltSide, even_out};
use benchgate_host::{Progress, store, toolchain};

use super::affected::Reaches;
use super::earlier::GoingOn;
use super::resume;
use super::same::same_suites;
use crate::error::CommandError;
use crate::observe::{Bench, observe, observe_counts, untimed_suites};
use crate::record::{Recording, record, recorded};
use crate::session::{Prepared, Session, ask, scratch, suites};

/// The consequence where a baseline was meant to decide and cannot be used.
const IN_PAIRS: &str = "base and head are measured in pairs instead";

/// The outcome of building and measuring.
pub(super) struct Measured {
    pub(super) observed: Vec<Observation>,
    pub(super) suites: Vec<SuiteReport>,
    pub(super) toolchain: Option<Toolchain>,
    pub(super) seconds: Seconds,
    /// Both sides, where both were built.
    pub(super) sides: Option<Sides<Prepared>>,
    /// Where what was measured is kept.
    pub(super) journal: Journal,
}

/// One run of the gate.
pub(super) struct Gate<'a> {
    pub(super) session: &'a Session,
    pub(super) policy: &'a Policy,
    /// The head's policy, where it differs: it may say what the change renames and removes.
    pub(super) declared: Option<&'a Policy>,
    pub(super) build_dir: &'a BuildDir,
    pub(super) seed: u64,
    pub(super) progress: &'a dyn Progress,
    /// Start of the run, and its budget.
    pub(super) budget: Option<(Instant, Duration)>,
    /// Whether suites with the same machine code on both sides are measured too.
    pub(super) measure_identical: bool,
    /// The inputs of each suite, and what the change means for them.
    pub(super) reaches: &'a Reaches,
    /// The run that goes on.
    pub(super) interrupted: Option<&'a Header>,
    /// The earlier attempts on the same base and head.
    pub(super) going_on: Option<&'a GoingOn>,
    /// The command that starts this run again.
    pub(super) command: &'a str,
}

impl Gate<'_> {
    /// Alternating rounds of both sides.
    pub(super) fn in_pairs(
        &self,
        base: &Revision,
        head: &Revision,
        baseline: Option<Recorded>,
        notices: &mut Vec<String>,
    ) -> Result<Measured, CommandError> {
        let started = Instant::now();
        let Self { session, policy, build_dir, progress, .. } = *self;
        let revisions = Sides::new(base, head);
        let build = |side, revision| session.build(side, revision, build_dir, policy, progress);
        // The head's checkout comes after the base's build, see `benchgate_host::sides`.
        let mut built = Sides::new(build(Side::Base, base)?, build(Side::Head, head)?);
        if let Sides { base: Ok(of_base), head: Ok(of_head) } = &mut built {
            without_base_suites(of_base, of_head);
            even_out(of_base, of_head);
        }
        for side in [&built.base, &built.head] {
            notices.extend(side.iter().flat_map(|side| side.notices.clone()));
        }
        let same = match &built {
            Sides { base: Ok(of_base), head: Ok(of_head) } if !self.measure_identical => {
                let changed = session.repository.changed_files(base, head)?;
                same_suites(of_base, of_head, &changed, self.reaches, notices)?
            }
            _ => BTreeMap::new(),
        };
        let is_same = |suite: &SuiteKey| same.contains_key(suite);
        let Sides { base, head } = built;
        let base = if head.is_ok() { base.map_err(without_base) } else { base };
        let mut base = ask(
            Side::Base,
            base,
            |executable| !is_same(&executable.key),
            build_dir,
            policy,
            progress,
        )?;
        let head = ask(Side::Head, head, |_| true, build_dir, policy, progress)?;
        base.inventory.take_over(&head.inventory, is_same);
        let build = started.elapsed().as_secs_f64();
        let toolchains = Sides::new(self.toolchain(&base.built)?, self.toolchain(&head.built)?);
        let toolchain = toolchains.head.clone();
        if let Some(going_on) = self.going_on {
            going_on.built_by(toolchain.as_ref())?;
        }
        if let Some(Sides { base: of_base, head: of_head }) = toolchains.both() {
            let found = of_head.differences(&of_base);
            if !found.is_empty() {
                let found = found.join("; ");
                notices.push(format!("head and base were built differently: {found}"));
            }
        }
        if let (Some(of_base), Some(of_head)) = (&base.built, &head.built) {
            notices.extend(other_instruments(&of_base.workspace, &of_head.workspace));
        }
        let journal = self.journal(revisions, Sides::new(&base.built, &head.built))?;
        let started = Instant::now();
        // A head that does not build leaves nothing to match. Without a base, its benchmarks are new.
        let (observed, linking) = if head.built.is_some() {
            let sides = Sides::new(base.built.as_ref(), head.built.as_ref()).both();
            let run = scratch(build_dir);
            let layouts = sides.map(|sides| {
                let Policy { build, measure, .. } = policy;
                Layouts::new(build_dir, sides, build, measure, &run, self.seed, progress)
            });
            let bench = Bench { layouts: layouts.as_ref(), ..self.bench(baseline, same, &journal) };
            let inventories = Sides::new(&base.inventory, &head.inventory);
            let counted = |side: &Inventory| side.counts().keys().cloned().collect();
            let counted = session.matches(counted, inventories, policy, self.declared);
            let sampled = session.matches(Inventory::keys, inventories, policy, self.declared);
            let mut observed = observe_counts(inventories, counted, &bench);
            let (times, cut) = observe(inventories, sampled, &bench)?;
            self.note_cut(&cut, notices);
            self.note_unmatched(inventories, notices);
            observed.extend(times);
            (observed, layouts.as_ref().map(Layouts::linking).unwrap_or_default())
        } else {
            (Vec::new(), Duration::ZERO)
        };
        let (whole, linking) = (started.elapsed().as_secs_f64(), linking.as_secs_f64());
        Ok(Measured {
            observed,
            suites: suites(Some(&base.inventory), &head.inventory),
            toolchain,
            // To link again is to compile again: it builds, while nothing is measured.
            seconds: Seconds { build: build + linking, measure: whole - linking },
            sides: Some(Sides { base, head }),
            journal,
        })
    }

    /// Rounds of the head, compared with a committed baseline.
    pub(super) fn against_baseline(
        &self,
        baseline: Recorded,
        revisions: Sides<&Revision>,
        notices: &mut Vec<String>,
    ) -> Result<Measured, CommandError> {
        let started = Instant::now();
        let Self { session, policy, build_dir, progress, .. } = *self;
        let head = session.prepare(Side::Head, revisions.head, build_dir, policy, progress)?;
        let build = started.elapsed().as_secs_f64();
        let toolchain = self.toolchain(&head.built)?;
        let journal = self.journal(revisions, Sides::new(&None, &head.built))?;
        let started = Instant::now();
        let observed = if head.built.is_some() {
            let nothing = Inventory::default();
            let inventories = Sides::new(&nothing, &head.inventory);
            let matches = self.session.matches(
                Inventory::timed_keys,
                inventories,
                self.policy,
                self.declared,
            );
            let bench = self.bench(None, BTreeMap::new(), &journal);
            let Recording { benchmarks, others, cut } = record(&head.inventory, matches, &bench)?;
            self.note_cut(&cut, notices);
            let mut observed = observe_records(baseline, recorded(benchmarks), self.policy)?;
            observed.retain(|o| others.iter().all(|other| other.key != o.key));
            observed.extend(others);
            observed
        } else {
            Vec::new()
        };
        Ok(Measured {
            observed,
            suites: {
                let mut all = suites(None, &head.inventory);
                all.extend(untimed_suites(&head.inventory));
                all
            },
            toolchain,
            seconds: Seconds { build, measure: started.elapsed().as_secs_f64() },
            sides: None,
            journal,
        })
    }

    fn journal(
        &self,
        revisions: Sides<&Revision>,
        built: Sides<&Option<BuiltSide>>,
    ) -> Result<Journal, CommandError> {
        let built = built.map(Option::as_ref);
        let earlier = self.going_on.map(|going_on| going_on.digest.as_str());
        let run =
            resume::describe(self.seed, revisions, built, self.policy, earlier, self.command)?;
        Ok(resume::open(self.build_dir, &run, self.interrupted)?)
    }

    fn bench<'b>(
        &'b self,
        baseline: Option<Recorded>,
        same: BTreeMap<SuiteKey, String>,
        journal: &'b Journal,
    ) -> Bench<'b> {
        let rounds = baseline
            .into_iter()
            .flat_map(|record| record.benchmarks)
            .map(|(key, values)| (key, values.rounds))
            .collect();
        Bench {
            budget: self.budget,
            baseline: rounds,
            journal: Some(journal),
            shard: self.session.shard.as_ref().map(|shard| shard.part),
            earlier: self.going_on.map(|going_on| &going_on.earlier),
            same,
            ..Bench::new(self.policy, self.seed, self.build_dir, self.progress)
        }
    }

    /// Globs of the command line that match nothing, and entries of the policy, if all benchmarks were asked for.
    fn note_unmatched(&self, inventories: Sides<&Inventory>, notices: &mut Vec<String>) {
        let keys = inventories.map(|inventory| {
            let counted = inventory.counts().keys().cloned();
            inventory.keys().into_iter().chain(counted).collect::<BTreeSet<_>>()
        });
        // A glob may be about benchmarks of suites that are not built.
        if self.build_dir.untouched.is_empty() && self.session.shard.is_none() {
            notices.extend(self.session.unmatched_globs(&(&keys.base | &keys.head)));
        }
        if self.session.is_whole() {
            // The base's holds, and the head's is the one that the author can still change.
            let policy = self.declared.unwrap_or(self.policy);
            let suites = suites(Some(inventories.base), inventories.head);
            notices.extend(unused_entries(policy, keys.as_ref(), &suites));
        }
    }

    fn note_cut(&self, cut: &[BenchmarkKey], notices: &mut Vec<String>) {
        if let (Some((_, budget)), false) = (self.budget, cut.is_empty()) {
            notices.push(cut_off(budget, cut));
        }
    }

    /// The baseline of this machine in the base commit; `None`, with a notice that names the differences, if
    /// it was measured with another machine or toolchain. `alone`: the baseline was meant to decide, and
    /// pairs decide instead.
    pub(super) fn usable_baseline(
        &self,
        base: &Revision,
        alone: bool,
        notices: &mut Vec<String>,
    ) -> Result<Option<Recorded>, CommandError> {
        let Session { repository, workspace, machine, .. } = self.session;
        let records = store::committed(repository, &base.commit, &workspace.root, &machine.name)?;
        if records.is_empty() {
            let instead =
                if alone { IN_PAIRS } else { "drift since the last release is not checked" };
            notices.push(format!(
                "{} has no baseline for the machine `{}`: {instead} (`benchgate baseline save` makes one)",
                base.name, machine.name
            ));
            return Ok(None);
        }
        let is_left_out = self.session.suites_left_out(self.policy);
        let is_built = |suite: &&Suite| is_left_out(&suite.key(&workspace.name)).is_none();
        let suites = self.policy.suites.iter().filter(is_built);
        let here = toolchain::fingerprint(workspace, &self.policy.build, suites)?;
        // Suites may have been saved at different times: every file is checked.
        for (name, record) in &records {
            let found = match (&record.machine, &record.toolchain) {
                (Some(then), Some(with)) => {
                    [machine.differences(then), here.differences(with)].concat()
                }
                _ => vec!["the file does not name its machine".to_owned()],
            };
            if !found.is_empty() {
                let so = if alone { IN_PAIRS } else { "drift is not checked" };
                notices.push(format!(
                    "`{name}` was measured with another machine or toolchain ({}): {so}",
                    found.join("; ")
                ));
                return Ok(None);
            }
        }
        Ok(store::merged(records))
    }

    fn toolchain(&self, side: &Option<BuiltSide>) -> Result<Option<Toolchain>, CommandError> {
        let of = |built: &BuiltSide| {
            toolchain::fingerprint(&built.workspace, &self.policy.build, built.declared())
        };
        Ok(side.as_ref().map(of).transpose()?)
    }
}

/// A base that does not build while the head does: there is nothing to compare with.
fn without_base(failed: SuiteReport) -> SuiteReport {
    let reason = format!("{}: there is nothing to compare with", failed.reason);
    SuiteReport { finding: Finding::Inconclusive, reason, ..failed }
}

/// The same of single suites.
fn without_base_suites(base: &mut BuiltSide, head: &BuiltSide) {
    for suite in &mut base.left_out {
        let is_built = head.executables.iter().any(|executable| executable.key == suite.key());
        if suite.finding == Finding::Failed && is_built {
            *suite = without_base(suite.clone());
        }
    }
}

/// Two versions of a harness measure in two ways: what changed may be the measuring.
fn other_instruments(base: &Workspace, head: &Workspace) -> Vec<String> {
    let [base, head] = [base, head].map(|workspace| toolchain::instruments(&workspace.root));
    let listed =
        |versions: &BTreeSet<String>| versions.iter().cloned().collect::<Vec<_>>().join(" and ");
    let other = |(package, of_base): (&&str, &BTreeSet<String>)| {
        let of_head = head.get(package).filter(|of_head| *of_head != of_base)?;
        Some(format!(
            "the base is measured by `{package}` {}, the head by {}: a change may be caused by that",
            listed(of_base),
            listed(of_head)
        ))
    };
    base.iter().filter_map(other).collect()
}

/// Names the benchmarks that the budget was too short for.
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
