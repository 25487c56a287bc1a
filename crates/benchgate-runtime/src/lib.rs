//! What benchgate measures Criterion's benchmarks with, in its own builds: a crate that stands in for Criterion.
//!
//! [`criterion`] makes the files of that crate, for the version that the project's lock file has.
//! [`protocol`] is what an executable that was built with it and the gate tell each other. This crate computes text:
//! it does no I/O.

mod manifest;
#[expect(
    clippy::uninlined_format_args,
    reason = "the stand-in includes it, for compilers that do not know them"
)]
pub mod protocol;
mod versions;

use std::fmt;

/// The files of a crate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    /// Sorted by path.
    pub files: Vec<File>,
}

/// A file of a crate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Relative to the folder of the crate, with `/`.
    pub path: String,
    /// All of it.
    pub content: String,
}

/// A version that there is no stand-in for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsupported(pub String);

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no stand-in for criterion {}: expected 0.3 to 0.8", self.0)
    }
}

impl std::error::Error for Unsupported {}

/// Returns a crate `criterion` of exactly this version.
///
/// It has all features of that version, so that whoever depends on it resolves. The same version gives the same bytes.
///
/// # Errors
///
/// For a version that the stand-in does not know.
pub fn criterion(version: &str) -> Result<Package, Unsupported> {
    let release =
        versions::Release::parse(version).ok_or_else(|| Unsupported(version.to_owned()))?;
    let mut files = vec![
        File { path: "Cargo.toml".to_owned(), content: manifest::write(version, release) },
        File { path: "src/versions.rs".to_owned(), content: versions::write(version, release) },
    ];
    files.extend(SOURCES.iter().map(|(name, content)| File {
        path: format!("src/{name}.rs"),
        content: (*content).to_owned(),
    }));
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(Package { files })
}

/// A text that differs where any stand-in does: who keeps what was built of one compares it.
#[must_use]
pub fn fingerprint() -> String {
    let of_series = versions::SERIES.iter().filter_map(|version| {
        let package = criterion(version).ok()?;
        Some(package.files.into_iter().map(|file| format!("{}\0{}\0", file.path, file.content)))
    });
    of_series.flatten().collect()
}

/// Names and texts of the modules. Each path is written out: a tool that reads this file sees what the compiler reads.
const SOURCES: [(&str, &str); 17] = [
    ("arguments", include_str!("../criterion/arguments.rs")),
    ("async_bencher", include_str!("../criterion/async_bencher.rs")),
    ("async_executor", include_str!("../criterion/async_executor.rs")),
    ("bencher", include_str!("../criterion/bencher.rs")),
    ("criterion", include_str!("../criterion/criterion.rs")),
    ("group", include_str!("../criterion/group.rs")),
    ("id", include_str!("../criterion/id.rs")),
    ("lead", include_str!("../criterion/lead.rs")),
    ("lib", include_str!("../criterion/lib.rs")),
    ("macros", include_str!("../criterion/macros.rs")),
    ("measurement", include_str!("../criterion/measurement.rs")),
    ("old", include_str!("../criterion/old.rs")),
    ("pattern", include_str!("../criterion/pattern.rs")),
    ("profiler", include_str!("../criterion/profiler.rs")),
    ("run", include_str!("../criterion/run.rs")),
    ("settings", include_str!("../criterion/settings.rs")),
    ("protocol", include_str!("protocol.rs")),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fingerprint_has_every_source_and_the_manifest_of_every_series() {
        let fingerprint = fingerprint();
        for (name, content) in SOURCES {
            assert!(fingerprint.contains(content), "{name}");
        }
        for version in versions::SERIES {
            assert!(fingerprint.contains(&format!("version = \"{version}\"")), "{version}");
        }
    }
}
