//! What a run of a suite takes in, and what it is compared with: nothing is green that was not the same.
//!
//! The table of what is known without a build is `crates/benchgate-core/src/affected/mutations.rs`.

use std::fs::File;

use crate::support::{Ran, Repo};

const FAKE: &str = include_str!("../fake/criterion.rs");

/// Expects the suite to be measured, and 50 % slower.
#[track_caller]
fn is_slower(repo: &Repo) -> Ran {
    let ran = repo.plain(&["check", "--pairs", "8"]).expect(100);
    assert_eq!(repo.findings(), ["a: critical"]);
    ran
}

#[track_caller]
fn is_identical(repo: &Repo) {
    repo.plain(&["check"]).expect(0);
    let findings = repo.findings();
    assert!(findings.iter().all(|finding| finding == "a: identical"), "{findings:?}");
}

#[test]
fn a_file_that_git_does_not_track_does_not_choose_what_is_compared() {
    let repo = Repo::new(&["a|1000|"]);
    repo.suite("speed", &["a|1500|"]);
    repo.commit("slower");
    let parent = repo.git(&["rev-parse", "HEAD^"]);
    // As of a shell that redirects, or of `tee`.
    repo.write("notes.txt", "a note");
    is_slower(&repo);
    assert_eq!(repo.result()["base"]["commit"], parent.trim());
    std::fs::remove_file(repo.path("notes.txt")).unwrap();

    let mut redirected = repo.plain_command(&["check", "--pairs", "8"]);
    let log = File::create(repo.path("out.log")).unwrap();
    redirected.stderr(log.try_clone().unwrap()).stdout(log);
    assert_eq!(redirected.status().unwrap().code(), Some(100));
    let result = repo.result();
    assert_eq!(
        (&result["base"]["commit"], &result["head"]["dirty"]),
        (&parent.trim().into(), &false.into())
    );
    let said = std::fs::read_to_string(repo.path("out.log")).unwrap();
    assert!(said.contains("a: critical") || said.contains("critical"), "{said}");
    std::fs::remove_file(repo.path("out.log")).unwrap();

    // What git tracks, and what was added, is a change of the last commit.
    repo.write("added.txt", "x");
    repo.git(&["add", "added.txt"]);
    repo.plain(&["check", "--explain-affected"]).expect(0);
    repo.plain(&["check", "--pairs", "8"]).expect(0);
    let result = repo.result();
    assert_eq!(result["base"]["commit"], result["head"]["commit"]);
}

#[test]
fn what_a_bench_of_another_commit_left_in_the_folder_that_cargo_gives_it_is_gone() {
    let temporary = "Path::new(env!(\"CARGO_TARGET_TMPDIR\"))";
    let source = FAKE.replace("std::env::temp_dir()", temporary);
    assert_ne!(source, FAKE);
    let repo = Repo::empty();
    let commit = |ns: u32| {
        repo.fake("speed", &source, &[&format!("a|{ns}|keeps its speed in a temporary file")]);
        repo.commit("another speed");
    };
    commit(1000);
    commit(1001);
    repo.plain(&["check", "--pairs", "8"]).expect(0);
    commit(1500);
    is_slower(&repo);
}

/// What is compared does not follow from it, as from a file that git does not track.
#[test]
fn a_change_that_git_was_told_not_to_look_at_is_measured_and_named() {
    for mark in ["--assume-unchanged", "--skip-worktree"] {
        let repo = Repo::new(&["a|1000|"]);
        repo.commit("nothing");
        repo.git(&["update-index", mark, "benches/speed/speeds.txt"]);
        repo.suite("speed", &["a|1500|"]);
        let ran = is_slower(&repo);
        let named = "git was told not to look at `benches/speed/speeds.txt`";
        assert!(ran.stdout.contains(named), "{}", ran.stdout);
        assert_eq!(repo.result()["base"]["commit"], repo.git(&["rev-parse", "HEAD^"]).trim());
        // Its neutral twins.
        let commits = ["check", "--base", "HEAD~1", "--head", "HEAD", "--explain-affected"];
        let said = repo.plain(&commits).expect(0).stdout;
        assert!(said.starts_with("untouched: "), "{said}");
        repo.suite("speed", &["a|1000|"]);
        is_identical(&repo);
        assert!(!repo.result()["notices"].to_string().contains("not to look"));
    }
}

