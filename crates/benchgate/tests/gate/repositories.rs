//! What other people's repositories do, and `cargo bench` copes with.

use std::process::Command;

use crate::support::{Ran, Repo};

const CHECK: [&str; 3] = ["check", "--pairs", "8"];

/// A fake bench whose ids come from an expression: `ID` of the file of speeds is replaced by it.
fn with_ids(repo: &Repo, id: &str) {
    let fake = include_str!("../fake/criterion.rs");
    let reading = "let id = parts.next().expect(\"an id\");";
    assert!(fake.contains(reading));
    let computed = format!(
        "let id = parts.next().expect(\"an id\");\n    \
         let id: &'static str = Box::leak(id.replace(\"ID\", &{id}).into_boxed_str());"
    );
    repo.write("benches/speed/main.rs", &fake.replace(reading, &computed));
}

#[test]
fn an_id_that_holds_the_path_of_the_checkout_is_relative_to_it_on_both_sides() {
    let repo = Repo::new(&["ID/tests/a.svg|1000|", "b|20|"]);
    with_ids(&repo, "env!(\"CARGO_MANIFEST_DIR\")");
    repo.commit("paths");
    repo.write("benches/speed/speeds.txt", "ID/tests/a.svg|1120|\nb|20|");
    repo.commit("slower");
    repo.benchgate(&CHECK).expect(100);
    assert_eq!(repo.findings(), ["b: unchanged", "tests/a.svg: critical"]);
}

#[test]
fn an_id_that_is_another_one_at_each_listing_is_left_out_by_name_and_hides_no_other() {
    let repo = Repo::new(&["now ID|1000|", "b|20|", "c|30|"]);
    let time = "std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_nanos().to_string()";
    with_ids(&repo, time);
    repo.commit("the time");
    repo.commit("nothing");
    let ran = repo.benchgate(&CHECK).expect(0);
    let findings = repo.findings();
    let unstable = findings.iter().filter(|it| it.starts_with("now ") && it.ends_with(": skipped"));
    assert_eq!(unstable.count(), 2, "{findings:?}");
    assert!(findings.contains(&"b: unchanged".to_owned()), "{findings:?}");
    assert!(
        ran.stdout.contains("another one each time the suite is listed: skipped"),
        "{}",
        ran.stdout
    );

    // A benchmark that is gone is missing all the same.
    repo.write("benches/speed/speeds.txt", "now ID|1000|\nb|20|");
    repo.commit("one is gone");
    repo.benchgate(&CHECK).expect(101);
    assert!(repo.findings().contains(&"c: missing".to_owned()), "{:?}", repo.findings());
}

#[test]
fn a_moved_module_is_renamed_by_one_entry_that_the_report_gives() {
    let ids = |module: &str| ["Map", "Set", "Vec"].map(|name| format!("lib::{module}::{name}|10|"));
    let repo = Repo::new(&ids("old").each_ref().map(String::as_str));
    repo.suite("speed", &ids("new").each_ref().map(String::as_str));
    repo.commit("moved");
    let ran = repo.benchgate(&CHECK).expect(101);
    let command = ran.stdout.lines().find_map(|line| line.split_once("in this change, run "));
    let command = command.unwrap_or_else(|| panic!("no entry in {}", ran.stdout)).1;
    // As a user pastes it.
    let done = Command::new("sh").args(["-c", command]).current_dir(repo.path("")).status();
    assert!(done.unwrap().success());
    let policy = std::fs::read_to_string(repo.path("benchgate.toml")).unwrap();
    assert!(
        policy.ends_with("[[rename]]\nfrom = \"lib::old::*\"\nto = \"lib::new::*\"\n"),
        "{policy}"
    );
    repo.commit("and renamed");
    repo.benchgate(&[&CHECK[..], &["--base", "HEAD^^"]].concat()).expect(0);
    let of = |module: &str, finding: &str| {
        ["Map", "Set", "Vec"].map(|name| format!("lib::{module}::{name}: {finding}"))
    };
    assert_eq!(repo.findings(), [of("new", "unchanged"), of("old", "renamed")].concat());
}

