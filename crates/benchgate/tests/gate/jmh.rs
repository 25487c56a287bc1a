//! The harness `jmh` with a stand-in for `java` of known speeds, and with a real one where there is one.

use crate::fakes::{self, findings};
use crate::support::Repo;

/// A repository with a suite `fake`, whose speeds are lines of `name|nanoseconds|bytes|behaviour`.
fn repo(more: &str, speeds: &[&str]) -> Repo {
    let repo = fakes::java(more);
    write(&repo, speeds);
    repo.commit("a suite");
    repo
}

fn write(repo: &Repo, speeds: &[&str]) {
    repo.write("speeds.txt", &format!("{}\n", speeds.join("\n")));
}

const CHECK: [&str; 3] = ["check", "--pairs", "8"];

#[test]
fn the_same_speeds_are_unchanged_and_twelve_percent_or_more_bytes_are_critical() {
    let repo = repo("", &["p.A.encode|1000|0|", "p.A.decode|2000|2448|"]);
    repo.commit("nothing");
    repo.benchgate(&CHECK).expect(0);
    let unchanged = [
        "p.A.decode time: unchanged",
        "p.A.decode alloc.bytes: unchanged",
        "p.A.encode time: unchanged",
        "p.A.encode alloc.bytes: unchanged",
    ];
    assert_eq!(findings(&repo), unchanged);
    let result = repo.result();
    assert_eq!(result["toolchain"]["runtimes"][0], "OpenJDK Fake VM (build 17.0.0-fake)");
    let values: Vec<(f64, f64)> = result["benchmarks"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|b| b["suite"] == "fake")
        .map(|b| (b["base"].as_f64().unwrap(), b["head"].as_f64().unwrap()))
        .collect();
    assert_eq!(values, [(2000.0, 2000.0), (2448.0, 2448.0), (1000.0, 1000.0), (0.0, 0.0)]);
    assert_eq!(result["benchmarks"][1]["reason"], "2448 bytes, the same in 6 rounds of both sides");

    write(&repo, &["p.A.encode|1120|24|", "p.A.decode|2000|2800|"]);
    repo.commit("slower");
    repo.benchgate(&CHECK).expect(100);
    let critical = [
        "p.A.decode time: unchanged",
        "p.A.decode alloc.bytes: critical",
        "p.A.encode time: critical",
        "p.A.encode alloc.bytes: critical",
    ];
    assert_eq!(findings(&repo), critical);
    // The same file is judged again.
    repo.benchgate(&["compare", "target/benchgate/result.json"]).expect(100);
}

#[test]
fn a_round_is_one_fork_of_one_benchmark_with_its_parameters() {
    let repo = repo("", &["p.A.sized|1000|16|", "  param \"size\" = {1, 20}"]);
    repo.commit("nothing");
    repo.benchgate(&CHECK).expect(0);
    let of_time: Vec<String> =
        findings(&repo).into_iter().filter(|finding| finding.contains("time")).collect();
    assert_eq!(of_time, ["p.A.sized/size=1 time: unchanged", "p.A.sized/size=20 time: unchanged"]);
    let log = std::fs::read_to_string(repo.outside("log/rounds.java")).unwrap();
    let first = log.lines().next().unwrap();
    let (options, rest) = first.split_once(" -rff ").unwrap();
    let size = if rest.contains("size=20") { "20" } else { "1" };
    insta::assert_snapshot!(options);
    assert!(rest.ends_with(&format!(r" -p size={size} ^\Qp.A.sized\E$")), "{rest}");
    assert_eq!(log.lines().count(), 2 * 2 * 6, "two benchmarks, two sides, six pairs");
}

#[test]
fn a_comment_is_identical_and_other_code_is_measured() {
    let repo = repo("", &["p.A.a|1000|0|"]);
    repo.write("A.java", "// more words\nclass A {}\n");
    repo.commit("a comment");
    repo.plain(&CHECK).expect(0);
    assert_eq!(findings(&repo), ["p.A.a time: identical"]);
    repo.write("A.java", "class A { int b; }\n");
    repo.commit("code");
    repo.plain(&CHECK).expect(0);
    assert_eq!(findings(&repo), ["p.A.a time: unchanged", "p.A.a alloc.bytes: unchanged"]);
}

#[test]
fn a_suite_without_its_jar_or_without_benchmarks_has_failed() {
    for (build, reason, output) in [
        ("true", "head: `-lp`: it ended with exit status: 1", "Unable to access jarfile"),
        (
            "mkdir -p target && touch target/b.jar && : >speeds.txt",
            "head: `-lp`: it lists no benchmark",
            "",
        ),
    ] {
        let repo = repo("", &["p.A.a|1000|0|"]);
        repo.write("build.sh", build);
        repo.commit("broken");
        repo.benchgate(&CHECK).expect(101);
        let suite = repo.result()["suites"][0].clone();
        assert_eq!((&suite["finding"], &suite["reason"]), (&"failed".into(), &reason.into()));
        assert!(suite["output"].as_str().unwrap_or_default().contains(output), "{suite}");
    }
}

