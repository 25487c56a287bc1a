//! `benchgate init`, in other repositories.

use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use super::support::Repo;

const SHA: &str = "0123456789abcdef0123456789abcdef01234567";

/// What a program that was built in a clone does not know.
const PIN: [&str; 4] = ["--action-repository", "acme/benchgate", "--action-sha", SHA];

/// Arguments of `init` with the pin of the actions.
fn pinned<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [&["init"][..], arguments, &PIN].concat()
}

/// A repository without benchgate.
fn without_benchgate() -> Repo {
    let repo = Repo::empty();
    std::fs::remove_file(repo.path("benchgate.toml")).unwrap();
    repo.suite("speed", &["a|1000|"]);
    repo.commit("first");
    repo
}

fn read(repo: &Repo, path: &str) -> String {
    std::fs::read_to_string(repo.path(path)).unwrap()
}

#[test]
fn a_valid_policy_that_names_the_suites_is_written() {
    let repo = without_benchgate();
    let ran = repo.benchgate(&["init"]).expect(0);
    insta::assert_snapshot!(ran.stdout);
    let policy = read(&repo, "benchgate.toml");
    assert!(policy.contains("#   parser.speed\n"), "{policy}");
    assert!(!repo.path(".github").exists());
    assert!(!repo.path(".git/hooks/pre-commit").exists());
}

#[test]
fn a_second_time_changes_nothing_and_says_so() {
    let repo = without_benchgate();
    repo.benchgate(&pinned(&["--hook", "--workflows"])).expect(0);
    let before = read(&repo, ".github/workflows/benchgate.yml");
    let ran = repo.benchgate(&pinned(&["--hook", "--workflows"])).expect(0);
    for path in [".github/workflows/benchgate.yml", ".git/hooks/pre-commit"] {
        assert!(ran.stdout.contains(&format!("unchanged: {path}\n")), "{}", ran.stdout);
    }
    assert_eq!(read(&repo, ".github/workflows/benchgate.yml"), before);
    let ran = repo.benchgate(&["init"]).expect(0);
    assert!(ran.stdout.contains("unchanged: benchgate.toml\n"), "{}", ran.stdout);
}

#[test]
fn an_existing_file_is_kept_and_the_new_content_is_shown() {
    let repo = without_benchgate();
    repo.write("benchgate.toml", "# mine\n");
    let ran = repo.benchgate(&["init"]).expect(2);
    assert_eq!(read(&repo, "benchgate.toml"), "# mine\n");
    let expected = "kept: benchgate.toml; the new content would be:\n    | #:schema ";
    assert!(ran.stdout.contains(expected), "{}", ran.stdout);
    assert!(ran.stdout.contains("\n    | # Policy"), "{}", ran.stdout);
    let expected = "a different file of that name exists: benchgate.toml";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
}

#[test]
fn one_existing_file_does_not_prevent_the_others() {
    let repo = without_benchgate();
    repo.write("benchgate.toml", "# mine\n");
    repo.write(".git/hooks/pre-commit", "#!/bin/sh\n");
    let ran = repo.benchgate(&pinned(&["--hook", "--workflows"])).expect(2);
    assert_eq!(read(&repo, "benchgate.toml"), "# mine\n");
    assert_eq!(read(&repo, ".git/hooks/pre-commit"), "#!/bin/sh\n");
    assert!(repo.path(".github/workflows/benchgate.yml").exists());
    let expected = "a different file of that name exists: .git/hooks/pre-commit\n";
    assert!(ran.stderr.contains(expected), "the existing policy is not an error: {}", ran.stderr);
}

#[test]
fn the_workflow_pins_the_action_and_never_to_a_placeholder() {
    let repo = without_benchgate();
    // A test is built in a clone, which says no commit.
    let ran = repo.benchgate(&["init", "--workflows"]).expect(2);
    assert!(
        ran.stderr.contains("nothing was written: this program does not know"),
        "{}",
        ran.stderr
    );
    assert!(!repo.path(".github").exists() && !repo.path("benchgate.toml").exists());
    let of = ["init", "--workflows", "--action-repository", "acme/benchgate"];
    let ran = repo.benchgate(&of).expect(2);
    let expected = "does not know which commit it was built from";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    assert!(ran.stderr.contains("give --action-sha"), "{}", ran.stderr);

    repo.benchgate(&pinned(&["--workflows"])).expect(0);
    let workflow = read(&repo, ".github/workflows/benchgate.yml");
    assert!(
        workflow.contains(&format!("acme/benchgate/.github/actions/benchgate@{SHA}")),
        "{workflow}"
    );
    assert!(workflow.contains("runs-on: [ubuntu-24.04]\n"), "{workflow}");
}

