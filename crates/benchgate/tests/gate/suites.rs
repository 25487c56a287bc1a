//! `[[suite]]`: suites that are not bench targets, built and run in each side's own checkout.

use crate::support::Repo;

const SUITE: &str = "[[suite]]\nname = \"sizes\"\nharness = \"counts\"\n\
                     build = [\"sh\", \"build.sh\"]\nrun = [\"sh\", \"count.sh\", \"target/built\"]\n";

const COUNT: &str = "printf '{\"schema\":\"benchgate.counts/1\",\"id\":\"tool\",\"metric\":\"size.bytes\",\"unit\":\"bytes\",\"value\":%s}\\n' $(cat $1)\n";

/// A repository whose suite `sizes` counts what stands in `value.txt` when it is built.
fn repo(more: &str) -> Repo {
    let repo = Repo::new(&["a|1000|"]);
    repo.policy(&format!("{SUITE}{more}"));
    repo.write("value.txt", "100");
    repo.write(
        "build.sh",
        "mkdir -p target && cp value.txt target/built && echo built >> target/log\n",
    );
    repo.write("count.sh", COUNT);
    repo.commit("a suite");
    repo
}

#[test]
fn each_side_builds_and_runs_a_declared_suite_in_its_own_checkout() {
    let repo = repo("");
    repo.write("value.txt", "112");
    repo.commit("bigger");
    // Twice: the second run finds what the first has built.
    for runs in 1..=2 {
        repo.benchgate(&["check", "--pairs", "8"]).expect(100);
        assert_eq!(repo.findings(), ["tool: critical", "a: unchanged"]);
        let result = repo.result();
        let tool = &result["benchmarks"][0];
        assert_eq!((&tool["base"], &tool["head"]), (&100.0.into(), &112.0.into()));
        assert_eq!((&tool["package"], &tool["suite"]), (&"parser".into(), &"sizes".into()));
        for side in ["base", "head"] {
            let log = repo.path(&format!("target/benchgate/suites/{side}/log"));
            assert_eq!(std::fs::read_to_string(log).unwrap(), "built\n".repeat(runs));
        }
    }
}

#[test]
fn a_suite_that_does_not_build_has_failed_and_the_others_go_on() {
    let repo = repo("");
    repo.write("build.sh", "echo no such header >&2; exit 2");
    repo.commit("broken");
    repo.benchgate(&["check", "--pairs", "8"]).expect(101);
    assert_eq!(repo.findings(), ["a: unchanged"]);
    let suite = repo.result()["suites"][0].clone();
    assert_eq!(suite["finding"], "failed");
    assert_eq!(suite["reason"], "head: its build `sh build.sh` ended with exit status: 2");
    let output = suite["output"].as_str().unwrap();
    assert_eq!(output.trim_end(), "no such header");
}

#[test]
fn a_suite_whose_program_is_not_there_or_speaks_something_else_has_failed() {
    for (run, reason) in [
        ("./no-such-tool", "/no-such-tool`: No such file or directory (os error 2)"),
        ("true", "head: it counted no benchmark"),
    ] {
        let repo = Repo::new(&["a|1000|"]);
        repo.policy(&format!("[[suite]]\nname = \"t\"\nharness = \"counts\"\nrun = [\"{run}\"]\n"));
        repo.commit("a suite");
        repo.commit("nothing");
        repo.benchgate(&["check", "--pairs", "8"]).expect(101);
        let suites = repo.result()["suites"].clone();
        assert_eq!(suites[0]["finding"], "failed", "{suites}");
        let text = suites[0]["reason"].as_str().unwrap();
        assert!(text.ends_with(reason), "{text}");
    }
}

#[test]
fn a_suite_with_the_same_files_is_measured_where_a_file_that_a_run_reads_changed() {
    let repo =
        repo("files = [\"target/built\"]\nbuilt-from = [\"parser\"]\nreads = [\"more.md\"]\n");
    repo.write("count.sh", &COUNT.replace("$1", "more.md"));
    repo.write("more.md", "100");
    repo.commit("counts another file");
    repo.write("more.md", "112");
    repo.write("README.md", "words");
    repo.commit("bigger");
    let ran = repo.plain(&["check", "--pairs", "8"]).expect(100);
    assert!(ran.stdout.contains("has the same `files`, but `more.md` changed"), "{}", ran.stdout);
    // Its neutral twin.
    repo.write("README.md", "more words");
    repo.write("src/lib.rs", "// words");
    repo.commit("words");
    repo.plain(&["check", "--pairs", "8"]).expect(0);
    assert_eq!(repo.findings()[0], "tool: identical");
}

#[test]
fn a_suite_with_the_same_files_on_both_sides_is_not_measured() {
    let repo = repo("files = [\"target/built\", \"*.sh\"]\n");
    repo.write("notes.txt", "words");
    repo.commit("words");
    repo.plain(&["check"]).expect(0);
    assert_eq!(repo.findings()[0], "tool: identical");

    repo.write("count.sh", "# another way to count\n");
    repo.commit("a script differs");
    let ran = repo.plain(&["check"]).expect(101);
    assert!(
        ran.stdout.contains("`parser.sizes`: `count.sh` differs: it is measured"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_suite_that_names_what_it_is_built_from_is_not_built_when_no_change_can_reach_that() {
    // A shell may read any file, where the policy does not say which.
    for (reads, is_built) in [("", true), ("reads = []\n", false)] {
        let repo = repo(&format!("built-from = [\"parser\"]\n{reads}"));
        repo.write("README.md", "words");
        repo.commit("words");
        let explained = repo.plain(&["check", "--explain-affected"]).expect(0).stdout;
        assert_eq!(explained.contains("reached"), is_built, "{explained}");
    }
    let repo = repo("built-from = [\"parser\"]\nreads = []\n");
    repo.write("README.md", "words");
    repo.commit("words");
    repo.plain(&["check"]).expect(0);
    assert!(!repo.path("target/benchgate/suites").exists());
    let of_suite = repo.result()["suites"]
        .as_array()
        .unwrap()
        .iter()
        .any(|suite| suite["suite"] == "sizes" && suite["finding"] == "identical");
    assert!(of_suite, "{}", repo.result()["suites"]);

    repo.write("src/lib.rs", "// words");
    repo.commit("a source");
    let ran = repo.plain(&["check", "--explain-affected"]).expect(0);
    let reached = "reached: parser.sizes: `src/lib.rs` changed, at the top\n";
    assert!(ran.stdout.contains(reached), "{}", ran.stdout);
}

#[test]
fn a_suite_that_only_the_head_declares_waits_for_the_next_change() {
    let repo = Repo::new(&["a|1000|"]);
    repo.policy(SUITE);
    repo.commit("a suite");
    let ran = repo.benchgate(&["check", "--pairs", "8"]).expect(0);
    let notice = "`[[suite]]` sizes is new: it is measured from the next change on";
    assert!(ran.stdout.contains(notice), "{}", ran.stdout);
    assert_eq!(repo.findings(), ["a: unchanged"]);
}

#[test]
fn suites_are_selected_by_name_and_those_left_out_are_not_built() {
    let repo = repo("");
    repo.commit("nothing");
    repo.benchgate(&["check", "--pairs", "8", "--suite", "speed"]).expect(0);
    assert!(!repo.path("target/benchgate/suites").exists());
    repo.benchgate(&["check", "--pairs", "8", "--suite", "siz*"]).expect(0);
    assert_eq!(repo.findings(), ["tool: unchanged"]);
}
