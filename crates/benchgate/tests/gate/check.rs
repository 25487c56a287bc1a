//! `benchgate check` on real repositories, real builds and real processes; only the speeds are fake.

use crate::support::{Repo, running};

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
    assert_eq!(result["schema"], "benchgate.result/2");
    assert_eq!(result["base"]["commit"], repo.git(&["rev-parse", "HEAD^"]).trim());
    assert_eq!(result["head"]["commit"], repo.git(&["rev-parse", "HEAD"]).trim());
    // Six quiet pairs are enough.
    assert_eq!(result["benchmarks"][0]["pairs"], 6);
    assert_eq!(result["benchmarks"][0]["evidence"]["rounds"]["base"].as_array().unwrap().len(), 6);
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
fn every_round_has_a_fresh_absolute_home_of_one_length_on_both_sides_of_a_pair() {
    let repo = Repo::new(&AB);
    repo.commit("second");
    // A stale result of a benchmark that is gone must not come back.
    repo.write("target/criterion/gone/new/benchmark.json", "{}");
    repo.benchgate(&["check", "--pairs", "8", "--seed", "1"]).expect(0);
    let log = repo.log();
    assert_eq!(log.len(), 2 * 2 * 6);
    assert!(log.iter().all(|(_, home, empty)| *empty && home.starts_with('/')), "{log:?}");
    let lengths: Vec<_> = log.iter().map(|(exe, home, _)| (exe.len(), home.len())).collect();
    assert!(lengths.chunks(2).all(|pair| pair[0] == pair[1]), "{lengths:?}");
    // Nuisance settings are drawn again for every pair.
    assert!(lengths.iter().any(|length| length != &lengths[0]), "{lengths:?}");
    let sides: Vec<_> = log.iter().map(|(exe, ..)| exe.contains("/bin/base/")).collect();
    // Within each pair both sides run, and the order changes between pairs.
    assert!(sides.chunks(2).all(|pair| pair[0] != pair[1]), "{sides:?}");
    assert!(sides.chunks(2).any(|pair| pair[0]) && sides.chunks(2).any(|pair| !pair[0]));
    // The same seed runs in the same order.
    std::fs::remove_file(repo.outside("log/rounds")).unwrap();
    repo.benchgate(&["check", "--pairs", "8", "--seed", "1"]).expect(0);
    let again: Vec<_> = repo.log().iter().map(|(exe, ..)| exe.contains("/bin/base/")).collect();
    assert_eq!(sides, again);
}

#[test]
fn a_policy_with_a_wrong_key_measures_nothing_and_names_the_line() {
    let repo = Repo::new(&["a|1000|"]);
    repo.policy("[thresholds]\nnote = 2\nwarnning = 5");
    repo.commit("policy");
    repo.commit("next");
    let ran = repo.benchgate(&["check"]).expect(2);
    assert!(
        ran.stderr.contains("benchgate.toml:3:1: unknown field `warnning`, expected one of `note`"),
        "{}",
        ran.stderr
    );
    assert!(repo.log().is_empty());
}

#[test]
fn a_rule_of_the_policy_is_red_when_it_is_violated_though_nothing_got_slower() {
    let repo = Repo::new(&["fast|600|", "plain|1300|"]);
    let rule = |share: &str| {
        format!(
            "[[rule]]\nbenchmark = \"fast\"\nshare = {share}\nof = \"plain\"\nreason = \"promised\""
        )
    };
    repo.policy(&rule("0.5"));
    repo.commit("a rule that is satisfied");
    repo.suite("speed", &["fast|600|", "plain|1000|"]);
    repo.commit("what it is a share of is faster");
    let ran = repo.benchgate(&["check", "--pairs", "15"]).expect(100);
    let words = "rule violated: fast is 0.600 of plain, at most 0.500; the base: 0.462 (promised)";
    assert!(ran.stdout.contains(words), "{}", ran.stdout);
    assert_eq!(repo.findings(), ["fast: unchanged", "plain: improved"]);

    // The next change did not exceed it.
    repo.commit("next");
    let ran = repo.benchgate(&["check", "--pairs", "8"]).expect(0);
    let words = "rule exceeded-before: fast is 0.600 of plain, at most 0.500; exceeded before this change: the base is \
                 0.600 (promised)";
    assert!(ran.stdout.contains(words), "{}", ran.stdout);
    assert!(ran.stdout.contains("A rule was exceeded before this change."), "{}", ran.stdout);
    assert_eq!(repo.findings(), ["fast: unchanged", "plain: unchanged"]);

    repo.policy(&rule("0.6"));
    repo.commit("a rule that is satisfied");
    repo.commit("next");
    repo.benchgate(&["check", "--pairs", "8"]).expect(0);

    // A rule about a benchmark that is not there is not satisfied.
    repo.policy(&rule("0.6").replace("plain", "gone"));
    repo.commit("a rule about nothing");
    repo.commit("next");
    repo.benchgate(&["check", "--pairs", "8"]).expect(101);
}

#[test]
fn a_report_is_the_same_when_it_is_made_again_from_the_result() {
    let repo = Repo::new(&AB);
    repo.suite("speed", &["decode/large|1200|", AB[1]]);
    repo.commit("slower");
    repo.benchgate(&["check", "--pairs", "8"]).expect(100);
    let path = repo.path("target/benchgate/result.json");
    let path = path.to_string_lossy();
    for (format, file) in
        [("markdown", "report.md"), ("html", "report.html"), ("json", "result.json")]
    {
        let made = repo.benchgate(&["report", &path, "--format", format]).expect(0).stdout;
        let written = repo.path(&format!("target/benchgate/{file}"));
        assert_eq!(made, std::fs::read_to_string(written).unwrap(), "{file}");
    }
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
    // The base that was built is whole, and kept for the next run.
    let whole = |path: &std::path::PathBuf| {
        let is_object = path.extension().is_some_and(|kind| kind == "o");
        is_object
            || ["lock", "executable", "record.json", "observed.json"]
                .iter()
                .any(|name| path.ends_with(name))
    };
    let cache: Vec<_> = walk(&repo.outside("cache"));
    assert!(cache.iter().all(whole), "{cache:?}");
    let kept = repo.benchgate(&["cache"]).expect(0).stdout;
    assert!(!kept.contains("cannot be read"), "{kept}");
    assert!(!repo.path("target/benchgate/run/round").exists());
    let alive: Vec<_> =
        running().into_iter().filter(|exe| exe.to_string_lossy() == executable).collect();
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

#[test]
fn a_benchmark_of_which_nothing_is_left_is_named() {
    let repo = Repo::new(&["a|1000|", "b|1000|"]);
    repo.suite("speed", &["a|0.1|", "b|500|"]);
    repo.commit("nothing is left of a");
    repo.benchgate(&["check"]).expect(0);
    assert_eq!(repo.findings(), ["a: improved", "b: improved"]);
    let words = "faster than a loop with a routine can be: `a` (0.100 ns);";
    let notices = repo.result()["notices"].to_string();
    assert!(notices.contains(words), "{notices}");
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
