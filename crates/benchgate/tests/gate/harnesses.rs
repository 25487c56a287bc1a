//! Every harness with fakes of known speeds: what is the same passes, what is slower is red.

use crate::fakes::{check, findings, repo, write};
use crate::support::Repo;

#[test]
fn the_same_speeds_are_unchanged_and_twelve_percent_are_critical() {
    for (harness, metrics) in [
        ("criterion", &["time"][..]),
        ("rounds", &["time"]),
        ("divan", &["time"]),
        ("command", &["wall", "cpu", "memory.peak"]),
    ] {
        // Not the 2 ms of the warm-up: a harness that gives back what it was given measured nothing.
        let repo = repo(harness, &["a|1000000|", "b|2500000|"]);
        repo.commit("nothing");
        check(&repo).expect(0);
        let all = |finding: &dyn Fn(&str, &str) -> &'static str| {
            let of_id = |id| {
                metrics.iter().map(move |metric| format!("{id} {metric}: {}", finding(id, metric)))
            };
            [of_id("a").collect::<Vec<_>>(), of_id("b").collect()].concat()
        };
        assert_eq!(findings(&repo), all(&|_, _| "unchanged"), "{harness}");

        write(&repo, harness, &["a|1000000|", "b|2800000|"]);
        repo.commit("slower");
        check(&repo).expect(100);
        let slower = |id: &str, metric: &str| match (id, metric) {
            ("b", "time" | "wall" | "cpu") => "critical",
            _ => "unchanged",
        };
        assert_eq!(findings(&repo), all(&slower), "{harness}");
    }
}

#[test]
fn a_layout_that_is_not_ruled_out_matters_to_harnesses_of_code_that_cargo_links_alone() {
    for (harness, code) in [("rounds", 100), ("command", 100), ("divan", 102)] {
        let repo = repo(harness, &["b|2000000|"]);
        repo.edit_policy("layout-not-ruled-out = \"fail\"\n", "");
        repo.commit("what holds by default");
        write(&repo, harness, &["b|2240000|"]);
        repo.commit("slower");
        check(&repo).expect(code);
        let result = repo.result();
        let rows = result["benchmarks"].as_array().unwrap();
        let has_layouts = rows.iter().any(|row| row["evidence"].get("layouts").is_some());
        assert_eq!(has_layouts, harness == "divan", "{harness}");
        if harness != "command" {
            let notices = result["notices"].to_string();
            assert!(notices.contains("was not measured in other layouts"), "{notices}");
        }
    }
}

#[test]
fn a_benchmark_that_is_gone_is_missing() {
    for harness in ["criterion", "rounds", "divan"] {
        let repo = repo(harness, &["a|1000|", "b|2000|"]);
        write(&repo, harness, &["a|1000|"]);
        repo.commit("b is gone");
        check(&repo).expect(101);
        assert_eq!(findings(&repo), ["a time: unchanged", "b time: missing"], "{harness}");
    }
}

#[test]
fn a_suite_of_the_policy_may_be_criterions_or_divans() {
    for harness in ["criterion", "divan"] {
        let repo = Repo::new(&["untouched|1000|"]);
        repo.policy(&format!(
            "[[suite]]\nname = \"fake\"\nharness = \"{harness}\"\nbuild = [\"cargo\", \"build\"]\n\
             run = [\"./target/debug/fake\"]\n"
        ));
        let source = match harness {
            "criterion" => include_str!("../fake/criterion.rs"),
            _ => include_str!("../fake/divan.rs"),
        };
        repo.write("src/bin/fake/main.rs", source);
        repo.write("src/bin/fake/speeds.txt", "a|1000|\nb|2000|");
        repo.commit("a declared suite");
        repo.write("src/bin/fake/speeds.txt", "a|1000|\nb|2240|");
        repo.commit("slower");
        check(&repo).expect(100);
        assert_eq!(findings(&repo), ["a time: unchanged", "b time: critical"], "{harness}");
    }
}

#[test]
fn a_suite_that_lists_an_id_twice_fails_for_that_id_alone() {
    for harness in ["rounds", "divan"] {
        let repo = repo(harness, &["a|1000|", "b|2000|", "a|3000|"]);
        repo.commit("nothing");
        check(&repo).expect(101);
        assert_eq!(findings(&repo), ["a time: failed", "b time: unchanged"], "{harness}");
    }
}

