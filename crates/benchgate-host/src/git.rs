//! Runs git by its command line: it uses the user's configuration and exists on every runner.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::HostError;
use crate::system::{files, process};

/// Variables that git sets while it runs a hook; they name another checkout than the one used here.
pub(crate) const OF_ANOTHER_CHECKOUT: [&str; 5] =
    ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR"];

/// A repository, identified by the top folder of the user's checkout.
#[derive(Clone, Debug)]
pub struct Repository {
    top: PathBuf,
}

/// A state of the code that can be checked out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// Commit that is checked out; for a dirty working tree, a commit on no branch.
    pub checkout: String,
    /// Commit that is reported.
    pub commit: String,
    /// Its name as the user gave it.
    pub name: String,
    /// Whether it holds changes that are not in `commit`.
    pub dirty: bool,
    /// Whether all of these are files that git does not track, or was told not to look at.
    pub only_untracked: bool,
    /// What git alone would not say of these changes.
    pub notices: Vec<String>,
}

impl Revision {
    /// Whether it has uncommitted changes of files that git tracks: a note or a log in the checkout is none.
    pub fn has_tracked_changes(&self) -> bool {
        self.dirty && !self.only_untracked
    }
}

impl Repository {
    /// The repository around a folder.
    ///
    /// # Errors
    /// When there is none.
    pub fn around(folder: &Path) -> Result<Self, HostError> {
        let at = Self { top: folder.to_owned() };
        let top = at
            .run("find the repository", &["rev-parse", "--show-toplevel"])
            .map_err(|error| Self::refusal(folder, error))?;
        Ok(Self { top: PathBuf::from(top) })
    }

    /// The top folder of the checkout.
    pub fn top(&self) -> &Path {
        &self.top
    }

    /// The commit of a name.
    ///
    /// # Errors
    /// When no commit has that name.
    pub fn commit(&self, name: &str) -> Result<Revision, HostError> {
        let spec = format!("{name}^{{commit}}");
        let commit = self
            .run("read", &["rev-parse", "--verify", "--quiet", "--end-of-options", &spec])
            .map_err(|_| self.unknown(name))?;
        Ok(Revision {
            checkout: commit.clone(),
            commit,
            name: name.to_owned(),
            dirty: false,
            only_untracked: false,
            notices: Vec::new(),
        })
    }

    /// The commit where `head` forked from `name`: later commits of `name` do not count as part of the
    /// change.
    ///
    /// # Errors
    /// When one is unknown or the two have no common history.
    pub fn merge_base(&self, name: &str, head: &Revision) -> Result<Revision, HostError> {
        let tip = self.commit(name)?;
        let merge_base =
            self.run("find the merge base", &["merge-base", &tip.commit, &head.commit]).map_err(|_| {
                HostError::usage(
                    format!("`{name}` and {} have no common commit", head.name),
                    "fetch the history between them (`fetch-depth: 0` for actions/checkout), or name a \
                     base that is an ancestor",
                )
            })?;
        Ok(Revision { checkout: merge_base.clone(), commit: merge_base, ..tip })
    }

    /// The parent of a commit; `None` for the first commit of a repository.
    ///
    /// # Errors
    /// When the history is missing.
    pub fn parent(&self, of: &Revision) -> Result<Option<Revision>, HostError> {
        let line =
            self.run("read the parents", &["rev-list", "--parents", "--max-count=1", &of.commit])?;
        if line.split_whitespace().nth(1).is_none() && !self.is_shallow() {
            return Ok(None);
        }
        let name = format!("{}^", of.name);
        self.commit(&format!("{}^", of.commit)).map(|parent| Some(Revision { name, ..parent }))
    }

    /// The last tag before a revision: of a clean commit, one of its ancestors' tags and not its own.
    ///
    /// # Errors
    /// When there is none.
    pub fn last_tag(&self, of: &Revision) -> Result<Revision, HostError> {
        let from = format!("{}{}", of.commit, if of.dirty { "" } else { "^" });
        let none = |_| {
            HostError::usage(
                format!("no tag lies before {}", of.name),
                "name a release (`--anchor v1.2.0`), or fetch the tags (`git fetch --tags`; `fetch-tags: true` \
                 and `fetch-depth: 0` for actions/checkout)",
            )
        };
        let tag =
            self.run("find a tag", &["describe", "--tags", "--abbrev=0", &from]).map_err(none)?;
        self.commit(&tag)
    }

