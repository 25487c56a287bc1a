//! Repositories as git has them: submodules, other owners, no git at all.

use crate::support::{Ran, Repo};

/// A repository with the submodule `data`, whose origin is gone, and a speed in it on each side.
fn with_submodule() -> Repo {
    let repo = Repo::new(&["a|data/speed.txt|"]);
    let origin = repo.outside("origin");
    let git = |folder: &std::path::Path, arguments: &[&str]| {
        let folder = folder.to_str().unwrap();
        repo.git(&[&["-C", folder, "-c", "protocol.file.allow=always"][..], arguments].concat())
    };
    std::fs::create_dir(&origin).unwrap();
    git(&origin, &["init", "--quiet"]);
    let commit = |speed: &str| {
        std::fs::write(origin.join("speed.txt"), speed).unwrap();
        git(&origin, &["add", "--all"]);
        git(&origin, &["commit", "--quiet", "-m", speed]);
    };
    commit("1000");
    let top = repo.path("");
    git(&top, &["submodule", "--quiet", "add", origin.to_str().unwrap(), "data"]);
    repo.commit("a submodule");
    commit("1500");
    git(&top.join("data"), &["pull", "--quiet"]);
    repo.commit("the submodule moves");
    std::fs::remove_dir_all(&origin).unwrap();
    repo
}

#[test]
fn submodules_come_from_the_users_clone_without_a_network() {
    let repo = with_submodule();
    let before = repo.git(&["config", "--local", "--list"]);
    repo.benchgate(&["check", "--pairs", "8"]).expect(100);
    let benchmark = &repo.result()["benchmarks"][0];
    assert_eq!((&benchmark["base"], &benchmark["head"]), (&1000.0.into(), &1500.0.into()));
    // Nothing stays behind.
    assert_eq!(repo.git(&["config", "--local", "--list"]), before);
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    assert_eq!(repo.git(&["-C", "data", "worktree", "list"]).lines().count(), 1);
}

#[test]
fn a_filter_that_fails_in_a_submodule_leaves_its_files_as_the_commit_has_them() {
    let repo = with_submodule();
    repo.write(".git/modules/data/info/attributes", "*.txt filter=large\n");
    let failing = "sh -c 'echo over the data quota >&2; exit 2'";
    for (key, value) in [("smudge", failing), ("clean", "cat"), ("required", "true")] {
        repo.git(&["-C", "data", "config", &format!("filter.large.{key}"), value]);
    }
    let ran = repo.benchgate(&["check", "--pairs", "8"]).expect(100);
    assert_eq!(repo.result()["benchmarks"][0]["head"], 1500.0);
    assert!(ran.stdout.contains("over the data quota"), "{}", ran.stdout);
}

#[test]
fn a_submodule_that_the_user_does_not_have_either_is_left_out() {
    let repo = with_submodule();
    repo.suite("speed", &["a|1000|"]);
    repo.commit("no data");
    repo.commit("nothing");
    repo.git(&["submodule", "--quiet", "deinit", "--force", "--all"]);
    std::fs::remove_dir_all(repo.path(".git/modules")).unwrap();
    repo.benchgate(&["check", "--pairs", "8"]).expect(0);
}

#[test]
fn what_keeps_git_from_answering_is_said_with_what_to_type() {
    let repo = Repo::new(&["a|1000|"]);
    let with = |name: &str, value: &str, code: i32| {
        let mut command = repo.command(&["check"]);
        command.env(name, value);
        Ran::of(command).expect(code).stderr
    };
    let owner = with("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1", 2);
    assert!(owner.contains("because it belongs to another user"), "{owner}");
    assert!(
        owner.contains("help: trust it: `git config --global --add safe.directory '"),
        "{owner}"
    );
    let nowhere = with("PATH", "/nowhere", 101);
    assert!(nowhere.contains("cannot run `git`"), "{nowhere}");
    assert!(nowhere.contains("help: install it, or put its folder on PATH"), "{nowhere}");

    let outside = repo.command(&["check"]).current_dir(repo.outside("")).output().unwrap();
    let said = String::from_utf8_lossy(&outside.stderr);
    assert!(said.contains("is not in a git checkout"), "{said}");
}
