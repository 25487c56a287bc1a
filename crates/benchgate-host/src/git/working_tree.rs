//! The user's working tree as a commit on no branch: all that is in it and not ignored, also what git was told not to
//! look at.

use std::path::Path;

use tempfile::NamedTempFile;

use super::{Repository, Revision, checked};
use crate::HostError;
use crate::system::platform;

/// Settings by which git sees each change: none of a watcher that may be wrong, and none that leaves times out.
const SEES_CHANGES: [&str; 6] =
    ["-c", "core.fsmonitor=false", "-c", "core.checkStat=default", "-c", "core.trustctime=true"];

/// Maximum number of paths that one command is given.
const MOST_PATHS: usize = 500;

/// A copy of the user's index, which stays unchanged: with a copy, git need not read every file again.
struct Index<'r> {
    repository: &'r Repository,
    file: NamedTempFile,
}

impl<'r> Index<'r> {
    fn copy(repository: &'r Repository) -> Result<Self, HostError> {
        let file = NamedTempFile::new()?;
        let own = repository.run("find the index", &["rev-parse", "--git-path", "index"])?;
        let own = repository.top.join(own);
        if let Ok(bytes) = fs_err::read(&own) {
            fs_err::write(file.path(), bytes)?;
            // A file that was written later than the index is read again, whatever its size and times: by the time of
            // the copy, that of this moment, a change in the same second as the user's index would be none.
            file.as_file().set_modified(fs_err::metadata(&own)?.modified()?)?;
        } else {
            fs_err::remove_file(file.path())?;
        }
        Ok(Self { repository, file })
    }

    fn run(&self, arguments: &[&str]) -> Result<String, HostError> {
        let mut command = self.repository.command();
        command.env("GIT_INDEX_FILE", self.file.path()).args(SEES_CHANGES).args(arguments);
        checked("read the working tree", &mut command)
    }

    /// Runs a command with these paths.
    fn with(&self, arguments: &[&str], paths: &[String]) -> Result<(), HostError> {
        for some in paths.chunks(MOST_PATHS) {
            let paths = some.iter().map(String::as_str);
            self.run(&arguments.iter().copied().chain(["--"]).chain(paths).collect::<Vec<_>>())?;
        }
        Ok(())
    }

    /// The tracked paths that are not as this index has them.
    fn changed(&self) -> Result<Vec<String>, HostError> {
        let status = [&STATUS[..], &["--untracked-files=no"]].concat();
        let listed = self.run(&status)?;
        let is_changed = |entry: &&str| entry.get(1..2).is_some_and(|letter| letter != " ");
        let changed = listed.split('\0').filter(is_changed);
        Ok(changed.filter_map(|entry| entry.get(3..)).map(str::to_owned).collect())
    }

    /// Takes in what these paths have now, and returns those that are not as they were committed. They are read, whatever
    /// their times say: git did not compare them when it wrote the index.
    fn reveal(&self, marked: &[String]) -> Result<Vec<String>, HostError> {
        self.with(&["update-index", "--force-remove"], marked)?;
        self.with(&["update-index", "--add", "--remove"], marked)?;
        let listed =
            self.run(&["diff-index", "--cached", "--name-only", "-z", "--no-renames", "HEAD"])?;
        let changed = listed.split('\0').filter(|path| marked.iter().any(|of| of == path));
        Ok(changed.map(str::to_owned).collect())
    }
}

/// A submodule counts whatever its configuration leaves out.
const STATUS: [&str; 5] =
    ["status", "--porcelain", "-z", "--no-renames", "--ignore-submodules=none"];

impl Repository {
    /// The working tree as it is: the head commit, or, with uncommitted changes or untracked files, a
    /// commit of them on no branch, which git removes later.
    ///
    /// # Errors
    /// When there is no commit yet.
    pub fn working_tree(&self, leave_out: &Path) -> Result<Revision, HostError> {
        let head = self.commit("HEAD").map_err(|_| {
            HostError::usage("this repository has no commit yet", "commit something first")
        })?;
        let pathspec = self.without(leave_out)?;
        let status = self.status("normal", &pathspec)?;
        let marked = self.marked()?;
        if status.is_empty() && marked.is_empty() {
            return Ok(Revision { name: "HEAD".into(), ..head });
        }
        let index = Index::copy(self)?;
        let hidden = index.reveal(&marked)?;
        if status.is_empty() && hidden.is_empty() {
            return Ok(Revision { name: "HEAD".into(), ..head });
        }
        let add = ["add", "--all", "--"].into_iter().chain(pathspec.iter().map(String::as_str));
        index.run(&add.collect::<Vec<_>>())?;
        let tree = index.run(&["write-tree"])?;
        if tree == self.run("read the last commit", &["rev-parse", "HEAD^{tree}"])? {
            return Err(HostError::usage(
                "the uncommitted changes are inside a submodule, where they cannot be measured",
                "commit them there, or name a revision with --head",
            ));
        }
        let left = index.changed()?;
        let checkout = self.commit_tree(&tree, &head)?;
        Ok(Revision {
            checkout,
            name: "working tree".into(),
            dirty: true,
            only_untracked: status.iter().all(|entry| entry.starts_with("??")),
            notices: notices(&hidden, &left),
            ..head
        })
    }

