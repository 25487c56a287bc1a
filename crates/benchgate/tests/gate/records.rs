//! Baselines and comparisons of records, through the real binary.

use crate::support::{Repo, json};

/// A critcmp export: id, mean.
fn export(entries: &[(&str, f64)]) -> String {
    let entries: Vec<String> = entries
        .iter()
        .map(|(id, mean)| {
            format!(
                r#"{id:?}:{{"baseline":"x","fullname":"x/y","criterion_benchmark_v1":{{"full_id":{id:?}}},
                "criterion_estimates_v1":{{"mean":{{"point_estimate":{mean}}},"std_dev":{{"point_estimate":1}}}}}}"#
            )
        })
        .collect();
    format!(r#"{{"name":"x","benchmarks":{{{}}}}}"#, entries.join(","))
}

/// A Criterion home with one benchmark under one baseline name.
fn home(repo: &Repo, baseline: &str, id: &str, estimates: &str) {
    let folder = format!("home/{}/{baseline}", id.replace('/', "_"));
    repo.write(
        &format!("{folder}/benchmark.json"),
        &format!(
            r#"{{"group_id":{id:?},"function_id":null,"value_str":null,"throughput":null,
            "full_id":{id:?},"directory_name":"d","title":{id:?}}}"#
        ),
    );
    repo.write(&format!("{folder}/estimates.json"), estimates);
}

const ESTIMATES: &str =
    r#"{"mean":{"point_estimate":100.0},"std_dev":{"point_estimate":1.0},"slope":null}"#;

#[test]
fn a_regression_in_two_exports_is_not_green_as_it_is_with_critcmp() {
    let repo = Repo::empty();
    repo.write("a.json", &export(&[("a", 100.0), ("b", 10.0)]));
    repo.write("b.json", &export(&[("a", 130.0), ("b", 10.0)]));
    let ran = repo.benchgate(&["compare", "a.json", "b.json"]).expect(102);
    assert!(ran.stdout.contains("1.00 : 1.30"), "{}", ran.stdout);
    assert!(ran.stdout.contains("too few rounds to bound the change"), "{}", ran.stdout);
    repo.benchgate(&["compare", "a.json", "b.json", "--estimates"]).expect(100);
}

#[test]
fn everything_below_the_threshold_is_green_and_not_an_error_as_it_is_with_critcmp() {
    let repo = Repo::empty();
    repo.write("a.json", &export(&[("a", 100.0)]));
    repo.write("b.json", &export(&[("a", 101.0)]));
    repo.benchgate(&["compare", "a.json", "b.json", "--estimates"]).expect(0);
    repo.benchgate(&["compare", "a.json", "a.json"]).expect(0);
}

#[test]
fn an_improvement_is_not_a_regression() {
    let repo = Repo::empty();
    repo.write("a.json", &export(&[("a", 100.0)]));
    repo.write("b.json", &export(&[("a", 50.0)]));
    repo.benchgate(&["compare", "a.json", "b.json", "--estimates"]).expect(0);
}

#[test]
fn base_is_the_first_record_whatever_the_names_sort_like() {
    let repo = Repo::empty();
    repo.write("z.json", &export(&[("a", 100.0)]));
    repo.write("a.json", &export(&[("a", 150.0)]));
    let ran = repo.benchgate(&["compare", "z.json", "a.json", "--estimates"]).expect(100);
    assert!(ran.stdout.contains("+50.0 %"), "{}", ran.stdout);
    repo.benchgate(&["compare", "a.json", "z.json", "--estimates"]).expect(0);
}

#[test]
fn two_exports_of_one_name_are_two_records() {
    let repo = Repo::empty();
    // Both say `"name":"x"`: critcmp shows one column and the later wins.
    repo.write("a.json", &export(&[("a", 100.0)]));
    repo.write("b.json", &export(&[("a", 200.0)]));
    repo.benchgate(&["compare", "a.json", "b.json", "--estimates"]).expect(100);
}

