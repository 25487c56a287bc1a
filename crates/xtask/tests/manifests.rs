//! Rules for the manifest of every package of this workspace.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

use cargo_metadata::{MetadataCommand, Package, Target};
use toml::{Table, Value};

/// `cargo bench -- --save-baseline x` at the root hands its options to every target that may be
/// benched. The harness that rustc provides refuses them, and the command fails at its end.
#[test]
fn no_target_is_benched_by_the_harness_that_refuses_the_options_of_criterion() {
    let wrong: Vec<String> = packages().iter().flat_map(benched_by_rustc).collect();
    assert!(wrong.is_empty(), "add `bench = false`, or `harness = false` to a bench: {wrong:#?}");
}

#[test]
fn a_library_without_the_key_is_found() {
    let manifest: Table = "[[bin]]\nname = \"a\"\nbench = false".parse().unwrap();
    assert_eq!(setting(&manifest, "lib", "a", "bench"), None);
    assert_eq!(setting(&manifest, "bin", "a", "bench"), Some(false));
    assert_eq!(setting(&manifest, "bin", "b", "bench"), None);
}

fn packages() -> Vec<Package> {
    let metadata = MetadataCommand::new().no_deps().other_options(["--offline".into()]).exec();
    metadata.unwrap().packages
}

fn benched_by_rustc(package: &Package) -> Vec<String> {
    let manifest: Table = std::fs::read_to_string(&package.manifest_path).unwrap().parse().unwrap();
    let is_wrong = |target: &&Target| {
        let set = |table, key| setting(&manifest, table, &target.name, key) == Some(false);
        let is_a = |kind| target.kind.iter().any(|known| known.to_string() == kind);
        if ["lib", "rlib", "proc-macro"].into_iter().any(is_a) {
            !set("lib", "bench")
        } else if target.is_bin() {
            !set("bin", "bench")
        } else {
            target.is_bench() && !set("bench", "harness")
        }
    };
    let targets = package.targets.iter().filter(is_wrong);
    targets.map(|target| format!("{}: {}", package.manifest_path, target.name)).collect()
}

/// Returns a boolean key of a target in the manifest: `[lib]` is one table, the others are lists by name.
fn setting(manifest: &Table, table: &str, name: &str, key: &str) -> Option<bool> {
    let target = match manifest.get(table)? {
        Value::Array(targets) => targets
            .iter()
            .find(|target| target.get("name").and_then(Value::as_str) == Some(name))?,
        target => target,
    };
    target.get(key)?.as_bool()
}
