//! `benchgate check`: the gate.

use std::path::Path;
use std::time::{Duration, Instant};

use benchgate_core::judge::{
    Observed, RUN_ERROR, Request, judge, judge_rules, observe_records, verdict, waive,
};
use benchgate_core::model::{BenchmarkKey, Recorded, Side, Toolchain};
use benchgate_core::policy::{GateMethod, Policy};
use benchgate_core::report::quoted;
use benchgate_core::result::{Method, Origin, RESULT_SCHEMA, RunResult, Seconds, SuiteReport};
use benchgate_host::cargo::Workspace;
use benchgate_host::git::Revision;
use benchgate_host::measure::Inventory;
use benchgate_host::sides::{BuiltSide, Workshop};
use benchgate_host::{HostError, Progress, store, toolchain, trailers};

use super::baseline::recorded;
use crate::cli::{CheckArgs, Format};
use crate::error::CommandError;
use crate::exit::Exit;
use crate::policy::Held;
use crate::session::{Bench, Session, counted_suites, observe, observe_counts, suites};
use crate::{policy, progress, show};

pub(crate) fn run(arguments: &CheckArgs) -> Result<Exit, CommandError> {
    let began = Instant::now();
    let mut session = Session::open(&arguments.measure)?;
    session.sensitive = arguments.sensitive;
    let head = session.head(arguments.head.as_deref())?;
    let base = base(&session, arguments, &head)?;
    let Held { policy, of_head, mut remarks } = policy::of_commit(
        &arguments.measure,
        &session.repository,
        &session.workspace,
        &base,
        &head,
    )?;
    if base.checkout == head.checkout {
        remarks
            .push("base and head are the same commit: the code is compared with itself".to_owned());
    }
    let seed = arguments.seed.unwrap_or_else(fresh_seed) & LARGEST_SEED;
    let progress = progress::progress();
    let workshop = Workshop::open(&session.repository, &session.workspace)?;
    let gate = Gate {
        session: &session,
        policy: &policy,
        workshop: &workshop,
        seed,
        progress: &*progress,
        budget: arguments.budget.map(|budget| (began, budget.into())),
    };

    let alone = arguments.baseline || policy.gate == GateMethod::Baseline;
    let baseline = gate.usable_baseline(&base, alone, &mut remarks)?;
    let (method, origin, seen) = match baseline {
        Some(record) if alone => {
            let origin = Origin {
                commit: record.commit.clone().unwrap_or_default(),
                name: format!("committed baseline of {}", session.machine.name),
                dirty: false,
            };
            (Method::Baseline, origin, gate.against_baseline(record, &head)?)
        }
        record => {
            let seen = gate.in_pairs(&base, &head, record, &mut remarks)?;
            (Method::Paired, origin_of(&base), seen)
        }
    };
    let mut benchmarks = judge(seen.observed, &policy, method);
    let trailers = trailers::between(&session.repository, &base.commit, &head.commit)?;
    let request =
        Request { today: show::today()?, trailers: &trailers, head: of_head.as_ref(), whole: true };
    let (waivers, refused) = waive(&mut benchmarks, &seen.suites, &policy, &request);
    remarks.extend(refused);
    let rules = judge_rules(&policy.rules, &benchmarks);
    let result = RunResult {
        schema: RESULT_SCHEMA.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        verdict: verdict(&benchmarks, &seen.suites, &rules).max(waivers.verdict()),
        time: show::now(),
        method,
        base: origin,
        head: origin_of(&head),
        machine: Some(session.machine.clone()),
        toolchain: seen.toolchain,
        seed,
        seconds: seen.seconds,
        suites: seen.suites,
        benchmarks,
        rules,
        false_alarm: (method == Method::Paired).then_some(RUN_ERROR),
        waivers,
        remarks,
        reproduce: reproduce(arguments, &base, &head, seed),
    };
    let output = arguments.output.clone().unwrap_or_else(|| workshop.work.clone());
    show::write(&result, &output)?;
    show::print(&result, Format::Terminal, usize::MAX, None);
    show::say(&format!("  written: {}", told(&output)));
    Ok(result.verdict.into())
}

/// Seeds stay below 2^53, so that every JSON reader keeps them.
const LARGEST_SEED: u64 = (1 << 53) - 1;

/// What came of building and measuring.
struct Seen {
    observed: Vec<Observed>,
    suites: Vec<SuiteReport>,
    toolchain: Option<Toolchain>,
    seconds: Seconds,
}

struct Gate<'a> {
    session: &'a Session,
    policy: &'a Policy,
    workshop: &'a Workshop,
    seed: u64,
    progress: &'a dyn Progress,
    budget: Option<(Instant, Duration)>,
}

