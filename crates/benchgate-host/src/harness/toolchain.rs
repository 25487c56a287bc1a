//! Describes the toolchain that built the executables.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use benchgate_core::model::Toolchain;
use benchgate_core::policy::{Build, Runtime, Suite};

use crate::cargo::command::configuration_files;
use crate::cargo::rustc;
use crate::cargo::{Workspace, describe_profile};
use crate::system::files;
use crate::{HostError, harness};

/// The toolchain that cargo uses in a workspace, and what these declared suites run on.
///
/// # Errors
/// When rustc cannot be run.
pub fn fingerprint<'a>(
    workspace: &Workspace,
    build: &Build,
    suites: impl IntoIterator<Item = &'a Suite>,
) -> Result<Toolchain, HostError> {
    let Workspace { root, sandbox, .. } = workspace;
    let version = rustc::version(root, sandbox)?;
    let lockfile = files::digest(&root.join("Cargo.lock")).ok();
    Ok(Toolchain {
        rustc: version.lines().next().unwrap_or_default().to_owned(),
        host: rustc::host_of(&version),
        rustflags: rustflags(root),
        profile: describe_profile(root, build)?,
        lockfile,
        runtimes: {
            let mut runtimes = harness::runtimes(suites, root, sandbox)?;
            // Values of one way are not those of the other.
            if build.runtime == Runtime::Lockstep {
                runtimes.push(format!("lockstep {}", benchgate_runtime::protocol::VERSION));
            }
            runtimes
        },
    })
}

/// The versions of each crate that bench targets measure with, by the lock file of a workspace; empty where that cannot
/// be read.
pub fn instruments(root: &Path) -> BTreeMap<&'static str, BTreeSet<String>> {
    let lock = fs_err::read_to_string(root.join("Cargo.lock")).unwrap_or_default();
    let lock: toml::Table = lock.parse().unwrap_or_default();
    let packages = lock.get("package").and_then(toml::Value::as_array);
    let text = |package: &toml::Value, key: &str| Some(package.get(key)?.as_str()?.to_owned());
    let mut versions: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for package in packages.into_iter().flatten() {
        let name = text(package, "name");
        let known = harness::packages().find(|known| name.as_deref() == Some(known));
        if let (Some(name), Some(version)) = (known, text(package, "version")) {
            versions.entry(name).or_default().insert(version);
        }
    }
    versions
}

/// The effective flags, from the first of cargo's sources that has any: they exclude each other.
fn rustflags(root: &Path) -> String {
    if let Ok(encoded) = std::env::var("CARGO_ENCODED_RUSTFLAGS") {
        return encoded.replace('\u{1f}', " ");
    }
    if let Some(flags) =
        ["RUSTFLAGS", "CARGO_BUILD_RUSTFLAGS"].iter().find_map(|name| std::env::var(name).ok())
    {
        return flags;
    }
    configuration_files(root)
        .filter_map(|path| fs_err::read_to_string(path).ok()?.parse::<toml::Table>().ok())
        .find_map(|config| configured(&config))
        .unwrap_or_default()
}

fn configured(config: &toml::Table) -> Option<String> {
    let flags = |table: &toml::Value| match table.get("rustflags")? {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Array(items) => {
            Some(items.iter().filter_map(toml::Value::as_str).collect::<Vec<_>>().join(" "))
        }
        _ => None,
    };
    let of_targets: Vec<String> = config
        .get("target")
        .and_then(toml::Value::as_table)
        .into_iter()
        .flat_map(|targets| targets.iter())
        .filter_map(|(name, table)| Some(format!("{name}: {}", flags(table)?)))
        .collect();
    if of_targets.is_empty() { flags(config.get("build")?) } else { Some(of_targets.join("; ")) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_instruments_of_a_workspace_are_those_of_its_lock_file() {
        let folder = tempfile::tempdir().unwrap();
        assert!(super::instruments(folder.path()).is_empty());
        let package = |name: &str, version: &str| {
            format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n\n")
        };
        let lock = [
            package("criterion", "0.5.1"),
            package("criterion-plot", "0.6.0"),
            package("criterion", "0.8.2"),
            package("divan", "0.1.21"),
        ];
        let lock = format!("version = 4\n\n{}", lock.concat());
        std::fs::write(folder.path().join("Cargo.lock"), lock).unwrap();
        let versions = |found: &[&str]| found.iter().map(|version| version.to_string()).collect();
        let expected =
            [("criterion", versions(&["0.5.1", "0.8.2"])), ("divan", versions(&["0.1.21"]))];
        assert_eq!(super::instruments(folder.path()), expected.into());
    }

    #[test]
    fn flags_of_a_target_hide_those_of_the_build_as_in_cargo() {
        let configured = |text: &str| super::configured(&text.parse().unwrap());
        assert_eq!(configured("[build]\nrustflags = [\"-C\", \"x\"]").as_deref(), Some("-C x"));
        assert_eq!(
            configured("[build]\nrustflags = \"a\"\n[target.t]\nrustflags = \"b\"").as_deref(),
            Some("t: b")
        );
        assert_eq!(configured("[alias]\nx = \"y\""), None);
    }
}
