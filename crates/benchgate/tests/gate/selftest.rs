//! `benchgate selftest` on fake benches of known speeds; `scripts/test selftest` runs the canaries.

use serde_json::Value;

use crate::support::{Repo, json};

const AB: [&str; 2] = ["decode|1000|", "encode|50|"];

fn written(repo: &Repo) -> Value {
    json(&repo.path("target/benchgate/selftest.json"))
}

/// `id metric: finding` of every benchmark.
fn findings(selftest: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let benchmarks = selftest["benchmarks"].as_array().unwrap().iter();
    benchmarks
        .map(|b| format!("{} {}: {}", text(&b["id"]), text(&b["metric"]), text(&b["finding"])))
        .collect()
}

#[test]
fn copies_are_measured_and_unchanged_and_the_file_has_the_detectable_slowdown() {
    let repo = Repo::new(&AB);
    repo.allocations(&["fast|3|10|100|50"]);
    let ran = repo.benchgate(&["selftest", "--no-canaries", "--seed", "7"]).expect(0);
    let selftest = written(&repo);
    assert_eq!(selftest["schema"], "benchgate.selftest/1");
    assert_eq!(selftest["seed"], 7);
    assert_eq!(selftest["head"]["dirty"], true);
    assert_eq!(
        findings(&selftest),
        [
            "fast alloc.blocks: unchanged",
            "fast alloc.bytes: unchanged",
            "fast alloc.peak: unchanged",
            "decode time: unchanged",
            "encode time: unchanged",
        ]
    );
    for time in &selftest["benchmarks"].as_array().unwrap()[3..] {
        assert_eq!(time["pairs"], 10);
        // Without scatter: the note threshold is the minimum that is reported.
        assert_eq!(time["detectable"], 0.02);
        assert!(time["seconds"].as_f64().unwrap() > 0.0);
    }
    // A byte copy at a path of the same length, and both were run.
    let log = repo.log();
    assert_eq!(log.len(), 2 * 2 * 10);
    assert_eq!(log.iter().filter(|(exe, ..)| exe.contains("/bin/base/")).count(), 20);
    assert!(log.iter().all(|(exe, ..)| exe.len() == log[0].0.len()));
    let bytes = |side: &str| {
        std::fs::read(repo.path(&format!("target/benchgate/bin/{side}/parser.speed"))).unwrap()
    };
    assert!(bytes("base") == bytes("head"));
    let expected = "2 benchmarks compared with copies, 0 false alarms; smallest slowdown shown: \
                median 2.0 %, worst 2.0 % for `decode`, 2.0 % for `encode`";
    assert!(ran.stdout.contains(expected), "{}", ran.stdout);

    let doctor = repo.benchgate(&["doctor"]).expect(0);
    let day = &selftest["time"].as_str().unwrap()[..10];
    assert!(
        doctor.stdout.ends_with(&format!("selftest of {day}: {expected}\n")),
        "{}",
        doctor.stdout
    );
    repo.benchgate(&["check", "--base", "HEAD"]).expect(0);
    let notices = repo.result()["notices"].to_string();
    assert!(notices.contains(&format!("selftest of {day}: {expected}")), "{notices}");
    repo.write("target/benchgate/selftest.json", "{}");
    let doctor = repo.benchgate(&["doctor"]).expect(0);
    let expected = "target/benchgate/selftest.json: missing field `schema`";
    assert!(doctor.stdout.contains(expected), "{}", doctor.stdout);
}

#[test]
fn a_slowdown_of_the_same_code_is_a_false_alarm_and_no_regression() {
    let repo = Repo::new(&["decode|1000|slower in bin/head", AB[1]]);
    let ran = repo.benchgate(&["selftest", "--no-canaries"]).expect(101);
    assert_eq!(findings(&written(&repo)), ["decode time: critical", "encode time: unchanged"]);
    assert!(ran.stdout.contains("1 false alarm;"), "{}", ran.stdout);
    assert!(ran.stdout.contains("(critical above 10.0 %)"), "{}", ran.stdout);
}

#[test]
fn what_crashes_or_does_not_build_is_reported_and_not_a_pass() {
    let repo = Repo::new(&[AB[0], "encode|50|panics"]);
    let ran = repo.benchgate(&["selftest", "--no-canaries"]).expect(101);
    assert_eq!(findings(&written(&repo)), ["decode time: unchanged", "encode time: failed"]);
    assert!(ran.stdout.contains("encode: "), "{}", ran.stdout);
    repo.write("src/lib.rs", "fn broken( {");
    let ran = repo.benchgate(&["selftest", "--no-canaries"]).expect(101);
    assert!(ran.stdout.contains("cargo could not build"), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn what_was_left_out_or_cut_is_not_shown() {
    let repo = Repo::new(&AB);
    repo.benchgate(&["selftest", "--no-canaries", "--filter", "dec*"]).expect(0);
    assert_eq!(findings(&written(&repo)), ["decode time: unchanged", "encode time: skipped"]);
    repo.benchgate(&["selftest", "--no-canaries", "--filter", "no such"]).expect(101);
    let ran = repo.benchgate(&["selftest", "--no-canaries", "--budget", "1ms"]).expect(102);
    assert!(ran.stdout.contains("decode: there was no time left for it"), "{}", ran.stdout);
}

#[test]
fn canaries_that_cannot_be_fetched_are_not_run_and_say_so() {
    let repo = Repo::new(&AB);
    let mut command = repo.command(&["selftest", "--canaries-only"]);
    command.env("CARGO_HOME", repo.outside("home")).env("CARGO_NET_OFFLINE", "true");
    let done = command.output().unwrap();
    let stdout = String::from_utf8(done.stdout).unwrap();
    assert_eq!(done.status.code(), Some(101), "{stdout}");
    assert!(stdout.contains("not run: Criterion 0.8.2 could not be fetched"), "{stdout}");
    let selftest = written(&repo);
    assert_eq!(selftest["head"], Value::Null);
    let canaries = selftest["canaries"].as_array().unwrap();
    assert!(canaries.iter().all(|canary| canary["state"] == "failed"), "{canaries:?}");
    assert!(repo.log().is_empty());
}
