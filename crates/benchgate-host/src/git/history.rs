//! The first-parent history between two commits.

use std::collections::BTreeSet;
use std::path::Path;

use super::{Repository, Revision};
use crate::HostError;

/// A commit of a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// Its full name.
    pub commit: String,
    /// The first line of its message.
    pub subject: String,
}

impl Commit {
    /// As a revision to build.
    pub fn revision(&self) -> Revision {
        let commit = self.commit.clone();
        let name = commit.get(..10).unwrap_or(&commit).to_owned();
        Revision {
            checkout: commit.clone(),
            commit,
            name,
            dirty: false,
            only_untracked: false,
            notices: Vec::new(),
        }
    }
}

impl Repository {
    /// The commits from `good` to `bad` in which each is the first parent of the next one.
    ///
    /// # Errors
    /// When `good` is not in the first-parent history of `bad`; names its nearest commit.
    pub fn first_parents(&self, good: &Revision, bad: &Revision) -> Result<Vec<Commit>, HostError> {
        if good.commit == bad.commit {
            return Err(HostError::usage(
                format!(
                    "nothing to search: `{}` and `{}` are the same commit",
                    good.name, bad.name
                ),
                "name an older commit with --good",
            ));
        }
        let range = format!("{}..{}", good.commit, bad.commit);
        let list = self.run(
            "list the commits",
            &["log", "--first-parent", "--reverse", "--format=%H %P%x09%s", &range],
        )?;
        let lines: Vec<(&str, &str, &str)> = list.lines().filter_map(parts).collect();
        let is_chained = lines.first().is_some_and(|(_, parent, _)| *parent == good.commit);
        if !is_chained {
            return Err(self.not_in_history(good, bad));
        }
        let format = ["log", "--max-count=1", "--format=%s", &good.commit];
        let subject = self.run("read the commit", &format)?;
        let first = Commit { commit: good.commit.clone(), subject };
        let rest = lines.into_iter().map(|(commit, _, subject)| Commit {
            commit: commit.to_owned(),
            subject: subject.to_owned(),
        });
        Ok(std::iter::once(first).chain(rest).collect())
    }

    /// The commits of first parents up to `head`, the oldest first; after `since`, where one is named.
    ///
    /// # Errors
    /// When one is unknown.
    pub fn line_of(&self, head: &str, since: Option<&str>) -> Result<Vec<String>, HostError> {
        let mut range = self.commit(head)?.commit;
        if let Some(since) = since {
            range = format!("{}..{range}", self.commit(since)?.commit);
        }
        let list =
            self.run("list the commits", &["rev-list", "--first-parent", "--reverse", &range])?;
        Ok(list.lines().map(str::to_owned).collect())
    }

    /// The commits that change something in a folder, and when they were made.
    ///
    /// # Errors
    /// When git cannot list them.
    pub fn commits_that_touch(
        &self,
        folder: &Path,
        commits: &[String],
    ) -> Result<Vec<(String, String)>, HostError> {
        let Some(last) = commits.last() else { return Ok(Vec::new()) };
        let known: BTreeSet<&str> = commits.iter().map(String::as_str).collect();
        let inside =
            folder.strip_prefix(self.top()).unwrap_or(folder).to_string_lossy().into_owned();
        let format = ["log", "--first-parent", "--reverse", "--format=%H %cI", last, "--", &inside];
        let list = self.run("list the commits", &format)?;
        let entries = list.lines().filter_map(|line| line.split_once(' '));
        let of_line = entries.filter(|(commit, _)| known.contains(commit));
        Ok(of_line.map(|(commit, time)| (commit.to_owned(), time.to_owned())).collect())
    }

    fn not_in_history(&self, good: &Revision, bad: &Revision) -> HostError {
        let message =
            format!("`{}` is not in the first-parent history of `{}`", good.name, bad.name);
        let fork = self.run("find the merge base", &["merge-base", &good.commit, &bad.commit]);
        let help = match fork {
            Ok(fork) if fork == good.commit => {
                "it came in with a merge: name a commit of the branch itself, such as the parent of the merge"
                    .to_owned()
            }
            Ok(fork) if fork == bad.commit => "exchange --good and --bad".to_owned(),
            Ok(fork) => format!("name the commit where they forked: `--good {fork}`"),
            Err(_) => "fetch the history between them (`fetch-depth: 0` for actions/checkout)".to_owned(),
        };
        HostError::usage(message, help)
    }
}

/// Commit, first parent and subject of a line.
fn parts(line: &str) -> Option<(&str, &str, &str)> {
    let (names, subject) = line.split_once('\t')?;
    let mut names = names.split(' ');
    Some((names.next()?, names.next().unwrap_or_default(), subject))
}

#[cfg(test)]
mod tests {
    use super::super::tests::git;
    use super::*;

    #[test]
    fn a_history_is_that_of_first_parents_and_begins_with_the_good_commit() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path();
        git(top, &["init", "--quiet", "--initial-branch", "main"]);
        let commit =
            |message: &str| git(top, &["commit", "--quiet", "--allow-empty", "-m", message]);
        commit("one");
        git(top, &["checkout", "--quiet", "-b", "side"]);
        commit("aside");
        git(top, &["checkout", "--quiet", "main"]);
        commit("two\tof them");
        git(top, &["merge", "--quiet", "--no-ff", "-m", "merged", "side"]);
        let repository = Repository::around(top).unwrap();
        let of = |good: &str, bad: &str| {
            let revisions = [good, bad].map(|name| repository.commit(name).unwrap());
            repository.first_parents(&revisions[0], &revisions[1])
        };
        let subjects: Vec<String> =
            of("main~2", "main").unwrap().into_iter().map(|commit| commit.subject).collect();
        assert_eq!(subjects, ["one", "two\tof them", "merged"]);
        for (good, bad, help) in [
            ("side", "main", "came in with a merge"),
            ("main", "main~1", "exchange --good and --bad"),
            ("side", "main~1", "where they forked: `--good "),
            ("main", "main", "name an older commit"),
        ] {
            let error = of(good, bad).unwrap_err();
            assert!(
                error.help().is_some_and(|text| text.contains(help)),
                "{good} {bad}: {error:?}"
            );
        }
    }
}
