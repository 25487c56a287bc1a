//! A git repository for the self-test, created again for every run.

use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::cargo::command::clean_command;
use crate::system::{files, process};
use crate::{HostError, sides};

/// A private repository. The user's signing, hooks and templates do not apply to it.
pub struct SampleRepository {
    folder: PathBuf,
    _lock: fs::File,
}

impl SampleRepository {
    /// Creates an empty one in this folder, in place of anything there.
    ///
    /// # Errors
    /// [`HostError::Busy`] when another run uses the folder.
    pub fn create(folder: &Path) -> Result<Self, HostError> {
        let parent = folder.parent().unwrap_or(folder);
        fs::create_dir_all(parent)?;
        let lock = sides::lock(folder.with_extension("lock"))?;
        files::remove_dir(folder)?;
        fs::create_dir_all(folder)?;
        let repository = Self { folder: folder.to_owned(), _lock: lock };
        repository.git("create a repository", &["init", "--quiet", "--template="])?;
        Ok(repository)
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes files and commits everything; returns the commit's id.
    ///
    /// # Errors
    /// When a file cannot be written, or git cannot commit.
    pub fn commit(&self, files: &[(&str, &str)], message: &str) -> Result<String, HostError> {
        for (path, text) in files {
            files::write_atomically(&self.folder.join(path), text.as_bytes())?;
        }
        self.git("add files", &["add", "--all", "--force"])?;
        self.git("commit", &["commit", "--quiet", "--allow-empty", "--message", message])?;
        let id = self.git("name a commit", &["rev-parse", "HEAD"])?;
        Ok(id.trim().to_owned())
    }

    /// Checks out a commit.
    ///
    /// # Errors
    /// When git fails.
    pub fn check_out(&self, commit: &str) -> Result<(), HostError> {
        self.git("check out a commit", &["checkout", "--quiet", "--detach", commit]).map(drop)
    }

    fn git(&self, what: &str, arguments: &[&str]) -> Result<String, HostError> {
        let mut command = clean_command("git");
        command.current_dir(&self.folder);
        for setting in [
            "user.name=benchgate",
            "user.email=benchgate@localhost",
            "commit.gpgsign=false",
            "core.hooksPath=/dev/null",
            "core.autocrlf=false",
            "init.defaultBranch=main",
            "advice.detachedHead=false",
        ] {
            command.args(["-c", setting]);
        }
        let done = process::run(command.args(arguments), None, &mut |_| {})?;
        if done.succeeded() {
            return Ok(done.stdout);
        }
        Err(HostError::Git { what: what.to_owned(), message: done.tail(20) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::Repository;

    #[test]
    fn commits_hold_what_was_written_and_can_be_checked_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sample");
        let sample = SampleRepository::create(&path).unwrap();
        let first = sample.commit(&[("a/b", "1")], "first").unwrap();
        let second = sample.commit(&[("a/b", "2")], "second").unwrap();
        sample.check_out(&first).unwrap();
        assert_eq!(std::fs::read_to_string(path.join("a/b")).unwrap(), "1");
        let third = sample.commit(&[("c", "3")], "third").unwrap();
        let seen = Repository::around(&path).unwrap();
        assert_eq!(seen.file_at(&second, "a/b").unwrap().as_deref(), Some("2"));
        assert_eq!(seen.files_at(&third, ".").unwrap(), ["a/b", "c"]);
    }

    #[test]
    fn one_that_is_in_use_is_not_created_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sample");
        let sample = SampleRepository::create(&path).unwrap();
        sample.commit(&[("a", "1")], "first").unwrap();
        assert!(matches!(SampleRepository::create(&path), Err(HostError::Busy { .. })));
        assert!(path.join("a").is_file());
        drop(sample);
        SampleRepository::create(&path).unwrap();
        assert!(!path.join("a").exists());
    }
}
