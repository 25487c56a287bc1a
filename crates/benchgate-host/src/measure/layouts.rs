//! Confirmation pairs run fresh copies of the executables, in another layout of the code each where a suite can be
//! linked again: what sits on one side's file is then scattered over the pairs, where the bounds see it.
//!
//! Base and head of a pair are linked with the same seed of padding. Code that is the same on both sides then lies at
//! nearly the same addresses, and a pair does not scatter by more than the change.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use benchgate_core::model::{BenchmarkKey, Side, Sides, SuiteKey};
use benchgate_core::policy::{Build, Measure};
use fs_err as fs;

use super::copies::Copies;
use super::inventory::Inventory;
use crate::cargo::neighbours;
use crate::measure::relink::{Relinked, relink};
use crate::sides::{BuildDir, BuiltSide, Executable};
use crate::system::files;
use crate::{HostError, Progress};

/// Where executables of other layouts are, and copies, below the folder of a run.
const FOLDER: &str = "bin/moved";

/// The layouts of the suites of both sides, made when the first pair needs one of a suite.
pub struct Layouts<'a> {
    build_dir: &'a BuildDir,
    sides: Sides<&'a BuiltSide>,
    build: &'a Build,
    measure: &'a Measure,
    scratch: &'a Path,
    seed: u64,
    progress: &'a dyn Progress,
    pools: RefCell<BTreeMap<(Side, SuiteKey), Rc<Pool>>>,
    copies: Copies,
    linking: Cell<Duration>,
}

/// The executables of one suite of one side.
struct Pool {
    /// The executable that runs, and the files that are copied there: first the built one, then one per
    /// layout. `None` for a suite that is not a bench target: it may find its files by its own path.
    copied: Option<(Executable, Vec<PathBuf>)>,
    /// The benchmarks of the copy.
    inventory: Inventory,
    /// Why it was not linked again.
    not_relinked: Option<String>,
}

/// The executables of a pair.
pub(super) struct Placed {
    pools: Sides<Rc<Pool>>,
    /// The layout; `None` where layouts are not varied by nature.
    pub(super) layout: Option<u32>,
    /// Why it is not the requested one.
    pub(super) not_relinked: String,
}

impl Placed {
    /// Returns the inventories of the executables that run: copies, or else the built ones.
    pub(super) fn inventories<'p>(&'p self, built: Sides<&'p Inventory>) -> Sides<&'p Inventory> {
        self.pools
            .as_ref()
            .zip(built)
            .map(|(pool, built)| if pool.copied.is_some() { &pool.inventory } else { built })
    }
}

impl<'a> Layouts<'a> {
    /// Nothing yet. Layout `n` has the padding of `seed + n`.
    pub fn new(
        build_dir: &'a BuildDir,
        sides: Sides<&'a BuiltSide>,
        build: &'a Build,
        measure: &'a Measure,
        scratch: &'a Path,
        seed: u64,
        progress: &'a dyn Progress,
    ) -> Self {
        let (pools, linking) = (RefCell::default(), Cell::default());
        let copies = Copies::below(&build_dir.work.join(FOLDER));
        Self { build_dir, sides, build, measure, scratch, seed, progress, pools, copies, linking }
    }

    /// Has a screening pair run separate copies, at the paths of the built executables. Not those of a suite that is no bench
    /// target: it may be more than one file.
    pub(super) fn copy(
        &self,
        keys: Sides<&BenchmarkKey>,
        first: Side,
        pair: u32,
    ) -> Result<(), HostError> {
        for side in [first, first.other()] {
            let suite = keys[side].suite_key();
            if let Some(executable) = self.bench_target(side, &suite) {
                self.copies.place(side, &suite, &executable.path, pair)?;
            }
        }
        Ok(())
    }