#[test]
fn a_quantity_that_is_no_time_has_no_unit_of_time() {
    let repo = Repo::new(&["a|288.2|measures cycles"]);
    repo.suite("speed", &["a|330|measures cycles"]);
    repo.commit("more cycles");
    let ran = repo.benchgate(&CHECK).expect(100);
    let row = repo.result()["benchmarks"][0].clone();
    assert_eq!((&row["metric"], &row["unit"]), (&"custom".into(), &"cycles".into()));
    assert_eq!((&row["finding"], &row["floor_ns"]), (&"critical".into(), &0.0.into()));
    assert!(ran.stdout.contains("288.2 cycles") && !ran.stdout.contains(" ns"), "{}", ran.stdout);

    // A baseline holds times.
    let saved = repo.plain(&["baseline", "save", "--machine", "m"]);
    assert!(saved.stderr.contains("there is no benchmark with a time"), "{}", saved.stderr);
    repo.suite("times", &["b|10|"]);
    let saved = repo.plain(&["baseline", "save", "--machine", "m", "--allow-dirty"]);
    assert!(saved.stdout.contains("a: it measures no time, and a baseline holds times"));
    repo.commit("with a baseline");
    repo.commit("after it");
    repo.plain(&["check", "--baseline", "--machine", "m"]).expect(0);
    assert!(repo.findings().contains(&"a: skipped".to_owned()), "{:?}", repo.findings());

    // Of two quantities nothing can be said.
    repo.suite("speed", &["a|330|"]);
    repo.commit("as a time");
    repo.benchgate(&CHECK).expect(101);
    assert_eq!(repo.findings(), ["a: failed", "b: unchanged"]);
}

#[test]
fn a_repository_whose_workspace_is_in_a_folder_says_where() {
    let repo = Repo::empty();
    repo.git(&["add", "--all"]);
    std::fs::create_dir(repo.path("rust")).unwrap();
    for name in ["Cargo.toml", "src"] {
        repo.git(&["mv", name, "rust"]);
    }
    repo.commit("in a folder");
    repo.commit("nothing");
    let ran = repo.benchgate(&["check"]).expect(2);
    assert!(ran.stderr.contains("there is no `Cargo.toml` in "), "{}", ran.stderr);
    let line = ran.stderr.split_once("help: run it where the workspace is: `");
    let line = line.and_then(|(_, line)| line.split_once('`'));
    let line = line.unwrap_or_else(|| panic!("no line in {}", ran.stderr)).0;
    // Where a user is who types it.
    let mut command = repo.plain_command(&["check", "--dry-run"]);
    command.current_dir(repo.path(line.strip_prefix("cd ").unwrap()));
    Ran::of(command).expect(0);
}

#[test]
fn a_cache_folder_that_cannot_be_written_is_named_with_its_variable() {
    let repo = Repo::new(&["a|10|"]);
    repo.commit("nothing");
    std::fs::write(repo.outside("file"), "").unwrap();
    let mut command = repo.command(&CHECK);
    command.env("XDG_CACHE_HOME", repo.outside("file"));
    let ran = Ran::of(command).expect(2);
    assert!(ran.stderr.contains("cannot check out base and head below"), "{}", ran.stderr);
    assert!(ran.stderr.contains("`export XDG_CACHE_HOME="), "{}", ran.stderr);
}

#[test]
fn two_repositories_with_one_target_folder_have_results_of_their_own() {
    let repos = [Repo::new(&["a|10|"]), Repo::new(&["b|10|"])];
    let target = repos[0].outside("target");
    for repo in &repos {
        repo.commit("nothing");
        let mut command = repo.command(&CHECK);
        command.env("CARGO_TARGET_DIR", &target);
        Ran::of(command).expect(0);
    }
    let folders = std::fs::read_dir(&target).unwrap().map(|entry| entry.unwrap().path());
    let results = folders.map(|folder| folder.join("result.json")).filter(|file| file.is_file());
    let mut ids: Vec<String> = results
        .map(|file| crate::support::json(&file)["benchmarks"][0]["id"].to_string())
        .collect();
    ids.sort();
    assert_eq!(ids, ["\"a\"", "\"b\""]);
}