    /// The folder in which all checkouts of this repository have their history.
    ///
    /// # Errors
    /// When git cannot be run.
    pub(crate) fn history(&self) -> Result<PathBuf, HostError> {
        Ok(self.top.join(self.run("find the history", &["rev-parse", "--git-common-dir"])?))
    }

    /// The path where git looks for a hook of this repository.
    ///
    /// # Errors
    /// When other repositories share that folder: a hook there would run in them too.
    pub fn hook(&self, name: &str) -> Result<PathBuf, HostError> {
        let path_of = |arguments: &[&str]| {
            self.run("find the hooks", arguments).map(|path| self.top.join(path))
        };
        let hook = path_of(&["rev-parse", "--git-path", &format!("hooks/{name}")])?;
        if hook.starts_with(&self.top)
            || hook.starts_with(path_of(&["rev-parse", "--git-common-dir"])?)
        {
            return Ok(hook);
        }
        Err(HostError::usage(
            format!("{} is shared with other repositories (core.hooksPath)", hook.display()),
            "set core.hooksPath of this repository, or omit --hook",
        ))
    }

    /// The content of a file at a commit; `None` when the commit has no such file.
    ///
    /// # Errors
    /// When git cannot be run.
    pub fn file_at(&self, commit: &str, path: &str) -> Result<Option<String>, HostError> {
        if self.run("list files", &["ls-tree", "--name-only", commit, "--", path])?.is_empty() {
            return Ok(None);
        }
        let mut show = self.command();
        show.args(["show", &format!("{commit}:{path}")]);
        let done = process::run(&mut show, None, &mut |_| {})?;
        if done.succeeded() {
            return Ok(Some(done.stdout));
        }
        let what = format!("read {path} of {commit}");
        Err(HostError::Git { what, message: done.tail(3) })
    }

    /// The files below a folder at a commit, relative to the top.
    ///
    /// # Errors
    /// When git cannot be run or the commit is unknown.
    pub fn files_at(&self, commit: &str, folder: &str) -> Result<Vec<String>, HostError> {
        let list =
            self.run("list files", &["ls-tree", "-r", "-z", "--name-only", commit, "--", folder])?;
        Ok(list.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect())
    }

    /// The files that differ between two revisions, relative to the top; a renamed one by both names.
    ///
    /// # Errors
    /// When git cannot compare them.
    pub fn changed_files(
        &self,
        base: &Revision,
        head: &Revision,
    ) -> Result<Vec<String>, HostError> {
        let list = self.run(
            "compare the files",
            &[
                "diff-tree",
                "-r",
                "-z",
                "--name-only",
                "--no-renames",
                // `ignore = all` of `.gitmodules` is for people who look at a status.
                "--ignore-submodules=none",
                &base.checkout,
                &head.checkout,
            ],
        )?;
        Ok(list.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect())
    }

    /// Whether the checkout is shallow.
    pub fn is_shallow(&self) -> bool {
        self.run("read the history", &["rev-parse", "--is-shallow-repository"])
            .is_ok_and(|answer| answer == "true")
    }

    /// Checks a commit out into its own folder.
    ///
    /// # Errors
    /// When git refuses.
    pub fn checkout(&self, commit: &str, folder: &Path) -> Result<Worktree, HostError> {
        files::remove_dir(folder)?;
        // A run that was killed leaves its entry behind. Only ours: the user's other worktrees may be on
        // a disk that is not mounted now.
        self.forget(folder);
        if let Some(parent) = folder.parent() {
            fs_err::create_dir_all(parent)?;
        }
        let (repository, folder) = (self.clone(), folder.to_owned());
        let mut worktree =
            Worktree { repository, folder, submodules: Vec::new(), failures: Vec::new() };
        worktree.failures.extend(self.add_worktree_or_pointers(commit, &worktree.folder)?);
        let Worktree { folder, failures, .. } = &mut worktree;
        worktree.submodules = self.check_out_submodules(folder, failures)?;
        Ok(worktree)
    }

