//! Builds of suites: one that does not build keeps no other from being measured.

use crate::support::{Repo, of_toolchain};

const BROKEN: &str = "fn main() { let number: u32 = \"seven\"; }";

/// Two suites, of which `other` does not build.
fn break_other(repo: &Repo) {
    repo.write("benches/other/main.rs", BROKEN);
}

fn two_suites() -> Repo {
    let repo = Repo::new(&["a|1000|"]);
    repo.suite("other", &["x|10|"]);
    repo.commit("two suites");
    repo
}

#[test]
fn a_suite_that_does_not_build_has_failed_and_the_others_are_measured() {
    let repo = two_suites();
    repo.suite("speed", &["a|1500|"]);
    break_other(&repo);
    repo.commit("one is slower and one is broken");
    let ran = repo.benchgate(&["check", "--pairs", "8"]).expect(100);
    assert_eq!(repo.findings(), ["a: critical"]);
    let suite = repo.result()["suites"][0].clone();
    assert_eq!((&suite["suite"], &suite["finding"]), (&"other".into(), &"failed".into()));
    assert_eq!(suite["reason"], "head: cargo could not build it");
    let output = suite["output"].as_str().unwrap();
    assert!(output.starts_with("error[E0308]: mismatched types"), "{output}");
    assert!(ran.stdout.contains("mismatched types"), "{}", ran.stdout);

    repo.suite("speed", &["a|1000|"]);
    repo.git(&["add", "--all"]);
    repo.git(&["commit", "--quiet", "--amend", "--message", "one is broken"]);
    repo.benchgate(&["check", "--pairs", "8"]).expect(101);
    assert_eq!(repo.findings(), ["a: unchanged"]);
}

#[test]
fn a_suite_that_only_the_head_builds_has_nothing_to_compare_with() {
    let repo = two_suites();
    break_other(&repo);
    repo.commit("broken");
    repo.suite("other", &["x|10|"]);
    repo.commit("repaired");
    let ran = repo.benchgate(&["check", "--pairs", "8"]).expect(102);
    assert_eq!(repo.findings(), ["x: new", "a: unchanged"]);
    let suite = repo.result()["suites"][0].clone();
    assert_eq!(suite["finding"], "inconclusive");
    assert_eq!(suite["reason"], "base: cargo could not build it: there is nothing to compare with");
    assert!(ran.stdout.contains("mismatched types"), "{}", ran.stdout);
}

#[test]
fn a_suite_that_the_policy_skips_is_not_built() {
    let repo = two_suites();
    repo.policy("[[skip]]\nsuite = \"other\"\nreason = \"needs nightly\"\n");
    break_other(&repo);
    repo.commit("skip what does not build");
    repo.commit("nothing");
    repo.benchgate(&["check", "--pairs", "8"]).expect(0);
    assert_eq!(repo.findings(), ["a: unchanged"]);
    let suite = repo.result()["suites"][0].clone();
    assert_eq!((&suite["finding"], &suite["skip"]), (&"skipped".into(), &"policy".into()));
    assert_eq!(suite["reason"], "left out by `[[skip]]`, and not built: needs nightly");
}

#[test]
fn a_root_package_that_is_not_a_default_member_is_built() {
    let repo = Repo::new(&["a|1000|"]);
    let manifest = repo.manifest();
    let members = "[workspace]\nmembers = [\"tool\"]\ndefault-members = [\"tool\"]\n";
    repo.write("Cargo.toml", &manifest.replace("[workspace]\n", members));
    repo.write("tool/Cargo.toml", "[package]\nname = \"tool\"\nversion = \"0.1.0\"\n");
    repo.write("tool/src/lib.rs", "");
    repo.commit("a member");
    repo.commit("nothing");
    repo.benchgate(&["check", "--pairs", "8"]).expect(0);
    assert_eq!(repo.findings(), ["a: unchanged"]);
}

