//! The commands of the published documents find what they name: package, bench target, features.
//! `scripts/evidence/published-commands` has them, and types each in a fresh clone; that takes hours. Here cargo's metadata
//! answers, and nothing is built.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

use std::path::{Path, PathBuf};

use cargo_metadata::{MetadataCommand, Package};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The strings of the list in the script.
fn commands() -> Vec<String> {
    let script =
        std::fs::read_to_string(root().join("scripts/evidence/published-commands")).unwrap();
    let (_, list) = script.split_once("COMMANDS=(\n").unwrap();
    let (list, _) = list.split_once("\n)\n").unwrap();
    let lines = list.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    lines.map(|line| line.trim_matches('"').to_owned()).collect()
}

fn packages() -> Vec<Package> {
    let metadata = MetadataCommand::new().no_deps().other_options(["--offline".into()]).exec();
    metadata.unwrap().packages
}

/// What keeps cargo from running the command; `None` where it would.
fn problem(command: &str, packages: &[Package]) -> Option<String> {
    let (folder, command) = match command.strip_prefix("cd ").and_then(|it| it.split_once(" && ")) {
        Some((folder, command)) => (folder, command),
        None => ("", command),
    };
    let options = command.split(" -- ").next().unwrap_or_default();
    let mut words = options.split(' ').filter(|word| !word.is_empty() && *word != "--");
    let ("cargo", subcommand) = (words.next()?, words.next()?) else { return None };
    let folder = root().join(folder);
    let in_folder = |package: &&Package| package.manifest_path.parent().unwrap() == folder;
    // In a member's folder cargo has that one, and at the top all of them.
    let mut selected: Vec<&Package> = match packages.iter().find(in_folder) {
        Some(package) => vec![package],
        None => packages.iter().collect(),
    };
    let (mut bench, mut features) = (None, Vec::new());
    while let Some(word) = words.next() {
        match word {
            "-p" => {
                let name = words.next()?;
                selected.retain(|package| package.name.as_str() == name);
            }
            "--bench" => bench = Some(words.next()?),
            "--features" => features.extend(words.next()?.split(',')),
            "--release" => {}
            other => return Some(format!("`{other}` is not known here")),
        }
    }
    if selected.is_empty() {
        return Some("there is no such package".to_owned());
    }
    let has = |package: &Package, feature: &str| package.features.contains_key(feature);
    if let Some(none) = features.iter().find(|it| !selected.iter().any(|package| has(package, it)))
    {
        return Some(format!("no package has the feature `{none}`"));
    }
    match (subcommand, bench) {
        ("run", _) => {
            let bins = selected.iter().flat_map(|it| &it.targets).filter(|it| it.is_bin()).count();
            (bins != 1).then(|| format!("{bins} binaries may be meant"))
        }
        (_, None) => None,
        (_, Some(bench)) => {
            let targets = selected.iter().flat_map(|package| {
                let benches = package.targets.iter().filter(|target| target.is_bench());
                benches.filter(|target| target.name == bench).map(move |target| (package, target))
            });
            let targets: Vec<_> = targets.collect();
            let [(package, target)] = &*targets else {
                return Some(format!("{} targets are named `{bench}`", targets.len()));
            };
            let enabled = enabled(package, &features);
            let missing = target.required_features.iter().find(|it| !enabled.contains(*it));
            missing.map(|feature| format!("`{bench}` requires the feature `{feature}`"))
        }
    }
}

/// The features of a package, with those that they enable.
fn enabled(package: &Package, features: &[&str]) -> Vec<String> {
    let mut enabled: Vec<String> = features.iter().map(|feature| (*feature).to_owned()).collect();
    let mut next = 0;
    while let Some(feature) = enabled.get(next).cloned() {
        enabled.extend(package.features.get(&feature).into_iter().flatten().cloned());
        next += 1;
        assert!(next < 1000, "features of {} go in a circle", package.name);
    }
    enabled
}

#[test]
fn every_published_command_finds_what_it_names() {
    let (commands, packages) = (commands(), packages());
    let problems: Vec<String> = commands
        .iter()
        .filter_map(|command| Some(format!("`{command}`: {}", problem(command, &packages)?)))
        .collect();
    assert!(problems.is_empty(), "{problems:#?}");
    for published in [
        "cargo bench -p benchmarks --bench dataset",
        "cargo test --release -p benchmarks --bench allocations",
        "cargo bench",
        "cargo bench --features all_checksums",
        "cargo bench --features comparative_bench --bench comparative_benchmarks",
        "cargo bench --bench benchmarks -- regression_small_messages",
        "cargo bench -- --save-baseline published",
        "crates/benchgate/pre-commit",
        "cd benches/noproto && cargo run --release",
    ] {
        assert!(commands.iter().any(|command| command == published), "{published}");
    }
    assert!(root().join("crates/benchgate/pre-commit").is_file());
}

#[test]
fn a_command_that_cargo_would_refuse_is_named_with_the_reason() {
    let packages = packages();
    let problem = |command| problem(command, &packages).unwrap_or_default();
    assert_eq!(problem("cargo bench -p nobody"), "there is no such package");
    assert_eq!(
        problem("cargo bench -p benchmarks --bench benchmarks"),
        "0 targets are named `benchmarks`"
    );
    assert_eq!(
        problem("cargo bench --bench simple_benchmarks"),
        "`simple_benchmarks` requires the feature `comparative_bench`"
    );
    assert_eq!(problem("cargo bench --features nothing"), "no package has the feature `nothing`");
}

/// A change of flatstream builds its own suites alone: those of protobuf are a package that does not depend on it.
#[test]
fn the_suites_of_protobuf_are_built_without_flatstream() {
    let packages = packages();
    let benchmarks = packages.iter().find(|package| package.name.as_str() == "benchmarks").unwrap();
    let of_flatstream = ["flatstream", "flatstream-benches"];
    let found = benchmarks.dependencies.iter().find(|it| of_flatstream.contains(&&*it.name));
    assert!(found.is_none(), "{found:?}");
    assert!(benchmarks.targets.iter().any(|target| target.is_bench() && target.name == "dataset"));
}
