//! The two sides: their commits, code, files and policy.

use crate::support::Repo;

#[test]
fn each_side_runs_its_own_code_though_they_share_a_target_folder() {
    let repo = Repo::new(&["a|1000|"]);
    repo.suite("speed", &["a|3000|"]);
    repo.commit("slower");
    // Twice: the second run finds the artifacts of the first.
    for _ in 0..2 {
        repo.benchgate(&["check", "--pairs", "8"]).expect(100);
        let benchmark = &repo.result()["benchmarks"][0];
        assert_eq!((&benchmark["base"], &benchmark["head"]), (&1000.0.into(), &3000.0.into()));
    }
}

/// Any process of the user can set the times of its files; the sandbox knows no rule for it.
#[test]
fn what_was_built_before_is_not_taken_for_new_by_times_that_somebody_has_set() {
    let repo = Repo::new(&["a|1000|"]);
    repo.commit("nothing");
    repo.benchgate(&["check", "--pairs", "8"]).expect(0);
    let built = repo.path("target/benchgate/build/base");
    let done = std::process::Command::new("find")
        .arg(built)
        .args(["-type", "f", "-exec", "touch", "--date", "2100-01-01", "{}", "+"])
        .status();
    assert!(done.unwrap().success());
    repo.suite("speed", &["a|3000|"]);
    repo.commit("slower");
    repo.commit("nothing");
    repo.benchgate(&["check", "--pairs", "8"]).expect(0);
    let result = repo.result();
    let benchmark = &result["benchmarks"][0];
    assert_eq!((&benchmark["base"], &benchmark["head"]), (&3000.0.into(), &3000.0.into()));
    assert!(result["notices"].to_string().contains("a time in the future"), "{result:#}");
}

#[test]
fn each_side_reads_the_files_of_its_own_checkout() {
    let repo = Repo::new(&["a|data.txt|"]);
    repo.write("data.txt", "1000");
    repo.commit("data");
    repo.write("data.txt", "1500");
    repo.commit("more data");
    repo.benchgate(&["check", "--pairs", "8"]).expect(100);
    let benchmark = &repo.result()["benchmarks"][0];
    assert_eq!((&benchmark["base"], &benchmark["head"]), (&1000.0.into(), &1500.0.into()));
}

#[test]
fn uncommitted_changes_are_compared_with_the_last_commit_and_stay_uncommitted() {
    let repo = Repo::new(&["a|1000|"]);
    repo.suite("speed", &["a|1500|"]);
    repo.benchgate(&["check", "--pairs", "8"]).expect(100);
    let result = repo.result();
    assert_eq!(result["head"]["dirty"], true);
    assert_eq!(result["base"]["commit"], result["head"]["commit"]);
    assert!(repo.git(&["status", "--porcelain"]).contains("speeds.txt"));
}

#[test]
fn a_change_is_compared_with_its_fork_point() {
    let repo = Repo::new(&["a|1000|"]);
    repo.git(&["branch", "topic"]);
    repo.suite("speed", &["a|500|"]);
    repo.commit("twice as fast, on main");
    repo.git(&["checkout", "--quiet", "topic"]);
    repo.write("README.md", "words");
    repo.commit("words, on topic");
    repo.benchgate(&["check", "--base", "main", "--pairs", "8"]).expect(0);
    assert_eq!(repo.findings(), ["a: unchanged"]);
}

#[test]
fn a_change_does_not_set_its_own_limits() {
    let repo = Repo::new(&["a|1000|"]);
    repo.suite("speed", &["a|1500|"]);
    repo.policy("[thresholds]\ncritical = 900\n[[skip]]\nbenchmark = \"*\"\nreason = \"x\"");
    repo.commit("slower, and a policy that hides it");
    repo.benchgate(&["check", "--pairs", "8"]).expect(100);
    let notice = repo.result()["notices"][0].as_str().unwrap().to_owned();
    assert!(notice.contains("the base's holds for this run"), "{notice}");
    // It is effective from the next change on.
    repo.commit("next");
    repo.benchgate(&["check", "--pairs", "8"]).expect(101);
    assert_eq!(repo.findings(), ["a: skipped"]);
}

#[test]
fn the_first_commit_has_no_base_and_says_so() {
    let repo = Repo::new(&["a|1000|"]);
    let ran = repo.benchgate(&["check"]).expect(2);
    assert!(ran.stderr.contains("is the first commit of this repository"), "{}", ran.stderr);
    assert!(ran.stderr.contains("help: commit a change"), "{}", ran.stderr);
    // The same commit on both sides is fine.
    repo.benchgate(&["check", "--base", "HEAD", "--pairs", "8"]).expect(0);
}

#[test]
fn a_shallow_clone_says_how_to_get_the_history() {
    let repo = Repo::new(&["a|1000|"]);
    repo.commit("second");
    let clone = repo.outside("shallow");
    let url = format!("file://{}", repo.path("").display());
    repo.git(&["clone", "--quiet", "--depth=1", &url, &clone.to_string_lossy()]);
    let done = repo.command(&["check"]).current_dir(&clone).output().unwrap();
    let stderr = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("this checkout is shallow: fetch the history"), "{stderr}");
}
