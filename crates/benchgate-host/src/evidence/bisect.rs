//! Many commits of one history, each built and run at the same place.
//!
//! A checkout's path is in the executables that are built of it, and its length moves the heap of a process. Therefore
//! all commits are built in the folders of the base. What is built is moved away, and moved back for a round: a bench
//! may read files of its checkout when it runs. Moving is one rename.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use benchgate_core::affected::{Tree, Ways, of_change};
use benchgate_core::identity::compare;
use benchgate_core::model::{BenchmarkKey, Pace, Side, Sides, SuiteKey};
use benchgate_core::policy::Measure;
use benchgate_core::schedule::{Nuisance, first_patience, is_to_try, pace_after};
use fs_err as fs;

use crate::HostError;
use crate::cargo::start::Start;
use crate::cargo::{affected, neighbours, written};
use crate::evidence::instructions;
use crate::git::Repository;
use crate::harness::{Failure, Request};
use crate::measure::Inventory;
use crate::sides::identity::other_neighbour;
use crate::sides::{BuildDir, BuiltSide, Executable};
use crate::system::files;

/// The commits that are built.
pub struct Testees<'a> {
    repository: &'a Repository,
    measure: &'a Measure,
    /// Where every commit is built and run.
    place: PathBuf,
    /// Where checkouts are in the meantime.
    aside: PathBuf,
    /// Where executables and what they read are.
    bin: PathBuf,
    scratch: PathBuf,
    built: BTreeMap<String, Testee>,
    /// The commit whose checkout is at the place.
    placed: Option<String>,
}

/// A commit.
pub struct Testee {
    side: BuiltSide,
    inventory: Inventory,
    /// Paths in the target folder that its executables name, each with its copy.
    named: BTreeMap<PathBuf, PathBuf>,
    /// Its sources, by which a run may read files.
    tree: Tree,
}

/// A round of one benchmark.
struct Timed {
    /// The value of its suite's metric.
    value: f64,
    /// The wall time of the round.
    seconds: f64,
}

impl Testee {
    /// Returns the suites and benchmarks of its executables.
    pub fn inventory(&self) -> &Inventory {
        &self.inventory
    }
}

impl<'a> Testees<'a> {
    /// None yet.
    ///
    /// # Errors
    /// When what an earlier run left cannot be removed.
    pub fn new(
        build_dir: &BuildDir,
        repository: &'a Repository,
        measure: &'a Measure,
    ) -> Result<Self, HostError> {
        let place = build_dir.checkout(Side::Base);
        let aside = place.with_file_name("bisected");
        let bin = build_dir.work.join("bin").join("bisected");
        files::remove_dir(&aside)?;
        files::remove_dir(&bin)?;
        let scratch = build_dir.work.join("run");
        let built = BTreeMap::new();
        Ok(Self { repository, measure, place, aside, bin, scratch, built, placed: None })
    }

    /// The number of commits that were built.
    pub fn len(&self) -> usize {
        self.built.len()
    }

    /// Whether none was built.
    pub fn is_empty(&self) -> bool {
        self.built.is_empty()
    }

    /// A commit that was built.
    pub fn get(&self, commit: &str) -> Option<&Testee> {
        self.built.get(commit)
    }

    /// Makes room for a build of the base.
    ///
    /// # Errors
    /// When a checkout cannot be moved.
    pub fn clear(&mut self) -> Result<(), HostError> {
        if let Some(placed) = self.placed.take() {
            fs::rename(&self.place, self.aside.join(placed))?;
        }
        Ok(())
    }

