//! Reads the `Benchgate-Accept` trailers from the commit messages of a change.

use benchgate_core::judge::Trailer;
use benchgate_core::policy::TRAILER;

use crate::HostError;
use crate::git::Repository;

/// The `Benchgate-Accept` trailers of the commits from `base` (without it) to `head`, oldest first.
///
/// # Errors
/// When git cannot be run or a commit is unknown.
pub fn between(repository: &Repository, base: &str, head: &str) -> Result<Vec<Trailer>, HostError> {
    // No message holds a NUL, so none can forge a commit or a second trailer.
    let format =
        format!("--format=%H%x00%(trailers:key={TRAILER},valueonly,unfold,separator=%x00)");
    let range = format!("{base}..{head}");
    let arguments = ["log", "--no-show-signature", "--reverse", &format, &range, "--"];
    let listed = repository.run("read the commit messages", &arguments)?;
    Ok(listed.lines().flat_map(of_commit).collect())
}

fn of_commit(line: &str) -> impl Iterator<Item = Trailer> {
    let (commit, values) = line.split_once('\0').unwrap_or((line, ""));
    values
        .split('\0')
        .filter(|value| !value.is_empty())
        .map(|value| Trailer { commit: commit.to_owned(), text: value.trim().to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;
    use std::process::Command;

    fn git(folder: &Path, arguments: &[&str]) -> String {
        let done = Command::new("git")
            .current_dir(folder)
            .args(["-c", "user.name=t", "-c", "user.email=t@localhost"])
            .args(arguments)
            .output()
            .unwrap();
        assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap().trim().to_owned()
    }

    fn commit(folder: &Path, message: &str) -> String {
        git(folder, &["commit", "--quiet", "--allow-empty", "-m", message]);
        git(folder, &["rev-parse", "HEAD"])
    }

    #[test]
    fn the_trailers_of_a_change_are_found_with_their_commits_and_those_of_its_base_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        git(at, &["init", "--quiet"]);
        let base = commit(at, "base\n\nBenchgate-Accept: old <= 5% long ago");
        commit(at, "Benchgate-Accept: no <= 5% trailer, but a subject");
        let two = commit(
            at,
            "two\n\nWords.\n\nBenchgate-Accept: a b <= 5% one\nSigned-off-by: t <t@localhost>\n\
             benchgate-accept: c <= 7% folded\n over two lines",
        );
        let broken = commit(at, "broken\n\nBenchgate-Accept: d\n");
        let repository = Repository::around(at).unwrap();
        let trailers = between(&repository, &base, "HEAD").unwrap();
        let trailers: Vec<_> =
            trailers.iter().map(|t| (t.commit.as_str(), t.text.as_str())).collect();
        assert_eq!(
            trailers,
            [
                (two.as_str(), "a b <= 5% one"),
                (two.as_str(), "c <= 7% folded over two lines"),
                (broken.as_str(), "d"),
            ]
        );
        assert_eq!(between(&repository, "HEAD", "HEAD").unwrap(), []);
    }
}