#[test]
fn workflows_of_an_earlier_version_are_updated_with_a_difference_to_read() {
    let repo = without_benchgate();
    let path = ".github/workflows/benchgate.yml";
    let ran = repo.benchgate(&["init", "--update", "--action-sha", SHA]).expect(2);
    assert!(ran.stderr.contains("benchgate init --workflows"), "{}", ran.stderr);

    repo.benchgate(&pinned(&["--workflows", "--own-machine"])).expect(0);
    repo.git(&["rm", "-q", "--cached", "--ignore-unmatch", "-r", "target"]);
    let now = read(&repo, path);
    assert!(now.contains("runs-on: [self-hosted, linux, x64, manjaro, bench]\n"), "{now}");
    std::fs::remove_file(repo.path(".github/workflows/benchgate-anchor.yml")).unwrap();
    let earlier = now.replace(SHA, &SHA.replace('0', "f")).replace("timeout: 100m", "timeout: 99m");
    repo.write(path, &earlier);
    let update = ["init", "--update", "--action-sha", SHA];
    // What is not committed could not be brought back.
    let ran = repo.benchgate(&update).expect(2);
    assert!(ran.stderr.contains("nothing was updated: not as committed"), "{}", ran.stderr);
    assert_eq!(read(&repo, path), earlier);

    repo.commit("of an earlier version");
    let ran = repo.benchgate(&update).expect(0);
    for expected in ["-          timeout: 99m", "+          timeout: 100m", "git restore --patch"] {
        assert!(ran.stdout.contains(expected), "{expected}: {}", ran.stdout);
    }
    assert_eq!(read(&repo, path), now, "the runner and the repository stay");
    assert!(!repo.path(".github/workflows/benchgate-anchor.yml").exists(), "it was removed");
    repo.commit("updated");
    let ran = repo.benchgate(&update).expect(0);
    assert!(ran.stdout.starts_with("unchanged: .github/workflows/benchgate.yml"), "{}", ran.stdout);
}

#[test]
fn forks_and_bots_are_measured_as_asked_and_an_update_keeps_it() {
    let repo = without_benchgate();
    let path = ".github/workflows/benchgate.yml";
    let of = ["--workflows", "--forks", "refuse", "--bots", "refuse"];
    repo.benchgate(&pinned(&of)).expect(0);
    repo.git(&["rm", "-q", "--cached", "--ignore-unmatch", "-r", "target"]);
    repo.commit("of an earlier version");
    for (more, forks, bots) in [
        (&[][..], "refuse", "refuse"),
        (&["--forks", "auto"], "auto", "refuse"),
        (&["--bots", "measure"], "auto", "measure"),
        // What was said of GitHub's machines holds for no machine of one's own.
        (&["--runs-on", "my-arc-set"], "refuse", "refuse"),
        (&["--bots", "measure"], "refuse", "measure"),
    ] {
        repo.benchgate(&[&["init", "--update", "--action-sha", SHA], more].concat()).expect(0);
        let text = read(&repo, path);
        for expected in [format!("forks: {forks}\n"), format!("bots: {bots}\n")] {
            assert!(text.contains(&expected), "{more:?}: {expected}: {text}");
        }
        repo.commit("updated");
    }
    let ran =
        repo.benchgate(&["init", "--update", "--action-sha", SHA, "--forks", "auto"]).expect(2);
    assert!(ran.stderr.contains("on machines that GitHub hosts only"), "{}", ran.stderr);
    assert!(read(&repo, path).contains("forks: refuse\n"), "nothing was written");
}

#[test]
fn the_workflows_know_the_branch_the_folder_and_the_runner() {
    let repo = without_benchgate();
    repo.git(&["checkout", "-q", "-b", "trunk"]);
    let ran = repo.benchgate(&pinned(&["--workflows", "--runs-on", "ubuntu-24.04"])).expect(0);
    insta::assert_snapshot!(ran.stdout);
    let workflow = read(&repo, ".github/workflows/benchgate.yml");
    for expected in ["    branches: [trunk]\n", "runs-on: [ubuntu-24.04]\n", "workspace: .\n"] {
        assert!(workflow.contains(expected), "{expected}: {workflow}");
    }
    for name in ["report", "baseline", "anchor", "bisect"] {
        assert!(repo.path(&format!(".github/workflows/benchgate-{name}.yml")).exists(), "{name}");
    }

    let repo = without_benchgate();
    repo.git(&["checkout", "-q", "-b", "it's"]);
    let ran = repo.benchgate(&pinned(&["--workflows"])).expect(2);
    assert!(ran.stderr.contains("the default branch `it's` needs quotes"), "{}", ran.stderr);
    let ran = repo.benchgate(&["init", "--workflows", "--runs-on", "a b"]).expect(2);
    assert!(ran.stderr.contains("invalid --runs-on `a b`"), "{}", ran.stderr);
    assert!(!repo.path(".github").exists());
}