    /// Takes over the build of the base; `ask` finds out what its executables hold.
    ///
    /// # Errors
    /// When files cannot be moved, and what `ask` fails with.
    pub fn add<E: From<HostError>>(
        &mut self,
        commit: &str,
        mut side: BuiltSide,
        ask: impl FnOnce(&[Executable]) -> Result<Inventory, E>,
    ) -> Result<(), E> {
        let mut moved = || -> Result<_, HostError> {
            let bin = self.bin.join(commit);
            files::remove_dir(&bin)?;
            fs::create_dir_all(&bin).map_err(HostError::from)?;
            let mut named = BTreeMap::new();
            for executable in &mut side.executables {
                let has_neighbours = !executable.neighbours.is_empty();
                let path = neighbours::place(&bin, &executable.key, has_neighbours);
                neighbours::copy([&executable.path, &path], &executable.neighbours)?;
                if let (Some([from, to]), Some(start), true) = (
                    neighbours::profiles([&executable.path, &path]),
                    &mut executable.start,
                    has_neighbours,
                ) {
                    start.move_libraries(from, to);
                }
                fs::rename(&executable.path, &path)?;
                executable.path = path;
                for path in &executable.names {
                    let copy = bin.join("named").join(named.len().to_string());
                    copy_all(path, &copy)?;
                    named.insert(path.clone(), copy);
                }
            }
            Ok(named)
        };
        let named = moved()?;
        let inventory = ask(&side.executables)?;
        let tree = affected::tree(side.folder(), &side.workspace.root, &side.workspace.sandbox)?;
        side.move_to(&self.aside.join(commit))?;
        self.built.insert(commit.to_owned(), Testee { side, inventory, named, tree });
        Ok(())
    }

    /// The first of these commits that runs the same machine code for a suite, on the same files.
    ///
    /// # Errors
    /// When an executable cannot be read, or git cannot compare the commits.
    pub fn same<'c>(
        &self,
        commit: &str,
        key: &BenchmarkKey,
        others: impl IntoIterator<Item = &'c str>,
    ) -> Result<Option<&'c str>, HostError> {
        let Some(testee) = self.built.get(commit) else { return Ok(None) };
        let Some(executable) = testee.executable(key) else { return Ok(None) };
        let bytes = files::read(&executable.path)?;
        for other in others.into_iter().filter(|other| *other != commit) {
            let Some(old) = self.built.get(other) else { continue };
            let Some(of_other) = old.executable(key) else { continue };
            let starts = [of_other, executable].map(|of| of.start.as_ref());
            let is_same = Start::difference_of(starts, &[]).is_none()
                && written::difference(&old.side.written, &testee.side.written).is_none()
                && other_neighbour(of_other, executable, |_| true, &[])?.is_none()
                && compare(&files::read(&of_other.path)?, &bytes, &[]).is_same_code()
                && are_same_copies(&old.named, &testee.named)?
                && self.has_same_data([other, commit], [old, testee], &key.suite_key())?;
            if is_same {
                return Ok(Some(other));
            }
        }
        Ok(None)
    }

    /// Whether no file that a run may read differs.
    fn has_same_data(
        &self,
        commits: [&str; 2],
        [old, new]: [&Testee; 2],
        suite: &SuiteKey,
    ) -> Result<bool, HostError> {
        let [one, other] = commits.map(|commit| self.repository.commit(commit));
        let changed = self.repository.changed_files(&one?, &other?)?;
        let taken = of_change(&changed, Sides::new(&old.tree, &new.tree), &Ways::new());
        Ok(taken.get(suite).map_or(changed.is_empty(), |taken| taken.read.is_none()))
    }

    /// Measures one benchmark of one commit: its time.
    ///
    /// # Errors
    /// When interrupted, or when files of our own cannot be used.
    pub fn round(
        &mut self,
        commit: &str,
        key: &BenchmarkKey,
        pace: Pace,
        nuisance: Nuisance,
    ) -> Result<Result<f64, Failure>, HostError> {
        let timeout = self.measure.timeout;
        let timed = self.timed(commit, key, pace, nuisance, timeout)?;
        Ok(timed.map(|timed| timed.value))
    }

    /// Returns the pace of a benchmark's rounds, from the first rounds of one commit; or why there is none.
    ///
    /// # Errors
    /// When interrupted, or when files of our own cannot be used.
    pub fn pace(
        &mut self,
        commit: &str,
        key: &BenchmarkKey,
    ) -> Result<Result<Pace, Failure>, HostError> {
        let suite = self.get(commit).and_then(|testee| testee.inventory.suite_of(key));
        let has_quick = suite.is_some_and(|suite| suite.has_quick());
        let timeout = self.measure.timeout;
        let patience = first_patience(has_quick, timeout);
        let nothing = Nuisance::default();
        let settings = self.timed(commit, key, Pace::Settings, nothing, patience)?;
        let seconds = match &settings {
            Ok(timed) => Some(timed.seconds),
            Err(failure) if has_quick && failure.is_stopped => None,
            Err(failure) => return Ok(Err(failure.clone())),
        };
        if !has_quick || !seconds.is_none_or(is_to_try) {
            return Ok(Ok(Pace::Settings));
        }
        let quick = self.timed(commit, key, Pace::Quick, nothing, timeout)?;
        Ok(Ok(pace_after(seconds, quick.ok().map(|timed| timed.seconds))))
    }

    /// Instructions of one iteration; `None` if they cannot be counted.
    ///
    /// # Errors
    /// When interrupted, or when files of our own cannot be used.
    pub fn instructions(
        &mut self,
        commit: &str,
        key: &BenchmarkKey,
    ) -> Result<Option<u64>, HostError> {
        self.put(commit)?;
        let Some(testee) = self.built.get(commit) else { return Ok(None) };
        let Some(suite) = testee.inventory.suite_of(key) else { return Ok(None) };
        let timeout = self.measure.timeout;
        Ok(instructions::count(suite, &key.id, timeout, &self.scratch)?.available())
    }

    fn timed(
        &mut self,
        commit: &str,
        key: &BenchmarkKey,
        pace: Pace,
        nuisance: Nuisance,
        patience: Duration,
    ) -> Result<Result<Timed, Failure>, HostError> {
        self.put(commit)?;
        let Some(testee) = self.built.get(commit) else {
            return Ok(Err(Failure::new("it is not built")));
        };
        let Some(metric) = testee.inventory.metric_of(&key.suite_key()) else {
            return Ok(Err(Failure::new("it is not there")));
        };
        let request =
            Request { pace, patience, nuisance, ..Request::new(self.measure, &self.scratch) };
        Ok(testee.inventory.round(key, &request)?.and_then(|round| {
            match round.values.get(&metric) {
                Some(&value) if value.is_finite() && value > 0.0 => {
                    Ok(Timed { value, seconds: round.seconds })
                }
                _ => Err(Failure::new(format!("unusable values: {:?}", round.values))),
            }
        }))
    }

    /// Puts the checkout of a commit where it was built.
    fn put(&mut self, commit: &str) -> Result<(), HostError> {
        if self.placed.as_deref() == Some(commit) {
            return Ok(());
        }
        self.clear()?;
        let Some(testee) = self.built.get(commit) else { return Ok(()) };
        fs::rename(self.aside.join(commit), &self.place)?;
        self.placed = Some(commit.to_owned());
        for (path, copy) in &testee.named {
            if !is_same_copy(path, copy)? {
                remove(path)?;
                copy_all(copy, path)?;
            }
        }
        Ok(())
    }
}

