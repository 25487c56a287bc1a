//! `benchgate check` on real repositories, real builds and real processes; only the speeds are fake.

use crate::support::Repo;

const AB: [&str; 2] = ["decode/large|1000|", "encode with  two spaces|50|"];

#[test]
fn the_same_code_on_both_sides_passes_and_says_what_was_measured() {
    let repo = Repo::new(&AB);
    repo.write("README.md", "a change of documentation");
    repo.commit("second");
    let ran = repo.benchgate(&["check"]).expect(0);
    assert_eq!(repo.findings(), ["decode/large: unchanged", "encode with  two spaces: unchanged"]);
    assert!(ran.stdout.contains("pass: nothing proven slower"), "{}", ran.stdout);
    let result = repo.result();
    assert_eq!(result["schema"], "benchgate.result/1");
    assert_eq!(result["base"]["commit"], repo.git(&["rev-parse", "HEAD^"]).trim());
    assert_eq!(result["head"]["commit"], repo.git(&["rev-parse", "HEAD"]).trim());
    // Six quiet pairs are enough.
    assert_eq!(result["benchmarks"][0]["pairs"], 6);
    assert_eq!(result["benchmarks"][0]["rounds"]["base"].as_array().unwrap().len(), 6);
    assert_eq!(result["false_alarm"], 0.01);
    assert!(result["machine"]["cores"].as_u64().unwrap() > 0);
    assert!(result["toolchain"]["rustc"].as_str().unwrap().starts_with("rustc 1."));
}

#[test]
fn twenty_percent_more_work_is_critical_and_the_others_are_untouched() {
    let repo = Repo::new(&AB);
    repo.suite("speed", &["decode/large|1200|", AB[1]]);
    repo.commit("slower");
    let ran = repo.benchgate(&["check"]).expect(100);
    assert_eq!(repo.findings(), ["decode/large: critical", "encode with  two spaces: unchanged"]);
    let change = &repo.result()["benchmarks"][0]["change"];
    assert!((change["estimate"].as_f64().unwrap() - 0.2).abs() < 1e-9, "{change}");
    assert!(ran.stdout.contains("regression: proven slower: 1 benchmark"), "{}", ran.stdout);
    let report = std::fs::read_to_string(repo.path("target/benchgate/report.md")).unwrap();
    assert!(report.starts_with("## ❌ benchgate: proven slower: 1 benchmark"), "{report}");
}

#[test]
fn each_side_runs_its_own_code_though_they_share_a_target_folder() {
    let repo = Repo::new(&["a|1000|"]);
    repo.suite("speed", &["a|3000|"]);
    repo.commit("slower");
    // Twice: the second run finds the artifacts of the first.
    for _ in 0..2 {
        repo.benchgate(&["check", "--pairs", "8"]).expect(100);
        let benchmark = &repo.result()["benchmarks"][0];
        assert_eq!((&benchmark["base"], &benchmark["head"]), (&1000.0.into(), &3000.0.into()));
    }
}

#[test]
fn each_side_reads_the_files_of_its_own_checkout() {
    let repo = Repo::new(&["a|data.txt|"]);
    repo.write("data.txt", "1000");
    repo.commit("data");
    repo.write("data.txt", "1500");
    repo.commit("more data");
    repo.benchgate(&["check", "--pairs", "8"]).expect(100);
    let benchmark = &repo.result()["benchmarks"][0];
    assert_eq!((&benchmark["base"], &benchmark["head"]), (&1000.0.into(), &1500.0.into()));
}

