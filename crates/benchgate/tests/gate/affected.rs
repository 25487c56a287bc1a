//! Suites that no change can reach are not built. `bench` is built from `library`, and `other` from nothing else.

use crate::support::Repo;

const FAKE: &str = include_str!("../fake/criterion.rs");

/// Two packages with a suite each, and a library that one of them is built from.
fn repo() -> Repo {
    let repo = Repo::empty();
    std::fs::remove_file(repo.path("src/lib.rs")).unwrap();
    repo.write(
        "Cargo.toml",
        "[workspace]\nmembers = [\"bench\", \"library\", \"other\"]\nresolver = \"3\"\n\n\
         [profile.bench]\nopt-level = 0\n",
    );
    for (name, needs) in [("bench", "library = { path = \"../library\" }"), ("other", "")] {
        package(&repo, name, &format!("[dependencies]\n{needs}\n"));
        repo.write(&format!("{name}/benches/speed/main.rs"), FAKE);
        repo.write(&format!("{name}/benches/speed/speeds.txt"), &format!("{name}|1000|"));
        let manifest = std::fs::read_to_string(repo.path(&format!("{name}/Cargo.toml"))).unwrap();
        let bench = "[[bench]]\nname = \"speed\"\nharness = false\n";
        repo.write(&format!("{name}/Cargo.toml"), &(manifest + bench));
    }
    package(&repo, "library", "");
    repo.write("README.md", "words");
    repo.write("library/README.md", "words");
    repo.commit("first");
    repo
}

fn package(repo: &Repo, name: &str, more: &str) {
    let manifest =
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n{more}");
    repo.write(&format!("{name}/Cargo.toml"), &manifest);
    repo.write(&format!("{name}/src/lib.rs"), "");
}

/// `package: finding` of every suite that has one as a whole.
fn suites(repo: &Repo) -> Vec<String> {
    let result = repo.result();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let suites = result["suites"].as_array().unwrap();
    suites.iter().map(|s| format!("{}: {}", text(&s["package"]), text(&s["finding"]))).collect()
}

fn has_built(repo: &Repo) -> bool {
    repo.path("target/benchgate/build/head/release").exists()
}

#[test]
fn a_change_of_documentation_builds_nothing_and_is_green() {
    let repo = repo();
    let rule = "[[rule]]\nbenchmark = \"bench\"\nshare = 0.1\nof = \"other\"\nreason = \"violated before\"\n\
         [[override]]\nbenchmark = \"other\"\nnote = 3\n";
    repo.policy(rule);
    repo.commit("a rule");
    repo.write("README.md", "other words");
    repo.write("docs/page.md", "more words");
    repo.commit("words");
    let ran = repo.plain(&["check", "--filter", "oth*"]).expect(0);
    assert!(!has_built(&repo));
    assert_eq!(suites(&repo), ["bench: identical", "other: identical"]);
    let reason = "each of the suites bench.speed, other.speed is identical: nothing that it is built from changed";
    assert!(ran.stdout.contains(reason), "{}", ran.stdout);
    assert!(!ran.stdout.contains("matches no benchmark"), "{}", ran.stdout);
    assert_eq!(repo.result()["rules"][0]["state"], "skipped");
    // A newcomer, who wants to see a measurement, is offered one at once.
    assert!(ran.stderr.contains("help: `benchgate check --measure-identical`"), "{}", ran.stderr);
    // The result follows from itself.
    let path = repo.path("target/benchgate/result.json");
    repo.benchgate(&["report", path.to_str().unwrap()]).expect(0);

    let ran = repo.plain(&["check", "--explain-affected"]).expect(0);
    let untouched = "untouched: bench.speed: nothing that it is built from changed\n\
                     untouched: other.speed: nothing that it is built from changed\n";
    assert_eq!(ran.stdout, untouched);

    // Measured, the rule is exceeded as it was before.
    repo.plain(&["check", "--measure-identical", "--pairs", "8"]).expect(0);
    assert_eq!(repo.result()["rules"][0]["state"], "exceeded-before");
    assert!(has_built(&repo));
    assert_eq!(repo.findings(), ["bench: unchanged", "other: unchanged"]);
    assert!(suites(&repo).is_empty());
}

#[test]
fn a_change_of_a_library_reaches_the_suites_that_are_built_from_it() {
    let repo = repo();
    // Uncommitted changes count too.
    repo.write("library/src/lib.rs", "pub fn f() {}");
    let ran = repo.plain(&["check", "--pairs", "8"]).expect(0);
    assert_eq!(suites(&repo), ["other: identical"]);
    assert_eq!(repo.findings(), ["bench: identical"]);
    assert!(!ran.stderr.contains("--measure-identical"), "{}", ran.stderr);
    let ran = repo.plain(&["check", "--explain-affected"]).expect(0);
    let reached = "reached: bench.speed: `library/src/lib.rs` changed, in `library`\n";
    assert!(ran.stdout.starts_with(reached), "{}", ran.stdout);

    repo.commit("the library");
    repo.write("bench/benches/speed/speeds.txt", "bench|1500|");
    repo.write("bench/src/lib.rs", "// slower");
    repo.commit("slower");
    repo.plain(&["check", "--pairs", "8"]).expect(100);
    assert_eq!(repo.findings()[0], "bench: critical");
}

#[test]
fn what_every_build_depends_on_and_what_may_read_anything_reach_all_suites() {
    let repo = repo();
    let explained = || repo.plain(&["check", "--explain-affected"]).expect(0).stdout;
    repo.write("Cargo.lock", "version = 4\n");
    let said = explained();
    assert!(said.contains("reached: bench.speed: `Cargo.lock` changed"), "{said}");
    assert!(said.contains("reached: other.speed: `Cargo.lock` changed"), "{said}");
    repo.commit("a lock file");

    repo.write("library/build.rs", "fn main() {}");
    repo.commit("a build script");
    repo.write("README.md", "other words");
    let script = "reached: bench.speed: `README.md` changed, and the build script of `library` may read any file\n\
         untouched: other.speed: nothing that it is built from changed\n";
    assert_eq!(explained(), script);
    repo.commit("words");

    repo.write("other/src/lib.rs", "#![doc = include_str!(\"../../library/README.md\")]");
    repo.commit("a page");
    repo.write("library/README.md", "other words");
    let said = explained();
    assert!(
        said.contains("other.speed: `library/README.md` changed, which `other/src/lib.rs`"),
        "{said}"
    );
}