impl Gate<'_> {
    /// Alternating rounds of both sides.
    fn in_pairs(
        &self,
        base: &Revision,
        head: &Revision,
        baseline: Option<Recorded>,
        remarks: &mut Vec<String>,
    ) -> Result<Seen, CommandError> {
        let started = Instant::now();
        let prepare = |side, revision| {
            self.session.prepare(side, revision, self.workshop, self.policy, self.progress)
        };
        // The head's checkout comes after the base's build, see `benchgate_host::sides`.
        let base = prepare(Side::Base, base)?;
        let head = prepare(Side::Head, head)?;
        let build = started.elapsed().as_secs_f64();
        let toolchains = [self.toolchain(&base.built)?, self.toolchain(&head.built)?];
        if let [Some(of_base), Some(of_head)] = &toolchains {
            let found = of_head.differences(of_base);
            if !found.is_empty() {
                let found = found.join("; ");
                remarks.push(format!("head and base were built differently: {found}"));
            }
        }
        let [_, toolchain] = toolchains;
        let started = Instant::now();
        // A side that does not build leaves nothing to match.
        let observed = if base.built.is_some() && head.built.is_some() {
            let (base, head) = (&base.inventory, &head.inventory);
            let counted = |side: &Inventory| side.counts().keys().cloned().collect();
            let counted = self.session.matches(counted, base, head, self.policy);
            let timed = self.session.matches(Inventory::keys, base, head, self.policy);
            let mut observed = observe_counts(base, head, counted);
            let (times, cut) = observe(base, head, timed, &self.bench(baseline))?;
            if let (Some((_, budget)), false) = (self.budget, cut.is_empty()) {
                remarks.push(cut_off(budget, &cut));
            }
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
        })
    }

    /// Rounds of the head, held against a committed baseline.
    fn against_baseline(&self, baseline: Recorded, head: &Revision) -> Result<Seen, CommandError> {
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
            let (record, failed) = recorded(
                &head.inventory,
                matches,
                self.policy,
                self.seed,
                self.workshop,
                self.progress,
            )?;
            let mut observed = observe_records(baseline, record, self.policy)?;
            observed.retain(|o| failed.iter().all(|f| f.key != o.key));
            observed.extend(failed);
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
        })
    }

    fn bench(&self, baseline: Option<Recorded>) -> Bench<'_> {
        let rounds = baseline
            .into_iter()
            .flat_map(|record| record.benchmarks)
            .map(|(key, values)| (key, values.rounds))
            .collect();
        Bench {
            policy: self.policy,
            seed: self.seed,
            workshop: self.workshop,
            progress: self.progress,
            budget: self.budget,
            baseline: rounds,
        }
    }

    /// The baseline that the base commit holds for this machine, unless it was measured on something
    /// else; then a remark says what differs. `alone`: the baseline was to decide, and pairs do now.
    fn usable_baseline(
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

/// What the head is compared with, when the user does not say: what it grew out of.
fn base(
    session: &Session,
    arguments: &CheckArgs,
    head: &Revision,
) -> Result<Revision, CommandError> {
    if let Some(name) = &arguments.base {
        return Ok(session.repository.merge_base(name, head)?);
    }
    if head.dirty {
        return Ok(session.repository.commit("HEAD")?);
    }
    session.repository.parent(head)?.ok_or_else(|| {
        HostError::usage(
            format!("{} is the first commit of this repository: there is no base", head.name),
            "commit a change, or name a base with --base (`--base HEAD` compares a commit with itself)",
        )
        .into()
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

fn origin_of(revision: &Revision) -> Origin {
    Origin { commit: revision.commit.clone(), name: revision.name.clone(), dirty: revision.dirty }
}

fn reproduce(arguments: &CheckArgs, base: &Revision, head: &Revision, seed: u64) -> String {
    let mut words = vec!["benchgate check --base".to_owned(), base.commit.clone()];
    if !head.dirty {
        words.extend(["--head".to_owned(), head.commit.clone()]);
    }
    if arguments.baseline {
        words.push("--baseline".to_owned());
    }
    if arguments.sensitive {
        words.push("--sensitive".to_owned());
    }
    let measure = &arguments.measure;
    if let Some(policy) = &measure.policy {
        words.extend(["--policy".to_owned(), quoted(&policy.to_string_lossy())]);
    }
    if let Some(pairs) = measure.pairs {
        words.extend(["--pairs".to_owned(), pairs.to_string()]);
    }
    if let Some(budget) = arguments.budget {
        words.extend(["--budget".to_owned(), quoted(&budget.to_string())]);
    }
    for glob in &measure.filter {
        words.extend(["--filter".to_owned(), quoted(glob)]);
    }
    words.extend(["--seed".to_owned(), seed.to_string()]);
    words.join(" ")
}

fn fresh_seed() -> u64 {
    // The hasher's keys are the standard library's randomness; which seed it is does not matter, that
    // it is recorded does.
    use std::hash::{BuildHasher as _, RandomState};
    RandomState::new().hash_one(std::process::id())
}

/// A path as the user would type it.
fn told(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&here).unwrap_or(path).display().to_string()
}
