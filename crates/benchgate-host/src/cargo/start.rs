//! How cargo starts a bench: with which runner, where, and with which variables.
//!
//! Benches depend on `[env]`, on what build scripts say, on the paths of native libraries, and on variables
//! that each release of cargo adds to. So cargo starts every bench once, with benchgate itself as the runner:
//! it notes what it was started with, and ends. The binary is called in this way by itself only.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use benchgate_core::model::SuiteKey;
use serde::{Deserialize, Serialize};

use crate::HostError;
use crate::cargo::BenchTarget;
use crate::cargo::building::{Building, Built};
use crate::cargo::command::{clean_command, failed};
use crate::cargo::neighbours::plain;
use crate::system::files::{self, Scratch};
use crate::system::sandbox::Sandbox;
use crate::system::{platform, process};

/// The first argument that makes the binary note how it was started.
pub const WORD: &str = "__note";

/// Evens out the variables of both sides.
const FILLER: &str = "BENCHGATE_FILLER";

/// Where libraries are looked for, on Linux and on macOS.
const LIBRARY_PATHS: [&str; 2] = ["LD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH"];

/// Stands for a folder that each side has one of, in which cargo builds.
const OWN: char = '\u{1}';

/// Stands for the checkout of a side.
const CHECKOUT: char = '\u{2}';

/// Variables of this program, of the sandbox and of cargo's own processes.
const NOT_COMPARED: [&str; 5] = [FILLER, "TMPDIR", "CARGO_MAKEFLAGS", "MAKEFLAGS", "MFLAGS"];

/// The runner, folder and variables with which cargo starts a bench.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// The program before the executable, and its arguments; empty without a runner.
    runner: Vec<String>,
    folder: PathBuf,
    /// All variables of the process.
    variables: BTreeMap<OsString, OsString>,
}

/// A [`Start`] without the variables that cargo itself was started with: they may hold secrets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Additions {
    runner: Vec<String>,
    folder: String,
    variables: BTreeMap<String, Added>,
}

/// A variable that cargo sets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Added {
    is: String,
    /// SHA-256 of the value that it replaces.
    was: Option<String>,
}

/// The variables that cargo is started with in a sandbox.
pub(crate) fn inherited(sandbox: &Sandbox) -> BTreeMap<OsString, OsString> {
    let mut all = sandbox.inherited();
    for (name, value) in clean_command("cargo").get_envs() {
        if value.is_none() {
            all.remove(name);
        }
    }
    all
}

/// A value without the hashes that cargo puts into names below the folders in which it builds; a hash elsewhere is a value.
fn without_hashes(text: &str) -> String {
    let mut parts = text.split(OWN);
    let mut done = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_end = |c: char| ":;,=\"".contains(c) || c == '\'' || c.is_whitespace();
        let (path, rest) = part.split_at(part.find(is_end).unwrap_or(part.len()));
        done.push(OWN);
        done.push_str(&plain(path));
        done.push_str(rest);
    }
    done
}

