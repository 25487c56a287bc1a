//! The files of the stand-in.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

use std::collections::BTreeSet;

use benchgate_runtime::{Dependency, Unsupported, criterion};

fn set(texts: &[&str]) -> BTreeSet<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

fn content(version: &str, path: &str, keep: &[Dependency]) -> String {
    let package = criterion(version, &set(&[]), keep).unwrap();
    package.files.into_iter().find(|file| file.path == path).unwrap().content
}

fn kept(name: &str, requirement: &str, features: &[&str]) -> Dependency {
    let [name, requirement] = [name, requirement].map(str::to_owned);
    Dependency { name, requirement, features: set(features) }
}

#[test]
fn it_has_exactly_the_version_and_no_dependency_that_is_not_optional() {
    for version in [
        "0.3.0", "0.3.3", "0.3.4", "0.3.5", "0.3.6", "0.4.0", "0.5.0", "0.5.1", "0.6.0", "0.8.0",
        "0.8.27",
    ] {
        let manifest = content(version, "Cargo.toml", &[]);
        assert!(manifest.contains(&format!("\nversion = \"{version}\"\n")), "{manifest}");
        assert!(!manifest.contains("rust-version"), "{manifest}");
        let (_, dependencies) = manifest.split_once("[dependencies]\n").unwrap();
        assert!(dependencies.lines().all(|line| line.contains("optional = true")), "{manifest}");
    }
}

#[test]
fn other_versions_have_no_stand_in() {
    for version in
        ["0.2.11", "0.9.0", "1.0.0", "0.5", "0.5.1-rc.1", "0.5.01", "0.5.1.2", "", "x", "0.5.+1"]
    {
        let refused = criterion(version, &set(&[]), &[]).unwrap_err();
        assert_eq!(refused, Unsupported::Version(version.to_owned()));
        assert!(refused.to_string().contains("0.3 to 0.8"), "{refused}");
    }
}

#[test]
fn the_features_of_each_version_are_known_and_no_others() {
    let all = [
        "async",
        "async_futures",
        "async_smol",
        "async_tokio",
        "html_reports",
        "default",
        "stable",
    ];
    for version in ["0.3.6", "0.4.0", "0.5.1", "0.6.0", "0.7.0", "0.8.2"] {
        assert!(criterion(version, &set(&all), &[]).is_ok(), "{version}");
        let refused = criterion(version, &set(&["x"]), &[]).unwrap_err();
        assert_eq!(refused, Unsupported::Feature(version.to_owned(), "x".to_owned()));
    }
    for (version, feature, known) in [
        ("0.3.6", "rayon", false),
        ("0.4.0", "rayon", true),
        ("0.5.1", "async-std", true),
        ("0.5.1", "tokio", true),
        ("0.6.0", "tokio", false),
        ("0.7.0", "async_std", true),
        ("0.8.0", "async_std", false),
    ] {
        let made = criterion(version, &set(&[feature]), &[]);
        assert_eq!(made.is_ok(), known, "{version} {feature}");
    }
}

#[test]
fn what_the_project_keeps_of_criterions_graph_is_in_the_manifest() {
    let keep = [
        kept("serde", "=1.0.228", &["alloc", "derive"]),
        kept("syn", "=1.0.109", &["full"]),
        kept("syn", "=2.0.100", &["default", "full"]),
        kept("regex", "=1.11.0", &["std"]),
    ];
    let manifest = content("0.5.1", "Cargo.toml", &keep);
    for line in [
        r#"serde = { package = "serde", version = "=1.0.228", default-features = false, features = ["alloc", "derive"] }"#,
        r#"syn = { package = "syn", version = "=1.0.109", default-features = false, features = ["full"] }"#,
        r#"syn-2 = { package = "syn", version = "=2.0.100", default-features = false, features = ["default", "full"] }"#,
    ] {
        assert!(manifest.lines().any(|found| found == line), "{manifest}");
    }
    let on = |name: &str| {
        format!("macro_rules! {name} {{\n    ($($content:tt)*) => {{ $($content)* }};")
    };
    let with = content("0.5.1", "src/versions.rs", &keep);
    let without = content("0.5.1", "src/versions.rs", &[]);
    for crate_name in ["serde", "regex"] {
        assert!(with.contains(&on(&format!("with_{crate_name}"))), "{with}");
        assert!(without.contains(&on(&format!("without_{crate_name}"))), "{without}");
    }
    for bad in [
        kept("tokio", "1", &[]),
        kept("a\"", "1", &[]),
        kept("a", "", &[]),
        kept("a", "1", &["\n"]),
    ] {
        let refused = criterion("0.5.1", &set(&[]), std::slice::from_ref(&bad)).unwrap_err();
        assert_eq!(refused, Unsupported::Kept(bad.name));
    }
}

#[test]
fn the_same_arguments_give_the_same_files_in_order() {
    let made = criterion("0.8.2", &set(&["async"]), &[]).unwrap();
    assert_eq!(Ok(&made), criterion("0.8.2", &set(&["async"]), &[]).as_ref());
    assert!(made.files.is_sorted_by(|a, b| a.path < b.path));
    // The executable and the gate read the protocol with the same text.
    let protocol = made.files.iter().find(|file| file.path == "src/protocol.rs").unwrap();
    assert_eq!(protocol.content, include_str!("../src/protocol.rs"));
}
