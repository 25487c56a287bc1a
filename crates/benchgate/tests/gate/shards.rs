//! A run that is shared out: every shard builds and measures its own suites, and `merge` makes one result.

use std::path::PathBuf;

use serde_json::Value;

use crate::support::{Ran, Repo, json};

/// A fixed seed: the head of `slow` is slower by half, whatever is drawn.
const SEED: [&str; 2] = ["--seed", "5"];

/// Three suites; the second commit makes a benchmark of one of them slower.
fn repo() -> Repo {
    let repo = Repo::empty();
    repo.suite("alpha", &["a|1000|", "shared|500|"]);
    repo.suite("beta", &["slow|1000|", "b|1000|"]);
    repo.suite("gamma", &["c|1000|"]);
    let rule = "benchmark = \"shared\"\nof = \"a\"\nshare = 0.9\nreason = \"half\"\n";
    repo.policy(&format!("[[rule]]\n{rule}"));
    repo.commit("first");
    repo.suite("beta", &["slow|1500|", "b|1000|"]);
    repo.commit("slower");
    repo
}

/// Runs one shard of a run and returns its result.
fn shard(repo: &Repo, number: u32, of: u32, name: &str) -> PathBuf {
    let folder = repo.outside(&format!("{name}{number}"));
    let (shard, output) = (format!("{number}/{of}"), folder.display().to_string());
    let ran =
        repo.benchgate(&[&["check", "--shard", &shard, "--output", &output], &SEED[..]].concat());
    assert!([0, 100].contains(&ran.code), "{}{}", ran.stdout, ran.stderr);
    folder.join("result.json")
}

/// Runs the shards of a run, one after the other, and returns their results.
fn shards(repo: &Repo, of: u32, name: &str) -> Vec<PathBuf> {
    (1..=of).map(|number| shard(repo, number, of, name)).collect()
}

fn merge(repo: &Repo, results: &[PathBuf]) -> Ran {
    let mut command = repo.command(&["merge"]);
    command.args(results);
    Ran::of(command)
}

/// `id: finding`, from a result.
fn findings(result: &Value) -> Vec<String> {
    let of = |b: &Value| format!("{} {}", b["id"], b["finding"]).replace('"', "");
    result["benchmarks"].as_array().unwrap().iter().map(of).collect()
}

#[test]
fn merged_shards_find_what_one_run_finds() {
    let repo = repo();
    let results = shards(&repo, 4, "shard");
    let parts: Vec<Value> = results.iter().map(|path| json(path)).collect();
    let measured: Vec<Vec<String>> = parts.iter().map(findings).collect();
    assert_eq!(measured[3], Vec::<String>::new(), "a shard without suites is explicit");
    assert_eq!(parts[3]["verdict"], "pass");
    assert_eq!(parts[0]["false_alarm"], 0.0025);
    let ran = merge(&repo, &results).expect(100);
    let merged = repo.result();
    assert!(ran.stdout.contains("slow"), "{}", ran.stdout);
    assert_eq!(merged["shard"], Value::Null);
    assert_eq!(merged["rules"][0]["state"], "satisfied");
    assert_eq!(findings(&merged), measured.concat_sorted());
    // By how long each suite took the next run is shared out.
    let suites = merged["measured"].as_array().unwrap();
    assert_eq!(suites.len(), 3, "{suites:?}");
    assert!(suites.iter().all(|suite| suite["seconds"].as_f64() > Some(0.0)), "{suites:?}");
    // The merged result is a result like any other.
    let path = repo.path("target/benchgate/result.json").display().to_string();
    let again = repo.benchgate(&["report", &path, "--format", "json"]).expect(0);
    assert_eq!(serde_json::from_str::<Value>(&again.stdout).unwrap(), merged);
    repo.benchgate(&[&["check"], &SEED[..]].concat()).expect(100);
    assert_eq!(findings(&repo.result()), findings(&merged));
}

trait Sorted {
    fn concat_sorted(&self) -> Vec<String>;
}

impl Sorted for Vec<Vec<String>> {
    /// In the order of a result: by suite, and here the ids are in the order of the suites.
    fn concat_sorted(&self) -> Vec<String> {
        let order = ["a ", "shared ", "b ", "slow ", "c "];
        let mut all = self.concat();
        all.sort_by_key(|line| order.iter().position(|id| line.starts_with(id)));
        all
    }
}

/// One long suite, of which the second commit makes `slow` slower and removes `old`.
fn long_suite() -> Repo {
    let repo = Repo::empty();
    let fast = ["a|1000|", "b|1000|", "c|1000|", "d|1000|", "e|1000|"];
    repo.suite("long", &[&fast[..], &["slow|1000|", "old|1000|"]].concat());
    let rule = "benchmark = \"a\"\nof = \"e\"\nshare = 1.5\nreason = \"alike\"\n";
    repo.policy(&format!("[[rule]]\n{rule}"));
    repo.commit("first");
    repo.suite("long", &[&fast[..], &["slow|1500|", "new|1000|"]].concat());
    repo.commit("slower");
    repo
}

