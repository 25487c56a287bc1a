//! `benchgate bisect` on real histories: real builds and processes, fake speeds. Error rates are those of the
//! simulations in `benchgate-core` and the lab.

use std::process::{Command, Stdio};

use serde_json::Value;

use crate::starts::{library, with_library};
use crate::support::{Ran, Repo, json};

const BROKEN: &str = "compile_error!(\"not today\");\n";

/// The content of a commit.
#[derive(Clone, Copy)]
enum Change {
    /// Documentation alone.
    Docs,
    /// Another benchmark of the suite, so that the executable is another one.
    Code,
    /// `decode` takes so many nanoseconds.
    Speed(u32),
    /// It does not build.
    Break,
    /// It builds again.
    Repair,
}

use Change::{Break, Code, Docs, Repair, Speed};

/// A history; the good commit is tagged `v1`.
fn history(changes: &[Change]) -> Repo {
    let repo = Repo::empty();
    // Whether there is one, cargo tells benches in a variable.
    repo.write("README.md", "first edition\n");
    let mut decode = 1000;
    for (number, change) in changes.iter().enumerate() {
        match change {
            Docs => repo.write("README.md", &format!("edition {number}\n")),
            Code => {}
            Speed(ns) => decode = *ns,
            Break => repo.write("src/lib.rs", BROKEN),
            Repair => repo.write("src/lib.rs", ""),
        }
        if !matches!(change, Docs) || number == 0 {
            let encode = format!("encode|{}|", 50 + number);
            repo.suite("speed", &[&format!("decode|{decode}|"), &encode]);
        }
        repo.commit(&format!("change {number}"));
        if number == 0 {
            repo.git(&["tag", "v1"]);
        }
    }
    repo
}

fn bisect(repo: &Repo) -> Ran {
    repo.benchgate(&["bisect", "--good", "v1", "decode", "--seed", "1"])
}

fn report(repo: &Repo) -> Value {
    json(&repo.path("target/benchgate/bisect.json"))
}

/// Returns the answer for each commit, by its number in the history.
fn answers(repo: &Repo) -> Vec<String> {
    let report = report(repo);
    let steps = report["benchmarks"][0]["steps"].as_array().unwrap();
    steps
        .iter()
        .map(|step| {
            let of = if step["commit"].is_null() {
                format!("{}..{}", step["good"], step["bad"])
            } else {
                step["commit"].to_string()
            };
            format!("{of} {}", step["answer"].as_str().unwrap())
        })
        .collect()
}

/// Returns the output of `git bisect replay` for a log; git ends with an error where commits are skipped.
fn replayed(repo: &Repo, log: &str) -> String {
    let log = repo.path("target/benchgate").join(log);
    let mut command = Command::new("git");
    command.current_dir(repo.path("")).args(["bisect", "replay"]).arg(log);
    let said = Ran::of(command);
    repo.git(&["bisect", "reset"]);
    said.stdout + &said.stderr
}

