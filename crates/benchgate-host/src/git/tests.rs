use std::time::{Duration, SystemTime};

use super::*;

pub(super) fn git(folder: &Path, arguments: &[&str]) {
    let status = Command::new("git")
        .current_dir(folder)
        .args([
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@localhost",
            "-c",
            "init.defaultBranch=main",
        ])
        .args(arguments)
        .output()
        .unwrap();
    assert!(status.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&status.stderr));
}

fn set_modified(path: &Path, time: SystemTime) {
    std::fs::File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
}

fn repository() -> (tempfile::TempDir, Repository) {
    let folder = tempfile::tempdir().unwrap();
    git(folder.path(), &["init", "--quiet"]);
    std::fs::write(folder.path().join("a"), "1").unwrap();
    git(folder.path(), &["add", "a"]);
    git(folder.path(), &["commit", "--quiet", "-m", "one"]);
    let repository = Repository::around(folder.path()).unwrap();
    (folder, repository)
}

#[test]
fn a_dirty_tree_is_measured_with_its_changes_and_untracked_files_and_stays_unchanged() {
    let (folder, repository) = repository();
    std::fs::write(folder.path().join("a"), "2").unwrap();
    std::fs::write(folder.path().join("b c"), "new").unwrap();
    std::fs::create_dir(folder.path().join("target")).unwrap();
    std::fs::write(folder.path().join("target/huge"), "x").unwrap();
    let before = repository.run("list the changes", &["status", "--porcelain"]).unwrap();
    let head = repository.working_tree(&repository.top().join("target")).unwrap();
    assert!(head.dirty);
    assert_eq!(repository.run("list the changes", &["status", "--porcelain"]).unwrap(), before);
    let elsewhere = tempfile::tempdir().unwrap();
    let path = elsewhere.path().join("head");
    let tree = repository.checkout(&head.checkout, &path).unwrap();
    assert_eq!(std::fs::read_to_string(path.join("a")).unwrap(), "2");
    assert_eq!(std::fs::read_to_string(path.join("b c")).unwrap(), "new");
    assert!(!path.join("target").exists());
    drop(tree);
    assert!(!path.exists());
    assert_eq!(repository.run("list worktrees", &["worktree", "list"]).unwrap().lines().count(), 1);
}

#[test]
fn what_git_notes_of_a_checkout_is_of_its_commit_and_tags_are_not() {
    let (folder, repository) = repository();
    assert_eq!(own_files(folder.path()), Vec::<PathBuf>::new(), "of the user's own, branches too");
    let elsewhere = tempfile::tempdir().unwrap();
    let head = repository.commit("HEAD").unwrap();
    let tree = repository.checkout(&head.commit, &elsewhere.path().join("base")).unwrap();
    let known = own_files(tree.folder());
    let ends = |name: &str| known.iter().find(|path| path.ends_with(name));
    for name in ["HEAD", "index", "logs/HEAD"] {
        assert!(ends(name).unwrap().is_file(), "{name}");
    }
    assert_eq!(ends("packed-refs"), None);
}

#[test]
fn a_dirty_tree_with_an_ignored_target_folder_is_measured_without_it() {
    let (folder, repository) = repository();
    std::fs::write(folder.path().join(".gitignore"), "/target\n").unwrap();
    std::fs::create_dir(folder.path().join("target")).unwrap();
    std::fs::write(folder.path().join("target/huge"), "x").unwrap();
    let head = repository.working_tree(&repository.top().join("target")).unwrap();
    assert!(head.dirty);
    assert_eq!(repository.files_at(&head.checkout, ".").unwrap(), [".gitignore", "a"]);
}

#[test]
fn a_clean_tree_is_its_commit() {
    let (_folder, repository) = repository();
    let head = repository.working_tree(Path::new("/nowhere")).unwrap();
    assert!(!head.dirty);
    assert_eq!(head.checkout, head.commit);
}

#[test]
fn the_first_commit_has_no_parent_and_the_second_has_one() {
    let (folder, repository) = repository();
    let first = repository.commit("HEAD").unwrap();
    assert_eq!(repository.parent(&first).unwrap(), None);
    git(folder.path(), &["commit", "--quiet", "--allow-empty", "-m", "two"]);
    let second = repository.commit("HEAD").unwrap();
    let parent = repository.parent(&second).unwrap().unwrap();
    assert_eq!((parent.commit, parent.name.as_str()), (first.commit, "HEAD^"));
}