#[test]
fn a_feature_that_no_package_has_is_an_error_with_the_nearest() {
    let repo = Repo::new(&["a|1000|"]);
    repo.extend_manifest("required-features = [\"simd\"]\n[features]\nsimd = []\n");
    repo.commit("a feature");
    repo.commit("nothing");
    let ran = repo.benchgate(&["check", "--features", "parser/smid"]).expect(2);
    let said = "no package has the feature `parser/smid`";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    assert!(ran.stderr.contains("help: did you mean `parser/simd`?"), "{}", ran.stderr);
    repo.benchgate(&["check", "--pairs", "8", "-F", "simd parser/simd"]).expect(0);
    assert_eq!(repo.findings(), ["a: unchanged"]);
    let again = repo.result()["reproduce"].as_str().unwrap().to_owned();
    assert!(again.contains("--features simd --features parser/simd"), "{again}");
}

#[test]
fn where_all_suites_need_features_they_are_built_with_them() {
    let repo = Repo::new(&["a|1000|"]);
    repo.extend_manifest("required-features = [\"simd\"]\n[features]\nsimd = []\nother = []\n");
    repo.commit("a feature");
    repo.commit("nothing");
    let ran = repo.benchgate(&["check", "--pairs", "8"]).expect(0);
    assert_eq!(repo.findings(), ["a: unchanged"]);
    let notice = "all are built with simd, which they need; `[build] features` in benchgate.toml chooses others";
    assert!(ran.stdout.contains(notice), "{}", ran.stdout);

    // One that can be built without is measured, and the others say what they need.
    repo.suite("plain", &["x|20|"]);
    repo.commit("a suite that needs nothing");
    repo.commit("nothing");
    repo.benchgate(&["check", "--pairs", "8"]).expect(0);
    assert_eq!(repo.findings(), ["x: unchanged"]);
    let suite = repo.result()["suites"][0].clone();
    assert_eq!((&suite["suite"], &suite["skip"]), (&"speed".into(), &"features".into()));
}

#[test]
fn packages_are_chosen_as_with_cargo_and_those_left_out_are_not_built() {
    let repo = two_suites();
    repo.commit("nothing");
    repo.benchgate(&["check", "--pairs", "8", "-p", "pars*", "--offline"]).expect(0);
    assert_eq!(repo.findings(), ["x: unchanged", "a: unchanged"]);
    repo.benchgate(&["check", "--pairs", "8", "--exclude", "parser"]).expect(101);
    let suite = repo.result()["suites"][0].clone();
    assert_eq!(suite["reason"], "left out by --exclude: it is not built");
    // There is no lock file, and none may be written.
    let ran = repo.benchgate(&["check", "--pairs", "8", "--locked"]).expect(101);
    assert!(ran.stdout.contains("--locked"), "{}", ran.stdout);
}

/// A package in a git repository of its own; returns the line by which it is a dependency.
fn dependency(repo: &Repo, name: &str) -> String {
    let folder = repo.outside(name);
    std::fs::create_dir_all(folder.join("src")).unwrap();
    let manifest = format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\n");
    std::fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    std::fs::write(folder.join("src/lib.rs"), "").unwrap();
    let folder = folder.to_str().unwrap();
    repo.git(&["-C", folder, "init", "--quiet"]);
    repo.git(&["-C", folder, "add", "--all"]);
    repo.git(&["-C", folder, "commit", "--quiet", "-m", "first"]);
    format!("{name} = {{ git = \"file://{folder}\" }}\n")
}