#[test]
fn a_package_next_to_the_repository_is_built_with_both_sides_and_named() {
    let repo = Repo::new(&["a|$FROM_SIBLING|"]);
    let sibling = repo.outside("sibling");
    std::fs::create_dir_all(sibling.join("src")).unwrap();
    std::fs::write(
        sibling.join("Cargo.toml"),
        "[package]\nname = \"sibling\"\nversion = \"0.1.0\"\n",
    )
    .unwrap();
    std::fs::write(sibling.join("src/lib.rs"), "pub const NS: u32 = 1000;").unwrap();
    repo.extend_manifest("[build-dependencies]\nsibling = { path = \"../sibling\" }\n");
    repo.write(
        "build.rs",
        "fn main() { println!(\"cargo:rustc-env=FROM_SIBLING={}\", sibling::NS); }",
    );
    repo.commit("next to it");
    repo.commit("nothing");
    let ran = repo.benchgate(&CHECK).expect(0);
    assert_eq!(repo.result()["benchmarks"][0]["head"], 1000.0);
    let notice = "`../sibling` is outside of the repository: base and head are both built with it as it is now";
    assert_eq!(ran.stdout.matches(notice).count(), 1, "{}", ran.stdout);
    assert_eq!(ways(&repo), [NOT_KEPT]);
}

/// A repository with a large file, which has these texts one after the other, and with this filter for it.
fn with_large_file(texts: [&str; 2], smudge: &str) -> Repo {
    let repo = Repo::new(&["a|10|"]);
    repo.write(".gitattributes", "*.bin filter=large\n");
    for text in texts {
        repo.write("data.bin", text);
        repo.commit("a large file");
    }
    for (key, value) in [("smudge", smudge), ("clean", "cat"), ("required", "true")] {
        repo.git(&["config", &format!("filter.large.{key}"), value]);
    }
    repo
}

#[test]
fn a_filter_of_large_files_that_fails_leaves_pointers_and_its_words_are_said_once() {
    // As over a quota.
    let fails = "sh -c 'echo This repository is over its data quota >&2; exit 2'";
    let repo = with_large_file(["a pointer"; 2], fails);
    let ran = repo.benchgate(&CHECK).expect(0);
    assert_eq!(repo.findings(), ["a: unchanged"]);
    // Once for each side.
    assert_eq!(ran.stdout.matches("This repository is over its data quota").count(), 2);
    assert!(!ran.stdout.contains("fatal:"), "{}", ran.stdout);
}

#[test]
fn a_filter_of_large_files_that_fails_on_one_side_alone_lets_nothing_be_compared() {
    let some =
        "sh -c 'read -r of; case $of in *lost*) echo over its quota >&2; exit 2 ;; esac; echo $of'";
    let repo = with_large_file(["one that is there\n", "a lost one\n"], some);
    let ran = repo.benchgate(&CHECK).expect(101);
    let suite = repo.result()["suites"][0].clone();
    let reason = "head: a filter of git failed for the head and not for the base: get the files, as with \
                  `git lfs fetch --all`, and check again";
    assert_eq!((&suite["finding"], &suite["reason"]), (&"failed".into(), &reason.into()));
    assert!(suite["output"].as_str().unwrap().contains("over its quota"), "{suite}");
    // It has nothing to do with how benchmarks are built.
    assert_eq!(ran.stderr.matches("building head").count(), 1, "{}", ran.stderr);
    assert_eq!(repo.result()["benchmarks"].as_array().unwrap().len(), 0);
}