#[test]
fn a_real_command_is_measured_with_its_exit_its_output_and_its_peak() {
    let repo = Repo::new(&["untouched|1000|"]);
    repo.policy(
        "[measure]\ntimeout = \"5s\"\n[[suite]]\nname = \"shell\"\nharness = \"command\"\n\
         run = [\"sh\", \"run.sh\"]\n[suite.arguments]\ngood = [\"good\"]\nfails = [\"fails\"]\n\
         killed = [\"killed\"]\nhangs = [\"hangs\"]\n\
         [[suite]]\nname = \"gone\"\nharness = \"command\"\nrun = [\"./no-such-tool\"]\n",
    );
    repo.write(
        "run.sh",
        "case $1 in\n  good) echo to nobody ;;\n  fails) echo giving up >&2; exit 3 ;;\n  \
         killed) kill -KILL $$ ;;\n  hangs) exec sleep 1000 ;;\nesac\n",
    );
    repo.commit("commands");
    repo.commit("nothing");
    repo.benchgate(&["check", "--pairs", "8"]).expect(101);
    let result = repo.result();
    let benchmarks = result["benchmarks"].as_array().unwrap();
    let failed: String = benchmarks
        .iter()
        .filter(|b| b["finding"] == "failed")
        .map(|b| {
            let side_and_reason = b["reason"].as_str().unwrap();
            let (_, reason) = side_and_reason.split_once(": ").unwrap();
            let reason = match reason.split_once("`/") {
                Some((start, rest)) => {
                    format!("{start}`[…]{}", &rest[rest.rfind("/no").unwrap()..])
                }
                None => reason.to_owned(),
            };
            format!("{} {}: {reason} | {}\n", b["suite"], b["id"], b["output"]).replace('"', "")
        })
        .collect();
    insta::assert_snapshot!(failed, @r"
    gone gone: cannot run `[…]/no-such-tool`: No such file or directory (os error 2) (round 1) | null
    shell fails: it ended with exit status: 3 (round 1) | giving up
    shell hangs: it was stopped after 5 s (round 1) | null
    shell killed: it ended with signal: 9 (SIGKILL) (round 1) | null
    ");
    let peak = benchmarks
        .iter()
        .find(|b| b["id"] == "good" && b["metric"] == "memory.peak")
        .and_then(|b| b["head"].as_f64())
        .unwrap();
    // A shell, and no part of the gate that started it: its result alone would be more.
    assert!((500e3..20e6).contains(&peak), "{peak}");
}

#[test]
fn the_example_of_the_documentation_is_measured() {
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/harnesses.md");
    let docs = std::fs::read_to_string(docs).unwrap();
    let block = |language: &str| {
        let start = docs.split_once(&format!("```{language}\n")).unwrap().1;
        start.split_once("```").unwrap().0.to_owned()
    };
    let repo = Repo::new(&["untouched|1000|"]);
    repo.policy(&block("toml"));
    repo.write("benches/tools.sh", &block("sh"));
    repo.commit("the example");
    repo.commit("nothing");
    // What it measures is real, so what is found depends on the machine; that it was measured does not.
    let ran = check(&repo);
    assert!([0, 100, 102].contains(&ran.code), "{}{}", ran.stdout, ran.stderr);
    let result = repo.result();
    let measured: Vec<String> = result["benchmarks"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|b| b["suite"] == "tools" && b["head"].as_f64().is_some_and(|ns| ns > 0.0))
        .map(|b| format!("{} {}", b["id"], b["metric"]).replace('"', ""))
        .collect();
    assert_eq!(measured, ["sort/1000 time", "sort/10000 time"]);
}

#[test]
fn a_slower_suite_whose_program_is_on_the_path_is_red_and_not_explained() {
    let repo = Repo::new(&["untouched|1000|"]);
    repo.policy(
        "[[suite]]\nname = \"tools\"\nharness = \"rounds\"\nrun = [\"sh\", \"benches/tools.sh\"]\nfiles = [\"benches/tools.sh\"]\n",
    );
    let program = |ns: u32| {
        let line = r#"{"schema":"benchgate.rounds/1","id":"sort""#;
        let measured = r#","metric":"time","unit":"ns","value":"#;
        format!(
            "case $1 in\n--list) echo '{line}}}' ;;\n--measure) echo '{line}{measured}{ns}'.$(date +%3N)'}}' ;;\nesac\n"
        )
    };
    repo.write("benches/tools.sh", &program(10_000));
    repo.commit("a script");
    repo.write("benches/tools.sh", &program(13_000));
    repo.commit("slower");
    let ran = check(&repo).expect(100);
    assert!(!ran.stdout.contains("the run is failed"), "{}", ran.stdout);
    assert!(ran.stdout.contains("its harness cannot run one iteration"), "{}", ran.stdout);
    let ran = repo.benchgate(&["explain"]).expect(101);
    assert!(
        ran.stdout.contains("its harness cannot run one iteration"),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
}

#[test]
fn a_command_is_left_out_of_a_baseline_by_name() {
    let repo = repo("command", &["a|1000|"]);
    let ran = repo.benchgate(&["baseline", "save", "--machine", "workshop"]).expect(0);
    let skipped =
        "skipped: parser.fake: a baseline has times; everything else is compared with the base";
    assert!(ran.stdout.contains(skipped), "{}", ran.stdout);
    assert!(repo.path("baselines/workshop/parser.speed.json").exists());
    assert!(!repo.path("baselines/workshop/parser.fake.json").exists());
}

#[test]
fn an_id_is_data_whatever_it_begins_with() {
    let ids = ["-1", "--besteffort", "-1234/x"];
    let lines =
        |slower: u32| ids.map(|id| format!("{id}|{}|", if id == "-1" { slower } else { 2000 }));
    let repo = repo("criterion", &lines(1000).each_ref().map(String::as_str));
    write(&repo, "criterion", &lines(1120).each_ref().map(String::as_str));
    repo.commit("slower");
    check(&repo).expect(100);
    let expected = ["--besteffort time: unchanged", "-1 time: critical", "-1234/x time: unchanged"];
    let mut found = findings(&repo);
    found.sort();
    assert_eq!(found, expected);
}

#[test]
fn a_dialect_is_asked_in_another_way() {
    let speeds = |harness, ns: u32| match harness {
        "criterion" => format!("a|{ns}|lists apart"),
        _ => format!("fake::a|{ns}|prints a tree"),
    };
    for harness in ["criterion", "divan"] {
        let repo = repo(harness, &[&speeds(harness, 1000)]);
        write(&repo, harness, &[&speeds(harness, 1120)]);
        repo.commit("slower");
        check(&repo).expect(100);
        assert!(
            findings(&repo)[0].ends_with("a time: critical"),
            "{harness}: {:?}",
            findings(&repo)
        );
    }
}

/// A bench target that is Criterion's by its file, and answers with what `body` does.
fn own(repo: &Repo, body: &str) {
    let source = format!(
        "fn main() {{\n    let asked: Vec<String> = std::env::args().collect();\n    \
         let has = |word: &str| asked.iter().any(|argument| argument == word);\n    \
         assert!(asked.iter().all(|argument| argument != \"--measurement-times\"));\n{body}}}\n"
    );
    repo.fake("own", &source, &[]);
}

/// The suite `own` in the last result: finding, why it was skipped, reason.
fn of_own(repo: &Repo) -> (String, String, String) {
    let result = repo.result();
    let suites = result["suites"].as_array().unwrap();
    let own =
        suites.iter().find(|suite| suite["suite"] == "own").unwrap_or(&serde_json::Value::Null);
    let text = |key: &str| own[key].as_str().unwrap_or_default().to_owned();
    (text("finding"), text("skip"), text("reason"))
}

/// As Criterion 0.5: no help, and a list of what is registered.
const REGISTERS: &str = "    if has(\"--help\") { std::process::exit(2); }\n    \
                         if has(\"--list\") && COUNT > 0 { println!(\"a: benchmark\"); }\n";

#[test]
fn a_suite_that_registers_nothing_on_both_sides_is_skipped_with_that_reason() {
    let repo = Repo::new(&["a|1000|"]);
    own(&repo, &REGISTERS.replace("COUNT", "0"));
    repo.commit("a group that returns at once");
    repo.commit("nothing");
    check(&repo).expect(0);
    let (finding, skip, reason) = of_own(&repo);
    assert_eq!((&*finding, &*skip), ("skipped", "no-benchmarks"));
    assert!(reason.starts_with("it registers no benchmark on this machine"), "{reason}");
    assert_eq!(repo.findings(), ["a: unchanged"]);

    // One that had benchmarks and has none now is not skipped.
    let repo = Repo::new(&["a|1000|"]);
    repo.suite("own", &["x|10|"]);
    repo.commit("a benchmark");
    own(&repo, &REGISTERS.replace("COUNT", "0"));
    repo.commit("none");
    check(&repo).expect(101);
    assert_eq!(repo.findings(), ["x: missing", "a: unchanged"]);
    assert_eq!(of_own(&repo).0, "");
}

#[test]
fn a_main_that_does_not_read_its_arguments_is_skipped_with_what_to_write() {
    let repo = Repo::new(&["a|1000|"]);
    own(
        &repo,
        "    let _ = has;\n    println!(\"b                       time:   [1.0 ns 1.1 ns 1.2 ns]\");\n",
    );
    repo.commit("a main of its own");
    repo.commit("nothing");
    check(&repo).expect(0);
    let (finding, skip, reason) = of_own(&repo);
    assert_eq!((&*finding, &*skip), ("skipped", "unknown-harness"));
    assert!(reason.contains("`Criterion::default().configure_from_args()`"), "{reason}");
}