#[test]
fn without_a_lock_file_both_sides_use_what_the_first_resolved_and_what_the_head_adds() {
    let repo = Repo::new(&["a|1000|"]);
    let [first, second] = ["dependency", "second"].map(|name| dependency(&repo, name));
    let folder = repo.outside("dependency");
    let folder = folder.to_str().unwrap();
    let manifest = repo.manifest();
    repo.write("Cargo.toml", &format!("{manifest}[dependencies]\n{first}"));
    // Whoever resolves after the first build finds another commit.
    let commit = r#"
        use std::process::Command;
        fn main() {
            let lock = std::fs::read_to_string("Cargo.lock").unwrap();
            let source = lock.lines().find(|line| line.starts_with("source")).unwrap();
            let script = format!("echo '{source}' >>LOG && cd FOLDER && git -c user.name=t \
                -c user.email=t commit --quiet --allow-empty --message new");
            assert!(Command::new("sh").args(["-c", &script]).status().unwrap().success());
        }"#;
    // The sandbox would deny this; here the script stands for anyone who commits between two builds.
    repo.policy("");
    repo.edit_policy("write", "enabled = false\nwrite");
    let log = repo.outside("sources");
    let commit = commit.replace("LOG", log.to_str().unwrap()).replace("FOLDER", folder);
    repo.write("build.rs", &commit);
    repo.commit("a dependency, and no lock file");
    repo.write("Cargo.toml", &format!("{manifest}[dependencies]\n{first}{second}"));
    repo.commit("another one");
    let mut command = repo.command(&["check", "--pairs", "8"]);
    command.env("CARGO_HOME", repo.outside("cargo"));
    crate::support::Ran::of(command).expect(0);
    let sources = std::fs::read_to_string(log).unwrap();
    let sources: Vec<&str> = sources.lines().collect();
    assert!(matches!(sources[..], [base, head] if base == head), "{sources:?}");
    assert!(!repo.path("Cargo.lock").exists());
}

/// A cargo that notes which toolchain it was asked for.
fn noting_cargo(repo: &Repo) -> String {
    cargo_that(repo, "echo \"${RUSTUP_TOOLCHAIN-of the folder}\"")
}

/// A `PATH` with a cargo that notes first what a command prints.
fn cargo_that(repo: &Repo, prints: &str) -> String {
    program_that(repo, "cargo", prints)
}

/// The same with any program of the toolchain.
fn program_that(repo: &Repo, name: &str, prints: &str) -> String {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = repo.outside("path");
    std::fs::create_dir_all(&folder).unwrap();
    let log = repo.outside("log/toolchains");
    let (log, program) = (log.display(), of_toolchain(name));
    let script = format!("#!/bin/sh\n{prints} >>'{log}'\nexec '{}' \"$@\"\n", program.display());
    let path = folder.join(name);
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    format!("{}:{}", folder.display(), std::env::var("PATH").unwrap())
}

#[test]
fn rustc_is_asked_once_what_it_is_for_both_sides_and_the_question_about_flags() {
    let repo = Repo::new(&["a|1000|"]);
    repo.commit("nothing");
    let prints = "case \"$*\" in -vV) echo asked;; esac";
    let mut command = repo.command(&["check", "--pairs", "8"]);
    command.env("PATH", program_that(&repo, "rustc", prints));
    crate::support::Ran::of(command).expect(0);
    let noted = std::fs::read_to_string(repo.outside("log/toolchains")).unwrap();
    // Five cargos fetch and build here.
    assert_eq!(noted.lines().count(), 1, "{noted}");
}

#[test]
fn each_side_is_built_by_the_toolchain_of_its_folder_unless_the_user_named_one() {
    for (source, expected) in [("toolchain file", Some("of the folder")), ("cli", None)] {
        let repo = Repo::new(&["a|1000|"]);
        repo.commit("nothing");
        let mut command = repo.command(&["check", "--pairs", "8"]);
        // As a cargo of rustup starts what it runs.
        command.env("PATH", noting_cargo(&repo)).env("RUST_RECURSION_COUNT", "1");
        command
            .env("RUSTUP_TOOLCHAIN_SOURCE", source)
            .env("CARGO", std::env::var("CARGO").unwrap());
        let named = std::env::var("RUSTUP_TOOLCHAIN").unwrap_or_else(|_| "stable".to_owned());
        command.env("RUSTUP_TOOLCHAIN", named);
        crate::support::Ran::of(command).expect(0);
        let noted = std::fs::read_to_string(repo.outside("log/toolchains")).unwrap_or_default();
        let noted: std::collections::BTreeSet<&str> = noted.lines().collect();
        assert_eq!(noted.into_iter().collect::<Vec<_>>(), expected.into_iter().collect::<Vec<_>>());
    }
}

