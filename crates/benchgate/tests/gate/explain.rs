//! `benchgate explain` on fake benches: what it explains, and what it says where it cannot. The explanations of real
//! executables are those of `scripts/gate-fixtures` and `scripts/explain-fixtures`.

use crate::support::Repo;

const AB: [&str; 2] = ["decode/large|1000|", "encode|50|"];
const NO_SYMBOL: &str = "decode/large: not explained: base: its executable has no symbol of Criterion's `Bencher::iter`";

fn slower() -> Repo {
    let repo = Repo::new(&AB);
    repo.suite("speed", &["decode/large|1200|", AB[1]]);
    repo.commit("slower");
    repo
}

#[test]
fn what_cannot_be_counted_has_a_reason_and_no_number() {
    let ran = slower().benchgate(&["explain", "decode/*"]).expect(101);
    assert!(ran.stdout.starts_with(NO_SYMBOL), "{}", ran.stdout);
    assert_eq!(ran.stdout.lines().count(), 1, "{}", ran.stdout);
}

#[test]
fn what_the_last_check_flagged_is_explained_and_written_into_its_reports() {
    let repo = slower();
    repo.benchgate(&["check"]).expect(100);
    let of_check = repo.result()["explanations"].clone();
    assert_eq!(of_check.as_array().unwrap().len(), 1, "{of_check}");
    let mut result = repo.result();
    result["explanations"] = serde_json::json!([]);
    repo.write("target/benchgate/result.json", &result.to_string());
    let ran = repo.benchgate(&["explain"]).expect(101);
    assert!(ran.stdout.starts_with(NO_SYMBOL), "{}", ran.stdout);
    assert_eq!(repo.result()["explanations"], of_check);
}

#[test]
fn explanations_of_another_comparison_leave_the_last_check_as_it_is() {
    let repo = slower();
    repo.benchgate(&["check"]).expect(100);
    let before = repo.result();
    repo.suite("speed", &["decode/large|1300|", AB[1]]);
    repo.commit("slower again");
    let ran = repo.benchgate(&["explain", "encode", "--json"]).expect(101);
    let printed: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(printed["schema"], "benchgate.explanations/1");
    assert_eq!(printed["explanations"][0]["id"], "encode");
    assert_eq!(repo.result(), before);
}

#[test]
fn a_check_that_flagged_nothing_leaves_nothing_to_explain() {
    let repo = Repo::new(&AB);
    repo.write("README.md", "a change of documentation");
    repo.commit("second");
    repo.benchgate(&["check"]).expect(0);
    let ran = repo.benchgate(&["explain"]).expect(0);
    assert_eq!(ran.stdout, "nothing to explain: the last `check` flagged no time\n");
}

#[test]
fn a_name_that_no_benchmark_has_and_a_missing_check_are_refused_with_what_to_do() {
    let repo = slower();
    for (arguments, wrong, help) in [
        (
            &["explain"][..],
            "there is no result of a check, and no benchmark is named",
            "benchgate check",
        ),
        (
            &["explain", "nothing"],
            "no benchmark that both sides have is named so",
            "benchgate check --list",
        ),
    ] {
        let ran = repo.benchgate(arguments).expect(2);
        assert!(ran.stderr.contains(wrong) && ran.stderr.contains(help), "{}", ran.stderr);
    }
}
