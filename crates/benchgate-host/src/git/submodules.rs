//! Submodules of a checkout, from the clones that the user has. Nothing is downloaded for what is there.

use std::path::{Component, Path, PathBuf};

use super::{Repository, checked};
use crate::HostError;

/// A submodule as `.gitmodules` and the commit name it.
struct Submodule {
    name: String,
    path: String,
    commit: String,
}

impl Repository {
    /// Checks the submodules of `folder` out, a checkout of this repository, and theirs in turn; gives the
    /// checkouts that are to be forgotten with it.
    pub(super) fn check_out_submodules(
        &self,
        folder: &Path,
        failures: &mut Vec<String>,
    ) -> Result<Vec<(Self, PathBuf)>, HostError> {
        let mut checkouts = Vec::new();
        let mut missing = Vec::new();
        let at = Self { top: folder.to_owned() };
        for submodule in at.submodules()? {
            let inside = folder.join(&submodule.path);
            match self.clone_of(&submodule) {
                Some(clone) => {
                    clone.forget(&inside);
                    failures.extend(clone.add_worktree_or_pointers(&submodule.commit, &inside)?);
                    let theirs = clone.check_out_submodules(&inside, failures)?;
                    checkouts.push((clone, inside));
                    checkouts.extend(theirs);
                }
                None => missing.push(submodule),
            }
        }
        for submodule in missing {
            at.download(&submodule, self)?;
        }
        Ok(checkouts)
    }

    fn submodules(&self) -> Result<Vec<Submodule>, HostError> {
        if !self.top.join(".gitmodules").exists() {
            return Ok(Vec::new());
        }
        let listing =
            ["config", "-z", "--file", ".gitmodules", "--get-regexp", r"^submodule\..*\.path$"];
        // A file without any is not an error of ours.
        let Ok(list) = self.run("list the submodules", &listing) else { return Ok(Vec::new()) };
        let named = list.split('\0').filter_map(|entry| {
            let (key, path) = entry.split_once('\n')?;
            let name = key.strip_prefix("submodule.")?.strip_suffix(".path")?;
            Some((name.to_owned(), path.to_owned()))
        });
        let mut submodules = Vec::new();
        for (name, path) in named.filter(|(name, path)| is_inside(name) && is_inside(path)) {
            let entry = self.run("find a submodule", &["ls-tree", "HEAD", "--", &path])?;
            // A path that the commit has no submodule at is left over from another time.
            if let Some(commit) =
                entry.split_whitespace().nth(2).filter(|_| entry.starts_with("160000"))
            {
                submodules.push(Submodule { commit: commit.to_owned(), name, path });
            }
        }
        Ok(submodules)
    }

    /// The user's clone of a submodule, if it has the commit.
    fn clone_of(&self, submodule: &Submodule) -> Option<Self> {
        let folder = self.run("find the clones", &["rev-parse", "--git-common-dir"]).ok()?;
        let of_git = self.top.join(folder).join("modules").join(&submodule.name);
        // Before 1.7.8, or by hand, a clone lies in its own folder.
        [of_git, self.top.join(&submodule.path).join(".git")]
            .into_iter()
            .filter(|clone| clone.is_dir())
            .map(|top| Self { top })
            .find(|clone| {
                clone.probe(&["cat-file", "-e", &format!("{}^{{commit}}", submodule.commit)])
            })
    }

    /// Gets a submodule that the user has no clone of, or not this commit; a submodule that the user builds without
    /// may be out of reach.
    fn download(&self, submodule: &Submodule, of: &Self) -> Result<(), HostError> {
        let mut command = self.command();
        command.args(["submodule", "update", "--init", "--recursive", "--quiet", "--"]);
        let what = format!("check out the submodule {}", submodule.path);
        let done = checked(&what, command.arg(&submodule.path));
        let is_empty = |folder: &Path| {
            std::fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none())
        };
        match done {
            Err(HostError::Git { .. }) if is_empty(&of.top.join(&submodule.path)) => Ok(()),
            Err(HostError::Git { message, .. }) => Err(HostError::usage(
                format!("git could not {what} at {}: {message}", submodule.commit),
                "fetch its commits: `git submodule update --init --recursive`, on both sides",
            )),
            done => done.map(drop),
        }
    }
}

/// Whether a name leads out of no folder: `.gitmodules` may be anybody's.
fn is_inside(name: &str) -> bool {
    !name.is_empty()
        && Path::new(name).components().all(|part| matches!(part, Component::Normal(_)))
}