/// Returns the lines that such a cargo noted, each once.
fn noted(repo: &Repo) -> std::collections::BTreeSet<String> {
    let noted = std::fs::read_to_string(repo.outside("log/toolchains")).unwrap();
    noted.lines().map(str::to_owned).collect()
}

#[test]
fn two_toolchain_files_are_each_that_of_their_side() {
    let repo = Repo::new(&["a|1000|"]);
    // Both name the toolchain of this test: another one would be downloaded.
    let named = std::env::var("RUSTUP_TOOLCHAIN").unwrap_or_else(|_| "stable".to_owned());
    let file = |more: &str| format!("[toolchain]\nchannel = \"{named}\"\n{more}");
    repo.write("rust-toolchain.toml", &file(""));
    repo.commit("base");
    repo.write("rust-toolchain.toml", &file("profile = \"minimal\"\n"));
    repo.commit("head");
    let mut command = repo.command(&["check", "--pairs", "8"]);
    let prints = "case \" $* \" in *' --no-run '*) grep -c . rust-toolchain.toml;; esac";
    command.env("PATH", cargo_that(&repo, prints)).env("CARGO", std::env::var("CARGO").unwrap());
    crate::support::Ran::of(command).expect(0);
    // Two lines are the base's, three the head's.
    assert_eq!(noted(&repo).into_iter().collect::<Vec<_>>(), ["2", "3"]);
}

#[test]
fn offline_is_passed_to_every_cargo_that_could_download() {
    let repo = Repo::new(&["a|1000|"]);
    repo.commit("nothing");
    let prints = "case \" $* \" in *' --no-run '*|*' fetch '*) \
                  case \" $* \" in *' --offline '*) echo offline;; *) echo \"online: $*\";; esac;; esac";
    let mut command = repo.command(&["check", "--pairs", "8", "--offline"]);
    command.env("PATH", cargo_that(&repo, prints)).env("CARGO", std::env::var("CARGO").unwrap());
    crate::support::Ran::of(command).expect(0);
    assert_eq!(noted(&repo).into_iter().collect::<Vec<_>>(), ["offline"]);
}

#[test]
fn what_a_command_before_the_build_needs_is_fetched_before_it() {
    let repo = Repo::new(&["a|1000|"]);
    repo.policy("");
    repo.edit_policy("[build]\n", "[build]\nbefore = [\"test\", \"-e\", \"fetched\"]\n");
    repo.commit("a command");
    repo.commit("nothing");
    let prints = "case \" $* \" in *' fetch '*) for last; do :; done; \
                  touch \"$(dirname \"$last\")/fetched\";; esac";
    let mut command = repo.command(&["check", "--pairs", "8"]);
    command.env("PATH", cargo_that(&repo, prints)).env("CARGO", std::env::var("CARGO").unwrap());
    crate::support::Ran::of(command).expect(0);
}

#[test]
fn in_the_sandbox_rustup_says_which_toolchain_is_missing_and_does_not_try_to_install_it() {
    let repo = Repo::new(&["a|1000|"]);
    repo.commit("nothing");
    let prints = "case \"$RUSTUP_AUTO_INSTALL $* \" in '0 metadata '*) echo asked;; esac";
    let mut command = repo.command(&["check", "--pairs", "8"]);
    command.env("PATH", cargo_that(&repo, prints)).env("CARGO", std::env::var("CARGO").unwrap());
    command.env_remove("RUSTUP_AUTO_INSTALL");
    crate::support::Ran::of(command).expect(0);
    // A kernel without Landlock has no sandbox.
    let is_restricted = repo.result()["sandbox"]["state"] != "inactive";
    assert_eq!(!noted(&repo).is_empty(), is_restricted);
}

