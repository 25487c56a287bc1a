//! Benchmarks that come, go and change their names: each can be green in its own pull request.

use crate::support::Repo;

const AB: [&str; 2] = ["a|10|", "b|1000|"];

#[test]
fn the_first_suite_of_a_repository_is_new_and_green() {
    let repo = Repo::empty();
    repo.commit("no suite");
    repo.suite("speed", &AB);
    repo.commit("the first suite");
    repo.benchgate(&["check", "--pairs", "8"]).expect(0);
    assert_eq!(repo.findings(), ["a: new", "b: new"]);
}

#[test]
fn a_change_that_declares_its_own_renaming_is_compared_under_the_new_name() {
    let repo = Repo::new(&AB);
    repo.suite("speed", &["a|10|", "c|1300|"]);
    repo.policy("[[rename]]\nfrom = \"b\"\nto = \"c\"\n");
    repo.commit("rename b to c, and slow it down");
    let ran = repo.benchgate(&["check"]).expect(100);
    assert_eq!(repo.findings(), ["a: unchanged", "b: renamed", "c: critical"]);
    let line = ran.stdout.lines().find(|line| line.starts_with("c: renamed from `b`; "));
    assert!(line.is_some_and(|line| line.contains(" % slower, at least ")), "{}", ran.stdout);
}

#[test]
fn a_suite_that_moves_is_compared_under_its_new_name() {
    let repo = Repo::empty();
    repo.commit("no suite");
    repo.suite("other", &["x|10|"]);
    repo.commit("a suite");
    repo.git(&["checkout", "--quiet", "HEAD^", "--", "Cargo.toml"]);
    repo.suite("moved", &["x|10|"]);
    repo.policy("[[rename]]\nsuite = \"other\"\nto-suite = \"moved\"\n");
    repo.commit("the suite under another name");
    repo.benchgate(&["check", "--pairs", "8"]).expect(0);
    assert_eq!(repo.findings(), ["x: unchanged", "x: renamed"]);
}

#[test]
fn a_package_that_is_renamed_is_compared_under_its_new_name() {
    let repo = Repo::new(&AB);
    let manifest = repo.manifest();
    repo.write("Cargo.toml", &manifest.replace("name = \"parser\"", "name = \"lexer\""));
    repo.suite("speed", &["a|10|", "b|1300|"]);
    repo.policy("[[rename]]\npackage = \"parser\"\nto-package = \"lexer\"\n");
    repo.commit("another name, and slower");
    repo.benchgate(&["check"]).expect(100);
    let result = repo.result();
    let rows = result["benchmarks"].as_array().unwrap();
    let found: Vec<String> = rows
        .iter()
        .map(|row| format!("{} {}: {}", row["package"], row["id"], row["finding"]).replace('"', ""))
        .collect();
    let expected =
        ["lexer a: unchanged", "lexer b: critical", "parser a: renamed", "parser b: renamed"];
    assert_eq!(found, expected);
}

#[test]
fn a_removal_that_only_the_change_declares_is_shown_and_left_to_somebody() {
    let declared = "[[removed]]\nbenchmark = \"b\"\nreason = \"replaced by c\"\n";
    let repo = Repo::new(&AB);
    repo.suite("speed", &["a|10|"]);
    repo.policy(declared);
    repo.commit("remove b");
    let ran = repo.benchgate(&["check", "--pairs", "8"]).expect(102);
    assert_eq!(repo.findings(), ["a: unchanged", "b: removed"]);
    assert!(
        ran.stdout.contains("b: this change says that it was removed on purpose: replaced by c")
    );

    let repo = Repo::new(&AB);
    repo.policy("[gate]\nremovals = true\n");
    repo.commit("changes may remove benchmarks");
    repo.suite("speed", &["a|10|"]);
    repo.policy(&format!("[gate]\nremovals = true\n{declared}"));
    repo.commit("remove b");
    repo.benchgate(&["check", "--pairs", "8"]).expect(0);
    assert_eq!(repo.findings(), ["a: unchanged", "b: removed"]);
}

