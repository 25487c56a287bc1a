//! The files that a bench may read when it runs: with another one of them, equal machine code does not prove equal work.

use crate::policy;

/// Whether a bench could read a file, though nothing names it. The path is from the top of the repository.
pub(crate) fn is_data(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let mut folders = folders.split('/');
    let top = folders.clone().next().unwrap_or_default();
    if folders.any(|folder| DATA_FOLDERS.contains(&folder)) {
        return true;
    }
    let is_of_the_build =
        name.ends_with(".rs") || ["Cargo.toml", "Cargo.lock", policy::FILE_NAME].contains(&name);
    let is_prose = name.ends_with(".md") || name.starts_with("LICENSE");
    let is_of_tools = [".github", ".cargo", ".ci", "baselines"].contains(&top)
        || name.starts_with(".git")
        || ["rustfmt.toml", "clippy.toml", "deny.toml"].contains(&name);
    // What a snapshot test has seen, beside the test. A bench that reads those names their folder or lists it.
    let is_snapshot = ending(name) == "snap";
    // A path that is put together at run time has the folder in it, so what reads a script has a string that names it.
    let is_script = top == "scripts" && SCRIPTS.contains(&ending(name));
    !(is_of_the_build || is_prose || is_of_tools || is_snapshot || is_script)
}

/// What follows the last dot of a name; nothing if it has none.
pub(crate) fn ending(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, ending)| ending)
}

/// Endings of programs that people run: in the folder for them they are not data.
const SCRIPTS: [&str; 4] = ["", "sh", "bash", "py"];

/// Folders in which prose and Rust source are data too: a parser's corpus may be either.
const DATA_FOLDERS: [&str; 7] =
    ["data", "testdata", "fixtures", "corpus", "samples", "inputs", "assets"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_a_bench_may_read_are_distinguished_from_sources_and_prose() {
        let changed = [
            "README.md",
            "benchgate.toml",
            "Cargo.lock",
            "LICENSE-MIT",
            "docs/plot.svg",
            "docx/benches/a.docx",
            "crates/a/src/lib.rs",
            "crates/a/Cargo.toml",
            "crates/a/data/words.txt",
            "crates/a/.cargo/config.toml",
            "crates/a/.hidden",
            "crates/ab/data.bin",
            "crates/a/baselines/m/a.json",
            "crates/a/benches/docs/page.html",
            "data.csv",
            "scripts/release",
            "scripts/ci/check.sh",
            "scripts/words.txt",
            "scripts/data/words",
            "crates/a/scripts/words",
            "crates/a/src/snapshots/a__tests__b.snap",
            "crates/a/data/snapshots/a.snap",
        ];
        assert_eq!(
            changed.into_iter().filter(|path| is_data(path)).collect::<Vec<_>>(),
            [
                "docs/plot.svg",
                "docx/benches/a.docx",
                "crates/a/data/words.txt",
                "crates/a/.cargo/config.toml",
                "crates/a/.hidden",
                "crates/ab/data.bin",
                "crates/a/baselines/m/a.json",
                "crates/a/benches/docs/page.html",
                "data.csv",
                "scripts/words.txt",
                "scripts/data/words",
                "crates/a/scripts/words",
                "crates/a/data/snapshots/a.snap",
            ]
        );
    }
}