#[test]
fn a_benchmark_of_one_record_only_is_new_or_missing_and_never_dropped() {
    let repo = Repo::empty();
    repo.write("a.json", &export(&[("gone", 1.0), ("kept  twice spaced", 1.0)]));
    repo.write("b.json", &export(&[("added", 1.0), ("kept  twice spaced", 1.0)]));
    repo.benchgate(&["compare", "a.json", "b.json", "--result", "r.json"]).expect(101);
    let result = json(&repo.path("r.json"));
    let findings: Vec<_> = result["benchmarks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|b| (b["id"].as_str().unwrap(), b["finding"].as_str().unwrap()))
        .collect();
    assert_eq!(
        findings,
        [("added", "new"), ("gone", "missing"), ("kept  twice spaced", "identical")]
    );
}

#[test]
fn a_baseline_that_is_not_there_is_a_usage_error_and_not_a_single_column() {
    let repo = Repo::empty();
    repo.write("a.json", &export(&[("a", 1.0)]));
    home(&repo, "main", "a", ESTIMATES);
    let ran = repo.benchgate(&["compare", "a.json", "nosuch"]).expect(2);
    assert!(ran.stderr.contains("there is nothing at `nosuch`"), "{}", ran.stderr);
    let ran = repo.benchgate(&["compare", "a.json", "home:nosuch"]).expect(2);
    assert!(ran.stderr.contains("home holds no baseline `nosuch`"), "{}", ran.stderr);
}

#[test]
fn names_that_criterion_keeps_for_itself_are_not_baselines() {
    let repo = Repo::empty();
    home(&repo, "change", "a", ESTIMATES);
    for name in ["change", "report", "a/b"] {
        let ran = repo.benchgate(&["compare", &format!("home:{name}"), "home:main"]).expect(2);
        assert!(ran.stderr.contains("cannot be a baseline name"), "{name}: {}", ran.stderr);
    }
}

#[test]
fn files_that_criterion_emptied_are_an_error_that_names_them_and_the_cause() {
    let repo = Repo::empty();
    home(&repo, "new", "a", "");
    let ran = repo.benchgate(&["compare", "home", "home"]).expect(101);
    assert!(
        ran.stderr.contains("new/estimates.json: the file is empty (0 bytes)"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("saved under the name `new`"), "{}", ran.stderr);
}

#[test]
fn estimates_that_a_crashed_run_left_behind_are_an_error_that_names_the_folder() {
    let repo = Repo::empty();
    repo.write("home/a/main/estimates.json", ESTIMATES);
    let ran = repo.benchgate(&["compare", "home:main", "home:main"]).expect(101);
    assert!(
        ran.stderr.contains("a/main/benchmark.json: is missing: a run that crashed"),
        "{}",
        ran.stderr
    );
}

#[test]
fn one_id_in_two_folders_of_a_home_does_not_silently_win() {
    let repo = Repo::empty();
    home(&repo, "main", "a", ESTIMATES);
    repo.write("home/b/main/estimates.json", ESTIMATES);
    let identity = std::fs::read_to_string(repo.path("home/a/main/benchmark.json")).unwrap();
    repo.write("home/b/main/benchmark.json", &identity);
    let ran = repo.benchgate(&["compare", "home:main", "home:main"]).expect(101);
    assert!(ran.stderr.contains("`a` is also in another folder"), "{}", ran.stderr);
}

#[test]
fn exports_homes_and_results_are_compared_in_any_mix() {
    let repo = Repo::new(&["a|100|"]);
    repo.commit("second");
    repo.benchgate(&["check", "--pairs", "8"]).expect(0);
    repo.write("a.json", &export(&[("a", 100.0)]));
    home(&repo, "main", "a", ESTIMATES);
    let kinds = ["a.json", "home:main", "target/benchgate/result.json"];
    for base in kinds {
        for head in kinds {
            repo.benchgate(&["compare", base, head, "--estimates"]).expect(0);
        }
    }
    // Two results hold rounds, so they can prove.
    let result = std::fs::read_to_string(repo.path("target/benchgate/result.json")).unwrap();
    repo.write("slower.json", &result.replace("100.0", "130.0"));
    repo.benchgate(&["compare", "target/benchgate/result.json", "slower.json"]).expect(100);
}

#[test]
fn a_corrupt_record_is_named_with_its_key_and_nothing_is_overwritten() {
    let repo = Repo::empty();
    repo.write("a.json", &export(&[("a", 100.0)]));
    repo.write("out.json", "precious");
    for (text, expected) in [
        ("", "b.json: the file is empty"),
        ("{\"name\":", "b.json: `name`: EOF while parsing"),
        ("7", "b.json: this is not a JSON object"),
        // JMH's results are a list.
        ("[]", "b.json: the list is empty: no benchmark gave a result"),
    ] {
        repo.write("b.json", text);
        let ran =
            repo.benchgate(&["compare", "a.json", "b.json", "--result", "out.json"]).expect(101);
        assert!(ran.stderr.contains(expected), "{expected}: {}", ran.stderr);
        assert_eq!(std::fs::read_to_string(repo.path("out.json")).unwrap(), "precious");
    }
}

#[test]
fn a_benchmark_without_a_usable_value_fails_by_name_and_the_others_are_compared() {
    let repo = Repo::empty();
    repo.write("a.json", &export(&[("a", 100.0), ("b", 10.0)]));
    repo.write("b.json", &export(&[("a", -1.0), ("b", 10.0)]));
    home(&repo, "main", "a", &ESTIMATES.replace("100.0", "0"));
    home(&repo, "main", "b", &ESTIMATES.replace("100.0", "10.0"));
    for (head, reason) in [
        ("b.json", "head: `benchmarks.a.mean.point_estimate`: invalid time -1: must be > 0"),
        ("home:main", "head: estimates.json: `mean.point_estimate`: invalid time 0: must be > 0"),
    ] {
        let ran =
            repo.benchgate(&["compare", "a.json", head, "--result", "r.json"]).expect(101).stdout;
        let result = json(&repo.path("r.json"));
        let rows: Vec<_> = result["benchmarks"].as_array().unwrap().iter().collect();
        let of = |row: usize| (&rows[row]["id"], &rows[row]["finding"]);
        assert_eq!(of(0), (&"a".into(), &"failed".into()));
        assert_eq!(of(1), (&"b".into(), &"identical".into()));
        assert_eq!(rows[0]["reason"], reason);
        assert!(ran.contains("must be > 0"), "{ran}");
    }
}

#[test]
fn a_saved_baseline_is_listed_shown_verified_and_decides_when_asked() {
    let repo = Repo::new(&["a|1000|", "b|50|"]);
    let saved = repo.benchgate(&["baseline", "save", "--machine", "workshop"]).expect(0);
    assert!(
        saved.stdout.contains("written: baselines/workshop/parser.speed.json"),
        "{}",
        saved.stdout
    );
    repo.commit("baseline");
    let listed = repo.benchgate(&["baseline", "list"]).expect(0).stdout;
    assert!(listed.contains("baselines/workshop/parser.speed.json  2 benchmarks"), "{listed}");
    let shown =
        repo.benchgate(&["baseline", "show", "baselines/workshop/parser.speed.json"]).expect(0);
    assert!(shown.stdout.contains("1000.000 ns ± 0.000  15 rounds  a"), "{}", shown.stdout);
    repo.benchgate(&["baseline", "verify"]).expect(0);

    repo.suite("speed", &["a|1300|", "b|50|"]);
    repo.commit("slower");
    std::fs::remove_file(repo.outside("log/rounds")).unwrap();
    repo.benchgate(&["check", "--baseline", "--machine", "workshop"]).expect(100);
    assert_eq!(repo.findings(), ["a: critical", "b: unchanged"]);
    assert_eq!(repo.result()["method"], "baseline");
    assert!(repo.log().iter().all(|(exe, ..)| exe.contains("/bin/head/")), "the head alone is run");

    // A benchmark that is gone is missed here too.
    repo.suite("speed", &["a|1000|"]);
    repo.commit("one less");
    repo.benchgate(&["check", "--baseline", "--machine", "workshop"]).expect(101);
    assert_eq!(repo.findings(), ["a: unchanged", "b: missing"]);
}

#[test]
fn a_baseline_of_another_machine_is_refused_in_favour_of_pairs_and_said() {
    let repo = Repo::new(&["a|1000|"]);
    repo.benchgate(&["baseline", "save", "--machine", "workshop"]).expect(0);
    let path = "baselines/workshop/parser.speed.json";
    let text = std::fs::read_to_string(repo.path(path)).unwrap();
    // The baseline claims that this was far slower on another kernel.
    let kernel =
        json(&repo.path(path))["benchgate"]["machine"]["kernel"].as_str().unwrap().to_owned();
    repo.write(path, &text.replace(&kernel, "Linux 1.0").replace("1000.0", "9000.0"));
    repo.commit("baseline");
    repo.suite("speed", &["a|1500|"]);
    repo.commit("slower");
    repo.benchgate(&["check", "--baseline", "--machine", "workshop"]).expect(100);
    let result = repo.result();
    assert_eq!(result["method"], "paired");
    let notice = result["notices"][0].as_str().unwrap();
    assert!(notice.contains("kernel: ") && notice.contains("not Linux 1.0"), "{notice}");

    repo.benchgate(&["check", "--baseline", "--machine", "elsewhere"]).expect(100);
    let notice = repo.result()["notices"][0].as_str().unwrap().to_owned();
    assert!(notice.contains("no baseline for the machine `elsewhere`"), "{notice}");
}

#[test]
fn what_changed_is_known_where_pairs_decide_for_want_of_a_baseline() {
    let repo = Repo::new(&["a|10|"]);
    repo.write(".github/workflows/x.yml", "on: push\n");
    repo.commit("a workflow, which no bench reads");
    let ran = repo.plain(&["check", "--baseline", "--machine", "elsewhere"]).expect(0);
    assert!(!ran.stdout.contains("which a bench may read"), "{}", ran.stdout);
    let identical = "suite parser.speed is identical: nothing that it is built from changed";
    assert!(ran.stdout.contains(identical), "{}", ran.stdout);
    // Nothing was.
    assert!(!ran.stdout.contains("while it was measured"), "{}", ran.stdout);
}

#[test]
fn one_commit_is_not_compared_with_itself_for_want_of_a_baseline() {
    let repo = Repo::new(&["a|10|"]);
    repo.benchgate(&["check", "--base", "HEAD"]).expect(0);
    assert!(repo.path("target/benchgate/result.json").exists());
    let asked = ["check", "--baseline", "--base", "HEAD", "--machine"];
    let ran = repo.plain(&[&asked[..], &["elsewhere"]].concat()).expect(2);
    assert!(ran.stderr.contains("no baseline for the machine `elsewhere`"), "{}", ran.stderr);
    assert!(ran.stderr.contains("nothing was compared: base and head are"), "{}", ran.stderr);
    assert!(!repo.path("target/benchgate/result.json").exists());

    repo.benchgate(&["baseline", "save", "--machine", "workshop"]).expect(0);
    repo.commit("baseline");
    repo.plain(&[&asked[..], &["workshop"]].concat()).expect(0);
    assert_eq!(repo.result()["method"], "baseline");
}

#[test]
fn a_change_does_not_bring_its_own_baseline() {
    let repo = Repo::new(&["a|1000|"]);
    repo.benchgate(&["baseline", "save", "--machine", "workshop"]).expect(0);
    repo.commit("baseline");
    repo.suite("speed", &["a|1500|"]);
    let path = "baselines/workshop/parser.speed.json";
    let text = std::fs::read_to_string(repo.path(path)).unwrap();
    repo.write(path, &text.replace("1000.0", "1500.0"));
    repo.commit("slower, with a baseline that looks away");
    repo.benchgate(&["check", "--baseline", "--machine", "workshop"]).expect(100);
}

#[test]
fn a_corrupt_baseline_is_incomplete_names_file_and_key_and_is_kept() {
    let repo = Repo::new(&["a|1000|"]);
    repo.benchgate(&["baseline", "save", "--machine", "workshop"]).expect(0);
    let path = "baselines/workshop/parser.speed.json";
    let text = std::fs::read_to_string(repo.path(path)).unwrap();
    let broken = text.replace("\"unit\": \"ns\"", "\"unit\": \"ms\"");
    repo.write(path, &broken);
    repo.commit("corrupt baseline");
    repo.commit("next");
    let expected = "parser.speed.json: `benchgate.rounds.a.time.unit`: `ms` is not `ns`";
    let ran = repo.benchgate(&["check", "--baseline", "--machine", "workshop"]).expect(101);
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    let ran = repo.benchgate(&["baseline", "verify"]).expect(101);
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    assert_eq!(std::fs::read_to_string(repo.path(path)).unwrap(), broken);
}

#[test]
fn a_baseline_with_a_benchmark_that_fails_is_not_written_at_all() {
    let repo = Repo::new(&["a|1000|", "b|5|panics"]);
    let ran = repo.benchgate(&["baseline", "save", "--machine", "workshop"]).expect(101);
    assert!(ran.stderr.contains("no baseline was written: `parser.speed: b`"), "{}", ran.stderr);
    assert!(ran.stderr.contains("index 7 is out of bounds"), "{}", ran.stderr);
    assert!(!repo.path("baselines").exists());
}

#[test]
fn a_baseline_of_uncommitted_changes_is_refused() {
    let repo = Repo::new(&["a|1000|"]);
    repo.suite("speed", &["a|1500|"]);
    let ran = repo.benchgate(&["baseline", "save"]).expect(2);
    assert!(ran.stderr.contains("a baseline is the record of a commit"), "{}", ran.stderr);
    repo.benchgate(&["baseline", "save", "--allow-dirty", "--machine", "workshop"]).expect(0);
}

#[test]
fn a_refreshed_baseline_shows_how_it_differs_from_the_committed_one() {
    let repo = Repo::new(&["a|1000|"]);
    repo.benchgate(&["baseline", "save", "--machine", "workshop"]).expect(0);
    repo.commit("baseline");
    repo.suite("speed", &["a|1500|"]);
    repo.commit("slower");
    repo.benchgate(&["baseline", "save", "--machine", "workshop"]).expect(0);
    let ran = repo.benchgate(&["baseline", "diff"]).expect(0);
    assert!(
        ran.stdout.contains("critical  a          1.000 µs  1.500 µs  +50.0 %"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_machine_cannot_be_named_out_of_its_folder() {
    let repo = Repo::new(&["a|1000|"]);
    let ran = repo.benchgate(&["baseline", "save", "--machine", "../x"]).expect(2);
    assert!(ran.stderr.contains("`../x` cannot name a machine"), "{}", ran.stderr);
}

#[test]
fn a_result_is_rendered_for_a_pull_request() {
    let repo = Repo::empty();
    repo.write("a.json", &export(&[("a | @team", 100.0)]));
    repo.write("b.json", &export(&[("a | @team", 130.0)]));
    repo.benchgate(&["compare", "a.json", "b.json", "--estimates", "--result", "r.json"])
        .expect(100);
    let line = repo.benchgate(&["report", "r.json", "--format", "line"]).expect(0).stdout;
    assert_eq!(
        line,
        "regression: slower by the estimate, not proven: 1 benchmark; 1 critical (of 1); base a.json, head b.json\n"
    );
    let url = "https://github.com/o/r/actions/runs/7";
    let comment = ["report", "r.json", "--format", "github", "--run-url", url];
    let text = repo.benchgate(&comment).expect(0).stdout;
    assert!(text.contains(&format!("[the run]({url})")), "{text}");
    assert!(text.contains("| ❌ critical `a \\| @team` |"), "{text}");
    // Without a policy that allows trailers, what works is a waiver.
    let waiver = "benchmark = \"a ? @team\"\nmetric = \"time\"\nceiling = 31\nuntil = ";
    assert!(text.contains(waiver), "{text}");
    let short = repo.benchgate(&[&comment[..], &["--max-bytes", "1500"]].concat()).expect(0).stdout;
    assert!(short.len() <= 1500 && short.contains("did not fit here"), "{short}");
    let ran = repo.benchgate(&["report", "r.json", "--run-url", "javascript:alert(1)"]).expect(2);
    assert!(ran.stderr.contains("invalid web address"), "{}", ran.stderr);
}

#[test]
fn a_result_of_another_commit_is_refused() {
    let repo = Repo::empty();
    repo.write("a.json", &export(&[("a", 100.0)]));
    repo.benchgate(&["compare", "a.json", "a.json", "--result", "r.json"]).expect(0);
    let [right, wrong] = ["a1".repeat(20), "b2".repeat(20)];
    let mut result = json(&repo.path("r.json"));
    result["head"]["commit"] = right.clone().into();
    repo.write("r.json", &result.to_string());
    repo.benchgate(&["report", "r.json", "--head", &right]).expect(0);
    let ran = repo.benchgate(&["report", "r.json", "--head", &wrong]).expect(101);
    let expected = format!("`head.commit`: `{right}` is not `{wrong}`");
    assert!(ran.stderr.contains(&expected), "{}", ran.stderr);
}

#[test]
fn a_result_alone_is_judged_again_to_the_same_verdict_and_exit_code() {
    let repo = Repo::new(&["a|1000|", "b|50|"]);
    repo.suite("speed", &["a|1300|", "b|50|"]);
    repo.commit("slower");
    repo.benchgate(&["check"]).expect(100);
    let path = repo.path("target/benchgate/result.json");
    let ran = repo.benchgate(&["compare", &path.to_string_lossy()]).expect(100);
    assert!(ran.stdout.contains("regression: proven slower: 1 benchmark"), "{}", ran.stdout);
    // Of its rounds, not of what it says.
    let text = std::fs::read_to_string(&path).unwrap();
    let edited = text.replacen("\"upper\": ", "\"upper\": 1", 1);
    assert_ne!(text, edited);
    std::fs::write(&path, edited).unwrap();
    let ran = repo.benchgate(&["compare", &path.to_string_lossy()]).expect(101);
    assert!(ran.stderr.contains("`change.upper` of `a` is said to be"), "{}", ran.stderr);
    // One export says nothing about another.
    repo.write("base.json", "{\"name\":\"base\",\"benchmarks\":{}}");
    let ran = repo.benchgate(&["compare", "base.json"]).expect(2);
    assert!(ran.stderr.contains("(base.json) cannot be compared"), "{}", ran.stderr);
}
