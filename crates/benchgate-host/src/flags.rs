//! Adds compiler flags to the user's.
//!
//! cargo takes rustc's flags from exactly one of four sources: `CARGO_ENCODED_RUSTFLAGS`, `RUSTFLAGS`, the
//! `target.*` tables of the configuration, its `build.rustflags`. A flag in one of them
//! hides all sources below it, and which `target.*` tables apply depends on `cfg(...)` expressions and on
//! a hierarchy of files. So cargo itself reports them: a build script finds the effective flags,
//! from any source, in `CARGO_ENCODED_RUSTFLAGS`. Those and ours then go into the highest source.
//!
//! `cargo rustc -- FLAG` would avoid this step, but takes one target per call: suites that are built
//! in parallel today would be built one after the other, and dependencies with code of their own (a
//! profile without link-time optimisation) would not be aligned.

use std::path::{Path, PathBuf};
use std::process::Command;

use cargo_metadata::Message;
use fs_err as fs;

use crate::command::{cargo, failed, without_network};
use crate::sandbox::Sandbox;
use crate::{HostError, process};

/// Starts every function at a multiple of 2^6 bytes, a cache line: an edit elsewhere then moves a function
/// by whole lines only. On one kernel 48 bytes, and nothing else, were 15 % of the time; 32-byte alignment
/// is not enough.
pub const ALIGNMENT: &str = "-Cllvm-args=-align-all-functions=6";

/// Line tables, from which `explain` resolves an address to its functions. They are not loaded: they cost time of the
/// build and size of the file, and no time in what is measured. A profile could set them too, but would change cargo's
/// hashes and with them the order of functions.
pub(crate) const LINE_TABLES: [&str; 2] = ["-Cdebuginfo=line-tables-only", "-Cstrip=none"];

/// LLVM's name of the option: LLVM refuses to start when it is given twice.
const OPTION: &str = "align-all-functions";

const SEPARATOR: char = '\u{1f}';

const MANIFEST: &str = "[package]\nname = \"benchgate-flags\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n\
    [lib]\npath = \"lib.rs\"\n\n[workspace]\n";

/// Hexadecimal, because cargo reads what a build script prints line by line.
const BUILD_SCRIPT: &str = r#"fn main() {
    let flags = std::env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    let flags: String = flags.bytes().map(|byte| format!("{byte:02x}")).collect();
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-env=BENCHGATE_FLAGS={flags}");
    println!("cargo:rustc-env=BENCHGATE_LINKER={}", std::env::var("RUSTC_LINKER").is_ok());
}
"#;

/// Flags that cargo passes to rustc.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// In cargo's order.
    all: Vec<String>,
    /// Whether cargo's configuration names a linker.
    names_linker: bool,
}

impl Flags {
    /// The effective flags of builds that start in `folder`; the package that reads them is one of
    /// `packages`, and is built below `scratch`, in the sandbox of the side.
    ///
    /// # Errors
    /// When cargo cannot build that package: then it can build nothing with these flags.
    pub fn in_force(
        folder: &Path,
        packages: &Path,
        scratch: &Path,
        sandbox: &Sandbox,
    ) -> Result<Self, HostError> {
        let package = write_package(
            &packages.join("flags"),
            "benchgate-flags",
            &[("Cargo.toml", MANIFEST), ("build.rs", BUILD_SCRIPT), ("lib.rs", "")],
        )?;
        let mut command = cargo(folder);
        // `check`: the script runs, the empty library is not even compiled.
        command.args(["check", "--quiet", "--message-format=json"]);
        command.arg("--manifest-path").arg(package.join("Cargo.toml"));
        command.arg("--target-dir").arg(scratch.join("target"));
        without_network(&mut command, sandbox);
        let what = "report the effective rustflags";
        let done = process::run(&mut sandbox.command(command)?, None, &mut |_| {})?;
        if !done.succeeded() {
            return Err(failed(what, &done));
        }
        answer(&done.stdout).ok_or_else(|| HostError::Cargo {
            what: what.to_owned(),
            output: "it ran no build script".to_owned(),
        })
    }

