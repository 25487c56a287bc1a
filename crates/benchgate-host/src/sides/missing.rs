//! Files that a side lacked and the user's checkout has: no commit has them.

use std::path::{Path, PathBuf};

use benchgate_core::model::Side;

use super::BuildDir;
use crate::HostError;
use crate::git::Repository;
use crate::system::files;
use crate::system::sandbox::Denial;

/// Files and folders that are not data, ignored or not: tools write them, and secrets are kept in one.
const NO_DATA: [&str; 5] = ["Cargo.lock", ".env", ".git", ".cargo", "__pycache__"];

impl BuildDir {
    /// The ignored files and folders of the user's checkout, below the workspace's folder, that processes which failed did
    /// not find in theirs.
    ///
    /// # Errors
    /// When git cannot be run.
    pub fn lendable(
        &self,
        repository: &Repository,
        root: &Path,
        target_dir: &Path,
    ) -> Result<Vec<String>, HostError> {
        let missed: Vec<PathBuf> = self.denials().filter_map(|it| self.missed(it)).collect();
        let top = repository.top();
        // Some looked for both ways to name a thing, and one of them is enough.
        let missed: Vec<&PathBuf> = missed.iter().filter(|it| top.join(it).exists()).collect();
        if missed.is_empty() {
            return Ok(Vec::new());
        }
        let mut missing = Vec::new();
        for ignored in repository.ignored()? {
            let path = top.join(&ignored);
            let Ok(inside) = path.strip_prefix(root) else { continue };
            let is_output = path.starts_with(target_dir) || target_dir.starts_with(&path);
            if !is_output && missed.iter().any(|it| it.starts_with(&ignored)) {
                missing.push(inside.to_string_lossy().into_owned());
            }
        }
        // git names a folder with nothing but ignored files, too.
        let all = missing.clone();
        missing.retain(|path| !all.iter().any(|other| other.starts_with(&format!("{path}/"))));
        Ok(missing)
    }

    /// A file that was looked for in a side's checkout, as the repository names it.
    fn missed(&self, denial: Denial) -> Option<PathBuf> {
        let Denial::Find(path) = denial else { return None };
        let path = files::without_dots(&path);
        let of_sides = [Side::Base, Side::Head].map(|side| self.trees.join(side.name()));
        let inside = of_sides.iter().find_map(|folder| path.strip_prefix(folder).ok());
        let is_data = |path: &&Path| path.iter().all(|part| NO_DATA.iter().all(|it| part != *it));
        inside.filter(is_data).map(Path::to_owned)
    }
}