#[test]
fn a_bench_target_that_cargo_bench_leaves_out_is_skipped_and_not_built() {
    let repo = Repo::new(&["a|1000|"]);
    repo.extend_manifest("[[bench]]\nname = \"off\"\nharness = false\nbench = false\n");
    repo.write("benches/off.rs", "compile_error!(\"needs a feature\");");
    repo.commit("one that cargo leaves out");
    repo.commit("nothing");
    repo.benchgate(&["check", "--pairs", "8"]).expect(0);
    assert_eq!(repo.findings(), ["a: unchanged"]);
    let suite = repo.result()["suites"][0].clone();
    assert_eq!((&suite["suite"], &suite["skip"]), (&"off".into(), &"not-benched".into()));
    assert_eq!(suite["reason"], "cargo bench leaves it out: its manifest says `bench = false`");
}

#[test]
fn features_are_chosen_as_with_cargo_by_the_policy_or_by_an_option() {
    let repo = Repo::new(&["a|1000|"]);
    // Like a library that is `no_std` in its benches: it builds with one choice of features only.
    repo.extend_manifest("[features]\ndefault = [\"std\"]\nstd = []\nalloc = []\n");
    let only =
        "#[cfg(any(feature = \"std\", not(feature = \"alloc\")))]\ncompile_error!(\"std\");\n";
    repo.write("src/lib.rs", only);
    repo.commit("without default features");
    repo.commit("nothing");
    let options = ["--no-default-features", "--features", "alloc"];
    repo.benchgate(&[&["check", "--pairs", "8"][..], &options].concat()).expect(0);
    assert_eq!(repo.findings(), ["a: unchanged"]);
    let again = repo.result()["reproduce"].to_string();
    assert!(again.contains("--features alloc --no-default-features"), "{again}");

    repo.policy("");
    repo.edit_policy("[build]", "[build]\ndefault-features = false\nfeatures = [\"alloc\"]");
    repo.commit("the policy says so");
    repo.commit("nothing");
    repo.benchgate(&["check", "--pairs", "8"]).expect(0);
    assert_eq!(repo.findings(), ["a: unchanged"]);
}

#[test]
fn all_features_enable_what_suites_need() {
    let repo = Repo::new(&["a|1000|"]);
    repo.extend_manifest("required-features = [\"simd\"]\n[features]\nsimd = []\n");
    repo.suite("plain", &["x|20|"]);
    repo.commit("a suite that needs a feature");
    repo.commit("nothing");
    repo.benchgate(&["check", "--pairs", "8", "--all-features"]).expect(0);
    assert_eq!(repo.findings(), ["x: unchanged", "a: unchanged"]);
}

#[test]
fn a_profile_of_the_repository_is_built_by_its_name() {
    let repo = Repo::new(&["a|$FROM_PROFILE|"]);
    repo.extend_manifest("[profile.fast]\ninherits = \"release\"\nopt-level = 1\n");
    let script = "fn main() { let level = std::env::var(\"OPT_LEVEL\").unwrap(); \
                  println!(\"cargo:rustc-env=FROM_PROFILE={level}000\"); }";
    repo.write("build.rs", script);
    repo.edit_policy("\"own\"", "\"fast\"");
    repo.commit("a profile");
    repo.commit("nothing");
    repo.benchgate(&["check", "--pairs", "8"]).expect(0);
    assert_eq!(repo.result()["benchmarks"][0]["head"], 1000.0);
    let profile = repo.result()["toolchain"]["profile"].to_string();
    assert!(profile.contains("fast, ") && profile.contains("opt-level = 1"), "{profile}");
}
