//! Builds the programs of `tests/programs` with the stand-in: one package for each version.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// One release of each minor version.
pub(crate) const VERSIONS: [&str; 6] = ["0.3.6", "0.4.0", "0.5.1", "0.6.0", "0.7.0", "0.8.2"];

/// Programs that every version compiles.
const COMMON: [&str; 12] = [
    "batches",
    "ids",
    "iterations",
    "lints",
    "macros",
    "measurement",
    "own_main",
    "panics",
    "settings",
    "streams",
    "threads",
    "types",
];

/// Returns the programs of this version.
pub(crate) fn programs(version: &str) -> Vec<&'static str> {
    let minor: u32 = version.split('.').nth(1).unwrap().parse().unwrap();
    let mut programs = COMMON.to_vec();
    programs.push(match minor {
        3 => "throughput_0_3",
        4..=6 => "throughput_0_4",
        7 => "throughput_0_7",
        _ => "throughput_0_8",
    });
    programs.push(if minor == 3 { "old_0_3" } else { "new_0_4" });
    programs.push(if minor < 6 { "black_box_0_5" } else { "deprecated_0_6" });
    programs.extend((minor >= 5).then_some("new_0_5"));
    // Before, the feature `async` has a dependency, and nothing is downloaded here.
    programs.extend((minor >= 6).then_some("own_executor"));
    programs
}

/// Returns the folder of this version's programs. Builds them at the first call.
pub(crate) fn folder(version: &str) -> &'static Path {
    static FOLDERS: [OnceLock<PathBuf>; VERSIONS.len()] = [const { OnceLock::new() }; 6];
    let at = VERSIONS.iter().position(|known| *known == version).unwrap();
    FOLDERS[at].get_or_init(|| build(version))
}

fn build(version: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stand_in").join(version);
    let features: &[&str] =
        if programs(version).contains(&"own_executor") { &["async"] } else { &[] };
    let package = benchgate_runtime::criterion(version).unwrap();
    for file in package.files {
        write(&folder.join("criterion").join(file.path), &file.content);
    }
    // Beside it: inside of the workspace's folder it would be a member, whose optional dependencies are resolved, too.
    let folder = folder.join("programs");
    write(&folder.join("Cargo.toml"), &manifest(version, features));
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--offline", "--quiet"]).current_dir(&folder);
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_") && text != "CARGO_HOME" || text.contains("RUSTFLAGS") {
            cargo.env_remove(name);
        }
    }
    let done = cargo.env("CARGO_TARGET_DIR", folder.join("target")).output().unwrap();
    let shown = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{version}: {shown}");
    assert_eq!(shown, "", "{version}: a warning");
    folder.join("target/debug")
}

fn manifest(version: &str, features: &[&str]) -> String {
    let programs_at = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let program = |name: &str| {
        let path = programs_at.join(format!("{name}.rs"));
        format!("[[bin]]\nname = \"{name}\"\npath = '{}'\n", path.display())
    };
    let programs: String = programs(version).into_iter().map(program).collect();
    format!(
        "[workspace]\n\
         [package]\nname = \"programs\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\
         [dependencies.criterion]\npath = \"../criterion\"\nversion = \"={version}\"\nfeatures = {features:?}\n\
         [profile.dev]\ndebug = false\nincremental = false\n\
         {programs}"
    )
}

/// Only what differs is written, so that a second run compiles nothing.
fn write(path: &Path, content: &str) {
    if std::fs::read_to_string(path).is_ok_and(|old| old == content) {
        return;
    }
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}
