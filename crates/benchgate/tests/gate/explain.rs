//! `benchgate explain` on fake benches: what it explains, and what it says where it cannot. The explanations of real
//! executables are those of `scripts/evidence/gate-fixtures` and `scripts/evidence/explain-fixtures`.

use serde_json::Value;

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
    let ran = repo.benchgate(&["explain", "--filter", "encode", "--format", "json"]).expect(101);
    let printed: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(printed["schema"], "benchgate.explanations/2");
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
    assert_eq!(
        ran.stdout,
        "nothing to explain: the last `check` flagged no time and no allocations\n"
    );
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
        (
            &["explain", "decode/lagre"],
            "no benchmark that both sides have is named so",
            "help: did you mean `benchgate explain decode/large`?",
        ),
        (
            &["explain", "--filter", "large"],
            "no benchmark that both sides have is named so",
            "help: did you mean `benchgate explain '*large'`?",
        ),
    ] {
        let ran = repo.benchgate(arguments).expect(2);
        assert!(ran.stderr.contains(wrong) && ran.stderr.contains(help), "{}", ran.stderr);
    }
    // As for `check`, a name is a part of the id.
    let part = repo.benchgate(&["explain", "large"]).expect(101);
    assert!(part.stdout.starts_with("decode/large: "), "{}", part.stdout);
}

/// A suite that counts with the real dhat; `planted` is what each of its names grows by.
fn allocating(repo: &Repo, planted: &str, fields: usize, heap: &str) {
    let source = include_str!("../fake/heap.rs");
    let settings = format!(
        "const PLANTED: &str = {planted:?};\nconst FIELDS: usize = {fields};\nconst HEAP: &str = {heap:?};\n"
    );
    repo.suite("counts", &[]);
    repo.write("benches/counts/main.rs", &format!("{source}\n{settings}"));
}

const HEAP: &str = "benchgate.heap/1";

/// With dhat, in the version of this workspace: it was downloaded with what is built here.
fn with_dhat() -> Repo {
    let repo = Repo::empty();
    allocating(&repo, "", 10, HEAP);
    let manifest = repo.manifest();
    let manifest =
        manifest.replace("opt-level = 0\n", "opt-level = 0\ndebug = \"line-tables-only\"\n");
    repo.write("Cargo.toml", &format!("{manifest}\n[dev-dependencies]\ndhat = \"0.3\"\n"));
    repo.write("Cargo.lock", include_str!("../../../../Cargo.lock"));
    repo.commit("counted");
    repo
}

/// The sites of one explanation as `name:line blocks bytes`, and what is left of the whole.
fn sites(explanation: &Value) -> (Vec<String>, bool) {
    let found = &explanation["allocations"];
    let sites = found["sites"].as_array().unwrap();
    let amount = |of: &Value, side: &str| of[side].as_u64().unwrap_or_default();
    let adds_up = |of: &str, others: &str| {
        ["base", "head"].iter().all(|side| {
            let listed: u64 = sites.iter().map(|site| amount(&site[of], side)).sum();
            listed + amount(&found[others], side) == amount(&found[of], side)
        })
    };
    let rows = sites.iter().map(|site| {
        let Value::String(name) = &site["name"] else { panic!("{site}") };
        format!("{name} {} {}", site["blocks"], site["bytes"])
    });
    let whole = adds_up("blocks", "other_blocks") && adds_up("bytes", "other_bytes");
    (rows.collect(), whole)
}

#[test]
fn more_allocations_are_explained_by_the_function_that_asks_for_them() {
    let repo = with_dhat();
    // Longer than what a number needs: each name is grown once.
    allocating(&repo, ", which is the name of a field", 10, HEAP);
    repo.commit("longer names");
    let ran = repo.benchgate(&["check"]).expect(100);
    assert!(ran.stdout.contains("+10 blocks"), "{}", ran.stdout);
    let explanations = repo.result()["explanations"].clone();
    let (rows, whole) = sites(&explanations[0]);
    assert_eq!(explanations.as_array().unwrap().len(), 1);
    assert!(whole, "{explanations}");
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert!(rows[0].starts_with("name {\"base\":10,\"head\":20}"), "{rows:?}");
    assert_eq!(explanations[0]["allocations"]["sites"][0]["file"], "benches/counts/main.rs");
    let ran = repo.benchgate(&["explain"]).expect(0);
    assert!(ran.stdout.starts_with("decode: 11 → 21 blocks"), "{}", ran.stdout);

    // The same functions at other lines ask for the same.
    let source = std::fs::read_to_string(repo.path("benches/counts/main.rs")).unwrap();
    repo.write(
        "benches/counts/main.rs",
        &format!("// A comment.\n\n{source}\npub const MORE: u8 = 1;\n"),
    );
    repo.commit("other lines");
    let ran = repo.benchgate(&["explain", "--filter", "decode", "--json"]).expect(0);
    let printed: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(sites(&printed["explanations"][0]), (Vec::new(), true), "{printed}");
}

#[test]
fn an_executable_that_does_not_write_sites_has_a_reason_and_no_number() {
    let repo = Repo::new(&AB);
    repo.allocations(&["encode|10|0|0|0"]);
    repo.commit("allocations");
    repo.allocations(&["encode|10|10|240|0"]);
    repo.commit("one String per message");
    let ran = repo.benchgate(&["check", "--pairs", "8"]).expect(100);
    let reason =
        "not explained: base: its executable does not write allocation sites (`benchgate.heap/1`)";
    assert!(ran.stdout.contains(reason), "{}", ran.stdout);
    assert!(repo.result()["explanations"][0]["allocations"].is_null());
}
