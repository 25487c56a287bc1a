//! Which limits hold: an author chooses neither, by where a branch forks.

use crate::support::Repo;

const CHECK: [&str; 5] = ["check", "--pairs", "8", "--base", "trunk"];
const WAIVER: &str = "[[waiver]]\nbenchmark = \"decode\"\nceiling = 25\nuntil = 2999-12-31\n\
                      issue = \"#7\"\nreason = \"bounds are checked\"";

/// A branch that makes `decode` 20 % slower, and `trunk`, which moved on from where it forked: from one policy to
/// another.
fn forked(before: &str, after: &str) -> Repo {
    let repo = Repo::new(&["decode|1000|", "encode|50|"]);
    repo.policy(before);
    repo.commit("policy");
    repo.git(&["checkout", "-q", "-b", "topic"]);
    repo.suite("speed", &["decode|1200|", "encode|50|"]);
    repo.commit("slower");
    repo.git(&["checkout", "-q", "-b", "trunk", "HEAD^"]);
    repo.policy(after);
    repo.commit("another policy");
    repo.git(&["checkout", "-q", "topic"]);
    repo
}

#[test]
fn a_branch_from_before_the_limits_were_tightened_keeps_to_the_tightened_ones() {
    let repo = forked(WAIVER, "");
    let ran = repo.benchgate(&CHECK).expect(100);
    assert_eq!(repo.findings(), ["decode: critical", "encode: unchanged"]);
    let expected = "`benchgate.toml` differs between trunk and where the head forked from it: the stricter of \
                    both holds";
    assert!(ran.stdout.contains(expected), "{}", ran.stdout);
}

#[test]
fn limits_that_were_loosened_since_hold_for_what_forks_from_then_on() {
    let repo = forked("", WAIVER);
    repo.benchgate(&CHECK).expect(100);
    repo.git(&["rebase", "-q", "trunk"]);
    let ran = repo.benchgate(&CHECK).expect(0);
    assert_eq!(repo.findings(), ["decode: waived", "encode: unchanged"]);
    assert!(!ran.stdout.contains("the stricter of both"), "{}", ran.stdout);
}

#[test]
fn a_tip_whose_policy_cannot_be_read_is_an_error_that_names_it() {
    let repo = forked("", "[gate]\nfail-upon = \"note\"");
    let ran = repo.benchgate(&CHECK).expect(2);
    assert!(ran.stderr.contains("benchgate.toml of trunk"), "{}", ran.stderr);
    assert!(ran.stderr.contains("fail-upon"), "{}", ran.stderr);
}

#[test]
fn levels_of_the_command_line_replace_those_of_the_policy_and_are_in_the_command_of_the_report() {
    let repo = forked("", "");
    let levels = ["--levels", "5,10,30"];
    repo.benchgate(&[&CHECK[..], &levels].concat()).expect(0);
    assert_eq!(repo.findings(), ["decode: warning", "encode: unchanged"]);
    let command = repo.result()["reproduce"].to_string();
    assert!(command.contains("--levels 5,10,30"), "{command}");

    let ran = repo.benchgate(&[&CHECK[..], &["--levels", "10,5,2"]].concat()).expect(2);
    assert!(ran.stderr.contains("as in 2,5,10"), "{}", ran.stderr);
}

#[test]
fn shards_are_merged_by_the_policy_and_the_levels_that_they_were_judged_by() {
    let repo = forked(WAIVER, "");
    let levels = ["--levels", "5,10,30"];
    let results = ["1/2", "2/2"].map(|part| {
        let folder = repo.outside(&part.replace('/', "of")).display().to_string();
        let shard = ["--shard", part, "--output", &folder];
        repo.benchgate(&[&CHECK[..], &shard, &levels].concat()).expect(0);
        format!("{folder}/result.json")
    });
    let merge = ["merge", &results[0], &results[1]];
    repo.benchgate(&[&merge[..], &levels].concat()).expect(0);
    assert_eq!(repo.findings(), ["decode: warning", "encode: unchanged"]);
    let ran = repo.benchgate(&merge).expect(101);
    assert!(ran.stderr.contains("--levels, name the same"), "{}", ran.stderr);
}
