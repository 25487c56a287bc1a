//! Inputs of a build other than the commit, as the compiler and the build scripts name them.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use fs_err as fs;
use serde::{Deserialize, Serialize};

use crate::cargo::command::{cargo_home, home_of};
use crate::system::files;
use crate::{Availability, HostError};

/// The variables that a build is given.
pub(crate) type Variables = BTreeMap<OsString, OsString>;

/// Variables and files outside of the repository, as they were.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Inputs {
    /// SHA-256 of the value of each variable that code or a build script reads; `None` if it was not set.
    variables: BTreeMap<String, Option<String>>,
    /// SHA-256 of each file; `None` if there was none.
    files: BTreeMap<String, Option<String>>,
    /// SHA-256 of all variables, where a package of the workspace has a build script: it need not name what it reads.
    #[serde(default)]
    all_variables: Option<String>,
}

/// Variables that shells and terminals change, and what cargo sets for programs that it runs.
const OF_SHELLS: [&str; 9] =
    ["_", "CARGO", "COLUMNS", "LD_LIBRARY_PATH", "LINES", "OLDPWD", "PWD", "SHLVL", "TERM"];

impl Inputs {
    /// Reads the inputs that cargo's files in a target folder name; `own` are paths that the commit, the lock file
    /// and the toolchain describe, `packages` those of the workspace. They are unknown where a build script reads a folder.
    pub(crate) fn of(
        target_dir: &Path,
        own: &[PathBuf],
        packages: &BTreeSet<String>,
        given: &Variables,
    ) -> Result<Availability<Self>, HostError> {
        let mut inputs = Self::default();
        let mut names = BTreeSet::new();
        let mut pending = vec![target_dir.to_owned()];
        while let Some(folder) = pending.pop() {
            for entry in fs::read_dir(&folder)? {
                let entry = entry?;
                let (path, name) = (entry.path(), entry.file_name());
                if entry.file_type()?.is_dir() {
                    pending.push(path);
                    continue;
                }
                let name = name.to_string_lossy();
                let named = if name.ends_with(".d") {
                    of_compiler(&files::read(&path)?, &mut names)
                } else if name == "output" {
                    if is_script_of(&folder, packages) {
                        inputs.all_variables = Some(digest_of(given));
                    }
                    of_script(&files::read(&path)?, &mut names)
                } else {
                    continue;
                };
                for file in named.into_iter().filter(|file| is_outside(file, own)) {
                    if file.is_dir() {
                        let folder = file.display();
                        let reason = format!("a build script reads the folder {folder}");
                        return Ok(Availability::Unavailable(reason));
                    }
                    inputs.files.insert(file.display().to_string(), files::digest(&file).ok());
                }
            }
        }
        inputs.variables =
            names.into_iter().map(|name| (name.clone(), value(&name, given))).collect();
        Ok(Availability::Available(inputs))
    }

    /// Describes the first input that has changed; `None` where none has.
    pub(super) fn changed(&self, given: &Variables) -> Option<String> {
        let variable = |(name, noted): (&String, &Option<String>)| {
            (value(name, given) != *noted).then(|| other_value(name))
        };
        let file = |(path, digest): (&String, &Option<String>)| {
            let now = files::digest(Path::new(path)).ok();
            (now != *digest).then(|| format!("{path} was another file"))
        };
        let named = self.variables.iter().find_map(variable);
        let any = || {
            let is_other = self.all_variables.as_ref().is_some_and(|all| *all != digest_of(given));
            is_other.then(|| "a variable that a build script may read had another value".to_owned())
        };
        named.or_else(|| self.files.iter().find_map(file)).or_else(any)
    }
}

/// Whether cargo ran the build script of one of these packages in a folder, whose name is the package's with a digest.
fn is_script_of(folder: &Path, packages: &BTreeSet<String>) -> bool {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    name.rsplit_once('-').is_some_and(|(package, _)| packages.contains(&package.replace('-', "_")))
}

/// Of all variables but those of shells.
fn digest_of(given: &Variables) -> String {
    let is_read = |name: &OsStr| {
        let name = name.to_string_lossy();
        !OF_SHELLS.contains(&&*name) && !name.starts_with("CARGO_")
    };
    let read = given.iter().filter(|(name, _)| is_read(name));
    let text: String = read.map(|(name, value)| format!("{name:?}={value:?}\n")).collect();
    files::digest_of(text.as_bytes())
}

/// Where cargo and rustup keep what the lock file and the toolchain name.
pub(crate) fn homes() -> Vec<PathBuf> {
    [cargo_home(), home_of("RUSTUP_HOME", ".rustup")].into_iter().flatten().collect()
}

/// Describes a variable that has changed.
pub(super) fn other_value(name: &str) -> String {
    format!("the variable {name} had another value")
}

fn value(name: &str, given: &Variables) -> Option<String> {
    given.get(OsStr::new(name)).map(|value| files::digest_of(value.as_encoded_bytes()))
}

/// A path from a package's folder is in the repository, or of a package that the lock file names.
fn is_outside(path: &Path, own: &[PathBuf]) -> bool {
    path.is_absolute() && !own.iter().any(|own| path.starts_with(own))
}

/// The files and variables of what rustc writes: `target: file file`, and `# env-dep:NAME=value`.
fn of_compiler(bytes: &[u8], names: &mut BTreeSet<String>) -> Vec<PathBuf> {
    let text = String::from_utf8_lossy(bytes);
    let mut named = Vec::new();
    for line in text.lines() {
        if let Some(entry) = line.strip_prefix("# env-dep:") {
            let name = entry.split('=').next().unwrap_or(entry);
            note(name, names);
        } else if let Some((_, list)) = line.split_once(": ") {
            named.extend(words(list));
        }
    }
    named
}

/// Words between spaces; a space of a name has a backslash before it.
fn words(list: &str) -> Vec<PathBuf> {
    let list = list.replace("\\ ", "\0");
    list.split(' ')
        .filter(|word| !word.is_empty())
        .map(|word| word.replace('\0', " ").into())
        .collect()
}

/// Returns the files that a build script asks cargo to watch, and notes the variables.
fn of_script(bytes: &[u8], names: &mut BTreeSet<String>) -> Vec<PathBuf> {
    let text = String::from_utf8_lossy(bytes);
    let mut named = Vec::new();
    for line in text.lines() {
        let Some(line) = line.strip_prefix("cargo::").or_else(|| line.strip_prefix("cargo:"))
        else {
            continue;
        };
        if let Some(name) = line.strip_prefix("rerun-if-env-changed=") {
            note(name, names);
        } else if let Some(path) = line.strip_prefix("rerun-if-changed=") {
            named.push(path.into());
        }
    }
    named
}

/// Notes a variable, unless cargo sets it: those follow from the other inputs.
fn note(name: &str, names: &mut BTreeSet<String>) {
    if name != "OUT_DIR" && !name.starts_with("CARGO_") {
        names.insert(name.to_owned());
    }
}

#[cfg(test)]
impl Inputs {
    /// As if this variable had had this value.
    pub(super) fn with_variable(mut self, name: &str, value: &str) -> Self {
        let digest = files::digest_of(value.as_bytes());
        self.variables.insert(name.to_owned(), Some(digest));
        self
    }
}