    /// The executable of a suite that cargo links.
    fn bench_target(&self, side: Side, suite: &SuiteKey) -> Option<&'a Executable> {
        let built = self.sides[side];
        let executable = built.executables.iter().find(|executable| executable.key == *suite);
        executable.filter(|found| found.declared.is_none())
    }

    /// Time that linking again has taken: most of it is the compiler's, and none of it measures.
    pub fn linking(&self) -> Duration {
        self.linking.get()
    }

    /// Copies what a pair runs to where it runs, that of the side `first` first. `has_layouts`: whether a slowdown of the suites
    /// may come from where their code lies.
    pub(super) fn place(
        &self,
        keys: Sides<&BenchmarkKey>,
        first: Side,
        layout: u32,
        has_layouts: bool,
    ) -> Result<Placed, HostError> {
        let pools = keys.try_map(|side, key| self.pool(side, key.suite_key()))?;
        let not_relinked = pools.iter().find_map(|(_, pool)| pool.not_relinked.clone());
        let layout = if not_relinked.is_none() { layout } else { 0 };
        let copied = [first, first.other()].into_iter().filter_map(|side| pools[side].copy(layout));
        replace_copies(&copied.collect::<Vec<_>>())?;
        let layout = (has_layouts || layout > 0).then_some(layout);
        Ok(Placed { pools, layout, not_relinked: not_relinked.unwrap_or_default() })
    }

    fn pool(&self, side: Side, suite: SuiteKey) -> Result<Rc<Pool>, HostError> {
        let key = (side, suite);
        if let Some(pool) = self.pools.borrow().get(&key) {
            return Ok(Rc::clone(pool));
        }
        let pool = Rc::new(self.make(side, &key.1)?);
        self.pools.borrow_mut().insert(key, Rc::clone(&pool));
        Ok(pool)
    }

    fn make(&self, side: Side, suite: &SuiteKey) -> Result<Pool, HostError> {
        let built = self.sides[side];
        let Some(executable) = self.bench_target(side, suite) else {
            let not_relinked = Some("it is not a bench target, which cargo links".to_owned());
            return Ok(Pool { copied: None, inventory: Inventory::default(), not_relinked });
        };
        let (mut files, mut not_relinked) = (vec![executable.path.clone()], None);
        match self.relinked(side, built, executable)? {
            Relinked::Executables(moved) => files.extend(moved.into_iter().map(|it| it.path)),
            Relinked::Unavailable(reason) => not_relinked = Some(reason),
        }
        // Of equal length on both sides, and the same for all layouts.
        let folder = self.folder().join("pair").join(side.name());
        let path = neighbours::place(&folder, suite, !executable.neighbours.is_empty());
        neighbours::copy([&executable.path, &path], &executable.neighbours)?;
        let executable = Executable { path, ..executable.clone() };
        replace_copies(&[(&files[0], &executable.path)])?;
        let inventory = Inventory::of([&executable], self.measure, self.scratch, self.progress)?;
        Ok(Pool { copied: Some((executable, files)), inventory, not_relinked })
    }

    fn relinked(
        &self,
        side: Side,
        built: &BuiltSide,
        executable: &Executable,
    ) -> Result<Relinked, HostError> {
        if self.build.layouts == 0 {
            return Ok(Relinked::Unavailable("`layouts` of the policy is 0".to_owned()));
        }
        // Padding seeds are 32 bits wide.
        let seeds: Vec<u32> =
            (1..=self.build.layouts).map(|n| (self.seed as u32).wrapping_add(n)).collect();
        let started = Instant::now();
        let relinked =
            relink(self.build_dir, side, built, executable, self.build, &seeds, self.progress);
        self.linking.set(self.linking.get() + started.elapsed());
        relinked
    }

    fn folder(&self) -> PathBuf {
        self.build_dir.work.join(FOLDER)
    }
}

impl Drop for Layouts<'_> {
    fn drop(&mut self) {
        // One file per layout: too many to leave behind. What cannot be removed, the next run removes.
        let _ = files::remove_dir(&self.folder());
    }
}

impl Pool {
    /// The file of a layout, and where it runs.
    fn copy(&self, layout: u32) -> Option<(&Path, &Path)> {
        let (executable, files) = self.copied.as_ref()?;
        Some((&files[layout as usize], &executable.path))
    }
}

/// Copies files, in this order, in place of those of the last pair. All are copied before the first old one goes: a file that
/// is copied after its predecessor was removed gets the same pages of memory, however often, and a side that has the slow ones
/// is slower in every pair.
fn replace_copies(copies: &[(&Path, &Path)]) -> Result<(), HostError> {
    let next = |to: &Path| to.with_file_name("next");
    for (from, to) in copies {
        fs::copy(from, next(to))?;
    }
    for (_, to) in copies {
        fs::rename(next(to), to)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt as _;

    use super::*;

    #[test]
    fn a_copy_is_made_while_the_ones_before_it_are_there() {
        let folder = tempfile::tempdir().unwrap();
        let built = folder.path().join("built");
        fs::write(&built, "the code").unwrap();
        let runs = ["base", "head"].map(|side| folder.path().join(side).join("p.speed"));
        let copies = runs.each_ref().map(|to| (built.as_path(), to.as_path()));
        for to in &runs {
            fs::create_dir(to.parent().unwrap()).unwrap();
        }
        let mut before = [0; 2];
        for _ in 0..4 {
            replace_copies(&copies).unwrap();
            let now = runs.each_ref().map(|to| fs::metadata(to).unwrap().ino());
            // The number of a file that is gone is free again.
            assert!(now.iter().all(|number| !before.contains(number)), "{now:?} {before:?}");
            before = now;
            for to in &runs {
                assert_eq!(fs::read_to_string(to).unwrap(), "the code");
                assert_eq!(fs::read_dir(to.parent().unwrap()).unwrap().count(), 1);
            }
        }
    }
}