#[test]
fn a_base_that_comes_to_the_head_itself_is_refused_with_what_to_type() {
    let repo = Repo::new(&["a|1500|"]);
    repo.git(&["tag", "v1"]);
    repo.suite("speed", &["a|1000|"]);
    repo.commit("faster");
    repo.git(&["tag", "v2"]);
    let ran = repo.plain(&["check", "--base", "v2", "--head", "v1"]).expect(2);
    let reason = "the base is where v1 forked from `v2`, and that is v1 itself";
    assert!(ran.stderr.contains(reason), "{}", ran.stderr);
    assert!(ran.stderr.contains("help: add `--exact-base`"), "{}", ran.stderr);
    // Measured or not: it is not what was asked.
    repo.benchgate(&["check", "--base", "v2", "--head", "v1"]).expect(2);
    repo.plain(&["check", "--base", "v2", "--head", "v1", "--explain-affected"]).expect(2);
    repo.plain(&["check", "--base", "HEAD"]).expect(2);
    repo.plain(&["check", "--anchor", "v2"]).expect(2);

    let ran = repo
        .plain(&["check", "--base", "v2", "--exact-base", "--head", "v1", "--pairs", "8"])
        .expect(100);
    assert_eq!(repo.findings(), ["a: critical"]);
    let first = ran.stdout.lines().next().unwrap_or_default();
    assert!(first.contains("base v2") && first.contains("head v1"), "{}", ran.stdout);
    let again = repo.result()["reproduce"].as_str().unwrap().to_owned();
    assert!(again.contains(" --exact-base "), "{again}");
}

#[test]
fn a_bench_runs_with_the_programs_that_cargo_left_next_to_it() {
    let repo = Repo::new(&["a|>../tool|"]);
    let program = |ns: u32| {
        repo.write("src/bin/tool.rs", &format!("fn main() {{ println!(\"{ns}\") }}"));
        repo.commit("a program");
    };
    program(1000);
    program(1500);
    let ran = is_slower(&repo);
    let notice = "but `tool`, which it runs or reads, differs: it is measured";
    assert!(ran.stdout.contains(notice), "{}", ran.stdout);
    // The base is from the store now, with its program.
    std::fs::remove_dir_all(repo.path("target/benchgate")).unwrap();
    let ran = is_slower(&repo);
    assert!(ran.stdout.contains("1 of 1 suites of the base were built before"), "{}", ran.stdout);
    // And where the code changed too.
    let source = std::fs::read_to_string(repo.path("benches/speed/main.rs")).unwrap();
    repo.write("benches/speed/main.rs", &format!("// a line\n{source}"));
    program(2250);
    is_slower(&repo);
}

#[test]
fn a_variable_that_cargo_gives_is_an_input() {
    let repo = Repo::new(&["a|$SIZE|"]);
    let configured = |size: u32| {
        repo.write(".cargo/config.toml", &format!("[env]\nSIZE = \"{size}\"\n"));
        repo.commit("a size");
    };
    configured(1000);
    repo.write(".cargo/config.toml", "[env] # words\nSIZE = \"1000\"\n");
    repo.commit("words");
    is_identical(&repo);
    configured(1500);
    let ran = is_slower(&repo);
    assert!(ran.stdout.contains("but `SIZE`, which cargo gives it, differs"), "{}", ran.stdout);
    // By a build script.
    let script = |size: u32| {
        let line = format!("fn main() {{ println!(\"cargo:rustc-env=SIZE={size}\"); }}");
        repo.write("build.rs", &line);
        repo.commit("a script");
    };
    repo.git(&["rm", "--quiet", ".cargo/config.toml"]);
    script(1000);
    script(1500);
    is_slower(&repo);
}

#[test]
fn prose_that_a_bench_reads_is_measured_and_other_prose_is_not() {
    let repo = Repo::new(&["a|docs/a.md|"]);
    repo.write("docs/a.md", "1000");
    repo.write("docs/b.md", "1000");
    repo.commit("prose");
    repo.write("docs/b.md", "1500");
    repo.write("README.md", "words");
    repo.commit("other prose");
    let ran = repo.plain(&["check", "--explain-affected"]).expect(0);
    assert!(ran.stdout.starts_with("untouched: parser.speed"), "{}", ran.stdout);
    assert!(ran.stderr.contains("inputs of parser.speed:\n  packages: "), "{}", ran.stderr);
    repo.write("docs/a.md", "1500");
    repo.commit("longer");
    is_slower(&repo);
}