#[test]
fn every_round_has_a_fresh_absolute_home_of_one_length_on_both_sides_of_a_pair() {
    let repo = Repo::new(&AB);
    repo.commit("second");
    // A stale result of a benchmark that is no more must not come back.
    repo.write("target/criterion/gone/new/benchmark.json", "{}");
    repo.benchgate(&["check", "--pairs", "8", "--seed", "1"]).expect(0);
    let log = repo.log();
    assert_eq!(log.len(), 2 * 2 * 6);
    assert!(log.iter().all(|(_, home, empty)| *empty && home.starts_with('/')), "{log:?}");
    let lengths: Vec<_> = log.iter().map(|(exe, home, _)| (exe.len(), home.len())).collect();
    assert!(lengths.chunks(2).all(|pair| pair[0] == pair[1]), "{lengths:?}");
    // What should not matter is drawn anew for every pair.
    assert!(lengths.iter().any(|length| length != &lengths[0]), "{lengths:?}");
    let sides: Vec<_> = log.iter().map(|(exe, ..)| exe.contains("/bin/base/")).collect();
    // Within each pair both sides run, and the order changes between pairs.
    assert!(sides.chunks(2).all(|pair| pair[0] != pair[1]), "{sides:?}");
    assert!(sides.chunks(2).any(|pair| pair[0]) && sides.chunks(2).any(|pair| !pair[0]));
    // The same seed runs in the same order.
    std::fs::remove_file(repo.outside("log")).unwrap();
    repo.benchgate(&["check", "--pairs", "8", "--seed", "1"]).expect(0);
    let again: Vec<_> = repo.log().iter().map(|(exe, ..)| exe.contains("/bin/base/")).collect();
    assert_eq!(sides, again);
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
        ran.stdout.contains("the base has it, the head does not; renamed to `encode`?"),
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
fn whatever_a_bench_does_wrong_is_incomplete_with_its_last_words() {
    for (behaviour, reason, output) in [
        (
            "panics",
            "head: it ended with exit status: 101 (round 1)",
            "index 7 is out of bounds of b",
        ),
        ("ends with 3", "head: it ended with exit status: 3 (round 1)", "giving up"),
        (
            "reports an error",
            "head: Criterion reported an error and exited with 0: Criterion.rs ERROR: Failed to access \
             file (round 1)",
            "Criterion.rs ERROR",
        ),
        ("writes nothing", "head: `--list` names it, but it wrote no result (round 1)", ""),
        (
            "measures zero",
            "head: sample.json: `times[0]`: 0 is no time: it must be above zero (round 1)",
            "",
        ),
        ("leaves an empty file", "head: sample.json: the file is empty (0 bytes)", ""),
    ] {
        let repo = Repo::new(&["a|10|", "b|1000|"]);
        repo.suite("speed", &["a|10|", &format!("b|1000|{behaviour}")]);
        repo.commit("broken");
        let ran = repo.benchgate(&["check", "--pairs", "8"]).expect(101);
        assert_eq!(repo.findings(), ["a: unchanged", "b: failed"], "{behaviour}");
        let benchmark = repo.result()["benchmarks"][1].clone();
        let told = benchmark["reason"].as_str().unwrap();
        assert!(told.starts_with(reason), "{behaviour}: {told}");
        let kept = benchmark["output"].as_str().unwrap_or_default();
        assert!(kept.contains(output), "{behaviour}: {kept}");
        assert!(ran.stdout.contains(output), "{behaviour}: {}", ran.stdout);
    }
}

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
fn a_head_that_does_not_build_is_incomplete_with_the_compilers_words_in_the_report() {
    let repo = Repo::new(&AB);
    repo.write("src/lib.rs", "compile_error!(\"mend me\");");
    repo.commit("broken");
    let ran = repo.benchgate(&["check"]).expect(101);
    assert!(ran.stdout.contains("head: cargo could not build the benches"), "{}", ran.stdout);
    assert!(ran.stdout.contains("mend me"), "{}", ran.stdout);
    let report = std::fs::read_to_string(repo.path("target/benchgate/report.md")).unwrap();
    assert!(report.contains("mend me"), "{report}");
}

#[test]
fn nothing_to_compare_is_incomplete_not_green() {
    let repo = Repo::empty();
    repo.commit("no suite");
    repo.suite("speed", &AB);
    repo.commit("the first suite");
    let ran = repo.benchgate(&["check", "--pairs", "8"]).expect(101);
    assert!(ran.stdout.contains("Nothing was compared"), "{}", ran.stdout);
    assert_eq!(repo.findings(), ["decode/large: new", "encode with  two spaces: new"]);

    repo.commit("nothing");
    let ran = repo.benchgate(&["check", "--pairs", "8", "--filter", "nothing*"]).expect(101);
    assert!(
        ran.stdout.contains("left out by --filter") || ran.stdout.contains("skipped"),
        "{}",
        ran.stdout
    );
}

#[test]
fn what_is_not_criterions_is_skipped_by_name() {
    let repo = Repo::new(&AB);
    let manifest = std::fs::read_to_string(repo.path("Cargo.toml")).unwrap();
    repo.write(
        "Cargo.toml",
        &format!(
            "{manifest}[features]\nextra = []\n[[bench]]\nname = \"own\"\nharness = false\n\
             [[bench]]\nname = \"builtin\"\n[[bench]]\nname = \"gated\"\nharness = false\n\
             required-features = [\"extra\"]\n"
        ),
    );
    repo.write("benches/own.rs", "fn main() { println!(\"allocations: 3\"); }");
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
    assert_eq!(
        suites,
        [
            "builtin skipped: it uses the built-in harness: Criterion's suites have `harness = false`",
            "gated skipped: it needs the features extra: name them under `[build] features` in \
             benchgate.toml",
            "own skipped: it is not Criterion's: it takes no --measurement-time, by its --help or its \
             --list",
        ]
    );
}

#[test]
fn a_suite_that_needs_what_is_on_by_default_is_measured() {
    let repo = Repo::new(&["a|10|"]);
    let manifest = std::fs::read_to_string(repo.path("Cargo.toml")).unwrap();
    let needs = "required-features = [\"std\"]\n[features]\ndefault = [\"full\"]\nfull = [\"std\"]\nstd = []\n";
    repo.write("Cargo.toml", &(manifest + needs));
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
fn uncommitted_changes_are_measured_against_the_last_commit_and_stay_uncommitted() {
    let repo = Repo::new(&["a|1000|"]);
    repo.suite("speed", &["a|1500|"]);
    repo.benchgate(&["check", "--pairs", "8"]).expect(100);
    let result = repo.result();
    assert_eq!(result["head"]["dirty"], true);
    assert_eq!(result["base"]["commit"], result["head"]["commit"]);
    assert!(repo.git(&["status", "--porcelain"]).contains("speeds.txt"));
}

#[test]
fn a_change_is_compared_with_where_it_forked() {
    let repo = Repo::new(&["a|1000|"]);
    repo.git(&["branch", "topic"]);
    repo.suite("speed", &["a|500|"]);
    repo.commit("twice as fast, on main");
    repo.git(&["checkout", "--quiet", "topic"]);
    repo.write("README.md", "words");
    repo.commit("words, on topic");
    repo.benchgate(&["check", "--base", "main", "--pairs", "8"]).expect(0);
    assert_eq!(repo.findings(), ["a: unchanged"]);
}

#[test]
fn a_change_does_not_set_its_own_limits() {
    let repo = Repo::new(&["a|1000|"]);
    repo.suite("speed", &["a|1500|"]);
    repo.policy("[thresholds]\ncritical = 900\n[[skip]]\nbenchmark = \"*\"\nreason = \"x\"");
    repo.commit("slower, and a policy that looks away");
    repo.benchgate(&["check", "--pairs", "8"]).expect(100);
    let remark = repo.result()["remarks"][0].as_str().unwrap().to_owned();
    assert!(remark.contains("the base's holds for this run"), "{remark}");
    // From the next change on it holds.
    repo.commit("next");
    repo.benchgate(&["check", "--pairs", "8"]).expect(101);
    assert_eq!(repo.findings(), ["a: skipped"]);
}

#[test]
fn a_policy_with_a_wrong_key_measures_nothing_and_names_the_line() {
    let repo = Repo::new(&["a|1000|"]);
    repo.policy("[thresholds]\nnote = 2\nwarnning = 5");
    repo.commit("policy");
    repo.commit("next");
    let ran = repo.benchgate(&["check"]).expect(2);
    assert!(
        ran.stderr
            .contains("benchgate.toml: line 3: unknown field `warnning`, expected one of `note`"),
        "{}",
        ran.stderr
    );
    assert!(repo.log().is_empty());
}

#[test]
fn a_rule_of_the_policy_is_red_when_it_is_broken_though_nothing_got_slower() {
    let repo = Repo::new(&["fast|600|", "plain|1000|"]);
    let rule = |share: &str| {
        format!(
            "[[rule]]\nbenchmark = \"fast\"\nshare = {share}\nof = \"plain\"\nreason = \"promised\""
        )
    };
    repo.policy(&rule("0.5"));
    repo.commit("a rule that is broken");
    repo.commit("next");
    let ran = repo.benchgate(&["check", "--pairs", "8"]).expect(100);
    assert!(
        ran.stdout.contains("rule broken: fast is 0.600 of plain, at most 0.500 (promised)"),
        "{}",
        ran.stdout
    );
    assert_eq!(repo.findings(), ["fast: unchanged", "plain: unchanged"]);

    repo.policy(&rule("0.6"));
    repo.commit("a rule that is kept");
    repo.commit("next");
    repo.benchgate(&["check", "--pairs", "8"]).expect(0);

    // A rule about a benchmark that is not there is no rule that is kept.
    repo.policy(&rule("0.6").replace("plain", "gone"));
    repo.commit("a rule about nothing");
    repo.commit("next");
    repo.benchgate(&["check", "--pairs", "8"]).expect(101);
}

#[test]
fn the_first_commit_has_no_base_and_says_so() {
    let repo = Repo::new(&["a|1000|"]);
    let ran = repo.benchgate(&["check"]).expect(2);
    assert!(ran.stderr.contains("is the first commit of this repository"), "{}", ran.stderr);
    assert!(ran.stderr.contains("help: commit a change"), "{}", ran.stderr);
    // The same commit on both sides is fine.
    repo.benchgate(&["check", "--base", "HEAD", "--pairs", "8"]).expect(0);
}

#[test]
fn a_shallow_clone_says_how_to_get_the_history() {
    let repo = Repo::new(&["a|1000|"]);
    repo.commit("second");
    let clone = repo.outside("shallow");
    let url = format!("file://{}", repo.path("").display());
    repo.git(&["clone", "--quiet", "--depth=1", &url, &clone.to_string_lossy()]);
    let done = repo.command(&["check"]).current_dir(&clone).output().unwrap();
    let stderr = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("this checkout is shallow: fetch the history"), "{stderr}");
}

#[test]
fn a_report_is_the_same_when_it_is_made_again_from_the_result() {
    let repo = Repo::new(&AB);
    repo.suite("speed", &["decode/large|1200|", AB[1]]);
    repo.commit("slower");
    repo.benchgate(&["check", "--pairs", "8"]).expect(100);
    let path = repo.path("target/benchgate/result.json");
    let path = path.to_string_lossy();
    let markdown = repo.benchgate(&["report", &path, "--format", "markdown"]).expect(0).stdout;
    let written = std::fs::read_to_string(repo.path("target/benchgate/report.md")).unwrap();
    assert_eq!(markdown, written);
    let json = repo.benchgate(&["report", &path, "--format", "json"]).expect(0).stdout;
    assert_eq!(json, std::fs::read_to_string(repo.path("target/benchgate/result.json")).unwrap());
}

#[test]
fn a_result_of_another_version_is_refused_by_name() {
    let repo = Repo::empty();
    repo.write("r.json", r#"{"schema":"benchgate.result/9","verdict":"pass"}"#);
    let ran = repo.benchgate(&["report", "r.json"]).expect(101);
    assert!(ran.stderr.contains("r.json: `schema`: `benchgate.result/9` is not"), "{}", ran.stderr);
}

#[test]
fn ctrl_c_leaves_no_worktree_no_process_and_no_half_written_file() {
    use std::process::Stdio;
    let repo = Repo::new(&["a|10|hangs"]);
    repo.commit("second");
    let mut command = repo.command(&["check"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    // The fake logs itself before it hangs.
    while repo.log().is_empty() {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it was interrupted");
        std::thread::yield_now();
    }
    let executable = repo.log()[0].0.clone();
    let id = child.id().to_string();
    std::process::Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(101));
    assert_eq!(repo.git(&["worktree", "list"]).lines().count(), 1);
    let cache: Vec<_> = walk(&repo.outside("cache"));
    assert!(cache.iter().all(|path| path.ends_with("lock")), "{cache:?}");
    assert!(!repo.path("target/benchgate/result.json").exists());
    assert!(!repo.path("target/benchgate/run/round").exists());
    let alive: Vec<_> = std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| std::fs::read_link(entry.ok()?.path().join("exe")).ok())
        .filter(|exe| exe.to_string_lossy() == executable)
        .collect();
    assert!(alive.is_empty(), "{alive:?}");
}

#[test]
fn a_second_run_on_one_repository_waits_for_nobody_and_says_so() {
    let repo = Repo::new(&["a|10|hangs"]);
    repo.commit("second");
    let mut first = repo
        .command(&["check"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    while repo.log().is_empty() {
        assert!(first.try_wait().unwrap().is_none());
        std::thread::yield_now();
    }
    let ran = repo.benchgate(&["check"]).expect(101);
    assert!(ran.stderr.contains("another benchgate run is at work"), "{}", ran.stderr);
    std::process::Command::new("kill").args(["-TERM", &first.id().to_string()]).status().unwrap();
    first.wait().unwrap();
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return found };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(walk(&path)) } else { found.push(path) }
    }
    found
}