#[test]
fn the_last_tag_of_a_commit_is_not_its_own_and_that_of_uncommitted_changes_may_be() {
    let (folder, repository) = repository();
    let head = || repository.working_tree(Path::new("/nowhere")).unwrap();
    let error = repository.last_tag(&head()).unwrap_err();
    assert_eq!(error.to_string(), "no tag lies before HEAD");
    assert!(error.help().unwrap().starts_with("name a release (`--anchor v1.2.0`)"));
    git(folder.path(), &["tag", "v1"]);
    git(folder.path(), &["commit", "--quiet", "--allow-empty", "-m", "two"]);
    git(folder.path(), &["tag", "v2"]);
    assert_eq!(repository.last_tag(&head()).unwrap().name, "v1");
    std::fs::write(folder.path().join("a"), "changed").unwrap();
    assert_eq!(repository.last_tag(&head()).unwrap().name, "v2");
}

#[test]
fn a_change_is_compared_with_its_fork_point_and_not_with_later_commits() {
    let (folder, repository) = repository();
    let fork = repository.commit("HEAD").unwrap();
    git(folder.path(), &["branch", "topic"]);
    git(folder.path(), &["commit", "--quiet", "--allow-empty", "-m", "landed since"]);
    git(folder.path(), &["branch", "trunk"]);
    git(folder.path(), &["checkout", "--quiet", "topic"]);
    git(folder.path(), &["commit", "--quiet", "--allow-empty", "-m", "change"]);
    let head = repository.commit("HEAD").unwrap();
    assert_eq!(repository.merge_base("trunk", &head).unwrap().commit, fork.commit);
}

#[test]
fn changed_files_are_named_with_uncommitted_and_renamed_ones() {
    let (folder, repository) = repository();
    let base = repository.commit("HEAD").unwrap();
    git(folder.path(), &["mv", "a", "renamed"]);
    git(folder.path(), &["commit", "--quiet", "-m", "rename"]);
    std::fs::write(folder.path().join("ü \"new\""), "1").unwrap();
    let head = repository.working_tree(Path::new("/nowhere")).unwrap();
    assert_eq!(repository.changed_files(&base, &head).unwrap(), ["a", "renamed", "ü \"new\""]);
    assert_eq!(repository.changed_files(&base, &base).unwrap(), Vec::<String>::new());
}

#[test]
fn an_unknown_revision_names_the_next_step() {
    let (_folder, repository) = repository();
    let error = repository.commit("no-such").unwrap_err();
    assert_eq!(error.to_string(), "no commit is called `no-such`");
    assert_eq!(error.help(), Some("name a branch, a tag or a commit that `git log` shows"));
    let option = repository.commit("--help").unwrap_err();
    assert_eq!(option.to_string(), "no commit is called `--help`");
}

#[test]
fn outside_of_a_repository_is_a_usage_error() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(Repository::around(folder.path()), Err(HostError::Usage { .. })));
}

#[test]
fn a_file_is_read_as_it_was_in_a_commit() {
    let (folder, repository) = repository();
    std::fs::write(folder.path().join("a"), "changed").unwrap();
    assert_eq!(repository.file_at("HEAD", "a").unwrap().as_deref(), Some("1"));
    assert_eq!(repository.file_at("HEAD", "none").unwrap(), None);
    assert_eq!(repository.files_at("HEAD", ".").unwrap(), ["a"]);
}

#[test]
fn a_misspelt_branch_or_tag_is_refused_with_the_one_that_was_probably_meant() {
    let (folder, repository) = repository();
    git(folder.path(), &["tag", "v1.2.0"]);
    git(folder.path(), &["update-ref", "refs/remotes/origin/develop", "HEAD"]);
    for (name, help) in [
        ("mainn", "did you mean `main`?"),
        ("v1.2.O", "did you mean `v1.2.0`?"),
        ("origin/devlop", "did you mean `origin/develop`?"),
        ("0123abc", "name a branch, a tag or a commit that `git log` shows"),
    ] {
        let error = repository.commit(name).unwrap_err();
        assert_eq!(error.to_string(), format!("no commit is called `{name}`"));
        assert_eq!(error.help(), Some(help));
    }
}