#[test]
fn what_a_build_writes_into_the_checkout_is_an_input_and_its_base_is_not_kept() {
    let repo = Repo::new(&["a|gen.txt|"]);
    repo.write(".gitignore", "/target\n/gen.txt\n");
    let script = |size: u32, words: &str| {
        let line = format!(
            "fn main() {{ std::fs::write(\"gen.txt\", \"{size}\").unwrap(); }} // {words}\n"
        );
        repo.write("build.rs", &line);
        repo.commit("a script");
    };
    script(1000, "first");
    script(1000, "second");
    is_identical(&repo);
    script(1500, "third");
    let ran = is_slower(&repo);
    assert!(
        ran.stdout.contains("but `gen.txt`, which it runs or reads, differs"),
        "{}",
        ran.stdout
    );
    let notice = "nothing of the base is kept: its build writes `gen.txt` into the checkout";
    assert!(ran.stdout.contains(notice), "{}", ran.stdout);
    // Not from the store, which would not have the file.
    is_slower(&repo);
}

#[test]
fn a_dynamic_library_of_the_workspace_is_an_input() {
    let repo = Repo::new(&["a|1000|"]);
    let slower = "let ns = if is_slower { entry.ns * 1.2 } else { entry.ns };";
    assert!(FAKE.contains(slower));
    let calling = FAKE.replace(slower, "let ns = entry.ns * mine::factor(); let _ = is_slower;");
    repo.write("benches/speed/main.rs", &calling);
    let manifest = repo.manifest().replace(
        "[workspace]\n",
        "[workspace]\nmembers = [\"mine\"]\n\n[dependencies]\nmine = { path = \"mine\" }\n",
    );
    repo.write("Cargo.toml", &manifest);
    repo.write(
        "mine/Cargo.toml",
        "[package]\nname = \"mine\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[lib]\ncrate-type = [\"dylib\"]\n",
    );
    let library = |factor: &str, words: &str| {
        let code = format!("#[inline(never)]\npub fn factor() -> f64 {{ {factor} }} // {words}\n");
        repo.write("mine/src/lib.rs", &code);
        repo.commit("a library");
    };
    library("1.0", "first");
    library("1.0", "second");
    is_identical(&repo);
    library("1.5", "third");
    let ran = is_slower(&repo);
    assert!(ran.stdout.contains("libmine") || ran.stdout.contains("critical"), "{}", ran.stdout);
    // From the store, too.
    std::fs::remove_dir_all(repo.path("target/benchgate")).unwrap();
    is_slower(&repo);
}

#[test]
fn what_git_alone_says_of_a_file_is_a_change_of_it() {
    let repo = Repo::new(&["a|data/words.md|"]);
    repo.write("data/words.md", "1000");
    repo.write("data/other.md", "1000");
    repo.commit("data");
    let explained = || {
        let commits = ["check", "--base", "HEAD~1", "--head", "HEAD", "--explain-affected"];
        repo.plain(&commits).expect(0).stdout
    };
    // Its permissions.
    repo.git(&["update-index", "--chmod=+x", "data/words.md"]);
    repo.git(&["commit", "--quiet", "-m", "permissions"]);
    assert!(explained().starts_with("reached: parser.speed: `data/words.md`"), "{}", explained());
    repo.git(&["reset", "--quiet", "--hard"]);
    // A link in its place.
    std::fs::remove_file(repo.path("data/words.md")).unwrap();
    std::os::unix::fs::symlink("other.md", repo.path("data/words.md")).unwrap();
    repo.commit("a link");
    assert!(explained().starts_with("reached: parser.speed: `data/words.md`"), "{}", explained());
    // What it leads to, under a name that only the link has.
    repo.write("pages/text.md", "1000");
    std::fs::remove_file(repo.path("data/words.md")).unwrap();
    std::os::unix::fs::symlink("../pages/text.md", repo.path("data/words.md")).unwrap();
    repo.commit("another link");
    repo.write("pages/text.md", "1500");
    repo.commit("longer");
    assert!(explained().starts_with("reached: parser.speed: `pages/text.md`"), "{}", explained());
    repo.write("pages/unread.md", "1500");
    repo.commit("neutral");
    assert!(explained().starts_with("untouched: parser.speed"), "{}", explained());
}
