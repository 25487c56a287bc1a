//! Does what a search asks for, and writes down what came of it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use benchgate_core::bisect::{Build, History, Next, Progress, Round, State, advance};
use benchgate_core::judge::looks::RUN_ERROR;
use benchgate_core::model::{BenchmarkKey, Pace, Side, SkipReason, Stage, SuiteKey};
use benchgate_core::report::bisection;
use benchgate_core::result::{BisectBenchmark, SuiteReport};
use benchgate_host::HostError;
use benchgate_host::cargo::choice::{Choice, LeftOut};
use benchgate_host::evidence::bisect::Testees;
use benchgate_host::git::Commit;
use benchgate_host::measure::Inventory;

use super::state;
use crate::building::{Building, scratch};
use crate::error::CommandError;
use crate::progress;
use crate::request::Selection;

/// Builds commits, each once.
pub(super) struct Builder<'a> {
    building: Building<'a>,
    selection: &'a Selection,
    testees: Testees<'a>,
    commits: &'a [Commit],
    /// Commits that do not build, and why.
    broken: BTreeMap<usize, String>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(
        building: Building<'a>,
        selection: &'a Selection,
        testees: Testees<'a>,
        commits: &'a [Commit],
    ) -> Self {
        Self { building, selection, testees, commits, broken: BTreeMap::new() }
    }

    /// The number of commits that were built, or could not be.
    pub(super) fn builds(&self) -> usize {
        self.testees.len() + self.broken.len()
    }

    /// The folder for results.
    pub(super) fn work(&self) -> PathBuf {
        self.building.build_dir.work.clone()
    }

    /// Has only the suites built that are searched.
    pub(super) fn only(&mut self, state: &State) {
        let suites: Vec<SuiteKey> =
            state.benchmarks.iter().map(|benchmark| benchmark.key().suite_key()).collect();
        let left_out: LeftOut<'_> = Box::new(move |key| {
            let reason = || (SkipReason::NotSelected, "it is not searched".to_owned());
            (!suites.contains(key)).then(reason)
        });
        self.building.choice = Choice { left_out: Some(left_out), ..Choice::default() };
    }

    fn commit(&self, at: usize) -> Result<&'a Commit, CommandError> {
        let commit = self.commits.get(at);
        commit.ok_or_else(|| CommandError::Unmeasured(format!("there is no commit {at}")))
    }

    /// Builds a commit, unless it is built; why it cannot be.
    pub(super) fn build(&mut self, at: usize) -> Result<Option<String>, CommandError> {
        let commit = self.commit(at)?;
        if self.testees.get(&commit.commit).is_some() {
            return Ok(None);
        }
        if let Some(reason) = self.broken.get(&at) {
            return Ok(Some(reason.clone()));
        }
        self.testees.clear()?;
        let Building { build_dir, policy, progress, .. } = self.building;
        let built = self.building.build(Side::Base, &commit.revision())?;
        let side = match built {
            Ok(side) => side,
            Err(failed) => {
                let reason = reason(&failed.report);
                self.broken.insert(at, reason.clone());
                return Ok(Some(reason));
            }
        };
        let left_out = side.left_out.clone();
        self.testees.add(&commit.commit, side, |executables| {
            let scratch = scratch(build_dir);
            let mut inventory = Inventory::of(executables, &policy.measure, &scratch, progress)?;
            inventory.suites_left_out.extend(left_out);
            progress.done();
            Ok::<_, CommandError>(inventory)
        })?;
        Ok(None)
    }

    /// The timed benchmarks of a commit that were asked for.
    pub(super) fn wanted(&self, at: usize) -> Vec<BenchmarkKey> {
        let commit = self.commits.get(at).map_or("", |commit| &commit.commit);
        let Some(testee) = self.testees.get(commit) else { return Vec::new() };
        let inventory = testee.inventory();
        let is_timed = |key: &BenchmarkKey| {
            inventory.metric_of(&key.suite_key()).is_some_and(|metric| metric.is_duration())
        };
        let is_wanted =
            |key: &BenchmarkKey| self.selection.left_out(key, self.building.policy).is_none();
        inventory.keys().into_iter().filter(|key| is_timed(key) && is_wanted(key)).collect()
    }

    /// Builds a commit for one benchmark. `others` are commits that were built before, to compare its executable with.
    fn test(
        &mut self,
        at: usize,
        key: &BenchmarkKey,
        others: &[usize],
    ) -> Result<Build, CommandError> {
        let untestable = |reason: String| Ok(Build::Untestable { reason });
        if let Some(reason) = self.build(at)? {
            return untestable(reason);
        }
        let commit = self.commit(at)?;
        let inventory = self.testees.get(&commit.commit).map(|testee| testee.inventory());
        if inventory.is_none_or(|inventory| inventory.suite_of(key).is_none()) {
            let left_out = inventory.map(|inventory| inventory.suites_left_out.as_slice());
            let of_suite = |suite: &&SuiteReport| suite.key() == key.suite_key();
            let why = left_out.unwrap_or_default().iter().find(of_suite).map(reason);
            return untestable(why.unwrap_or_else(|| format!("it has no benchmark `{}`", key.id)));
        }
        let mut built = BTreeMap::new();
        for other in others {
            // A commit that an earlier call built may have to be taken from the store.
            if self.build(*other)?.is_none() {
                built.insert(self.commit(*other)?.commit.as_str(), *other);
            }
        }
        let same = self.testees.same(&commit.commit, key, built.keys().copied())?;
        let same_as = same.and_then(|same| built.get(same).copied());
        Ok(Build::Testable { same_as })
    }
}

