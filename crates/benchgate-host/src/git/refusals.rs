//! Errors for when git finds no repository or no commit.

use std::path::Path;

use benchgate_core::policy::nearest_name;

use super::Repository;
use crate::HostError;

/// Where git keeps the names that a user gives to commits, with what comes before them in a full name.
const NAMED: [&str; 3] = ["refs/heads/", "refs/tags/", "refs/remotes/"];

impl Repository {
    /// Why a name is not that of a commit, and what was probably meant.
    pub(super) fn unknown(&self, name: &str) -> HostError {
        let help = if self.is_shallow() {
            "this checkout is shallow: fetch the history (`git fetch --unshallow`, or \
             `fetch-depth: 0` for actions/checkout)"
                .to_owned()
        } else {
            let full = self.run("list branches and tags", &["for-each-ref", "--format=%(refname)"]);
            let full = full.unwrap_or_default();
            let short = |full: &str| {
                NAMED.iter().find_map(|space| full.strip_prefix(space)).map(str::to_owned)
            };
            let names: Vec<String> = full.lines().filter_map(short).collect();
            match nearest_name(name, names.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "name a branch, a tag or a commit that `git log` shows".to_owned(),
            }
        };
        HostError::usage(format!("no commit is called `{name}`"), help)
    }

    /// Why there is no repository around a folder.
    pub(super) fn refusal(folder: &Path, error: HostError) -> HostError {
        let HostError::Git { message, .. } = &error else { return error };
        let folder = folder.display();
        if message.contains("dubious ownership") {
            // git names the folder: the top, which is not where it was called.
            let named =
                message.split('\'').nth(1).map_or_else(|| folder.to_string(), str::to_owned);
            return HostError::usage(
                format!("git refuses {named}, because it belongs to another user"),
                format!("trust it: `git config --global --add safe.directory '{named}'`"),
            );
        }
        if message.contains("not a git repository") {
            return HostError::usage(
                format!("{folder} is not in a git checkout, so there is no base to compare with"),
                "run benchgate inside a git repository (`git init`, then commit)",
            );
        }
        if message.contains("must be run in a work tree") {
            return HostError::usage(
                format!("{folder} is in a bare repository, which has no working tree"),
                "run benchgate in a clone of it, or in a `git worktree`",
            );
        }
        error
    }
}