    fn commit_tree(&self, tree: &str, head: &Revision) -> Result<String, HostError> {
        let mut command = self.command();
        for role in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{role}_NAME"), "benchgate");
            command.env(format!("GIT_{role}_EMAIL"), "benchgate@localhost");
            // The same files give the same commit: an interrupted run is known by it.
            command.env(format!("GIT_{role}_DATE"), "@0 +0000");
        }
        let message = "benchgate: the working tree";
        command.args(["commit-tree", tree, "-p", &head.commit, "-m", message]);
        checked("commit the working tree", &mut command)
    }

    /// All paths but this folder, and the files that this run writes its own output to.
    fn without(&self, folder: &Path) -> Result<Vec<String>, HostError> {
        let mut pathspec = vec![".".to_owned()];
        // `git add` fails over an ignored folder that is named, even to be excluded.
        let is_ignored = |inside: &str| self.probe(&["check-ignore", "--quiet", "--", inside]);
        if let Ok(inside) = folder.strip_prefix(&self.top)
            && !is_ignored(&inside.to_string_lossy())
        {
            pathspec.push(format!(":(top,exclude,literal){}", inside.display()));
        }
        pathspec.extend(self.own_output(&pathspec)?);
        Ok(pathspec)
    }

    /// Changes as `git status` lists them, each as two letters, a space and a path.
    fn status(&self, untracked: &str, pathspec: &[String]) -> Result<Vec<String>, HostError> {
        let untracked = format!("--untracked-files={untracked}");
        let mut status = [&SEES_CHANGES[..], &STATUS, &[untracked.as_str(), "--"]].concat();
        status.extend(pathspec.iter().map(String::as_str));
        let listed = self.run("list the changes", &status)?;
        Ok(listed.split('\0').filter(|entry| !entry.is_empty()).map(str::to_owned).collect())
    }

    /// Leaves out the files that this run writes its own output to: they are no change of the user's.
    fn own_output(&self, pathspec: &[String]) -> Result<Vec<String>, HostError> {
        let own = platform::output_files();
        if own.is_empty() {
            return Ok(Vec::new());
        }
        let listed = self.status("all", pathspec)?;
        let paths = listed.iter().filter_map(|entry| entry.get(3..));
        let is_own = |path: &&str| {
            platform::file_id(&self.top.join(path)).is_some_and(|id| own.contains(&id))
        };
        Ok(paths.filter(is_own).map(|path| format!(":(top,exclude,literal){path}")).collect())
    }

    /// The files that git was told not to look at. One that a sparse checkout does not have is as it was committed.
    fn marked(&self) -> Result<Vec<String>, HostError> {
        let listed = self.run("list the marked files", &["ls-files", "-v", "-z"])?;
        let marked = listed.split('\0').filter_map(|entry| {
            let (mark, path) = entry.split_once(' ')?;
            let is_sparse = mark.eq_ignore_ascii_case("s");
            let is_there = || self.top.join(path).symlink_metadata().is_ok();
            let is_marked =
                is_sparse && is_there() || !is_sparse && mark.starts_with(char::is_lowercase);
            is_marked.then(|| path.to_owned())
        });
        Ok(marked.collect())
    }
}

/// What is measured of changes that git does not show, and what of those that it does is not.
fn notices(hidden: &[String], left: &[String]) -> Vec<String> {
    let listed = |paths: &[String]| match paths {
        [] => None,
        [path] => Some(format!("`{path}`")),
        [path, others @ ..] => Some(format!("`{path}` and {} more", others.len())),
    };
    let of_hidden = listed(hidden).map(|paths| {
        format!(
            "git was told not to look at {paths} (`assume-unchanged` or `skip-worktree`), and the working tree has \
             another content than the last commit: the head has that content; `--head HEAD` leaves it out"
        )
    });
    let of_left = listed(left).map(|paths| {
        format!("changes inside of {paths} are not measured: commit them there first")
    });
    of_hidden.into_iter().chain(of_left).collect()
}
