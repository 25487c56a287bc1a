//! `check --anchor`: everything since a release, on one machine.

use crate::support::Repo;

/// A slowdown by 1.5 %, eight times: below every threshold alone, and 12.6 % together.
const STEPS: [&str; 9] = [
    "100000|", "101500|", "103023|", "104568|", "106136|", "107728|", "109344|", "110984|",
    "112649|",
];

fn step(repo: &Repo, number: usize) {
    repo.suite("speed", &[&format!("decode|{}", STEPS[number])]);
    repo.commit(&format!("step {number}"));
}

#[test]
fn eight_steps_that_each_pass_alone_are_red_against_the_release() {
    let repo = Repo::new(&[&format!("decode|{}", STEPS[0])]);
    repo.git(&["tag", "v1.0.0"]);
    for number in 1..STEPS.len() {
        step(&repo, number);
        repo.benchgate(&["check"]).expect(0);
    }
    let ran = repo.benchgate(&["check", "--anchor"]).expect(100);
    assert_eq!(repo.findings(), ["decode: critical"]);
    let result = repo.result();
    assert_eq!(result["base"]["name"], "v1.0.0");
    assert!(result["reproduce"].as_str().unwrap().contains("--anchor v1.0.0"), "{result}");
    assert!(ran.stdout.contains("base v1.0.0"), "{}", ran.stdout);
}

#[test]
fn an_anchor_is_graded_by_the_policy_of_the_head() {
    let repo = Repo::new(&["decode|1000|"]);
    repo.git(&["tag", "v1.0.0"]);
    repo.suite("speed", &["decode|1080|"]);
    repo.write("benchgate.toml", &format!("[gate]\nfail-on = \"warning\"\n{}", repo.sandbox()));
    repo.commit("slower, and a stricter policy");
    // The base of a change has no policy yet: 8 % is a warning.
    repo.benchgate(&["check"]).expect(0);
    repo.benchgate(&["check", "--anchor", "v1.0.0"]).expect(100);
}

#[test]
fn without_a_tag_it_says_what_to_type() {
    let repo = Repo::new(&["decode|1000|"]);
    repo.write("README.md", "a change");
    repo.commit("second");
    let ran = repo.benchgate(&["check", "--anchor"]).expect(2);
    assert!(ran.stderr.contains("no tag lies before"), "{}", ran.stderr);
    assert!(ran.stderr.contains("--anchor v1.2.0"), "{}", ran.stderr);
}