#[test]
fn a_removal_is_the_first_thing_that_a_report_says_of_a_benchmark() {
    let repo = Repo::new(&AB);
    repo.suite("speed", &["a|10|"]);
    repo.policy("[[removed]]\nbenchmark = \"b\"\nreason = \"replaced by c\"\n");
    repo.commit("remove b");
    let ran = repo.benchgate(&["check", "--pairs", "8"]).expect(102);
    let said = ran.stdout.lines().find(|line| line.contains(": ")).unwrap();
    assert!(said.starts_with("b: this change says that it was removed on purpose: "), "{said}");
    let path = repo.path("target/benchgate/result.json");
    for format in ["markdown", "github"] {
        let ran = repo.plain(&["report", &path.to_string_lossy(), "--format", format]).expect(0);
        let mut rows = ran.stdout.lines().skip_while(|line| !line.starts_with("|---"));
        let first = rows.nth(1).unwrap();
        assert!(first.contains("removed") && first.contains("`b`"), "{first}\n{}", ran.stdout);
    }
}

#[test]
fn what_nobody_declares_is_missing_and_the_hint_says_what_works() {
    let repo = Repo::new(&AB);
    repo.suite("speed", &["a|10|", "c|1000|"]);
    repo.commit("rename b to c and say nothing");
    let ran = repo.benchgate(&["check", "--pairs", "8"]).expect(101);
    assert!(
        ran.stdout
            .contains("if it is `c` now, declare `[[rename]]` in benchgate.toml, in this change"),
        "{}",
        ran.stdout
    );
    repo.policy("[[rename]]\nfrom = \"b\"\nto = \"c\"\n");
    repo.git(&["add", "--all"]);
    repo.git(&["commit", "--quiet", "--amend", "--message", "rename b to c"]);
    repo.benchgate(&["check", "--pairs", "8"]).expect(0);
}

#[test]
fn a_suite_that_was_removed_as_a_whole_is_declared_by_its_name() {
    let repo = Repo::new(&AB);
    let manifest = repo.manifest();
    repo.suite("other", &["x|10|", "y|20|"]);
    repo.policy("[gate]\nremovals = true\n");
    repo.commit("a second suite");
    repo.write("Cargo.toml", &manifest);
    repo.policy(
        "[[removed]]\nbenchmark = \"*\"\nsuite = \"other\"\nreason = \"moved out\"\n[gate]\nremovals = true\n",
    );
    repo.commit("without it");
    repo.benchgate(&["check", "--pairs", "8"]).expect(0);
    assert_eq!(repo.findings(), ["x: removed", "y: removed", "a: unchanged", "b: unchanged"]);
}

#[test]
fn a_base_without_a_package_leaves_nothing_to_compare_with() {
    let repo = Repo::empty();
    let manifest = repo.manifest();
    std::fs::remove_file(repo.path("Cargo.toml")).unwrap();
    repo.commit("no Rust yet");
    repo.write("Cargo.toml", &manifest);
    repo.suite("speed", &AB);
    repo.commit("the first package");
    let ran = repo.benchgate(&["check", "--pairs", "8"]).expect(102);
    assert_eq!(repo.findings(), ["a: new", "b: new"]);
    assert!(ran.stdout.contains("there is nothing to compare with"), "{}", ran.stdout);
}

#[test]
fn a_base_that_does_not_build_leaves_nothing_to_compare_with() {
    let repo = Repo::new(&AB);
    repo.write("src/lib.rs", "compile_error!(\"nobody can build this\");");
    repo.commit("broken");
    repo.write("src/lib.rs", "");
    repo.commit("repaired");
    let ran = repo.benchgate(&["check", "--pairs", "8"]).expect(102);
    assert_eq!(repo.findings(), ["a: new", "b: new"]);
    assert!(ran.stdout.contains("there is nothing to compare with"), "{}", ran.stdout);
    assert!(ran.stdout.contains("nobody can build this"), "{}", ran.stdout);
    // More pairs would not help.
    assert!(ran.stdout.contains("next: Compare with a base that gives them"), "{}", ran.stdout);
}
