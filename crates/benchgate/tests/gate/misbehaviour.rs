//! Whatever a benchmark does wrong, in every harness: it is failed by name with its last words, and the benchmarks
//! alongside it are measured.

use crate::fakes::{check, repo, write};
use crate::support::Repo;

/// Wrong in any harness.
const ANYWHERE: [&str; 7] = [
    "panics",
    "ends with 3",
    "hangs",
    "writes nothing",
    "prints garbage",
    "measures zero",
    "measures NaN",
];

/// Wrong where the benchmark says which benchmark a value is of.
const NAMED: [&str; 1] = ["measures another"];

/// Wrong where the benchmark prints or writes a list of values.
const LISTED: [&str; 1] = ["measures twice"];

/// Wrong where the benchmark writes a file.
const FILED: [&str; 3] = ["leaves an empty file", "leaves a link", "leaves a pipe"];

/// Wrong in Criterion: what it or a measurement of its own writes was not measured.
const CRITERION: [&str; 4] = [
    "reports an error",
    "measures a constant",
    "measures its measuring time",
    "measures hours at once",
];

/// A harness that measures in rounds.
struct Harness {
    name: &'static str,
    /// Wrong in it as in others, in addition to what is wrong anywhere.
    also: &'static [&'static [&'static str]],
    /// Wrong in it alone.
    alone: &'static [&'static str],
}

/// Every harness that measures in rounds. What one of them lacks, it has no way to do: a Criterion benchmark has a
/// folder of its own, divan prints the last part of a name, and the numbers of a command are the launcher's.
const HARNESSES: [Harness; 6] = [
    Harness {
        name: "led",
        also: &[&LISTED],
        alone: &[
            "measures no iteration",
            "reports time that did not pass",
            "reports less than the whole",
            "goes elsewhere",
        ],
    },
    Harness { name: "criterion", also: &[&NAMED, &FILED], alone: &CRITERION },
    Harness { name: "rounds", also: &[&NAMED, &LISTED], alone: &["counts", "forgets a metric"] },
    Harness { name: "divan", also: &[&LISTED], alone: &[] },
    Harness { name: "command", also: &[], alone: &[] },
    Harness { name: "jmh", also: &[&NAMED, &LISTED, &FILED], alone: &["writes an empty list"] },
];

#[test]
fn whatever_a_benchmark_does_wrong_is_failed_by_name_in_every_harness() {
    for Harness { name: harness, also, alone } in HARNESSES {
        let wrong: Vec<&str> =
            ANYWHERE.iter().chain(also.iter().copied().flatten()).chain(alone).copied().collect();
        let speeds = |behaves: bool| -> Vec<String> {
            let line = |id: &&str| format!("{id}|1000000|{}", if behaves { "" } else { id });
            wrong.iter().map(line).chain(["good|1000000|".to_owned()]).collect()
        };
        let lines = speeds(true);
        let repo = repo(harness, &lines.iter().map(String::as_str).collect::<Vec<_>>());
        let lines = speeds(false);
        write(&repo, harness, &lines.iter().map(String::as_str).collect::<Vec<_>>());
        repo.commit("broken");
        let ran = check(&repo).expect(101);
        let table = repo.failures(|b| format!("{} {}", b["id"], b["metric"]));
        assert_eq!(table.matches(": failed (").count(), wrong.len(), "{harness}:\n{table}");
        insta::assert_snapshot!(harness, table);
        for last_words in ["index 7 is out of bounds", "giving up"] {
            assert!(ran.stdout.contains(last_words), "{harness}: {}", ran.stdout);
        }
    }
}

/// A count of zero is valid, and `less than nothing` is what a time of zero is elsewhere.
#[test]
fn a_suite_that_counts_wrongly_fails_as_a_whole_in_whichever_way() {
    let line = r#"{"schema":"benchgate.counts/1","id":"a","metric":"size.bytes","unit":"bytes","value":7}"#;
    let print = |line: &str| format!("echo '{line}'\n");
    let wrong = [
        (ANYWHERE[0], "kill -ABRT $$\n".to_owned()),
        (ANYWHERE[1], "echo giving up >&2\nexit 3\n".to_owned()),
        (ANYWHERE[2], "exec sleep 1000\n".to_owned()),
        (ANYWHERE[3], "true\n".to_owned()),
        (ANYWHERE[4], print("{{")),
        ("measures less than nothing", print(&line.replace('7', "-7"))),
        (ANYWHERE[6], print(&line.replace(":7", ":NaN"))),
        (LISTED[0], print(line).repeat(2)),
        ("measures a time", print(&line.replace("size.bytes", "time").replace("\"bytes", "\"ns"))),
    ];
    let repo = Repo::new(&["untouched|1000|"]);
    let mut policy = "[measure]\ntimeout = \"5s\"\n".to_owned();
    for (behaviour, _) in &wrong {
        let name = behaviour.replace(' ', "-");
        policy += &format!(
            "[[suite]]\nname = \"{name}\"\nharness = \"counts\"\nrun = [\"sh\", \"{name}.sh\"]\n"
        );
        repo.write(&format!("{name}.sh"), &print(line));
    }
    repo.policy(&policy);
    repo.commit("suites");
    for (behaviour, script) in &wrong {
        repo.write(&format!("{}.sh", behaviour.replace(' ', "-")), script);
    }
    repo.commit("broken");
    check(&repo).expect(101);
    assert_eq!(repo.findings(), ["untouched: unchanged"]);
    let result = repo.result();
    let table: String = result["suites"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| format!("{}: {} ({})\n", s["suite"], s["finding"], s["reason"]).replace('"', ""))
        .collect();
    insta::assert_snapshot!("counts", table);
}