#[test]
fn a_command_before_the_build_runs_in_each_sides_checkout() {
    let repo = Repo::new(&["a|benches/speed/generated.txt|"]);
    // No suite is built from it or names it, so what the command made of it alone says that the sides differ.
    repo.write("docs/value.md", "1000\n");
    repo.policy("");
    repo.edit_policy("[build]\n", "[build]\nbefore = [\"sh\", \"gen.sh\"]\n");
    repo.write("gen.sh", "head -n 1 docs/value.md >benches/speed/generated.txt");
    repo.commit("generated");
    repo.write("docs/value.md", "1500\n");
    repo.commit("slower");
    assert_eq!(ways(&repo), [NOT_KEPT]);
    let ran = repo.plain(&CHECK).expect(100);
    let bases = repo.result()["benchmarks"][0].clone();
    assert_eq!((&bases["base"], &bases["head"]), (&1000.0.into(), &1500.0.into()));
    let notice =
        "but `benches/speed/generated.txt`, which it runs or reads, differs: it is measured";
    assert!(ran.stdout.contains(notice), "{}", ran.stdout);
    assert!(!repo.path("benches/speed/generated.txt").exists());
    // Its neutral twin is built, for nobody knows what the command makes of it.
    repo.write("docs/value.md", "1500\nwords\n");
    repo.commit("words");
    repo.plain(&CHECK).expect(0);
    assert_eq!(repo.findings(), ["a: identical"]);

    repo.write("gen.sh", "echo no such tool >&2; exit 3");
    repo.commit("broken");
    repo.benchgate(&CHECK).expect(101);
    let suite = repo.result()["suites"][0].clone();
    let reason =
        "head: `sh gen.sh` of `[build] before` in benchgate.toml ended with exit status: 3";
    assert_eq!(suite["reason"], reason);
    let output = suite["output"].as_str().unwrap();
    assert_eq!(output.trim_end(), "no such tool");
}

/// What is said of a base that its commit alone does not describe.
const NOT_KEPT: &str = "  read: by names: bases are not kept in the store";

/// How it is known what each suite of the base reads.
fn ways(repo: &Repo) -> Vec<String> {
    let said = repo.plain(&["check", "--explain-affected"]).expect(0).stderr;
    said.lines().filter(|line| line.starts_with("  read: ")).map(str::to_owned).collect()
}

/// A bench that reads a file which no commit has.
fn with_data(policy: &str) -> Repo {
    let repo = Repo::new(&["a|data/speed.txt|"]);
    repo.policy(policy);
    repo.write(".gitignore", "/target\n/data\n");
    repo.commit("its data is ignored");
    repo.commit("nothing");
    repo
}

#[test]
fn data_of_the_users_checkout_is_read_by_both_sides() {
    let repo = with_data("[data]\npaths = [\"data\"]\n");
    repo.write("data/speed.txt", "1000");
    repo.benchgate(&CHECK).expect(0);
    assert_eq!(repo.result()["benchmarks"][0]["base"], 1000.0);
    assert_eq!(ways(&repo), [NOT_KEPT]);
    assert_eq!(std::fs::read_to_string(repo.path("data/speed.txt")).unwrap(), "1000");
}

#[test]
fn data_that_nobody_has_is_made_once_by_its_command() {
    let repo = with_data(
        "[data]\npaths = [\"data\"]\ncommand = [\"sh\", \"-c\", \"mkdir data; echo 1000 >data/speed.txt; \
         echo made >>$FAKE_LOG.made\"]\n",
    );
    for _ in 0..2 {
        repo.benchgate(&CHECK).expect(0);
        assert_eq!(repo.result()["benchmarks"][0]["base"], 1000.0);
    }
    assert_eq!(std::fs::read_to_string(repo.outside("log/rounds.made")).unwrap(), "made\n");
    assert!(!repo.path("data").exists());
}