/// The filter works as Git LFS: `clean` puts a file into a store in the git folder and leaves a pointer, `smudge` takes
/// it from there. A store of a worktree's own would be empty.
#[test]
fn a_checkout_has_the_large_files_that_this_clone_has() {
    let (folder, repository) = repository();
    let filter = r#"store="$(git rev-parse --git-common-dir)/large"; mkdir -p "$store";"#;
    let clean = format!(
        r#"{filter} cat > "$store/new"; id=$(git hash-object "$store/new"); mv "$store/new" "$store/$id"; echo "$id""#
    );
    let smudge = format!(r#"{filter} read -r id; cat "$store/$id""#);
    git(folder.path(), &["config", "filter.large.clean", &clean]);
    git(folder.path(), &["config", "filter.large.smudge", &smudge]);
    git(folder.path(), &["config", "filter.large.required", "true"]);
    std::fs::write(folder.path().join(".gitattributes"), "*.bin filter=large\n").unwrap();
    std::fs::write(folder.path().join("input.bin"), "large").unwrap();
    git(folder.path(), &["add", "--all"]);
    git(folder.path(), &["commit", "--quiet", "-m", "large"]);
    let stored = repository.run("show", &["cat-file", "blob", "HEAD:input.bin"]).unwrap();
    assert_ne!(stored, "large");
    std::fs::write(folder.path().join("a"), "2").unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    for (name, revision) in [
        ("base", repository.commit("HEAD").unwrap()),
        ("head", repository.working_tree(&repository.top().join("target")).unwrap()),
    ] {
        let path = elsewhere.path().join(name);
        let _tree = repository.checkout(&revision.checkout, &path).unwrap();
        assert_eq!(std::fs::read_to_string(path.join("input.bin")).unwrap(), "large");
    }
}

/// Of a sparse checkout, files are not there and not deleted; a submodule counts whatever its configuration leaves out.
#[test]
fn what_git_was_told_not_to_look_at_is_part_of_the_working_tree() {
    let (folder, repository) = repository();
    let at = |name: &str| folder.path().join(name);
    let inner = tempfile::tempdir().unwrap();
    git(inner.path(), &["init", "--quiet"]);
    git(inner.path(), &["commit", "--quiet", "--allow-empty", "-m", "inner"]);
    git(inner.path(), &["clone", "--quiet", ".", at("sub").to_str().unwrap()]);
    let submodule = "[submodule \"sub\"]\n\tpath = sub\n\turl = ./sub\n\tignore = all\n";
    std::fs::write(at(".gitmodules"), submodule).unwrap();
    for name in ["assumed", "gone", "skipped", "sparse", "same"] {
        std::fs::write(at(name), "1").unwrap();
    }
    git(folder.path(), &["add", "--all"]);
    git(folder.path(), &["commit", "--quiet", "-m", "two"]);
    git(folder.path(), &["update-index", "--assume-unchanged", "assumed", "gone", "same"]);
    git(folder.path(), &["update-index", "--skip-worktree", "skipped", "sparse"]);
    std::fs::remove_file(at("sparse")).unwrap();
    let head = || repository.working_tree(Path::new("/nowhere")).unwrap();
    assert!(!head().dirty && head().notices.is_empty());

    // As large as before and of the same time, and the index was written later: git compares no more than that.
    for name in ["assumed", "skipped"] {
        let before = std::fs::metadata(at(name)).unwrap().modified().unwrap();
        std::fs::write(at(name), "2").unwrap();
        set_modified(&at(name), before);
    }
    set_modified(&at(".git/index"), SystemTime::now() + Duration::from_secs(10));
    std::fs::remove_file(at("gone")).unwrap();
    let before = repository.run("list", &["ls-files", "-v"]).unwrap();
    let found = head();
    let base = repository.commit("HEAD").unwrap();
    assert_eq!(repository.changed_files(&base, &found).unwrap(), ["assumed", "gone", "skipped"]);
    assert!(found.dirty && !found.has_tracked_changes());
    assert!(found.notices[0].contains("not to look at `assumed` and 2 more"), "{found:?}");
    // The user's marks stay.
    assert_eq!(repository.run("list", &["ls-files", "-v"]).unwrap(), before);

    git(&at("sub"), &["commit", "--quiet", "--allow-empty", "-m", "another"]);
    let found = head();
    assert!(repository.changed_files(&base, &found).unwrap().contains(&"sub".to_owned()));
    assert_eq!(found.notices.len(), 1);
    std::fs::write(at("sub/new"), "1").unwrap();
    assert!(head().notices[1].starts_with("changes inside of `sub` are not measured"));
}