impl Drop for Testees<'_> {
    fn drop(&mut self) {
        // Each checkout is removed from where it was moved to.
        let _ = self.clear();
    }
}

impl Testee {
    fn executable(&self, key: &BenchmarkKey) -> Option<&Executable> {
        self.side.executables.iter().find(|executable| executable.key == key.suite_key())
    }
}

fn are_same_copies(
    one: &BTreeMap<PathBuf, PathBuf>,
    other: &BTreeMap<PathBuf, PathBuf>,
) -> Result<bool, HostError> {
    if !one.keys().eq(other.keys()) {
        return Ok(false);
    }
    for (left, right) in one.values().zip(other.values()) {
        if !is_same_copy(left, right)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn is_same_copy(one: &Path, other: &Path) -> Result<bool, HostError> {
    if one.is_dir() && other.is_dir() {
        let names = files::names(one)?;
        if names != files::names(other)? {
            return Ok(false);
        }
        for name in names {
            if !is_same_copy(&one.join(&name), &other.join(&name))? {
                return Ok(false);
            }
        }
        return Ok(true);
    }
    match (one.is_file(), other.is_file()) {
        (true, true) => Ok(files::read(one)? == files::read(other)?),
        (one, other) => Ok(one == other),
    }
}

fn copy_all(from: &Path, to: &Path) -> Result<(), HostError> {
    if from.is_dir() {
        fs::create_dir_all(to)?;
        for name in files::names(from)? {
            copy_all(&from.join(&name), &to.join(&name))?;
        }
    } else if from.is_file() {
        if let Some(parent) = to.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::copy(from, to)?;
    }
    Ok(())
}

fn remove(path: &Path) -> Result<(), HostError> {
    if path.is_dir() { files::remove_dir(path) } else { files::remove_file(path) }
}