#[test]
fn a_link_that_a_commit_brings_is_no_data_and_what_is_behind_one_is_an_error() {
    let repo = with_data("[data]\npaths = [\"data\"]\n");
    let elsewhere = repo.outside("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    std::fs::write(elsewhere.join("speed.txt"), "1000").unwrap();
    std::os::unix::fs::symlink(&elsewhere, repo.path("data")).unwrap();
    // The user's own link is lent.
    repo.benchgate(&CHECK).expect(0);
    repo.git(&["add", "--force", "data"]);
    repo.commit("a link");
    let ran = repo.benchgate(&CHECK);
    assert_eq!(ran.code, 101, "{}", ran.stdout);

    let repo = with_data("[data]\npaths = [\"more/data\"]\ncommand = [\"true\"]\n");
    std::os::unix::fs::symlink(&elsewhere, repo.path("more")).unwrap();
    repo.commit("a link above it");
    let ran = repo.benchgate(&CHECK).expect(101);
    assert!(ran.stderr.contains("leads out of the checkout"), "{}", ran.stderr);
    assert!(!elsewhere.join("data").exists());
}

#[test]
fn data_of_which_the_user_has_a_part_is_the_same_on_both_sides() {
    let repo = with_data(
        "[data]\npaths = [\"data\", \"more\"]\n\
         command = [\"sh\", \"-c\", \"mkdir data more; echo 2000 >data/speed.txt; echo 1 >more/x\"]\n",
    );
    repo.write("data/speed.txt", "1000");
    repo.benchgate(&CHECK).expect(0);
    let row = repo.result()["benchmarks"][0].clone();
    assert_eq!((&row["base"], &row["head"]), (&1000.0.into(), &1000.0.into()));
}

#[test]
fn a_file_that_only_the_users_checkout_has_is_named_with_the_line_that_lends_it() {
    let repo = with_data("");
    repo.write("data/speed.txt", "1000");
    let ran = repo.benchgate(&CHECK).expect(101);
    let command =
        ran.stdout.lines().find_map(|line| line.split_once("to lend it to both sides, run "));
    let command = command.unwrap_or_else(|| panic!("no hint in {}", ran.stdout)).1;
    let done = Command::new("sh").args(["-c", command]).current_dir(repo.path("")).status();
    assert!(done.unwrap().success());
    repo.commit("the policy lends it");
    repo.commit("nothing");
    repo.benchgate(&CHECK).expect(0);
}

/// Whatever it says, and however it makes the name.
#[test]
fn a_file_that_is_missed_in_silence_by_a_computed_name_or_by_the_compiler_is_named_too() {
    let backwards = "\"nib.tes\".chars().rev().collect::<String>()";
    for statement in [
        "if !std::path::Path::new(\"more/data/set.bin\").exists() { std::process::exit(3) }"
            .to_owned(),
        format!("std::fs::read(std::path::Path::new(\"more/data\").join({backwards})).unwrap();"),
        "std::hint::black_box(include_bytes!(\"../../more/data/set.bin\"));".to_owned(),
    ] {
        for is_enabled in [true, false] {
            let repo = Repo::new(&["a|1000|"]);
            repo.edit_policy("[sandbox]", &format!("[sandbox]\nenabled = {is_enabled}"));
            repo.write(".gitignore", "/target\n/more/data\n");
            // With a word that Criterion has.
            let source = format!(
                "fn main() {{ std::hint::black_box(\"measurement-time\"); {statement} }}\n"
            );
            repo.fake("own", &source, &[]);
            repo.commit("its data is ignored");
            repo.commit("nothing");
            repo.write("more/data/set.bin", "1000");
            let ran = repo.benchgate(&CHECK).expect(101);
            let hint =
                "your checkout has `more/data`, and no commit does: to lend it to both sides, run ";
            assert!(ran.stdout.contains(hint), "{statement}: {}", ran.stdout);
        }
    }
}

#[test]
fn a_bench_that_sets_where_its_results_go_is_measured() {
    let repo = Repo::new(&["a|1000|writes into report"]);
    repo.suite("speed", &["a|1120|writes into report"]);
    repo.commit("slower");
    repo.benchgate(&CHECK).expect(100);
    assert_eq!(repo.findings(), ["a: critical"]);
}

#[test]
fn records_of_other_tools_are_compared_and_what_is_not_read_says_how_to_get_it() {
    let repo = Repo::empty();
    let hyperfine = |seconds: f64| {
        let times: Vec<String> =
            (0..30).map(|n| format!("{}", seconds * (1.0 + f64::from(n) / 1000.0))).collect();
        format!(
            r#"{{"results":[{{"command":"sort","mean":{seconds},"times":[{}]}}]}}"#,
            times.join(",")
        )
    };
    repo.write("a.json", &hyperfine(0.1));
    repo.write("b.json", &hyperfine(0.13));
    let ran = repo.benchgate(&["compare", "a.json", "b.json"]).expect(100);
    assert!(ran.stdout.contains("sort"), "{}", ran.stdout);
    // As PowerShell's `>` writes a text.
    repo.write("b.json", &format!("\u{feff}{}", hyperfine(0.13)));
    repo.benchgate(&["compare", "a.json", "b.json"]).expect(100);
    let bencher =
        |ns: u32| format!("running 1 test\ntest a ... bench: {ns},000 ns/iter (+/- 10)\n");
    repo.write("a.txt", &bencher(1));
    repo.write("b.txt", &bencher(2));
    repo.benchgate(&["compare", "a.txt", "b.txt", "--estimates"]).expect(100);
    repo.write("home/data/main/x.cbor", "");
    let ran = repo.benchgate(&["compare", "home", "a.txt"]).expect(2);
    assert!(ran.stderr.contains("cargo criterion --message-format=json"), "{}", ran.stderr);
    repo.write("go.txt", "BenchmarkSort-8 1000 1234 ns/op\n");
    let ran = repo.benchgate(&["compare", "a.txt", "go.txt"]).expect(2);
    let expected = "go.txt is not read: it is output of `go test -bench`";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    assert!(ran.stderr.contains("`benchstat OLD NEW`"), "{}", ran.stderr);
    repo.write(
        "b.txt",
        "test a ... bench: 0 ns/iter (+/- 0)\ntest b ... bench: 2 ns/iter (+/- 0)\n",
    );
    let ran = repo.benchgate(&["compare", "b.txt", "b.txt"]).expect(101);
    assert!(ran.stdout.contains("line 1: it took 0 ns"), "{}", ran.stdout);
}

#[test]
fn a_suite_whose_set_up_is_outside_of_its_benchmarks_is_named_as_the_cause() {
    let repo = Repo::new(&["a|10|sets up for long"]);
    repo.commit("nothing");
    let ran = repo.benchgate(&CHECK).expect(0);
    let cause = "parser.speed took 2 s to list its benchmarks: what it sets up outside of them runs in every process";
    assert!(ran.stderr.contains(cause), "{}", ran.stderr);
}

#[test]
fn a_workspace_without_a_bench_names_the_package_beside_it_that_has_one() {
    let repo = Repo::empty();
    let manifest = |name: &str, rest: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n{rest}")
    };
    repo.write("Cargo.toml", &manifest("parser", "[workspace]\nexclude = [\"speed\"]\n"));
    repo.write("src/lib.rs", "");
    repo.commit("a library");
    let dry_run = |arguments: &[&str]| {
        let all = [&["check", "--dry-run"], arguments].concat();
        repo.benchgate(&all).expect(0).stdout
    };
    let nothing = "no package of this workspace has a bench target, and benchgate.toml declares no `[[suite]]`";
    repo.write("README.md", "words");
    repo.commit("words");
    assert!(dry_run(&[]).contains(nothing), "{}", dry_run(&[]));

    repo.write("speed/Cargo.toml", &manifest("speed", ""));
    repo.write("speed/benches/lists.rs", "fn main() {}");
    repo.commit("benches");
    let said = dry_run(&[]);
    let named = "one that is no member has: from the top of the repository, `benchgate check --manifest-path \
                 speed/Cargo.toml`";
    assert!(said.contains(named), "{said}");
    let said = dry_run(&["--manifest-path", "speed/Cargo.toml"]);
    assert!(said.contains("speed.lists") && !said.contains("no package"), "{said}");
}