    /// Removes git's entry of a worktree, locked or not; succeeds if there is none.
    fn forget(&self, folder: &Path) {
        let mut command = self.command();
        command.args(["worktree", "remove", "--force", "--force"]).arg(folder);
        // Not through `process::run`, which refuses to start anything after Ctrl-C.
        let _ = command.output();
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new("git");
        command.current_dir(&self.top);
        for name in OF_ANOTHER_CHECKOUT {
            command.env_remove(name);
        }
        command.env("LC_ALL", "C");
        command
    }

    /// Whether files of the working tree are as they were committed.
    ///
    /// # Errors
    ///
    /// Where git fails.
    pub fn is_committed(&self, paths: &[&str]) -> Result<bool, HostError> {
        let arguments = [&["status", "--porcelain", "--ignored", "--"][..], paths].concat();
        Ok(self.run("look for changes", &arguments)?.is_empty())
    }

    /// How files of the working tree differ from the index, as `git diff` shows it.
    ///
    /// # Errors
    ///
    /// Where git fails.
    pub fn difference(&self, paths: &[&str]) -> Result<String, HostError> {
        let plain = ["diff", "--no-color", "--no-ext-diff", "--no-textconv", "--"];
        self.run("show the difference", &[&plain[..], paths].concat())
    }

    /// Runs git and returns its output; `what` is the action for the error.
    pub(crate) fn run(&self, what: &str, arguments: &[&str]) -> Result<String, HostError> {
        checked(what, self.command().args(arguments))
    }

    /// Whether git succeeds with these arguments.
    fn probe(&self, arguments: &[&str]) -> bool {
        self.run("run", arguments).is_ok()
    }
}

pub(crate) fn checked(what: &str, command: &mut Command) -> Result<String, HostError> {
    let done = process::run(command, None, &mut |_| {})?;
    if done.succeeded() {
        Ok(done.stdout.trim_end_matches(['\n', '\r']).to_owned())
    } else {
        Err(HostError::Git { what: what.to_owned(), message: done.tail(3) })
    }
}

/// What git notes of the checkout in a folder alone. Its commit decides what they say but for times; tags and branches, which
/// `git describe` reads, are in other files.
pub(crate) fn own_files(checkout: &Path) -> Vec<PathBuf> {
    let text = fs_err::read_to_string(checkout.join(".git")).unwrap_or_default();
    let folder = text.strip_prefix("gitdir: ").map(|path| PathBuf::from(path.trim()));
    let files = ["HEAD", "ORIG_HEAD", "index", "logs/HEAD"];
    folder.into_iter().flat_map(|folder| files.map(|name| folder.join(name))).collect()
}

/// The settings by which a file of a checkout is another one than that of its commit.
pub(crate) fn settings_of_files(checkout: &Path) -> String {
    let pattern = r"^(filter\.|core\.(autocrlf|eol|attributesfile|symlinks|filemode))";
    let repository = Repository { top: checkout.to_owned() };
    repository.run("list the filters", &["config", "--get-regexp", pattern]).unwrap_or_default()
}

/// A checkout in its own folder; removed when dropped.
pub struct Worktree {
    repository: Repository,
    folder: PathBuf,
    /// Checkouts inside, each of a separate repository.
    submodules: Vec<(Repository, PathBuf)>,
    /// Filters that failed: some of its files are as the commit has them.
    failures: Vec<String>,
}

impl Worktree {
    /// The notice of each filter that failed.
    pub(crate) fn filter_failures(&self) -> &[String] {
        &self.failures
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Moves it to another folder, where git does not look for it: its files are all that is used of it.
    pub(crate) fn move_to(&mut self, folder: &Path) -> Result<(), HostError> {
        if let Some(parent) = folder.parent() {
            fs_err::create_dir_all(parent)?;
        }
        fs_err::rename(&self.folder, folder)?;
        self.repository.forget(&self.folder);
        folder.clone_into(&mut self.folder);
        Ok(())
    }
}

impl Drop for Worktree {
    fn drop(&mut self) {
        let _ = files::remove_dir(&self.folder);
        for (clone, folder) in &self.submodules {
            clone.forget(folder);
        }
        self.repository.forget(&self.folder);
    }
}

mod branch;
mod filters;
mod history;
mod listing;
mod refusals;
mod submodules;
pub mod trailers;
mod vendored;
mod working_tree;

pub use self::history::Commit;

#[cfg(test)]
mod tests;
