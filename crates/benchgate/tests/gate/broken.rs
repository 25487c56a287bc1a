//! Errors of benches, suites and builds: named, and never green.

use crate::support::Repo;

const AB: [&str; 2] = ["decode/large|1000|", "encode with  two spaces|50|"];

#[test]
fn a_bench_that_hangs_is_stopped_at_its_time_out() {
    let repo = Repo::new(&["a|10|"]);
    repo.policy("[measure]\ntimeout = \"300ms\"");
    repo.suite("speed", &["a|10|hangs"]);
    repo.commit("policy and a bench that hangs");
    repo.commit("nothing");
    repo.benchgate(&["check"]).expect(101);
    let reason = repo.result()["benchmarks"][0]["reason"].as_str().unwrap().to_owned();
    assert!(reason.contains("it was stopped after 0.3 s"), "{reason}");
}

#[test]
fn two_benchmarks_of_one_id_are_a_failure_and_in_two_suites_they_are_two() {
    let repo = Repo::new(&["a|10|", "a|20|"]);
    repo.suite("other", &["a|30|"]);
    repo.commit("second");
    repo.commit("third");
    repo.benchgate(&["check", "--pairs", "8"]).expect(101);
    let result = repo.result();
    let [other, speed] = [&result["benchmarks"][0], &result["benchmarks"][1]];
    assert_eq!((&other["suite"], &other["finding"]), (&"other".into(), &"unchanged".into()));
    assert_eq!((&speed["suite"], &speed["finding"]), (&"speed".into(), &"failed".into()));
    assert!(speed["reason"].as_str().unwrap().contains("have this id"), "{speed}");
}

#[test]
fn an_id_longer_than_criterions_titles_and_folders_is_kept_whole() {
    let long = format!("group/{}", "x".repeat(150));
    let repo = Repo::new(&[&format!("{long}|10|")]);
    repo.commit("second");
    repo.benchgate(&["check", "--pairs", "8"]).expect(0);
    assert_eq!(repo.findings(), [format!("{long}: unchanged")]);
}

#[test]
fn ids_with_the_same_first_hundred_bytes_and_ids_that_end_in_a_number_are_told_apart() {
    let [one, two] = ["1", "2"].map(|end| format!("group/{}{end}", "x".repeat(150)));
    let entries =
        [format!("{one}|10|"), format!("{two}|20|"), "run|30|".into(), "run #2|40|".into()];
    let repo = Repo::new(&entries.each_ref().map(String::as_str));
    repo.commit("second");
    repo.benchgate(&["check", "--pairs", "8"]).expect(0);
    let findings = [&*one, &*two, "run", "run #2"].map(|id| format!("{id}: unchanged"));
    assert_eq!(repo.findings(), findings);
    let values = repo.result()["benchmarks"].clone();
    let bases: Vec<f64> = (0..4).map(|at| values[at]["base"].as_f64().unwrap()).collect();
    assert_eq!(bases, [10.0, 20.0, 30.0, 40.0]);
}

#[test]
fn a_head_that_does_not_build_is_incomplete_with_the_compilers_words_in_the_report() {
    let repo = Repo::new(&AB);
    repo.write("src/lib.rs", "compile_error!(\"fix me\");");
    repo.commit("broken");
    let ran = repo.benchgate(&["check"]).expect(101);
    assert!(ran.stdout.contains("head: cargo could not build the benches"), "{}", ran.stdout);
    assert!(ran.stdout.contains("fix me"), "{}", ran.stdout);
    let report = std::fs::read_to_string(repo.path("target/benchgate/report.md")).unwrap();
    assert!(report.contains("fix me"), "{report}");
}

#[test]
fn what_is_not_criterions_is_skipped_by_name() {
    let repo = Repo::new(&AB);
    repo.extend_manifest(
        "[features]\nextra = []\n[[bench]]\nname = \"own\"\nharness = false\n\
         [[bench]]\nname = \"builtin\"\n[[bench]]\nname = \"gated\"\nharness = false\n\
         required-features = [\"extra\"]\n",
    );
    // It does not care what it is asked, and takes long.
    repo.write("benches/own.rs", "fn main() { loop { std::thread::park(); } }");
    repo.write("benches/builtin.rs", "");
    repo.write("benches/gated.rs", "fn main() {}");
    repo.commit("others");
    repo.commit("nothing");
    repo.benchgate(&["check", "--pairs", "8"]).expect(0);
    let suites: Vec<String> = repo.result()["suites"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| format!("{} {}: {}", s["suite"], s["finding"], s["reason"]).replace('"', ""))
        .collect();
    let (unknown, suites) = suites.split_last().unwrap();
    assert_eq!(
        suites,
        [
            "builtin skipped: it uses the built-in harness: suites of Criterion and divan have `harness = false`",
            "gated skipped: it needs the features extra: name them under `[build] features` in \
             benchgate.toml",
        ]
    );
    let own = "own skipped: it speaks none of the harnesses that benchgate knows (";
    assert!(unknown.starts_with(own), "{unknown}");
}

