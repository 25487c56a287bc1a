//! Suites with the same machine code are not measured; for almost equal ones a notice names the difference.
//! `affected` has those that are not even built.

use crate::support::{Repo, host};

const AB: [&str; 2] = ["decode|1000|", "encode|50|"];

#[test]
fn a_change_of_comments_measures_nothing_and_is_green() {
    let repo = Repo::new(&AB);
    repo.allocations(&["fast|3|10|100|50"]);
    repo.commit("allocations");
    repo.write("src/lib.rs", "// a change of comments");
    repo.commit("words");
    let ran = repo.plain(&["check"]).expect(0);
    let expected = [
        "fast: identical",
        "fast: identical",
        "fast: identical",
        "decode: identical",
        "encode: identical",
    ];
    assert_eq!(repo.findings(), expected);
    assert!(repo.log().is_empty(), "{:?}", repo.log());
    assert!(ran.stdout.contains("5 identical"), "{}", ran.stdout);
}

#[test]
fn a_comment_at_the_end_of_a_file_does_not_change_the_code() {
    let repo = Repo::new(&AB);
    let main = repo.path("benches/speed/main.rs");
    let text = std::fs::read_to_string(&main).unwrap();
    std::fs::write(&main, text + "// a comment\n").unwrap();
    repo.commit("a comment");
    let ran = repo.plain(&["check"]).expect(0);
    assert_eq!(repo.findings(), ["decode: identical", "encode: identical"], "{}", ran.stdout);
}

#[test]
fn one_suite_that_changed_is_measured_and_the_other_is_not() {
    let repo = Repo::new(&AB);
    repo.fake("other", include_str!("../fake/criterion.rs"), &["x|10|", "y|20|"]);
    repo.commit("two suites");
    let main = repo.path("benches/other/main.rs");
    let text = std::fs::read_to_string(&main).unwrap();
    // It moves every line, and panic messages contain line numbers.
    std::fs::write(&main, format!("// a comment at the head\n{text}")).unwrap();
    repo.commit("a comment");
    let ran = repo.plain(&["check"]).expect(0);
    assert_eq!(
        repo.findings(),
        ["x: unchanged", "y: unchanged", "decode: identical", "encode: identical"]
    );
    assert!(repo.log().iter().all(|(exe, ..)| exe.ends_with("parser.other")), "{:?}", repo.log());
    assert!(ran.stdout.contains("the instructions are the same and "), "{}", ran.stdout);
}

#[test]
fn the_same_code_on_other_data_is_measured_with_a_notice() {
    let repo = Repo::new(&["a|data.txt|"]);
    repo.write("data.txt", "1000");
    repo.commit("data");
    repo.write("data.txt", "1500");
    repo.commit("more data");
    let ran = repo.plain(&["check"]).expect(100);
    assert_eq!(repo.findings(), ["a: critical"]);
    assert!(
        ran.stdout.contains("is the same machine code, but `data.txt` changed"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_rule_about_an_identical_benchmark_is_skipped() {
    let repo = Repo::new(&AB);
    let rule = "[[rule]]\nbenchmark = \"decode\"\nbudget = \"1ns\"\nreason = \"violated, and not by this change\"\n";
    repo.policy(&rule.repeat(3));
    repo.commit("rules");
    repo.write("src/lib.rs", "// words");
    repo.commit("words");
    let ran = repo.plain(&["check"]).expect(0);
    assert_eq!(repo.result()["rules"][0]["state"], "skipped");
    // Each says the same nothing.
    assert!(
        ran.stdout
            .contains("rules skipped: 3, about benchmarks that are identical or were skipped"),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains("has no value"), "{}", ran.stdout);
}

#[test]
fn a_bench_that_runs_a_binary_that_changed_is_measured() {
    runs_a_binary("release", "");
    // cargo puts what it builds for a named target elsewhere.
    let host = host();
    runs_a_binary(&format!("{host}/release"), &format!("[build]\ntarget = \"{host}\"\n"));
}

fn runs_a_binary(folder: &str, configuration: &str) {
    let repo = Repo::new(&AB);
    repo.write(".cargo/config.toml", configuration);
    repo.suite("cli", &["x|10|"]);
    repo.write("src/main.rs", "fn main() {}");
    let main = repo.path("benches/cli/main.rs");
    let text = std::fs::read_to_string(&main).unwrap();
    let with_binary =
        format!("{text}\n#[used]\nstatic TOOL: &str = env!(\"CARGO_BIN_EXE_parser\");\n");
    std::fs::write(&main, with_binary).unwrap();
    repo.commit("a suite that runs the binary");
    repo.write("src/lib.rs", "// words");
    repo.commit("words");
    repo.plain(&["check"]).expect(0);
    assert_eq!(repo.findings(), ["x: identical", "decode: identical", "encode: identical"]);

    repo.write("src/main.rs", "fn main() { println!(\"slower\") }");
    repo.commit("slower");
    let ran = repo.plain(&["check"]).expect(0);
    assert_eq!(repo.findings(), ["x: unchanged", "decode: identical", "encode: identical"]);
    let notice = format!("but `{folder}/parser`, which it runs or reads, differs: it is measured");
    assert!(ran.stdout.contains(&notice), "{}", ran.stdout);
}
