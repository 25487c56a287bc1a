//! What is built, and what is not: one suite that does not build keeps no other from being measured.

use crate::support::Repo;

const BROKEN: &str = "fn main() { let number: u32 = \"seven\"; }";

/// Two suites, of which `other` does not build.
fn break_other(repo: &Repo) {
    repo.write("benches/other/main.rs", BROKEN);
}

fn two_suites() -> Repo {
    let repo = Repo::new(&["a|1000|"]);
    repo.suite("other", &["x|10|"]);
    repo.commit("two suites");
    repo
}

#[test]
fn a_suite_that_does_not_build_has_failed_and_the_others_are_measured() {
    let repo = two_suites();
    repo.suite("speed", &["a|1500|"]);
    break_other(&repo);
    repo.commit("one is slower and one is broken");
    let ran = repo.benchgate(&["check", "--pairs", "8"]).expect(100);
    assert_eq!(repo.findings(), ["a: critical"]);
    let suite = repo.result()["suites"][0].clone();
    assert_eq!((&suite["suite"], &suite["finding"]), (&"other".into(), &"failed".into()));
    assert_eq!(suite["reason"], "head: cargo could not build it");
    let output = suite["output"].as_str().unwrap();
    assert!(output.starts_with("error[E0308]: mismatched types"), "{output}");
    assert!(ran.stdout.contains("mismatched types"), "{}", ran.stdout);

    repo.suite("speed", &["a|1000|"]);
    repo.git(&["add", "--all"]);
    repo.git(&["commit", "--quiet", "--amend", "--message", "one is broken"]);
    repo.benchgate(&["check", "--pairs", "8"]).expect(101);
    assert_eq!(repo.findings(), ["a: unchanged"]);
}

#[test]
fn a_suite_that_only_the_head_builds_has_nothing_to_compare_with() {
    let repo = two_suites();
    break_other(&repo);
    repo.commit("broken");
    repo.suite("other", &["x|10|"]);
    repo.commit("repaired");
    let ran = repo.benchgate(&["check", "--pairs", "8"]).expect(102);
    assert_eq!(repo.findings(), ["x: new", "a: unchanged"]);
    let suite = repo.result()["suites"][0].clone();
    assert_eq!(suite["finding"], "inconclusive");
    assert_eq!(suite["reason"], "base: cargo could not build it: there is nothing to compare with");
    assert!(ran.stdout.contains("mismatched types"), "{}", ran.stdout);
}

#[test]
fn a_suite_that_the_policy_skips_is_not_built() {
    let repo = two_suites();
    repo.policy("[[skip]]\nsuite = \"other\"\nreason = \"needs nightly\"\n");
    break_other(&repo);
    repo.commit("skip what does not build");
    repo.commit("nothing");
    repo.benchgate(&["check", "--pairs", "8"]).expect(0);
    assert_eq!(repo.findings(), ["a: unchanged"]);
    let suite = repo.result()["suites"][0].clone();
    assert_eq!((&suite["finding"], &suite["skip"]), (&"skipped".into(), &"policy".into()));
    assert_eq!(suite["reason"], "left out by `[[skip]]`, and not built: needs nightly");
}

#[test]
fn a_root_package_that_is_no_default_member_is_built() {
    let repo = Repo::new(&["a|1000|"]);
    let manifest = std::fs::read_to_string(repo.path("Cargo.toml")).unwrap();
    let members = "[workspace]\nmembers = [\"tool\"]\ndefault-members = [\"tool\"]\n";
    repo.write("Cargo.toml", &manifest.replace("[workspace]\n", members));
    repo.write("tool/Cargo.toml", "[package]\nname = \"tool\"\nversion = \"0.1.0\"\n");
    repo.write("tool/src/lib.rs", "");
    repo.commit("a member");
    repo.commit("nothing");
    repo.benchgate(&["check", "--pairs", "8"]).expect(0);
    assert_eq!(repo.findings(), ["a: unchanged"]);
}
