//! What a side needs before it is built and no commit has: data of the user's checkout, and what commands make.

use std::path::{Path, PathBuf};

use benchgate_core::model::Side;
use benchgate_core::policy::{Build, Data};
use fs_err as fs;

use super::BuildDir;
use crate::cargo::policy_command::{self, Failed};
use crate::cargo::stand_ins::LockFile;
use crate::system::files::Scratch;
use crate::system::sandbox::Sandbox;
use crate::system::{files, platform};
use crate::{HostError, Progress};

impl BuildDir {
    /// Lends a checkout the data of the policy, as links; names what is nowhere.
    pub(super) fn lend_data(
        &self,
        side: Side,
        root: &Path,
        progress: &dyn Progress,
    ) -> Result<Vec<String>, HostError> {
        let missing: Vec<&String> = self
            .options
            .data
            .paths
            .iter()
            .filter(|path| root.join(path).symlink_metadata().is_err())
            .collect();
        if let Some(path) = missing.iter().find(|path| !files::leads_into(&root.join(path), root)) {
            let problem = "`paths` of `[data]` in benchgate.toml names it, and it is behind a link that leads out of the checkout";
            return Err(HostError::Content { path: root.join(path), problem: problem.to_owned() });
        }
        let (by, made) = self.made(side, root);
        let is_whole =
            missing.iter().all(|path| self.own_data(path).is_some() || made.join(path).exists());
        // What another side's command makes is not what the place is named after.
        if !is_whole && !self.options.data.command.is_empty() && *by == side {
            progress.phase(&format!("making the data of [data] in {}", side.name()));
            self.make_data(side, root, (made, &missing), progress)?;
        }
        let mut notices = Vec::new();
        for path in missing {
            let from = self.own_data(path).unwrap_or_else(|| made.join(path));
            let link = root.join(path);
            if !from.exists() {
                notices.push(format!(
                    "`{path}` of `[data]` in benchgate.toml is not in your checkout, and no `command` there makes it"
                ));
                continue;
            }
            if let Some(folder) = link.parent() {
                fs::create_dir_all(folder)?;
            }
            platform::link_folder(&fs::canonicalize(from)?, &link)?;
        }
        Ok(notices)
    }

    /// The paths that every process of a side may read for its data.
    pub(super) fn data_places(&self) -> Vec<PathBuf> {
        if self.options.data.paths.is_empty() {
            return Vec::new();
        }
        let data = self.options.data.paths.iter().filter_map(|path| self.own_data(path));
        let data = data.filter_map(|path| fs::canonicalize(path).ok());
        data.chain([self.trees.join("data")]).filter(|path| path.exists()).collect()
    }

    /// The data of the user's checkout at a path. What a commit has there is none of it: a link that a change brings could
    /// lead anywhere.
    fn own_data(&self, path: &str) -> Option<PathBuf> {
        let place = self.user_root.join(path);
        let is_own = place.exists()
            && !self.tracked.contains(path)
            && files::leads_into(&place, &self.user_root);
        is_own.then_some(place)
    }

    /// Where the command's data is kept: a place for each command, and each state of the files that it names. It is that
    /// of the side which is built first, for both sides read the same data.
    fn made(&self, side: Side, root: &Path) -> &(Side, PathBuf) {
        self.made.get_or_init(|| {
            let Data { paths, command, .. } = &self.options.data;
            let files: Vec<String> =
                command.iter().filter_map(|word| files::digest(&root.join(word)).ok()).collect();
            let digest = files::digest_of(format!("{paths:?}{command:?}{files:?}").as_bytes());
            (side, self.trees.join("data").join(&digest[..16]))
        })
    }

    /// Runs the command of `[data]` and keeps what it made.
    fn make_data(
        &self,
        side: Side,
        root: &Path,
        (made, missing): (&Path, &[&String]),
        progress: &dyn Progress,
    ) -> Result<(), HostError> {
        let temporary = Scratch::new(self.temporary(side))?;
        let sandbox = self.of_builds(side)?.with_network(self.options.data.network);
        run(&self.options.data.command, "`command` of `[data]`", root, &sandbox, progress)?;
        drop(temporary);
        fs::create_dir_all(made)?;
        for path in missing {
            let (from, to) = (root.join(path), made.join(path));
            let Ok(metadata) = from.symlink_metadata() else { continue };
            // A link, at the path or above it, may lead to any file of the user's.
            let is_made = !metadata.is_symlink() && files::leads_into(&from, root);
            // Both sides read one: the user's, or what was made first.
            if is_made && !to.exists() && self.own_data(path).is_none() {
                if let Some(folder) = to.parent() {
                    fs::create_dir_all(folder)?;
                }
                fs::rename(from, to)?;
            } else if is_made && metadata.is_dir() {
                files::remove_dir(&from)?;
            } else if files::leads_into(&from, root) {
                files::remove_file(&from)?;
            }
        }
        Ok(())
    }

    /// Runs the command that the policy has for each side before it is built.
    pub(super) fn run_before(
        &self,
        side: Side,
        root: &Path,
        build: &Build,
        progress: &dyn Progress,
    ) -> Result<(), HostError> {
        if build.before.is_empty() {
            return Ok(());
        }
        // It has no network, and cargo may be what it runs. What it writes itself is fetched for afterwards.
        let lock_file = LockFile::of(root);
        let _ = self.fetch(side, root, build.runtime, progress)?;
        drop(lock_file);
        let temporary = Scratch::new(self.temporary(side))?;
        let done = run(&build.before, "`[build] before`", root, &self.of_builds(side)?, progress);
        drop(temporary);
        done
    }
}

/// Runs a command of the policy in a checkout.
fn run(
    words: &[String],
    key: &'static str,
    root: &Path,
    sandbox: &Sandbox,
    progress: &dyn Progress,
) -> Result<(), HostError> {
    match policy_command::run(words, root, sandbox, progress, |_| {})? {
        None => Ok(()),
        Some(Failed { how, output }) => {
            Err(HostError::Before { command: words.join(" "), key, how, output })
        }
    }
}