/// Why a suite or a commit was not built: what cargo could not do, and its first error.
fn reason(report: &SuiteReport) -> String {
    let error = report.output.lines().find(|line| line.trim_start().starts_with("error"));
    match error {
        Some(error) => format!("{}: {}", report.reason, error.trim()),
        None => report.reason.clone(),
    }
}

/// A search for several benchmarks.
pub(super) struct Search<'a> {
    pub(super) builder: Builder<'a>,
    pub(super) state: State,
    pub(super) file: PathBuf,
    pub(super) deadline: Option<Instant>,
}

impl Search<'_> {
    /// Searches for each benchmark in turn.
    pub(super) fn run(&mut self) -> Result<Vec<BisectBenchmark>, CommandError> {
        state::write(&self.file, &self.state)?;
        let mut outcomes = Vec::new();
        for index in 0..self.state.benchmarks.len() {
            let searched = self.search(index);
            if matches!(searched, Err(CommandError::Host(HostError::Interrupted))) {
                progress::say(
                    "notice: what was learnt is kept: `benchgate bisect --resume` continues",
                );
            }
            outcomes.push(searched?);
        }
        Ok(outcomes)
    }

    fn search(&mut self, index: usize) -> Result<BisectBenchmark, CommandError> {
        let names: Vec<String> = self.state.commits.clone();
        let key = self.state.benchmarks[index].key();
        let history = History {
            bad: names.len().saturating_sub(1),
            thresholds: self.builder.building.policy.limits_for(&key).thresholds,
            most: Stage::Confirmation.most(self.builder.building.policy.measure.pairs as usize),
            // Each benchmark is a separate search, and all of them together keep the error of a run.
            error: RUN_ERROR / self.state.benchmarks.len().max(1) as f64,
            seed: self.state.seed,
        };
        progress::say(&format!("{}: {} commits", key.id, history.bad));
        let mut printed = 0;
        loop {
            let is_over = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            self.state.benchmarks[index].known.is_over = is_over;
            let progress = advance(&history, &self.state.benchmarks[index].known);
            for step in progress.steps.iter().skip(printed) {
                progress::say(&format!("  {}", bisection::step(&names, step)));
            }
            printed = progress.steps.len();
            let Some(next) = progress.next else { return Ok(self.ended(&key, progress)) };
            let learnt = self.learn(index, &key, next);
            state::write(&self.file, &self.state)?;
            learnt?;
        }
    }

    fn ended(&self, key: &BenchmarkKey, progress: Progress) -> BisectBenchmark {
        let BenchmarkKey { package, suite, id } = key.clone();
        let Progress { change, refused, steps, found, .. } = progress;
        BisectBenchmark { package, suite, id, change, refused, steps, found }
    }

    fn learn(&mut self, index: usize, key: &BenchmarkKey, next: Next) -> Result<(), CommandError> {
        match next {
            Next::Build(at) => {
                let builds = &self.state.benchmarks[index].known.builds;
                // The first of those with the same machine code stands for all of them.
                let is_first = |build: &Build| matches!(build, Build::Testable { same_as: None });
                let originals: Vec<usize> =
                    builds.iter().filter(|(_, build)| is_first(build)).map(|(at, _)| *at).collect();
                let build = self.builder.test(at, key, &originals)?;
                self.state.benchmarks[index].known.builds.insert(at, build);
            }
            Next::Count(at) => {
                let commit = self.built(index, at)?;
                let counted = match commit {
                    Some(commit) => self.builder.testees.instructions(&commit, key)?,
                    None => None,
                };
                self.state.benchmarks[index].known.instructions.insert(at, counted);
            }
            Next::Measure(round) => self.measure(index, key, round)?,
        }
        Ok(())
    }

    /// The name of a commit that was built; a commit that an earlier call built may no longer build.
    fn built(&mut self, index: usize, at: usize) -> Result<Option<String>, CommandError> {
        let Some(reason) = self.builder.build(at)? else {
            return Ok(Some(self.builder.commit(at)?.commit.clone()));
        };
        self.state.benchmarks[index].known.builds.insert(at, Build::Untestable { reason });
        Ok(None)
    }

    /// Measures rounds up to the next look, as long as there is time.
    fn measure(
        &mut self,
        index: usize,
        key: &BenchmarkKey,
        mut round: Round,
    ) -> Result<(), CommandError> {
        let mut commits = Vec::new();
        for at in &round.members {
            let Some(commit) = self.built(index, *at)? else { return Ok(()) };
            commits.push(commit);
        }
        let Some(pace) = self.pace(index, key, &commits, &round.members)? else { return Ok(()) };
        let progress = progress::progress();
        progress.phase("measuring");
        while round.round < round.until {
            if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                break;
            }
            progress.turn(round.round, round.until, key);
            let (order, nuisance) = round.draw(self.state.seed, pace == Pace::Quick);
            let mut values = vec![0.0; commits.len()];
            for place in order {
                let measured = self.builder.testees.round(&commits[place], key, pace, nuisance)?;
                match measured {
                    Ok(value) => values[place] = value,
                    Err(failure) => {
                        let build = Build::Untestable { reason: failure.reason };
                        let builds = &mut self.state.benchmarks[index].known.builds;
                        builds.insert(round.members[place], build);
                        progress.done();
                        return Ok(());
                    }
                }
            }
            self.state.benchmarks[index].known.add_round(round.step, &round.members, values);
            round.round += 1;
        }
        progress.done();
        Ok(())
    }

    /// How rounds are requested: by the last of the first commits that are measured. `None` if it has no value.
    fn pace(
        &mut self,
        index: usize,
        key: &BenchmarkKey,
        commits: &[String],
        members: &[usize],
    ) -> Result<Option<Pace>, CommandError> {
        if let Some(pace) = self.state.benchmarks[index].pace {
            return Ok(Some(pace));
        }
        let (Some(commit), Some(at)) = (commits.last(), members.last()) else { return Ok(None) };
        match self.builder.testees.pace(commit, key)? {
            Ok(pace) => {
                self.state.benchmarks[index].pace = Some(pace);
                Ok(Some(pace))
            }
            Err(failure) => {
                let build = Build::Untestable { reason: failure.reason };
                self.state.benchmarks[index].known.builds.insert(*at, build);
                Ok(None)
            }
        }
    }
}
