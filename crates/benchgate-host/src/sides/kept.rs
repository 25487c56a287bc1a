//! Suites of a side that need not be built, because they were built before.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use benchgate_core::model::{Side, SuiteKey};
use benchgate_core::policy::Build;
use fs_err as fs;

use super::{BuildDir, Executable};
use crate::base_store::{self, BaseStore, Built, Identity, Inputs, Restored};
use crate::building::Folders;
use crate::cargo::BenchTarget;
use crate::git::Revision;
use crate::links::Link;
use crate::{HostError, files};

/// The suites of a side that are in the store, and where those that are built are kept.
#[derive(Default)]
pub(super) struct Kept {
    /// The store, and what the side is known by; `None` where nothing is kept.
    place: Option<(BaseStore, Identity)>,
    target_dir: PathBuf,
    /// The digest of the lock file that the repository or the user brings.
    lock_file: Option<String>,
    /// The lock file that cargo resolved, where there was none.
    resolved: Option<String>,
    inputs: Option<Inputs>,
    pub(super) restored: BTreeMap<SuiteKey, Restored>,
    found: usize,
    added: usize,
    refused: Vec<String>,
}

impl BuildDir {
    /// Opens the store for the suites of a side: only bases are kept, because they are measured again and again.
    pub(super) fn kept(
        &self,
        side: Side,
        revision: &Revision,
        top: &Path,
        root: &Path,
        folders: &Folders,
        build: &Build,
    ) -> Result<Kept, HostError> {
        let lock_file = files::digest(&root.join("Cargo.lock")).ok();
        // A restored suite brings a lock file where the repository has none, and `--locked` asks for none to be made.
        let may_bring_lock_file = lock_file.is_some() || !self.cargo_options.contains(&"--locked");
        let is_base = side == Side::Base && !revision.dirty;
        let store = self.store.clone().filter(|_| is_base && may_bring_lock_file);
        let target_dir = folders.target_dir.clone();
        let place = match store {
            None => None,
            Some(store) => {
                let commit = &revision.checkout;
                Some((
                    store,
                    Identity::of(commit, top, root, &target_dir, build, &folders.sandbox)?,
                ))
            }
        };
        Ok(Kept { place, target_dir, lock_file, ..Kept::default() })
    }
}

impl Kept {
    /// Restores what there is; returns what is left to build. Where the repository brings no lock file, both sides
    /// get the one that what is restored was built with.
    pub(super) fn restore<'a>(
        &mut self,
        targets: &[&'a BenchTarget],
        root: &Path,
    ) -> Result<Vec<&'a BenchTarget>, HostError> {
        let Some((store, identity)) = &self.place else { return Ok(targets.to_vec()) };
        let mut resolved: Option<String> = None;
        for target in targets {
            match store.restore(identity, &target.key()) {
                Ok(Some(restored)) => {
                    // Of two resolutions one is another build.
                    if resolved.is_none() || resolved == restored.lock_file {
                        resolved.clone_from(&restored.lock_file);
                        self.restored.insert(target.key(), restored);
                    }
                }
                Ok(None) => {}
                Err(refused) => self.refused.push(refused),
            }
        }
        if let (None, Some(resolved)) = (&self.lock_file, &resolved) {
            fs::write(root.join("Cargo.lock"), resolved)?;
        }
        self.found = self.restored.len();
        let is_left = |target: &&&BenchTarget| !self.restored.contains_key(&target.key());
        Ok(targets.iter().filter(is_left).copied().collect())
    }

    /// Finds out what went into what was built; where that is not known, nothing of it is kept.
    pub(super) fn look_for_inputs(&mut self, top: &Path, root: &Path) -> Result<(), HostError> {
        let path = root.join("Cargo.lock");
        let is_other = self.lock_file.is_some() && files::digest(&path).ok() != self.lock_file;
        if self.place.is_none() || is_other || !self.target_dir.is_dir() {
            return Ok(());
        }
        if self.lock_file.is_none() {
            self.resolved = fs::read_to_string(&path).ok();
        }
        let own = [vec![top.to_owned(), self.target_dir.clone()], base_store::homes()].concat();
        self.inputs = Inputs::of(&self.target_dir, &own)?.available();
        Ok(())
    }

    /// Keeps what was built, unless it may read files of its target folder when it runs.
    pub(super) fn keep(
        &mut self,
        built: &Executable,
        link: Option<&Link>,
    ) -> Result<(), HostError> {
        let (Some((store, identity)), Some(inputs)) = (&self.place, &self.inputs) else {
            return Ok(());
        };
        if !built.names.is_empty() {
            return Ok(());
        }
        let start = built.start.as_ref();
        let lock_file = self.resolved.as_deref();
        let kept = Built { executable: &built.path, link, start, inputs, lock_file };
        self.added += usize::from(store.keep(identity, &built.key, &kept)?);
        Ok(())
    }

    /// Makes room, and says what was not built of so many suites.
    pub(super) fn finish(self, suites: usize) -> Result<(Vec<String>, usize), HostError> {
        if let Some((store, _)) = &self.place {
            store.prune(base_store::LARGEST)?;
        }
        let mut notices = self.refused;
        if self.found > 0 {
            let found = self.found;
            notices.push(format!(
                "{found} of {suites} suites of the base were built before: they are from the store (`benchgate cache`)"
            ));
        }
        Ok((notices, self.found + self.added))
    }
}
