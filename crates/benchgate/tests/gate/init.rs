//! `benchgate init`, in repositories of others.

use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use super::support::Repo;

const SHA: &str = "0123456789abcdef0123456789abcdef01234567";

/// A repository that has never heard of benchgate.
fn strange() -> Repo {
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
fn a_policy_is_written_that_names_the_suites_and_holds() {
    let repo = strange();
    let ran = repo.benchgate(&["init"]).expect(0);
    insta::assert_snapshot!(ran.stdout);
    let policy = read(&repo, "benchgate.toml");
    assert!(policy.contains("#   parser.speed\n"), "{policy}");
    assert!(!repo.path(".github").exists());
    assert!(!repo.path(".git/hooks/pre-commit").exists());
}

#[test]
fn a_second_time_changes_nothing_and_says_so() {
    let repo = strange();
    repo.benchgate(&["init", "--hook", "--workflows"]).expect(0);
    let before = read(&repo, ".github/workflows/benchgate.yml");
    let ran = repo.benchgate(&["init", "--hook", "--workflows"]).expect(0);
    for path in [".github/workflows/benchgate.yml", ".git/hooks/pre-commit"] {
        assert!(ran.stdout.contains(&format!("there already: {path}\n")), "{}", ran.stdout);
    }
    assert_eq!(read(&repo, ".github/workflows/benchgate.yml"), before);
    let ran = repo.benchgate(&["init"]).expect(0);
    assert!(ran.stdout.contains("there already: benchgate.toml\n"), "{}", ran.stdout);
}

#[test]
fn what_is_there_is_kept_and_what_it_would_have_been_is_shown() {
    let repo = strange();
    repo.write("benchgate.toml", "# mine\n");
    let ran = repo.benchgate(&["init"]).expect(2);
    assert_eq!(read(&repo, "benchgate.toml"), "# mine\n");
    let told = "left as it is: benchgate.toml; it would have been:\n    | # What";
    assert!(ran.stdout.contains(told), "{}", ran.stdout);
    let told = "there is another file of that name: benchgate.toml";
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
}

#[test]
fn one_file_in_the_way_does_not_keep_the_others_away() {
    let repo = strange();
    repo.write("benchgate.toml", "# mine\n");
    repo.write(".git/hooks/pre-commit", "#!/bin/sh\n");
    let ran = repo.benchgate(&["init", "--hook", "--workflows"]).expect(2);
    assert_eq!(read(&repo, "benchgate.toml"), "# mine\n");
    assert_eq!(read(&repo, ".git/hooks/pre-commit"), "#!/bin/sh\n");
    assert!(repo.path(".github/workflows/benchgate.yml").exists());
    let told = "there is another file of that name: .git/hooks/pre-commit\n";
    assert!(ran.stderr.contains(told), "the policy is no obstacle: {}", ran.stderr);
}

#[test]
fn the_workflow_pins_the_action_or_says_what_to_fill_in() {
    let repo = strange();
    let ran = repo.benchgate(&["init", "--workflows"]).expect(0);
    let told = "fill in OWNER/NAME and FULL_COMMIT_SHA in .github/workflows/benchgate.yml";
    assert!(ran.stdout.contains(told), "{}", ran.stdout);

    let repo = strange();
    let pin = ["--action-repository", "acme/benchgate", "--action-sha", SHA];
    let ran = repo.benchgate(&[&["init", "--workflows"][..], &pin].concat()).expect(0);
    assert!(!ran.stdout.contains("fill in"), "{}", ran.stdout);
    let workflow = read(&repo, ".github/workflows/benchgate.yml");
    assert!(
        workflow.contains(&format!("acme/benchgate/.github/actions/benchgate@{SHA}")),
        "{workflow}"
    );
}

#[test]
fn a_pin_that_can_move_is_refused_and_nothing_is_written() {
    let repo = strange();
    let ran = repo.benchgate(&["init", "--workflows", "--action-sha", "v1"]).expect(2);
    assert!(
        ran.stderr.contains("nothing was written: `v1` is no full commit SHA"),
        "{}",
        ran.stderr
    );
    assert!(!repo.path("benchgate.toml").exists());
}

#[test]
fn the_hook_is_installed_where_git_looks_for_it() {
    let repo = strange();
    repo.git(&["config", "core.hooksPath", "tools/hooks"]);
    repo.benchgate(&["init", "--hook"]).expect(0);
    let hook = repo.path("tools/hooks/pre-commit");
    assert_eq!(hook.metadata().unwrap().permissions().mode() & 0o100, 0o100);

    let repo = strange();
    let shared = repo.outside("shared");
    repo.git(&["config", "core.hooksPath", shared.to_str().unwrap()]);
    let ran = repo.benchgate(&["init", "--hook"]).expect(2);
    assert!(ran.stderr.contains("shared with other repositories"), "{}", ran.stderr);
    assert!(!shared.exists() && !repo.path("benchgate.toml").exists());
}

/// Commits with the installed hook and a benchgate that ends with this code and notes its arguments.
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
fn the_hook_lets_pass_what_is_not_proven_slower() {
    for (code, committed, told) in [
        (0, true, ""),
        (102, true, "committed: neither a slowdown nor its absence is proven"),
        (100, false, "not committed: proven slower"),
        (101, false, "not committed: nothing was measured, exit 101"),
        (2, false, "not committed: nothing was measured, exit 2"),
    ] {
        let repo = strange();
        repo.benchgate(&["init", "--hook"]).expect(0);
        repo.git(&["add", "benchgate.toml"]);
        let (done, said) = commit_with(&repo, code, "a change");
        assert_eq!(done, committed, "{code}: {said}");
        assert!(said.contains(told), "{said}");
        let calls = std::fs::read_to_string(repo.outside("calls")).unwrap();
        assert_eq!(calls, "check --base HEAD --sensitive --budget 5min unset\n");
    }
}

#[test]
fn the_hook_skips_a_commit_without_changes_and_says_so() {
    let repo = strange();
    repo.benchgate(&["init", "--hook"]).expect(0);
    let (done, said) = commit_with(&repo, 100, "only words");
    assert!(done, "{said}");
    assert!(
        said.contains("skipped: nothing is staged, so no benchmark can have changed"),
        "{said}"
    );
    assert!(!repo.outside("calls").exists());
}
