//! Names of branches.

use super::Repository;
use crate::HostError;

impl Repository {
    /// The name of the default branch: what the remote `origin` calls its head, or else the branch that is checked
    /// out here.
    ///
    /// # Errors
    /// When there is neither.
    pub fn default_branch(&self) -> Result<String, HostError> {
        let of_remote = ["symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"];
        if let Ok(name) = self.run("find the default branch", &of_remote) {
            return Ok(name.strip_prefix("origin/").unwrap_or(&name).to_owned());
        }
        self.run("find the branch", &["symbolic-ref", "--quiet", "--short", "HEAD"]).map_err(|_| {
            HostError::usage(
                "the name of the default branch is not known: no branch is checked out, and there is no \
                 refs/remotes/origin/HEAD",
                "run `git remote set-head origin --auto`, or check out the default branch",
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::git;
    use super::*;

    #[test]
    fn the_default_branch_is_the_remotes_or_else_the_one_that_is_checked_out() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path();
        git(top, &["init", "--quiet", "--initial-branch", "trunk"]);
        git(top, &["commit", "--quiet", "--allow-empty", "-m", "first"]);
        let repository = Repository::around(top).unwrap();
        assert_eq!(repository.default_branch().unwrap(), "trunk");

        git(top, &["update-ref", "refs/remotes/origin/release/next", "HEAD"]);
        git(top, &["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/release/next"]);
        assert_eq!(repository.default_branch().unwrap(), "release/next");

        git(top, &["symbolic-ref", "--delete", "refs/remotes/origin/HEAD"]);
        git(top, &["checkout", "--quiet", "--detach"]);
        let error = repository.default_branch().unwrap_err().to_string();
        assert!(error.contains("the name of the default branch is not known"), "{error}");
    }
}
