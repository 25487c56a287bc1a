//! The files of the stand-in.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

use benchgate_runtime::{Unsupported, criterion};

fn content(version: &str, path: &str) -> String {
    let package = criterion(version).unwrap();
    package.files.into_iter().find(|file| file.path == path).unwrap().content
}

#[test]
fn it_has_exactly_the_version_and_no_dependency_that_is_not_optional() {
    for version in [
        "0.3.0", "0.3.3", "0.3.4", "0.3.5", "0.3.6", "0.4.0", "0.5.0", "0.5.1", "0.6.0", "0.8.0",
        "0.8.27",
    ] {
        let manifest = content(version, "Cargo.toml");
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
        let refused = criterion(version).unwrap_err();
        assert_eq!(refused, Unsupported(version.to_owned()));
        assert!(refused.to_string().contains("0.3 to 0.8"), "{refused}");
    }
}

#[test]
fn the_features_of_each_version_are_there_and_no_others() {
    let has = |version: &str, feature: &str| {
        let manifest = content(version, "Cargo.toml");
        let (_, features) = manifest.split_once("[features]\n").unwrap();
        let (features, _) = features.split_once("[dependencies]\n").unwrap();
        features.lines().any(|line| line.starts_with(&format!("{feature} = [")))
    };
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
        assert!(all.iter().all(|feature| has(version, feature)), "{version}");
        assert!(!has(version, "x"), "{version}");
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
        assert_eq!(has(version, feature), known, "{version} {feature}");
    }
}

#[test]
fn the_same_version_gives_the_same_files_in_order() {
    let made = criterion("0.8.2").unwrap();
    assert_eq!(Ok(&made), criterion("0.8.2").as_ref());
    assert!(made.files.is_sorted_by(|a, b| a.path < b.path));
    // The executable and the gate read the protocol with the same text.
    let protocol = made.files.iter().find(|file| file.path == "src/protocol.rs").unwrap();
    assert_eq!(protocol.content, include_str!("../src/protocol.rs"));
}