#[test]
fn a_suite_that_needs_what_is_on_by_default_is_measured() {
    let repo = Repo::new(&["a|10|"]);
    repo.extend_manifest("required-features = [\"std\"]\n[features]\ndefault = [\"full\"]\nfull = [\"std\"]\nstd = []\n");
    repo.commit("features");
    repo.commit("nothing");
    repo.benchgate(&["check", "--pairs", "8"]).expect(0);
    assert_eq!(repo.findings(), ["a: unchanged"]);
}

#[test]
fn a_criterion_suite_that_cannot_even_start_is_a_failure_and_not_something_else() {
    let repo = Repo::new(&["a|10|"]);
    repo.suite("other", &["b|no-such-file.txt|"]);
    repo.commit("a suite that needs a file");
    repo.commit("nothing");
    // The fake reads its speeds when it lists them.
    repo.benchgate(&["check", "--pairs", "8"]).expect(101);
    let suite = &repo.result()["suites"][0];
    assert_eq!((&suite["suite"], &suite["finding"]), (&"other".into(), &"failed".into()));
}

#[test]
fn a_suite_that_has_no_help_and_cannot_list_says_why_it_cannot_list() {
    let repo = Repo::new(&["a|10|"]);
    repo.suite("other", &["b|no-such-file.txt|answers no help"]);
    repo.commit("a suite that needs a file");
    repo.commit("nothing");
    let ran = repo.benchgate(&["check", "--pairs", "8"]).expect(101);
    let suite = &repo.result()["suites"][0];
    assert_eq!(suite["reason"], "head: `--list`: it ended with exit status: 101");
    let output = suite["output"].as_str().unwrap();
    assert!(output.contains("a file with a speed: "), "{output}");
    assert!(!output.contains("--help"), "{output}");
    assert!(ran.stdout.contains("a file with a speed: "), "{}", ran.stdout);
}

#[test]
fn a_deleted_benchmark_is_incomplete_not_green() {
    let repo = Repo::new(&AB);
    repo.suite("speed", &[AB[0], "encode|50|"]);
    repo.commit("one is gone, one is new");
    let ran = repo.benchgate(&["check", "--pairs", "8"]).expect(101);
    assert_eq!(
        repo.findings(),
        ["decode/large: unchanged", "encode: new", "encode with  two spaces: missing"]
    );
    assert!(
        ran.stdout.contains(
            "the base has it, the head does not; if it is `encode` now, declare `[[rename]]`"
        ),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_deleted_suite_is_incomplete_not_green() {
    let repo = Repo::new(&AB);
    repo.suite("other", &["x|10|"]);
    repo.commit("two suites");
    repo.git(&["checkout", "--quiet", "HEAD^", "--", "Cargo.toml"]);
    repo.commit("one suite");
    repo.benchgate(&["check", "--pairs", "8"]).expect(101);
    assert!(repo.findings().contains(&"x: missing".to_owned()), "{:?}", repo.findings());
}

#[test]
fn nothing_to_compare_is_incomplete_not_green() {
    let repo = Repo::new(&AB);
    repo.commit("nothing");
    let ran = repo.benchgate(&["check", "--pairs", "8", "--filter", "nothing*"]).expect(101);
    assert!(
        ran.stdout.contains("left out by --filter") || ran.stdout.contains("skipped"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_process_that_a_bench_leaves_behind_is_ended_with_its_round() {
    let repo = Repo::new(&["a|10|leaves a process"]);
    repo.commit("nothing");
    // It holds the output of its round open, too.
    repo.benchgate(&["check", "--pairs", "6"]).expect(0);
    let left = std::fs::read_to_string(repo.outside("log/rounds.left")).unwrap();
    assert!(left.lines().count() >= 12, "{left}");
    for pid in left.lines() {
        let command = std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        assert!(!command.contains("sleep"), "{pid} is still there: {command}");
    }
}