#[test]
fn a_culprit_is_found_past_a_commit_that_does_not_build_and_equal_executables() {
    let repo =
        history(&[Code, Docs, Code, Break, Repair, Speed(1200), Docs, Code, Docs, Docs, Code]);
    let culprit = repo.git(&["rev-parse", "HEAD~5"]).trim().to_owned();
    let ran = bisect(&repo).expect(0);
    let report = report(&repo);
    let [found] = report["benchmarks"][0]["found"].as_array().unwrap().as_slice() else {
        panic!("{report}")
    };
    assert_eq!((&found["good"], &found["bad"]), (&4.into(), &5.into()), "{:?}", answers(&repo));
    assert_eq!(report["commits"][5]["commit"].as_str(), Some(&*culprit));
    insta::assert_snapshot!(answers(&repo).join("\n"));
    assert!(
        ran.stdout.contains(&format!("culprit: {} change 5: +20.0 %", &culprit[..10])),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stderr.contains(&format!("{} is confirmed: +20.0 %", &culprit[..10])),
        "{}",
        ran.stderr
    );
    let said = replayed(&repo, "bisect.log");
    assert!(said.contains(&format!("{culprit} is the first bad commit")), "{said}");
    let again = |arguments: &[&str]| {
        repo.plain(&[&["report", "target/benchgate/bisect.json"], arguments].concat())
    };
    assert_eq!(
        again(&["--head", repo.git(&["rev-parse", "HEAD"]).trim()]).expect(0).stdout,
        ran.stdout
    );
    again(&["--head", &culprit]).expect(101);
    again(&["--format", "html"]).expect(2);
    // Nothing is left of the checkouts.
    assert_eq!(repo.git(&["worktree", "list"]).lines().count(), 1);
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_culprit_among_commits_that_do_not_build_is_in_the_set() {
    let repo = history(&[Code, Code, Break, Speed(1100), Repair, Code, Docs]);
    let ran = bisect(&repo).expect(102);
    let found = &report(&repo)["benchmarks"][0]["found"];
    assert_eq!((&found[0]["good"], &found[0]["bad"]), (&1.into(), &4.into()), "{found}");
    assert!(ran.stdout.contains("one of 3 commits after"), "{}", ran.stdout);
    assert!(ran.stdout.contains("error: not today"), "{}", ran.stdout);
    let said = replayed(&repo, "bisect.log");
    assert!(said.contains("There are only 'skip'ped commits left to test"), "{said}");
}

#[test]
fn two_culprits_are_both_found_and_each_has_a_log_of_its_own() {
    let repo = history(&[Code, Code, Speed(1100), Code, Code, Speed(1210), Code]);
    let ran = repo
        .benchgate(&["bisect", "--good", "v1", "decode", "--seed", "1", "--format", "markdown"])
        .expect(0);
    for (number, log) in [(2, "bisect.log"), (5, "bisect.2.log")] {
        let culprit = repo.git(&["rev-parse", &format!("HEAD~{}", 6 - number)]);
        let culprit = culprit.trim();
        assert!(
            ran.stdout.contains(&format!("`{}` change {number}", &culprit[..10])),
            "{}",
            ran.stdout
        );
        let said = replayed(&repo, log);
        assert!(said.contains(&format!("{culprit} is the first bad commit")), "{said}");
    }
}

#[test]
fn nothing_proven_between_good_and_bad_is_refused_after_two_builds() {
    let repo = history(&[Code, Code, Speed(1005), Code, Code]);
    let ran = bisect(&repo).expect(102);
    assert!(ran.stdout.contains("no slowdown is proven"), "{}", ran.stdout);
    assert!(ran.stdout.contains("so many rounds prove slowdowns from 2.0 % on"), "{}", ran.stdout);
    assert_eq!(report(&repo)["builds"], 2);
    assert!(!repo.path("target/benchgate/bisect.log").exists());
}

#[test]
fn data_that_a_bench_reads_from_its_checkout_is_that_of_its_commit() {
    let repo = Repo::empty();
    for number in 0..6 {
        let folder = "$CARGO_MANIFEST_DIR/data/ns.txt";
        repo.suite("speed", &[&format!("decode|{folder}|"), "encode|50|"]);
        repo.write("data/ns.txt", if number < 4 { "1000" } else { "1200" });
        repo.write("src/lib.rs", &format!("pub const N: u32 = {number};\n"));
        repo.commit(&format!("change {number}"));
    }
    repo.git(&["tag", "v1", "HEAD~5"]);
    bisect(&repo).expect(0);
    let found = &report(&repo)["benchmarks"][0]["found"];
    assert_eq!((&found[0]["good"], &found[0]["bad"]), (&3.into(), &4.into()), "{found}");
}

/// All commits are built in one folder, where each build leaves a library of the same name.
#[test]
fn a_library_that_a_build_script_makes_is_that_of_its_commit() {
    let repo = with_library("decode");
    for number in 0..4 {
        let words = format!("// {number}\n");
        repo.write("build.rs", &(library(if number < 2 { 1000 } else { 1200 }) + &words));
        repo.commit(&format!("change {number}"));
    }
    repo.git(&["tag", "v1", "HEAD~3"]);
    bisect(&repo).expect(0);
    let found = &report(&repo)["benchmarks"][0]["found"];
    assert_eq!((&found[0]["good"], &found[0]["bad"]), (&1.into(), &2.into()), "{found}");
}

/// A history whose middle commit waits until the test lets it go.
fn waiting() -> Repo {
    let repo = Repo::empty();
    for number in 0..7 {
        let (ns, behaviour) = match number {
            0..=2 => (1000, ""),
            3 => (1200, "waits for a file"),
            _ => (1200, ""),
        };
        let encode = format!("encode|{}|", 50 + number);
        repo.suite("speed", &[&format!("decode|{ns}|{behaviour}"), &encode]);
        repo.commit(&format!("change {number}"));
    }
    repo.git(&["tag", "v1", "HEAD~6"]);
    repo
}

const BEGIN: [&str; 7] = ["bisect", "--good", "v1", "decode", "--seed", "1", "--verbose"];

fn compiled(said: &str) -> usize {
    said.lines().filter(|line| line.contains("Compiling parser")).count()
}

/// Returns the state of a search; `None` before it has written anything.
fn state(repo: &Repo) -> Option<Value> {
    let path = repo.path("target/benchgate/bisect-state.json");
    Some(serde_json::from_slice::<Value>(&std::fs::read(path).ok()?).unwrap()["benchmarks"][0]["known"].clone())
}

/// The processes whose values are kept.
fn kept(state: &Value) -> usize {
    let of = |step: &Value| {
        step["members"].as_array().unwrap().len() * step["rounds"].as_array().unwrap().len()
    };
    state["steps"].as_array().unwrap().iter().map(of).sum()
}

#[test]
fn an_interrupted_search_goes_on_and_builds_and_measures_nothing_twice() {
    let whole = waiting();
    std::fs::write(whole.outside("log/rounds.go"), "").unwrap();
    let compiled_whole = compiled(&whole.benchgate(&BEGIN).expect(0).stderr);

    let repo = waiting();
    let mut command = repo.command(&BEGIN);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    // The slowdown is proven, and the middle is built; its first round waits.
    while state(&repo).is_none_or(|state| state["builds"]["3"].is_null()) {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it was interrupted");
        std::thread::yield_now();
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(101));
    let before = kept(&state(&repo).unwrap());
    assert_eq!(before, 2 * 15);
    let ran = repo.benchgate(&["bisect", "--resume", "--budget", "1ms"]).expect(102);
    assert!(ran.stdout.contains("one of 6 commits after"), "{}", ran.stdout);
    assert!(ran.stdout.contains("the time was over"), "{}", ran.stdout);
    std::fs::write(repo.outside("log/rounds.go"), "").unwrap();
    let processes = repo.log().len();
    let ran = repo.benchgate(&["bisect", "--resume", "--verbose"]).expect(0);
    assert!(ran.stdout.contains("change 3: +20.0 %"), "{}", ran.stdout);
    assert_eq!(report(&repo)["benchmarks"], report(&whole)["benchmarks"]);
    assert_eq!(repo.log().len() - processes, kept(&state(&repo).unwrap()) - before);
    // Good, bad and the middle were built before.
    assert!(compiled_whole >= 4, "{compiled_whole}");
    assert_eq!(compiled(&ran.stderr), compiled_whole - 3, "{}", ran.stderr);
}

#[test]
fn a_search_with_other_settings_is_not_gone_on_with() {
    let repo = history(&[Code, Speed(1200)]);
    let ran = repo.benchgate(&["bisect", "--resume"]).expect(2);
    assert!(ran.stderr.contains("there is no search to resume"), "{}", ran.stderr);
    bisect(&repo).expect(0);
    let ran = repo.benchgate(&["bisect", "--resume", "--pairs", "7"]).expect(2);
    assert!(ran.stderr.contains("other settings"), "{}", ran.stderr);
    assert!(ran.stderr.contains("benchgate bisect --good "), "{}", ran.stderr);
    repo.benchgate(&["bisect", "--resume"]).expect(0);
    let state = repo.path("target/benchgate/bisect-state.json");
    let text = std::fs::read_to_string(&state).unwrap();
    std::fs::write(&state, text.replace("bisect-state/1", "bisect-state/9")).unwrap();
    let ran = repo.benchgate(&["bisect", "--resume"]).expect(101);
    assert!(ran.stderr.contains("bisect-state.json: `schema`"), "{}", ran.stderr);
}

#[test]
fn what_cannot_be_searched_is_refused_with_what_to_do() {
    let repo = history(&[Code, Code]);
    for (arguments, wrong, help) in [
        (&["--good", "v1", "nothing"][..], "is named so", "benchgate check --list"),
        (&["--good", "HEAD", "decode"], "are the same commit", "name an older commit"),
        (
            &["--good", "v1", "--runtime", "lockstep", "decode"],
            "and not in lockstep",
            "omit `--runtime lockstep`",
        ),
        (
            &["--good", "HEAD", "--bad", "v1", "decode"],
            "not in the first-parent history",
            "exchange",
        ),
    ] {
        let ran = repo.benchgate(&[&["bisect"], arguments].concat()).expect(2);
        assert!(ran.stderr.contains(wrong) && ran.stderr.contains(help), "{}", ran.stderr);
    }
    let bare =
        Command::new(assert_cmd::cargo::cargo_bin!("benchgate")).arg("bisect").output().unwrap();
    assert_eq!(bare.status.code(), Some(2));
}