#[test]
fn a_suite_whose_program_is_not_installed_is_skipped_by_name() {
    let needs = "needs = [\"sh\", \"no-such-jdk\"]\n[[rule]]\npackage = \"java\"\nbenchmark = \"p.A.a\"\n\
                 budget = \"1ns\"\nreason = \"r\"\n";
    let repo = repo(needs, &["p.A.a|1000|0|"]);
    repo.commit("nothing");
    let ran = repo.benchgate(&CHECK).expect(0);
    let suite = repo.result()["suites"][0].clone();
    assert_eq!((&suite["finding"], &suite["skip"]), (&"skipped".into(), &"not-installed".into()));
    let reason = "it needs `no-such-jdk`, which is not on PATH: it is not built";
    assert_eq!(suite["reason"], reason);
    assert_eq!(repo.result()["rules"][0]["state"], "skipped");
    assert!(ran.stdout.contains("no-such-jdk"), "{}", ran.stdout);
}

#[test]
fn a_suite_apart_is_measured_only_when_it_is_named() {
    let repo = repo("apart = true\n", &["p.A.a|1000|0|"]);
    repo.commit("nothing");
    repo.benchgate(&CHECK).expect(0);
    assert_eq!(repo.findings(), ["untouched: unchanged"]);
    let suite = repo.result()["suites"][0].clone();
    assert_eq!((&suite["finding"], &suite["skip"]), (&"skipped".into(), &"apart".into()));
    // No shard is left empty for it.
    let parts = ["--shard", "1/2", "--explain-affected"];
    let shown = repo.benchgate(&[&CHECK[..], &parts].concat()).expect(0).stdout;
    insta::assert_snapshot!(shown);
    for glob in ["java/*", "java/fake", "fake"] {
        repo.benchgate(&[&CHECK[..], &["--suite", glob]].concat()).expect(0);
        assert_eq!(repo.findings(), ["p.A.a: unchanged", "p.A.a: unchanged"], "{glob}");
    }
}

#[test]
fn files_of_jmh_are_compared() {
    let repo = Repo::new(&["a|10|"]);
    let file = |ns: [f64; 6]| {
        format!(
            r#"[{{"benchmark":"p.A.a","mode":"thrpt","params":{{"size":"1"}},"primaryMetric":{{
            "score":1,"scoreError":"NaN","scoreUnit":"ops/us",
            "rawData":{:?}}}}}]"#,
            ns.map(|ns| vec![1e3 / ns])
        )
    };
    repo.write("base.json", &file([100.0, 101.0, 100.5, 99.5, 100.2, 99.8]));
    repo.write("head.json", &file([150.0, 151.0, 150.5, 149.5, 150.2, 149.8]));
    let ran = repo.benchgate(&["compare", "base.json", "head.json"]).expect(100);
    assert!(ran.stdout.contains("p.A.a/size=1"), "{}", ran.stdout);
    repo.benchgate(&["compare", "base.json", "base.json"]).expect(0);
    repo.write("empty.json", "[ ]\n");
    let ran = repo.benchgate(&["compare", "base.json", "empty.json"]).expect(101);
    assert!(ran.stderr.contains("empty.json: the list is empty"), "{}", ran.stderr);
}

/// The jar of `benches/java`, where it was built and something runs it.
fn real_jar() -> Option<String> {
    let jar = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/java/robobuffers/benchmarks.jar");
    let has_java = std::process::Command::new("java").arg("-version").output().is_ok();
    let jar = std::fs::canonicalize(jar).ok().filter(|_| has_java)?;
    Some(jar.display().to_string())
}

#[test]
fn a_real_virtual_machine_is_measured_where_there_is_one() {
    let Some(jar) = real_jar() else {
        eprintln!("skipped: no `java` on PATH, or benches/java is not built (mvn package)");
        return;
    };
    let repo = Repo::new(&["untouched|1000|"]);
    // As short as it goes: what is asked is whether JMH and the harness understand each other.
    let short = r#""-wi", "1", "-w", "10ms", "-i", "2", "-r", "10ms""#;
    repo.policy(&format!(
        "[[suite]]\nname = \"real\"\npackage = \"java\"\nharness = \"jmh\"\n\
         run = [\"java\", \"-Djmh.ignoreLock=true\", \"-jar\", \"{jar}\", {short}]\n\
         sandbox = {{ read = [\"{jar}\"] }}\n"
    ));
    repo.commit("a real jar");
    repo.commit("nothing");
    let id = "robobuffers.Sbe.carDecodeQuickbuf";
    let arguments = ["--filter", id, "--suite", "java/*"];
    let ran = repo.benchgate(&[&["check", "--pairs", "6"], &arguments[..]].concat());
    // The values are real, so the findings depend on the machine; that there are values does not.
    assert!([0, 100, 102].contains(&ran.code), "{}{}", ran.stdout, ran.stderr);
    let result = repo.result();
    let measured = |metric: &str| {
        let benchmarks = result["benchmarks"].as_array().unwrap();
        let found = benchmarks.iter().find(|b| b["id"] == id && b["metric"] == metric);
        found.and_then(|b| b["head"].as_f64()).unwrap()
    };
    assert!(measured("time") > 0.0);
    assert!(measured("alloc.bytes") < 1e6);
    assert!(result["toolchain"]["runtimes"][0].as_str().unwrap().contains("build "), "{result}");
}