impl Start {
    /// A program in this folder with these variables.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.folder).envs(&self.variables);
        // One by one: a command does not say whether it clears what it inherits, and the sandbox must know.
        for (name, _) in std::env::vars_os().filter(|(name, _)| !self.variables.contains_key(name))
        {
            command.env_remove(name);
        }
        command
    }

    /// The command line that the executable of a bench is behind.
    pub(crate) fn runner(&self) -> Option<(&String, &[String])> {
        self.runner.split_first()
    }

    /// Like `runner`, with a variable as we have it ourselves: cargo was given another one.
    fn with_inherited(mut self, name: &str) -> Self {
        let name = OsStr::new(name);
        match std::env::var_os(name) {
            Some(value) => self.variables.insert(name.to_owned(), value),
            None => self.variables.remove(name),
        };
        self
    }

    fn size(&self) -> usize {
        self.variables.iter().map(|(name, value)| name.len() + value.len()).sum()
    }

    /// Makes the variables of both sides take the same room: where they end is where the stack of what is
    /// measured begins, and a version may have a digit more.
    pub fn even_out(&mut self, other: &mut Self) {
        let (own, others) = (self.size(), other.size());
        for (start, missing) in
            [(&mut *self, others.saturating_sub(own)), (other, own.saturating_sub(others))]
        {
            start.variables.insert(FILLER.into(), "-".repeat(missing).into());
        }
    }

    /// Has libraries loaded from below another folder.
    pub(crate) fn move_libraries(&mut self, from: &Path, to: &Path) {
        for name in LIBRARY_PATHS {
            let Some(value) = self.variables.get_mut(OsStr::new(name)) else { continue };
            let moved: Vec<PathBuf> = std::env::split_paths(value)
                .map(|folder| {
                    // Folders of build scripts stay where they are.
                    let is_moved = folder == *from || folder == from.join("deps");
                    match folder.strip_prefix(from) {
                        Ok(inside) if is_moved => to.join(inside),
                        _ => folder,
                    }
                })
                .collect();
            if let Ok(joined) = std::env::join_paths(moved) {
                *value = joined;
            }
        }
    }

    /// The names of variables whose values name a path: an executable that has the name may find it.
    pub(crate) fn variables_to(&self, path: &Path) -> Vec<&[u8]> {
        let path = path.as_os_str().as_encoded_bytes();
        let leads = |value: &OsString| files::holds(value.as_encoded_bytes(), path);
        let names = self.variables.iter().filter(|(_, value)| leads(value));
        names.map(|(name, _)| name.as_encoded_bytes()).collect()
    }

    /// The value of a variable.
    pub(crate) fn variable(&self, name: &str) -> Option<&OsString> {
        self.variables.get(OsStr::new(name))
    }

    /// The folders in which libraries are looked for.
    pub(crate) fn library_folders(&self) -> Vec<PathBuf> {
        let values = LIBRARY_PATHS.iter().filter_map(|name| self.variables.get(OsStr::new(name)));
        values.flat_map(std::env::split_paths).collect()
    }

    /// [`Self::difference`] of two sides of which cargo may not say how it starts it.
    pub(crate) fn difference_of(
        sides: [Option<&Self>; 2],
        folders: &[[&Path; 2]],
    ) -> Option<String> {
        match sides {
            [Some(old), Some(new)] => old.difference(new, folders),
            // Each is started as it is, without what cargo would give it.
            [None, None] => None,
            _ => Some("how cargo starts it".to_owned()),
        }
    }

    /// The first variable, or how else cargo starts it, that is another one on another side; `folders` are pairs of folders
    /// of the two sides, which are no difference: the checkouts first, and then those in which cargo builds.
    fn difference(&self, other: &Self, folders: &[[&Path; 2]]) -> Option<String> {
        let marked = [0, 1].map(|side| {
            let marks = std::iter::once(CHECKOUT).chain(std::iter::repeat(OWN));
            let folders = folders.iter().map(|pair| pair[side].to_string_lossy());
            let mut marked: Vec<(Cow<'_, str>, char)> = folders.zip(marks).collect();
            // One may be below another.
            marked.sort_by_key(|(folder, _)| std::cmp::Reverse(folder.len()));
            marked
        });
        let shown = |value: &OsStr, side: usize| {
            let mut text = value.to_string_lossy().into_owned();
            for (folder, mark) in &marked[side] {
                text = text.replace(&**folder, &mark.to_string());
            }
            without_hashes(&text)
        };
        if self.runner != other.runner {
            return Some("the runner of cargo's configuration".to_owned());
        }
        if shown(self.folder.as_os_str(), 0) != shown(other.folder.as_os_str(), 1) {
            return Some("the folder that it runs in".to_owned());
        }
        let inherited = inherited(&Sandbox::default());
        let names = self.variables.keys().chain(other.variables.keys());
        let is_other = |name: &&OsString| {
            let [own, others] = [self, other].map(|side| side.variables.get(*name));
            let is_of_user = own == others && own == inherited.get(*name);
            !is_of_user
                && !NOT_COMPARED.iter().any(|known| **name == **known)
                && own.map(|value| shown(value, 0)) != others.map(|value| shown(value, 1))
        };
        names.into_iter().find(is_other).map(|name| name.to_string_lossy().into_owned())
    }

    /// Returns the start with only the variables that cargo adds or changes; `None` where one of them is not UTF-8.
    pub(crate) fn additions(&self, sandbox: &Sandbox) -> Option<Additions> {
        let inherited = inherited(sandbox);
        let text = |value: &OsStr| value.to_str().map(str::to_owned);
        let added =
            self.variables.iter().filter(|(name, value)| inherited.get(*name) != Some(*value));
        let variables = added
            .map(|(name, value)| {
                let was = inherited
                    .get(name)
                    .map(|value| text(value))
                    .map_or(Some(None), |value| value.map(Some))?;
                Some((
                    text(name)?,
                    Added {
                        is: text(value)?,
                        was: was.map(|was| files::digest_of(was.as_bytes())),
                    },
                ))
            })
            .collect::<Option<BTreeMap<String, Added>>>()?;
        Some(Additions {
            runner: self.runner.clone(),
            folder: self.folder.to_str()?.to_owned(),
            variables,
        })
    }

    /// How cargo would start it with the variables of now; the name of a variable that it builds on and that has
    /// another value than then, if there is one.
    pub(crate) fn with(additions: &Additions, sandbox: &Sandbox) -> Result<Self, String> {
        let mut variables = inherited(sandbox);
        for (name, Added { is, was }) in &additions.variables {
            let now = variables
                .get(OsStr::new(name))
                .map(|value| files::digest_of(value.as_encoded_bytes()));
            if now != *was {
                return Err(name.clone());
            }
            variables.insert(name.into(), is.into());
        }
        let Additions { runner, folder, .. } = additions;
        Ok(Self { runner: runner.clone(), folder: folder.into(), variables })
    }

    fn read(note: &[u8], runner: &[String]) -> Option<Self> {
        let mut parts = note.split(|byte| *byte == 0);
        let folder = PathBuf::from(platform::os_string(parts.next()?));
        let pair = |entry: &[u8]| {
            let at = entry.iter().skip(1).position(|byte| *byte == b'=')? + 1;
            let owned = platform::os_string;
            Some((owned(&entry[..at]), owned(&entry[at + 1..])))
        };
        let variables = parts.filter_map(pair).collect();
        Some(Self { runner: runner.to_vec(), folder, variables })
    }
}

