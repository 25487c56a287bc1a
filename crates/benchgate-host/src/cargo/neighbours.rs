//! What cargo leaves next to a bench: programs, examples, dynamic libraries. A bench runs with them in the same places.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use benchgate_core::model::SuiteKey;
use fs_err as fs;

use crate::HostError;
use crate::system::{files, platform};

/// Where a suite runs below a folder: with neighbours, as deep below its package's as cargo puts it below the target folder.
pub fn place(folder: &Path, key: &SuiteKey, has_neighbours: bool) -> PathBuf {
    let of_package = || folder.join(&key.package).join("release/deps");
    let folder = if has_neighbours { of_package() } else { folder.to_owned() };
    folder.join(key.to_string())
}

/// The folder of cargo's profile, in which the neighbours of an executable are.
fn profile(executable: &Path) -> Option<&Path> {
    executable.parent()?.parent()
}

/// The folders of the profiles of an executable of cargo's and of where it runs.
pub(crate) fn profiles([from, to]: [&Path; 2]) -> Option<[&Path; 2]> {
    Some([profile(from)?, profile(to)?])
}

/// Copies programs and libraries that cargo left next to an executable to where that runs: a build of another package may
/// replace them. Returns their paths below the profile's folder.
pub(crate) fn gather<'a>(
    [of_cargo, own]: [&Path; 2],
    libraries: impl Iterator<Item = (&'a PathBuf, &'a Vec<u8>)>,
    programs: impl Iterator<Item = &'a PathBuf>,
) -> Result<BTreeSet<PathBuf>, HostError> {
    let mut neighbours = BTreeSet::new();
    let inside = |path: &Path| path.strip_prefix(of_cargo).ok().map(Path::to_owned);
    for (path, bytes) in libraries {
        if let Some(inside) = inside(path) {
            write(&own.join(&inside), bytes)?;
            neighbours.insert(inside);
        }
    }
    for path in programs.filter(|path| path.is_file()) {
        if let Some(inside) = inside(path) {
            // Suites of one package have the same.
            if !own.join(&inside).exists() {
                write(&own.join(&inside), &files::read_written(path)?)?;
            }
            neighbours.insert(inside);
        }
    }
    Ok(neighbours)
}

/// Reads the neighbours of an executable.
pub(crate) fn read(
    executable: &Path,
    neighbours: &BTreeSet<PathBuf>,
) -> Result<BTreeMap<PathBuf, Vec<u8>>, HostError> {
    let Some(own) = profile(executable) else { return Ok(BTreeMap::new()) };
    let pair = |inside: &PathBuf| Ok((inside.clone(), files::read(&own.join(inside))?));
    neighbours.iter().map(pair).collect()
}

/// Writes neighbours next to an executable.
pub(crate) fn put(
    neighbours: &BTreeMap<PathBuf, Vec<u8>>,
    path: &Path,
) -> Result<BTreeSet<PathBuf>, HostError> {
    let Some(own) = profile(path) else { return Ok(BTreeSet::new()) };
    for (inside, bytes) in neighbours {
        write(&own.join(inside), bytes)?;
    }
    Ok(neighbours.keys().cloned().collect())
}

/// Makes room for a copy of an executable at another path, with the same neighbours.
///
/// # Errors
/// When one cannot be copied.
pub fn copy([from, to]: [&Path; 2], neighbours: &BTreeSet<PathBuf>) -> Result<(), HostError> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    let Some([from, to]) = profiles([from, to]) else { return Ok(()) };
    for inside in neighbours {
        let (from, to) = (from.join(inside), to.join(inside));
        if to.exists() {
            continue;
        }
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::copy(from, to)?;
    }
    Ok(())
}

/// The neighbours of an executable, by their names without hashes: several may differ in these alone.
pub(crate) fn by_name(
    executable: &Path,
    neighbours: &BTreeSet<PathBuf>,
) -> BTreeMap<String, Vec<PathBuf>> {
    let mut by_name: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    let Some(own) = profile(executable) else { return by_name };
    for inside in neighbours {
        by_name.entry(plain(&inside.to_string_lossy())).or_default().push(own.join(inside));
    }
    by_name
}

/// Whether a path stays below the folder that it is joined to.
pub(crate) fn is_inside(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_)))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), HostError> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, bytes)?;
    Ok(platform::make_executable(path)?)
}

/// A name without the hashes that cargo puts into it: they differ by the checkout's folder.
pub(crate) fn plain(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    let mut run = String::new();
    let is_digit = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    for c in name.chars().chain(['\0']) {
        if c != '\0' && (is_digit(c) || (c.is_alphanumeric() && !run.is_empty())) {
            run.push(c);
            continue;
        }
        let is_hash = run.len() == 16 && run.chars().all(is_digit);
        let is_apart = plain.is_empty() || plain.ends_with(['-', '/']);
        if !(is_hash && is_apart) {
            plain.push_str(&run);
        }
        run.clear();
        if c != '\0' {
            plain.push(c);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_of_cargo_is_no_part_of_a_name() {
        for (name, expected) in [
            ("deps/libmine-0123456789abcdef.so", "deps/libmine-.so"),
            ("/t/build/x-0123456789abcdef/out", "/t/build/x-/out"),
            ("/t/build/x/0123456789abcdef/out", "/t/build/x//out"),
            ("release/tool", "release/tool"),
            ("decade-0123456789abcdeg", "decade-0123456789abcdeg"),
            ("0123456789abcdef0", "0123456789abcdef0"),
        ] {
            assert_eq!(plain(name), expected);
        }
    }

    #[test]
    fn a_suite_with_neighbours_lies_as_deep_as_cargo_puts_it() {
        let place = |has| place(Path::new("bin/head"), &SuiteKey::new("p", "speed"), has);
        assert_eq!(place(true), Path::new("bin/head/p/release/deps/p.speed"));
        assert_eq!(place(false), Path::new("bin/head/p.speed"));
        assert!(is_inside(Path::new("deps/x.so")) && !is_inside(Path::new("../x")));
        assert!(!is_inside(Path::new("/x")));
    }
}
