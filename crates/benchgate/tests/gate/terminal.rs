//! Output for the user: previews, formats, progress, colour, and suggestions for mistyped names.

use std::process::Command;

use crate::support::{Ran, Repo};

const AB: [&str; 2] = ["decode/large|1000|", "encode/small|50|"];

#[test]
fn without_a_command_it_says_what_to_type_in_this_folder_and_is_no_success() {
    let repo = Repo::new(&["decode|100|"]);
    repo.git(&["checkout", "--quiet", "-b", "topic"]);
    repo.write("src/lib.rs", "// Another one.\n");
    repo.commit("change");
    let of_branch = repo.plain(&[]).expect(2).stderr;
    assert!(of_branch.contains("the workspace here is `parser`"), "{of_branch}");
    for line in [
        "  benchgate check              the last commit, compared with the one before it\n",
        "  benchgate check --base main  this branch, compared with where it forked from that one\n",
    ] {
        assert!(of_branch.contains(line), "{of_branch}");
    }
    let folder = tempfile::tempdir().unwrap();
    let mut command = repo.plain_command(&[]);
    command.current_dir(folder.path());
    let outside = Ran::of(command).expect(2).stderr;
    assert!(outside.contains("in no git repository"), "{outside}");
    assert!(outside.contains("  benchgate demo "), "{outside}");
}

#[test]
fn a_dry_run_names_what_would_be_built_and_builds_nothing() {
    let repo = Repo::new(&AB);
    repo.policy(
        "[[suite]]\nname = \"sizes\"\nharness = \"counts\"\nbuild = [\"make\", \"it\"]\n\
         run = [\"./it\"]\n",
    );
    repo.write("benches/builtin.rs", "");
    repo.commit("a suite");
    repo.commit("second");
    let ran = repo.plain(&["check", "--dry-run", "--budget", "5m"]).expect(0);
    for line in [
        "base: HEAD^ (",
        "head: HEAD (",
        "  parser.speed\n",
        "  parser.sizes (make it)\n",
        "skipped: parser.builtin: it uses the built-in harness",
        "in up to 60 pairs a benchmark",
        "time: unknown: there is no earlier result; at most 5m",
    ] {
        assert!(ran.stdout.contains(line), "{line} is not in\n{}", ran.stdout);
    }
    assert!(!repo.path("target").exists() && !repo.outside("cache").exists());
}

#[test]
fn a_dry_run_takes_its_estimate_from_the_last_run() {
    let repo = Repo::new(&AB);
    repo.suite("later", &["x|10|"]);
    repo.commit("two suites");
    repo.benchgate(&["check"]).expect(0);
    let result = repo.result();
    let ran = repo.plain(&["check", "--dry-run"]).expect(0);
    assert!(
        ran.stdout.contains("  parser.speed: 2 benchmarks in the last run\n"),
        "{}",
        ran.stdout
    );
    let by = format!("min measuring, by the run of {}", result["time"].as_str().unwrap());
    assert!(ran.stdout.contains(&by), "{}", ran.stdout);
    // It leaves the result of that run alone.
    assert_eq!(repo.result(), result);
    let one = repo.plain(&["check", "--dry-run", "--suite", "later"]).expect(0);
    assert!(one.stdout.contains("  parser.later: 1 benchmark in the last run\n"), "{}", one.stdout);
    assert!(one.stdout.contains("skipped: parser.speed: "), "{}", one.stdout);
}

#[test]
fn a_list_is_the_benchmarks_of_the_head_that_would_be_measured() {
    let repo = Repo::new(&AB);
    repo.policy("[[skip]]\nbenchmark = \"encode/*\"\nreason = \"noisy\"\n");
    repo.commit("policy");
    repo.suite("speed", &[AB[0], AB[1], "decode/new|5|"]);
    repo.commit("one more");
    let all = repo.plain(&["check", "--list"]).expect(0);
    assert_eq!(all.stdout, "parser.speed: decode/large\nparser.speed: decode/new\n");
    assert!(all.stderr.contains("skipped: parser.speed: encode/small: noisy"), "{}", all.stderr);
    let some = repo.plain(&["check", "--list", "--filter", "*/new"]).expect(0);
    assert_eq!(some.stdout, "parser.speed: decode/new\n");
    assert!(repo.log().is_empty() && !repo.path("target/benchgate/result.json").exists());
}