/// Notes folder and variables of this process in a file; the arguments are a folder for it and the
/// executable that it is named after.
pub fn note(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let (Some(folder), Some(program)) = (arguments.next(), arguments.next()) else {
        return ExitCode::from(2);
    };
    let name = Path::new(&program).file_name().unwrap_or_default();
    let mut note =
        std::env::current_dir().unwrap_or_default().into_os_string().into_encoded_bytes();
    for (name, value) in std::env::vars_os() {
        note.push(0);
        note.extend([name.as_encoded_bytes(), b"=", value.as_encoded_bytes()].concat());
    }
    // If the note is missing, the side that waits for it reports that.
    match fs_err::write(Path::new(&folder).join(name), note) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// How cargo starts the benches that were built, by suite; `recorder` is the program that notes it. A suite
/// of which cargo does not say is not there.
///
/// # Errors
/// When cargo fails to start them.
pub(crate) fn record(
    building: &Building<'_>,
    targets: &[&BenchTarget],
    built: &Built,
    recorder: &Path,
) -> Result<BTreeMap<SuiteKey, Start>, HostError> {
    let mut starts = BTreeMap::new();
    let targets: Vec<&BenchTarget> =
        targets.iter().copied().filter(|t| built.executables.contains_key(&t.key())).collect();
    for of_package in targets.chunk_by(|a, b| a.package_id == b.package_id) {
        let Some(first) = of_package.first() else { continue };
        let answer = building.questions.ask(&first.package_dir, building.sandbox)?;
        let Some(runner) = answer.runner else { continue };
        let notes = Scratch::new(building.questions.scratch.join("notes"))?;
        let links = Links::to([recorder, notes.path()])?;
        let [recorder, folder] = &links.paths;
        let words = [recorder.as_os_str(), OsStr::new(WORD), folder.as_os_str()];
        let words = words.map(|word| word.to_string_lossy().into_owned());
        let mut command = building.command(of_package, &["bench", "--quiet", "--no-fail-fast"])?;
        let variable = runner_variable(&runner.target);
        set_runner(&mut command, &variable, &runner.target, &words);
        let done = process::run(&mut building.sandbox.command(command)?, None, &mut |_| {})?;
        if !done.succeeded() {
            return Err(failed("start the benches", &done));
        }
        for target in of_package {
            let name = built.executables.get(&target.key()).and_then(|path| path.file_name());
            let note = notes.path().join(name.unwrap_or_default());
            if note.symlink_metadata().is_ok() {
                let start = Start::read(&files::read_written(&note)?, &runner.words);
                let start = start.map(|start| start.with_inherited(&variable));
                starts.extend(start.map(|start| (target.key(), start)));
            }
        }
    }
    Ok(starts)
}

/// Paths for a variable that cargo splits at every space: where one has a space, links to them in a folder that has none.
struct Links {
    paths: [PathBuf; 2],
    /// Held for as long as cargo runs.
    _folder: Option<tempfile::TempDir>,
}

impl Links {
    fn to(paths: [&Path; 2]) -> Result<Self, HostError> {
        let paths = paths.map(Path::to_owned);
        if !paths.iter().any(|path| has_space(&path.to_string_lossy())) {
            return Ok(Self { paths, _folder: None });
        }
        let folder = tempfile::tempdir()?;
        let links = ["recorder", "notes"].map(|name| folder.path().join(name));
        for (path, link) in paths.iter().zip(&links) {
            platform::link_folder(path, link)?;
        }
        Ok(Self { paths: links, _folder: Some(folder) })
    }
}

fn has_space(text: &str) -> bool {
    text.contains(char::is_whitespace)
}

/// The variable of cargo that names the runner of a target.
fn runner_variable(target: &str) -> String {
    let name = target.to_uppercase().replace(['-', '.'], "_");
    format!("CARGO_TARGET_{name}_RUNNER")
}

/// Makes cargo start executables of a target with other words than its configuration says. A variable replaces a
/// runner of any type, and `--config` only a list by a list: cargo merges no two types. But cargo splits a variable at
/// every space.
fn set_runner(command: &mut Command, variable: &str, target: &str, words: &[String]) {
    if words.iter().any(|word| has_space(word)) || target.contains('.') {
        let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        let setting = format!("target.{}.runner=[{}]", quoted(target), words.join(","));
        command.args(["--config", &setting]);
    } else {
        command.env(variable, words.join(" "));
    }
}

/// A text as TOML has it, also as a key: `thumbv8m.main` has a dot.
fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A variable of each origin: what cargo gives is an input, the folders of a checkout are not.
    #[test]
    fn a_variable_that_cargo_gives_differs_but_for_folders_of_the_sides() {
        let folders =
            [[Path::new("/c/base"), Path::new("/c/head")], [Path::new("/t/b"), Path::new("/t/h")]];
        for (base, head, expected) in [
            ("SIZE=1", "SIZE=1", None),
            ("SIZE=1", "SIZE=4", Some("SIZE")),
            ("SIZE=1", "", Some("SIZE")),
            ("", "CARGO_FEATURE_X=1", Some("CARGO_FEATURE_X")),
            ("CARGO_PKG_VERSION=1.0.0", "CARGO_PKG_VERSION=1.0.1", Some("CARGO_PKG_VERSION")),
            ("CARGO_PKG_DESCRIPTION=a", "CARGO_PKG_DESCRIPTION=b", Some("CARGO_PKG_DESCRIPTION")),
            ("CARGO_MANIFEST_DIR=/c/base/p", "CARGO_MANIFEST_DIR=/c/head/p", None),
            (
                "CARGO_MANIFEST_DIR=/c/base/p",
                "CARGO_MANIFEST_DIR=/c/head/q",
                Some("CARGO_MANIFEST_DIR"),
            ),
            ("OUT_DIR=/t/b/p-0123456789abcdef/out", "OUT_DIR=/t/h/p-fedcba9876543210/out", None),
            ("LD_LIBRARY_PATH=/t/b/deps:/usr/lib", "LD_LIBRARY_PATH=/t/h/deps:/usr/lib", None),
            (
                "LD_LIBRARY_PATH=/t/b/deps",
                "LD_LIBRARY_PATH=/t/h/deps:/opt",
                Some("LD_LIBRARY_PATH"),
            ),
            ("DATA=/c/base/data", "DATA=/c/head/data", None),
            // As long as a hash, and a value.
            ("SIZE=1000000000000000", "SIZE=9000000000000000", Some("SIZE")),
            ("DATA=set/0123456789abcdef", "DATA=set/fedcba9876543210", Some("DATA")),
            ("DATA=/c/base/0123456789abcdef", "DATA=/c/head/fedcba9876543210", Some("DATA")),
            (
                "DATA=/t/b/x-0123456789abcdef set/0123456789abcdef",
                "DATA=/t/h/x-fedcba9876543210 set/fedcba9876543210",
                Some("DATA"),
            ),
            ("BENCHGATE_FILLER=--", "BENCHGATE_FILLER=", None),
            ("TMPDIR=/a", "TMPDIR=/b", None),
        ] {
            let [base, head] = [("/c/base", base), ("/c/head", head)]
                .map(|(folder, variable)| start(format!("{folder}\0{variable}").as_bytes()));
            assert_eq!(base.difference(&head, &folders).as_deref(), expected, "{base:?} {head:?}");
        }
        let with_runner = Start::read(b"/c/head", &["valgrind".to_owned()]).unwrap();
        assert!(start(b"/c/base").difference(&with_runner, &folders).is_some());
        assert!(start(b"/c/base/p").difference(&start(b"/c/head/q"), &folders).is_some());
    }

    #[test]
    fn a_side_of_which_alone_cargo_says_how_it_starts_it_is_started_in_another_way() {
        let [one, same, other] =
            ["/p\0SIZE=1", "/p\0SIZE=1", "/p\0SIZE=4"].map(|note| Some(start(note.as_bytes())));
        for (base, head, expected) in [
            (&one, &same, None),
            (&one, &other, Some("SIZE")),
            (&one, &None, Some("how cargo starts it")),
            (&None, &one, Some("how cargo starts it")),
            (&None, &None, None),
        ] {
            let difference = Start::difference_of([base.as_ref(), head.as_ref()], &[]);
            assert_eq!(difference.as_deref(), expected, "{base:?} {head:?}");
        }
    }

    #[test]
    fn libraries_are_loaded_from_where_the_bench_runs() {
        let mut moved =
            start(b"/\0LD_LIBRARY_PATH=/t/release/deps:/t/release:/t/release/build/x/out:/lib");
        moved.move_libraries(Path::new("/t/release"), Path::new("/b/release"));
        let folders = moved.library_folders();
        let expected = ["/b/release/deps", "/b/release", "/t/release/build/x/out", "/lib"];
        assert_eq!(folders, expected.map(PathBuf::from));
    }

    fn start(note: &[u8]) -> Start {
        Start::read(note, &[]).unwrap()
    }

    #[test]
    fn a_note_is_read_with_values_that_hold_anything() {
        let read = start(b"/a b\0X=1=2\0EMPTY=\0ODD=\xff\n");
        assert_eq!(read.folder, Path::new("/a b"));
        let values: Vec<&[u8]> =
            read.variables.values().map(|value| value.as_encoded_bytes()).collect();
        assert_eq!(values, [&b""[..], b"\xff\n", b"1=2"]);
    }

    #[test]
    fn both_sides_are_started_with_as_many_bytes_of_variables() {
        let (mut base, mut head) = (start(b"/\0V=0.1.9"), start(b"/\0V=0.1.10"));
        base.even_out(&mut head);
        assert_eq!(base.size(), head.size());
        assert_eq!(base.variables[OsStr::new(FILLER)], "-");
        assert_eq!(head.variables[OsStr::new(FILLER)], "");
    }
}
