//! Checkouts of repositories whose filters may fail, such as that of large files.

use std::path::Path;

use super::Repository;
use crate::HostError;
use crate::system::{files, process};

impl Repository {
    /// Checks a commit out. Where a filter fails, such as that of large files which cannot be downloaded, files stay as the
    /// commit has them, which is what the user's checkout had to do too; a notice reports it.
    pub(super) fn add_worktree_or_pointers(
        &self,
        commit: &str,
        folder: &Path,
    ) -> Result<Option<String>, HostError> {
        let (what, message) = match self.add_worktree(commit, folder, &[]) {
            Err(HostError::Git { what, message }) => (what, message),
            done => return done.map(|()| None),
        };
        let required = ["config", "--name-only", "--get-regexp", r"^filter\..*\.required$"];
        let required = self.run("list the filters", &required).unwrap_or_default();
        let settings: Vec<String> = required.lines().map(|name| format!("{name}=false")).collect();
        let is_there = !settings.is_empty() && {
            files::remove_dir(folder)?;
            self.forget(folder);
            self.add_worktree(commit, folder, &settings).is_ok()
        };
        if !is_there {
            return Err(HostError::Git { what, message });
        }
        Ok(Some(format!(
            "a filter of git failed for {}, and its files are as the commit has them: {}",
            &commit[..commit.len().min(10)],
            message.replace('\n', "; ")
        )))
    }

    fn add_worktree(
        &self,
        commit: &str,
        folder: &Path,
        settings: &[String],
    ) -> Result<(), HostError> {
        let mut command = self.command();
        for setting in settings {
            command.args(["-c", setting]);
        }
        command
            .args(["-c", "core.hooksPath=/dev/null", "-c", "advice.detachedHead=false"])
            .args(["worktree", "add", "--quiet", "--force", "--force", "--detach"])
            .arg(folder)
            .arg(commit);
        let done = process::run(&mut command, None, &mut |_| {})?;
        if done.succeeded() {
            return Ok(());
        }
        Err(HostError::Git { what: format!("check out {commit}"), message: cause(&done.stderr) })
    }
}

/// The words of a filter that failed, each line once: git's own are behind them, and say which file it was.
fn cause(stderr: &str) -> String {
    let is_gits = |line: &&str| {
        line.starts_with("fatal: ")
            || line.starts_with("error: external filter")
            || line.trim().is_empty()
    };
    let mut words: Vec<&str> = Vec::new();
    for line in stderr.lines().filter(|line| !is_gits(line)) {
        if !words.contains(&line) {
            words.push(line);
        }
    }
    if words.is_empty() {
        words = stderr.lines().filter(|line| !line.trim().is_empty()).collect();
        words.dedup();
    }
    words.split_off(words.len().saturating_sub(LINES_OF_CAUSE)).join("\n")
}

/// Lines of a filter's output that are kept.
const LINES_OF_CAUSE: usize = 6;