#[test]
fn a_workspace_is_named_by_its_manifest_from_any_folder() {
    let repo = Repo::new(&AB);
    repo.commit("second");
    let elsewhere = repo.outside("elsewhere");
    std::fs::create_dir_all(&elsewhere).unwrap();
    let named = |path: &str| {
        let path = repo.path(path).to_string_lossy().into_owned();
        let mut command =
            repo.plain_command(&["check", "--list", "--jobs", "1", "--manifest-path", &path]);
        command.current_dir(&elsewhere);
        Ran::of(command)
    };
    assert!(named("Cargo.toml").expect(0).stdout.contains("parser.speed: decode/large\n"));
    let other = named("benchgate.toml").expect(2);
    assert!(other.stderr.contains("--manifest-path"), "{}", other.stderr);
}

#[test]
fn the_page_is_opened_by_the_program_of_the_desktop_or_named() {
    let repo = Repo::new(&AB);
    repo.commit("second");
    let bin = repo.outside("bin");
    std::fs::create_dir_all(&bin).unwrap();
    let (program, opened) = (bin.join("xdg-open"), bin.join("opened"));
    let open = |script: &str| {
        std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&program, executable).unwrap();
        let mut command = repo.command(&["check", "--open"]);
        let path = std::env::var("PATH").unwrap();
        command.env("PATH", format!("{}:{path}", bin.display()));
        Ran::of(command).expect(0)
    };
    let ran = open(&format!("echo \"$1\" >{}", opened.display()));
    assert!(!ran.stderr.contains("could not open"), "{}", ran.stderr);
    let page = std::fs::read_to_string(&opened).unwrap();
    assert_eq!(page.trim(), repo.path("target/benchgate/report.html").to_string_lossy());
    let ran = open("exit 3");
    let notice = "`xdg-open` could not open target/benchgate/report.html (exit status: 3)";
    assert!(ran.stderr.contains(notice), "{}", ran.stderr);
}

#[test]
fn another_format_has_stdout_for_itself() {
    let repo = Repo::new(&AB);
    repo.commit("second");
    let ran = repo.benchgate(&["check", "--format", "json"]).expect(0);
    let written = std::fs::read_to_string(repo.path("target/benchgate/result.json")).unwrap();
    assert_eq!(ran.stdout, written);
    assert!(ran.stderr.contains("written: target/benchgate"), "{}", ran.stderr);
    let ran = repo.benchgate(&["check", "--format", "line"]).expect(0);
    assert_eq!(ran.stdout.lines().count(), 1, "{}", ran.stdout);
    let ran = repo.benchgate(&["check", "--format", "markdown"]).expect(0);
    let written = std::fs::read_to_string(repo.path("target/benchgate/report.md")).unwrap();
    assert_eq!(ran.stdout, written);
    assert!(written.starts_with("## ✅ benchgate: nothing proven slower"), "{written}");
    let ran = repo.benchgate(&["check", "--format", "github"]).expect(0);
    // Both name the commits once in their head, below the headline.
    let commits = ["HEAD^", "HEAD"].map(|name| repo.git(&["rev-parse", name])[..10].to_owned());
    let sides = format!(" · base `HEAD^` (`{}`), head `HEAD` (`{}`)\n", commits[0], commits[1]);
    assert!(ran.stdout.starts_with("## ✅ benchgate: "), "{}", ran.stdout);
    assert!(ran.stdout.contains(&sides) && written.contains(&sides), "{}", ran.stdout);
    assert!(ran.stderr.contains("written: target/benchgate"), "{}", ran.stderr);
}

