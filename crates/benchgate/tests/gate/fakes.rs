//! A repository with a suite of any harness, which has known speeds and measures nothing.

use std::os::unix::fs::PermissionsExt as _;

use crate::support::{Ran, Repo};

const TIMEOUT: &str = "[measure]\ntimeout = \"5s\"\n";

/// A repository with a suite `fake` of this harness, whose speeds are lines of `id|nanoseconds|behaviour`.
pub(crate) fn repo(harness: &str, speeds: &[&str]) -> Repo {
    let repo = if harness == "jmh" { java("") } else { Repo::new(&["untouched|1000|"]) };
    if harness == "command" {
        let arguments: String = speeds
            .iter()
            .filter_map(|line| line.split_once('|'))
            .map(|(id, _)| format!("\"{id}\" = [\"{id}\"]\n"))
            .collect();
        repo.policy(&format!(
            "{TIMEOUT}[[suite]]\nname = \"fake\"\nharness = \"command\"\nrun = [\"true\"]\n\
             [suite.arguments]\n{arguments}"
        ));
    } else if harness != "jmh" {
        repo.policy(TIMEOUT);
    }
    write(&repo, harness, speeds);
    repo.commit("a suite");
    repo
}

/// Gives the suite other speeds.
pub(crate) fn write(repo: &Repo, harness: &str, speeds: &[&str]) {
    let of_command =
        |lines: Vec<String>| repo.write("speeds.txt", &format!("{}\n", lines.join("\n")));
    match harness {
        "rounds" => repo.fake("fake", include_str!("../fake/rounds.rs"), speeds),
        "divan" => repo.fake("fake", include_str!("../fake/divan.rs"), speeds),
        "criterion" => repo.fake("fake", include_str!("../fake/criterion.rs"), speeds),
        "led" => repo.fake("fake", include_str!("../fake/led.rs"), speeds),
        "command" => of_command(speeds.iter().map(ToString::to_string).collect()),
        "jmh" => of_command(speeds.iter().map(|line| method(line)).collect()),
        _ => unreachable!("no fake of {harness}"),
    }
}

/// A line of speeds as the fake of Java reads it: the name of a method, and no bytes allocated.
fn method(line: &str) -> String {
    let [id, ns, behaviour] = line.split('|').collect::<Vec<_>>()[..] else {
        panic!("not `id|nanoseconds|behaviour`: {line}");
    };
    format!("p.Fake.{}|{ns}|0|{behaviour}", id.replace(' ', "_"))
}

/// A repository with a suite `fake` of Java, whose build copies its source as a compiler makes a jar of it: comments
/// are not code. It has no `speeds.txt`, and nothing of it is committed.
pub(crate) fn java(more: &str) -> Repo {
    let repo = Repo::new(&["untouched|1000|"]);
    repo.policy(&format!(
        "{TIMEOUT}[[suite]]\nname = \"fake\"\npackage = \"java\"\nharness = \"jmh\"\n\
         build = [\"sh\", \"build.sh\"]\nrun = [\"./java.sh\", \"-jar\", \"target/b.jar\"]\n\
         files = [\"target/b.jar\"]\n{more}"
    ));
    repo.write("java.sh", include_str!("../fake/java.sh"));
    repo.write("build.sh", "mkdir -p target && grep -v '^//' A.java >target/b.jar\n");
    repo.write("A.java", "class A {}\n");
    repo.git(&["update-index", "--add", "--chmod=+x", "java.sh"]);
    may_run(&repo.path("java.sh"));
    repo
}

pub(crate) fn may_run(script: &std::path::Path) {
    std::fs::set_permissions(script, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// `benchgate check` with few pairs and a launcher that measures nothing.
pub(crate) fn check(repo: &Repo) -> Ran {
    check_with(repo, 8)
}

/// The same with this maximum of pairs.
pub(crate) fn check_with(repo: &Repo, pairs: u32) -> Ran {
    let launcher = repo.outside("launcher.sh");
    std::fs::write(&launcher, include_str!("../fake/launcher.sh")).unwrap();
    may_run(&launcher);
    let mut command = repo.command(&["check", "--pairs", &pairs.to_string()]);
    command.env("BENCHGATE_LAUNCHER", launcher);
    Ran::of(command)
}

/// `id metric: finding` of every benchmark of the suite.
pub(crate) fn findings(repo: &Repo) -> Vec<String> {
    let result = repo.result();
    let of_suite = result["benchmarks"].as_array().unwrap().iter().filter(|b| b["suite"] == "fake");
    of_suite
        .map(|b| format!("{} {}: {}", b["id"], b["metric"], b["finding"]).replace('"', ""))
        .collect()
}