#[test]
fn a_long_suite_is_measured_by_several_shards_each_benchmark_by_one() {
    let repo = long_suite();
    repo.benchgate(&[&["check"], &SEED[..]].concat()).expect(100);
    let mut whole = repo.result();
    // As if measuring took long, and building did not.
    whole["seconds"] = serde_json::json!({ "build": 1.0, "measure": 100.0 });
    whole["measured"][0]["seconds"] = 100.0.into();
    let durations = repo.outside("durations.json");
    std::fs::write(&durations, whole.to_string()).unwrap();
    let durations = durations.display().to_string();
    let with = |part: &str, output: &str| {
        let shard = ["check", "--shard", part, "--durations", &durations, "--output", output];
        repo.benchgate(&[&shard[..], &SEED[..]].concat())
    };
    let explained = ["check", "--shard", "1/2", "--durations", &durations, "--explain-affected"];
    let explained = repo.benchgate(&explained).expect(0).stdout;
    assert!(explained.contains("long (shards 1, 2): "), "{explained}");
    let parts = ["1/2", "2/2"].map(|part| {
        let folder = repo.outside(&part.replace('/', "of"));
        let ran = with(part, &folder.display().to_string());
        assert!([0, 100, 101].contains(&ran.code), "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.contains("of it"), "what others measure is said: {}", ran.stdout);
        folder.join("result.json")
    });
    let own = parts.each_ref().map(|path| findings(&json(path)));
    assert!(own.iter().all(|own| own.len() >= 2), "{own:?}");
    merge(&repo, &parts).expect(100);
    assert_eq!(findings(&repo.result()), findings(&whole));
    // What a rule compares goes to another shard together.
    let state = |result: &Value| result["rules"][0]["state"].as_str().unwrap().to_owned();
    let mut states = parts.each_ref().map(|path| state(&json(path)));
    states.sort();
    assert_eq!(states, ["satisfied", "skipped"]);
    assert_eq!(state(&repo.result()), "satisfied");
    // A benchmark that neither has, though the first left it to the second.
    let mut lost = json(&parts[0]);
    let left = lost["shard"]["left"].as_array().unwrap().len();
    assert_eq!(left, own[1].len());
    lost["benchmarks"] = Value::Array(Vec::new());
    std::fs::write(&parts[0], lost.to_string()).unwrap();
    let refused = merge(&repo, &parts).expect(101);
    assert!(refused.stderr.contains("it was changed after it was written"), "{}", refused.stderr);
}

#[test]
fn a_shard_builds_its_own_suites_alone_and_says_which() {
    let repo = repo();
    let explained = repo.benchgate(&["check", "--shard", "1/3", "--explain-affected"]).expect(0);
    insta::assert_snapshot!(explained.stdout);
    // Stores of several machines would make them plan differently.
    let way = "  read: by names: shards plan alike, whatever each machine observed\n";
    assert_eq!(explained.stderr.matches(way).count(), 3, "{}", explained.stderr);
    let ran = repo.benchgate(&[&["check", "--shard", "3/3"], &SEED[..]].concat()).expect(0);
    assert!(ran.stdout.contains("this is shard 3/3"), "{}", ran.stdout);
    let result = repo.result();
    let skipped: Vec<String> = result["suites"]
        .as_array()
        .unwrap()
        .iter()
        .map(|suite| format!("{}: {}", suite["suite"], suite["skip"]).replace('"', ""))
        .collect();
    assert_eq!(skipped, ["alpha: other-shard", "beta: other-shard"]);
    assert_eq!(findings(&result), ["c unchanged"]);
}

#[test]
fn shards_that_are_lost_doubled_tampered_with_or_of_another_run_are_refused() {
    let repo = repo();
    let two = shards(&repo, 2, "two");
    let text = std::fs::read_to_string(&two[1]).unwrap();
    let of_three = shard(&repo, 3, 3, "three");
    repo.suite("gamma", &["c|1100|"]);
    let of_other = shard(&repo, 2, 2, "dirty");
    let file = |name: &str, text: &str| {
        let path = repo.outside(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let (one, good) = (two[0].clone(), two[1].clone());
    let table: String = [
        ("lost", vec![one.clone()]),
        ("not there", vec![one.clone(), repo.outside("no.json")]),
        ("doubled", vec![one.clone(), one.clone()]),
        ("truncated", vec![one.clone(), file("short.json", &text[..20])]),
        ("empty", vec![one.clone(), file("empty.json", "")]),
        ("a value changed", vec![one.clone(), file("value.json", &text.replacen("1.0", "1.5", 1))]),
        (
            "a number changed",
            vec![
                one.clone(),
                file("two.json", &text.replacen("\"number\": 2", "\"number\": 1", 1)),
            ],
        ),
        ("of another number of shards", vec![one.clone(), of_three.clone()]),
        ("of another working tree", vec![one.clone(), of_other.clone()]),
        (
            "a whole run",
            vec![one.clone(), {
                repo.benchgate(&[&["check", "--suite", "gamma"], &SEED[..]].concat());
                repo.path("target/benchgate/result.json")
            }],
        ),
        ("one too many", vec![one, good, of_three.clone()]),
    ]
    .iter()
    .map(|(what, results)| {
        let ran = merge(&repo, results).expect(101);
        format!("{what}: {}", ran.stderr)
    })
    .collect();
    let table = table.replace(&repo.outside("").display().to_string(), "");
    insta::assert_snapshot!(without_digests(&table));
}

/// Commits and digests change with every run of the test.
fn without_digests(text: &str) -> String {
    let is_hex = |c: char| c.is_ascii_hexdigit();
    let mut shown = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_hex) {
        let (before, from) = rest.split_at(start);
        let (run, after) = from.split_at(from.find(|c| !is_hex(c)).unwrap_or(from.len()));
        shown += before;
        shown += if run.len() >= 40 { "…" } else { run };
        rest = after;
    }
    shown + rest
}