#[test]
fn a_suite_that_no_checkout_has_is_refused_before_anything_is_built() {
    let repo = Repo::new(&AB);
    repo.commit("second");
    let ran = repo.benchgate(&["check", "--suite", "sped"]).expect(2);
    assert!(
        ran.stderr.contains("nothing was measured: no suite is named `sped`"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("did you mean `--suite speed`?"), "{}", ran.stderr);
    assert!(!repo.outside("cache").exists());
    let ran = repo.benchgate(&["check", "--suite", "xyz"]).expect(2);
    assert!(ran.stderr.contains("name one of: speed"), "{}", ran.stderr);
}

#[test]
fn a_package_that_no_checkout_has_is_refused_before_anything_is_built() {
    let repo = Repo::new(&AB);
    repo.commit("second");
    for option in ["--package", "--exclude"] {
        let ran = repo.benchgate(&["check", option, "prser"]).expect(2);
        let error = format!("nothing was measured: {option}: no package is named `prser`");
        assert!(ran.stderr.contains(&error), "{}", ran.stderr);
        let help = format!("help: did you mean `{option} parser`?");
        assert!(ran.stderr.contains(&help), "{}", ran.stderr);
    }
    // One that exists does not excuse another.
    let both = ["check", "--package", "parser", "--package", "xyz"];
    let ran = repo.benchgate(&both).expect(2);
    assert!(ran.stderr.contains("help: name one of: parser"), "{}", ran.stderr);
    assert!(!repo.outside("cache").exists());
}

#[test]
fn a_rule_about_what_is_not_there_says_what_was_probably_meant() {
    let repo = Repo::new(&AB);
    repo.policy(
        "[[rule]]\nbenchmark = \"decode/lagre\"\nbudget = \"1s\"\nreason = \"r\"\n\
         [[rule]]\nbenchmark = \"encode/small\"\nsuite = \"sped\"\nbudget = \"1s\"\nreason = \"r\"\n",
    );
    repo.commit("rules");
    repo.commit("second");
    let ran = repo.benchgate(&["check"]).expect(101);
    let notice = "`[[rule]]` in benchgate.toml matches no benchmark of base and head: `decode/lagre`, did you mean \
                  `decode/large`?; `encode/small` of suite `sped`, did you mean suite `speed`? (remove it, or fix its \
                  name)";
    assert!(ran.stdout.contains(notice), "{}", ran.stdout);
}

#[test]
fn a_filter_that_matches_nothing_says_what_was_probably_meant() {
    let repo = Repo::new(&AB);
    repo.commit("second");
    let ran = repo.benchgate(&["check", "--filter", "decode"]).expect(101);
    let notice = "notice: `--filter decode` matches no benchmark: did you mean 'decode*'?";
    assert!(ran.stdout.contains(notice), "{}", ran.stdout);
    let ran = repo.plain(&["check", "--list", "--filter", "decoed/large"]).expect(0);
    assert!(ran.stderr.contains("did you mean decode/large?"), "{}", ran.stderr);
}

#[test]
fn a_suite_that_a_result_does_not_have_is_refused() {
    let repo = Repo::new(&AB);
    repo.commit("second");
    repo.benchgate(&["check"]).expect(0);
    let path = repo.path("target/benchgate/result.json");
    let export = |suite: &str| {
        repo.plain(&["report", &path.to_string_lossy(), "--format", "critcmp", "--suite", suite])
    };
    export("parser.speed").expect(0);
    let ran = export("parser.sped").expect(2);
    assert!(ran.stderr.contains("the result has no suite `parser.sped`"), "{}", ran.stderr);
    assert!(ran.stderr.contains("did you mean `--suite parser.speed`?"), "{}", ran.stderr);
}

#[test]
fn entries_of_the_policy_that_match_nothing_are_named_unless_something_was_left_out() {
    let repo = Repo::new(&AB);
    repo.policy("[[skip]]\nbenchmark = \"decod/*\"\nreason = \"r\"\n");
    repo.commit("policy");
    repo.commit("second");
    let notice = "`[[skip]]` in benchgate.toml matches no benchmark of base and head: `decod/*`, did \
                  you mean `decode/*`?";
    let ran = repo.benchgate(&["check"]).expect(0);
    assert!(ran.stdout.contains(notice), "{}", ran.stdout);
    let some = repo.benchgate(&["check", "--filter", "decode/*"]).expect(0);
    assert!(!some.stdout.contains("[[skip]]"), "{}", some.stdout);
    // A change that repairs it does not get the notice again.
    repo.policy("");
    repo.commit("without");
    let ran = repo.benchgate(&["check"]).expect(0);
    assert!(!ran.stdout.contains("[[skip]]"), "{}", ran.stdout);
}

#[test]
fn a_verbose_run_prints_what_cargo_prints_and_a_quiet_one_nothing_but_the_result() {
    let repo = Repo::new(&AB);
    repo.commit("second");
    let ran = repo.benchgate(&["check", "--verbose"]).expect(0);
    assert!(ran.stderr.contains("\nCompiling parser v0.1.0"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("Building ["), "{}", ran.stderr);
    let quiet = repo.benchgate(&["check", "--quiet"]).expect(0);
    assert_eq!(quiet.stderr, "");
    assert!(quiet.stdout.contains("pass: "), "{}", quiet.stdout);
    repo.write("src/lib.rs", "mod lost;");
    let broken = repo.benchgate(&["-q", "check", "--suite", "none"]).expect(2);
    assert!(broken.stderr.starts_with("error: "), "{}", broken.stderr);
}

#[test]
fn colour_is_as_asked_for_and_no_color_is_honoured() {
    let repo = Repo::new(&AB);
    repo.suite("speed", &["decode/large|1200|", AB[1]]);
    repo.commit("slower");
    repo.benchgate(&["check"]).expect(100);
    let report = |arguments: &[&str], no_color: &str| {
        let path = repo.path("target/benchgate/result.json");
        let mut command = repo.command(&["report", &path.to_string_lossy()]);
        command.args(arguments).env("NO_COLOR", no_color);
        Ran::of(command).expect(0).stdout
    };
    assert!(report(&["--color", "always"], "").contains("\u{1b}[1m\u{1b}[31mcritical"));
    assert!(report(&["--color", "always"], "1").contains('\u{1b}'));
    for arguments in [&[][..], &["--color", "never"]] {
        assert!(!report(arguments, "1").contains('\u{1b}'));
    }
}

#[test]
fn a_policy_is_checked_and_shown_with_the_place_of_each_value() {
    let repo = Repo::new(&AB);
    repo.write("benchgate.toml", "[measure]\npairs = 12\n");
    repo.commit("policy");
    let checked = repo.plain(&["policy", "check"]).expect(0);
    assert_eq!(checked.stdout, "benchgate.toml: valid: settings: 1, entries: 0\n");
    repo.write("benchgate.toml", "[measure]\npears = 12\n");
    let ran = repo.plain(&["policy", "check"]).expect(2);
    assert!(ran.stderr.contains("benchgate.toml:2:1: unknown field `pears`"), "{}", ran.stderr);
    assert!(ran.stderr.contains("; did you mean `pairs`?\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains("\n2 | pears = 12\n  | ^^^^^\n"), "{}", ran.stderr);
    // The policy that holds is the committed one.
    let shown = repo.plain(&["policy", "show"]).expect(0).stdout;
    assert!(shown.contains("\npairs = 12                      # benchgate.toml:2\n"), "{shown}");
    assert!(shown.contains("\nrounds = 15                     # default\n"), "{shown}");
    let json = repo.plain(&["policy", "show", "--format", "json"]).expect(0).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["settings"]["measure.pairs"]["value"], 12);
}

#[test]
fn cargo_finds_the_gate_by_its_name() {
    let repo = Repo::new(&AB);
    repo.commit("second");
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("cargo-benchgate"));
    command.current_dir(repo.path("")).args(["benchgate", "check", "--suite", "sped"]);
    let ran = Ran::of(command).expect(2);
    assert!(ran.stderr.contains("did you mean `--suite speed`?"), "{}", ran.stderr);
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("cargo-benchgate"));
    let ran = Ran::of({
        command.arg("--version");
        command
    });
    assert!(ran.expect(0).stdout.starts_with("benchgate "));
}

#[test]
fn completions_and_manual_pages_know_the_commands() {
    let repo = Repo::empty();
    for shell in ["bash", "zsh", "fish"] {
        let script = repo.plain(&["completions", shell]).expect(0).stdout;
        assert!(script.contains("measure-identical"), "{shell}");
    }
    let page = repo.plain(&["man"]).expect(0).stdout;
    assert!(page.contains(".TH benchgate 1") && page.contains("selftest"), "{page}");
    let page = repo.plain(&["man", "check"]).expect(0).stdout;
    assert!(page.contains(".TH benchgate-check 1") && page.contains("\\-\\-dry\\-run"), "{page}");
    let ran = repo.plain(&["man", "chekc"]).expect(2);
    assert!(ran.stderr.contains("did you mean `check`?"), "{}", ran.stderr);
}
