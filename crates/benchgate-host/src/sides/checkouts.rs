//! Checkouts of both sides: what is read and checked of one before it is built.

use std::path::Path;

use benchgate_core::affected::Tree;
use benchgate_core::model::{Side, Sides};
use benchgate_core::policy::{Build, Suite, nearest_name};
use fs_err as fs;

use super::BuildDir;
use crate::HostError;
use crate::cargo::{Workspace, affected};
use crate::git::{Repository, Revision, Worktree};
use crate::system::files;
use crate::system::sandbox::Sandbox;

impl BuildDir {
    /// Reads the packages and sources of both sides, before anything is built.
    ///
    /// # Errors
    /// When a side cannot be checked out, or its manifests or sources cannot be read.
    pub fn trees(
        &self,
        repository: &Repository,
        revisions: Sides<&Revision>,
        declared: &[Suite],
    ) -> Result<Sides<Tree>, HostError> {
        revisions.try_map(|side, revision| {
            let checkout = self.check_out(side, repository, &revision.checkout)?;
            let root = checkout.folder().join(&self.inside);
            let mut tree = affected::tree(checkout.folder(), &root, &self.sandbox_of(side)?)?;
            for suite in declared.iter().filter(|suite| !suite.built_from.is_empty()) {
                tree.declare(suite.key(&self.name), suite, &self.inside.to_string_lossy());
            }
            self.checkouts.borrow_mut().insert(side, (revision.checkout.clone(), checkout));
            Ok(tree)
        })
    }

    /// A new checkout of a side; or a checkout that was read before, whose files are now as new: cargo takes what is older
    /// than what was built before for what that was built from.
    pub(super) fn check_out(
        &self,
        side: Side,
        repository: &Repository,
        commit: &str,
    ) -> Result<Worktree, HostError> {
        match self.checkouts.borrow_mut().remove(&side) {
            Some((of, checkout)) if of == commit => {
                files::touch_all(checkout.folder())?;
                Ok(checkout)
            }
            // Removes its folder, which is that of the new one.
            other => {
                drop(other);
                let checkout = repository.checkout(commit, &self.trees.join(side.name()))?;
                self.siblings.link(checkout.folder(), &self.top, &self.trees)?;
                Ok(checkout)
            }
        }
    }

    /// The workspace of a checkout. It is looked for from where the user called us, and must be where the
    /// other side has it: a manifest could name another one, with another policy and other benches.
    pub(super) fn workspace(
        &self,
        top: &Path,
        root: &Path,
        sandbox: &Sandbox,
    ) -> Result<Workspace, HostError> {
        let started = top.join(&self.started);
        let folder = if started.is_dir() { &started } else { root };
        let workspace = Workspace::around_in(folder, sandbox)?;
        if workspace.root == root {
            return Ok(workspace);
        }
        let below = workspace.root.strip_prefix(top).unwrap_or(&workspace.root);
        Err(HostError::Cargo {
            what: "find the workspace at the same place on both sides".into(),
            output: format!(
                "here it is at `{}`, on the head at `{}`",
                below.display(),
                self.inside.display()
            ),
        })
    }

    /// A feature of the policy may be one side's alone, and is a mistake where no side has it.
    pub(super) fn check_features(
        &self,
        side: Side,
        workspace: &Workspace,
        build: &Build,
    ) -> Result<(), HostError> {
        let mut known = self.features.borrow_mut();
        known.extend(workspace.feature_names());
        if side == Side::Base && self.options.head_is_elsewhere {
            return Ok(());
        }
        let Some(unknown) = build.features.iter().find(|feature| !known.contains(*feature)) else {
            return Ok(());
        };
        let help = match nearest_name(unknown, known.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "name a bench target of a package of the workspace".to_owned(),
        };
        let message = format!("no package has the feature `{unknown}` of `[build] features`");
        Err(HostError::usage(message, help))
    }

    /// A repository that does not track its lock file gets the user's on both sides, or the file that the
    /// first side resolved: otherwise each side would resolve its dependencies separately.
    pub(super) fn lend_lock_file(&self, root: &Path) -> Result<(), HostError> {
        let path = root.join("Cargo.lock");
        if let Some(bytes) = self.lock_file.get()
            // A link leads to another file, whether that is there or not.
            && path.symlink_metadata().is_err()
        {
            fs::write(path, bytes)?;
        }
        Ok(())
    }
}