#[test]
fn a_pin_that_can_move_is_refused_and_nothing_is_written() {
    let repo = without_benchgate();
    let ran = repo.benchgate(&["init", "--workflows", "--action-sha", "v1"]).expect(2);
    assert!(
        ran.stderr
            .contains("nothing was written: invalid --action-sha `v1`: expected a full commit SHA"),
        "{}",
        ran.stderr
    );
    assert!(!repo.path("benchgate.toml").exists());
}

#[test]
fn the_hook_is_installed_where_git_looks_for_it() {
    let repo = without_benchgate();
    repo.git(&["config", "core.hooksPath", "tools/hooks"]);
    repo.benchgate(&["init", "--hook"]).expect(0);
    let hook = repo.path("tools/hooks/pre-commit");
    assert_eq!(hook.metadata().unwrap().permissions().mode() & 0o100, 0o100);

    let repo = without_benchgate();
    let shared = repo.outside("shared");
    repo.git(&["config", "core.hooksPath", shared.to_str().unwrap()]);
    let ran = repo.benchgate(&["init", "--hook"]).expect(2);
    assert!(ran.stderr.contains("shared with other repositories"), "{}", ran.stderr);
    assert!(!shared.exists() && !repo.path("benchgate.toml").exists());
}

/// Commits with the installed hook and a benchgate that ends with this code and logs its arguments.
fn commit_with(repo: &Repo, code: i32, message: &str) -> (bool, String) {
    let tools = repo.outside("tools");
    std::fs::create_dir_all(&tools).unwrap();
    let log = repo.outside("calls");
    let text = format!(
        "#!/bin/sh\necho \"$@ ${{GIT_INDEX_FILE-unset}}\" >>'{}'\nexit {code}\n",
        log.display()
    );
    let gate = tools.join("benchgate");
    std::fs::write(&gate, text).unwrap();
    std::fs::set_permissions(&gate, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap());
    let done = Command::new("git")
        .current_dir(repo.path(""))
        .env("PATH", path)
        .args(["-c", "user.name=t", "-c", "user.email=t@localhost"])
        .args(["commit", "--allow-empty", "-m", message])
        .output()
        .unwrap();
    let said = String::from_utf8(done.stderr).unwrap();
    (done.status.success(), said)
}

#[test]
fn the_hook_accepts_commits_that_are_not_proven_slower() {
    for (code, committed, expected) in [
        (0, true, ""),
        (102, true, "committed: neither a slowdown nor its absence is proven"),
        (100, false, "not committed: proven slower"),
        (101, false, "not committed: nothing was measured, exit 101"),
        (2, false, "not committed: nothing was measured, exit 2"),
    ] {
        let repo = without_benchgate();
        repo.benchgate(&["init", "--hook"]).expect(0);
        let policy = read(&repo, "benchgate.toml");
        let marked = "[[override]]\nbenchmark = \"decode/*\"\nsensitive = true\n";
        repo.write("benchgate.toml", &format!("{policy}\n{marked}"));
        repo.commit("a policy that marks some");
        repo.write("src/lib.rs", "// A change.\n");
        repo.git(&["add", "--all"]);
        let (done, said) = commit_with(&repo, code, "a change");
        assert_eq!(done, committed, "{code}: {said}");
        assert!(said.contains(expected), "{said}");
        let calls = std::fs::read_to_string(repo.outside("calls")).unwrap();
        assert_eq!(calls, "check --base HEAD --sensitive --fail-on warning --budget 5min unset\n");
    }
}

#[test]
fn the_hook_skips_a_commit_without_changes_and_says_so() {
    let repo = without_benchgate();
    repo.benchgate(&["init", "--hook"]).expect(0);
    let (done, said) = commit_with(&repo, 100, "only words");
    assert!(done, "{said}");
    assert!(
        said.contains("skipped: nothing is staged, so no benchmark can have changed"),
        "{said}"
    );
    assert!(!repo.outside("calls").exists());
}

#[test]
fn the_hook_skips_where_no_benchmark_is_marked_and_says_so() {
    let repo = without_benchgate();
    repo.benchgate(&["init", "--hook"]).expect(0);
    repo.git(&["add", "--all"]);
    let (done, said) = commit_with(&repo, 101, "the policy of init");
    assert!(done, "{said}");
    assert!(said.contains("skipped: benchgate.toml of HEAD marks no benchmark"), "{said}");
    assert!(!repo.outside("calls").exists());
}