    /// These and the alignment of functions, unless the user aligns them already.
    #[must_use]
    pub fn aligned(mut self) -> Self {
        if !self.all.iter().any(|flag| flag.contains(OPTION)) {
            self.all.push(ALIGNMENT.to_owned());
        }
        self
    }

    /// These and line tables.
    #[must_use]
    pub fn with_line_tables(mut self) -> Self {
        self.all.extend(LINE_TABLES.map(str::to_owned));
        self
    }

    /// Makes a cargo command use exactly these flags.
    pub fn give_to(&self, command: &mut Command) {
        command.env("CARGO_ENCODED_RUSTFLAGS", self.all.join(&SEPARATOR.to_string()));
    }

    /// Whether the user chose how executables are linked.
    pub fn choose_linker(&self) -> bool {
        let names = ["linker", "link-self-contained", "fuse-ld", "ld-path"];
        self.names_linker
            || self.all.iter().any(|flag| names.iter().any(|name| flag.contains(name)))
    }
}

/// Writes a package of our own, with the lock file that cargo would write: the sandbox of a side cannot.
pub(crate) fn write_package(
    folder: &Path,
    name: &str,
    files: &[(&str, &str)],
) -> Result<PathBuf, HostError> {
    let lock_file = format!(
        "# This file is automatically @generated by Cargo.\n# It is not intended for manual editing.\n\
         version = 3\n\n[[package]]\nname = \"{name}\"\nversion = \"0.0.0\"\n"
    );
    for (file, content) in files.iter().chain(&[("Cargo.lock", lock_file.as_str())]) {
        write_once(&folder.join(file), content)?;
    }
    Ok(folder.to_owned())
}

/// Writes a file only if it differs: cargo rebuilds after every write.
fn write_once(path: &Path, content: &str) -> Result<(), HostError> {
    if fs::read(path).is_ok_and(|there| there == content.as_bytes()) {
        return Ok(());
    }
    crate::files::write_atomically(path, content.as_bytes())
}

fn answer(messages: &str) -> Option<Flags> {
    let answers =
        Message::parse_stream(messages.as_bytes()).filter_map(Result::ok).find_map(|message| {
            match message {
                Message::BuildScriptExecuted(script) => Some(script.env),
                _ => None,
            }
        })?;
    let of = |name: &str| Some(answers.iter().find(|(given, _)| given == name)?.1.as_str());
    let bytes: Vec<u8> = of("BENCHGATE_FLAGS")?
        .as_bytes()
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect::<Option<_>>()?;
    let flags = String::from_utf8(bytes).ok()?;
    Some(Flags {
        all: flags.split(SEPARATOR).filter(|flag| !flag.is_empty()).map(str::to_owned).collect(),
        names_linker: of("BENCHGATE_LINKER")? == "true",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_who_aligns_functions_keeps_their_alignment() {
        let flags = |all: &[&str]| Flags {
            all: all.iter().map(|flag| (*flag).to_owned()).collect(),
            names_linker: false,
        };
        assert_eq!(flags(&["--cfg", "a"]).aligned(), flags(&["--cfg", "a", ALIGNMENT]));
        let own = flags(&["-C", "llvm-args=-align-all-functions=5"]);
        assert_eq!(own.clone().aligned(), own);
    }

    #[test]
    fn an_answer_is_read_with_spaces_and_letters_beyond_ascii() {
        let env = "2d2d63666720613d22c3a920621f6322"; // `--cfg a="é b`, separator, `c"`
        let message = format!(
            r#"{{"reason":"build-script-executed","package_id":"path+file:///p#0.0.0","linked_libs":[],"linked_paths":[],"cfgs":[],"env":[["BENCHGATE_FLAGS","{env}"],["BENCHGATE_LINKER","true"]],"out_dir":"/o"}}"#
        );
        let flags = answer(&message).unwrap();
        assert!(flags.choose_linker());
        assert_eq!(flags.all, ["--cfg a=\"é b", "c\""]);
        assert_eq!(answer("{\"reason\":\"build-finished\",\"success\":true}\n"), None);
    }
}
