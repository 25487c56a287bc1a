//! Adds compiler flags to the user's.
//!
//! cargo takes rustc's flags from exactly one of four sources: `CARGO_ENCODED_RUSTFLAGS`, `RUSTFLAGS`, the
//! `target.*` tables of the configuration, its `build.rustflags`. A flag in one of them
//! hides all sources below it, and which `target.*` tables apply depends on `cfg(...)` expressions and on
//! a hierarchy of files. So cargo itself reports them: a build script finds the effective flags,
//! from any source, in `CARGO_ENCODED_RUSTFLAGS`. Those and ours then go into the highest source.
//!
//! `cargo rustc -- FLAG` would avoid this step, but takes one target per call: suites that are built
//! in parallel today would be built one after the other, and dependencies with their own code (a
//! profile without link-time optimisation) would not be aligned.

use std::process::Command;

/// Starts every function at a multiple of 2^6 bytes, a cache line: an edit elsewhere then moves a function
/// by whole lines only. On one kernel 48 bytes, and nothing else, were 15 % of the time; 32-byte alignment
/// is not enough.
pub const ALIGNMENT: &str = "-Cllvm-args=-align-all-functions=6";

/// Line tables, from which `explain` resolves an address to its functions. They are not loaded: they cost time of the
/// build and size of the file, and no time in the measured code. A profile could set them too, but would change cargo's
/// hashes and with them the order of functions.
pub(crate) const LINE_TABLES: [&str; 2] = ["-Cdebuginfo=line-tables-only", "-Cstrip=none"];

/// LLVM's name of the option: LLVM refuses to start when it is given twice.
const OPTION: &str = "align-all-functions";

const SEPARATOR: char = '\u{1f}';

/// Flags that cargo passes to rustc.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// In cargo's order.
    all: Vec<String>,
    /// Whether cargo's configuration names a linker.
    names_linker: bool,
}

impl Flags {
    /// As the build script of [`Questions`](crate::cargo::questions::Questions) says them; `None` if they are not text.
    pub(crate) fn read(hexadecimal: &str, names_linker: &str) -> Option<Self> {
        let bytes: Vec<u8> = hexadecimal
            .as_bytes()
            .chunks(2)
            .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
            .collect::<Option<_>>()?;
        let flags = String::from_utf8(bytes).ok()?;
        let all = flags.split(SEPARATOR).filter(|flag| !flag.is_empty()).map(str::to_owned);
        Some(Self { all: all.collect(), names_linker: names_linker == "true" })
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

    /// Whether rustc refuses link-time optimisation beside a flag of the user's.
    pub(crate) fn forbid_lto(&self) -> bool {
        let is_no = |value: &str| ["no", "n", "off", "false"].contains(&value);
        self.all.iter().any(|flag| {
            let flag = flag.strip_prefix("-C").unwrap_or(flag).trim_start();
            match flag.split_once('=').unwrap_or((flag, "")) {
                ("prefer-dynamic", value) => !is_no(value),
                ("embed-bitcode", value) => is_no(value),
                _ => false,
            }
        })
    }

    #[cfg(test)]
    pub(crate) fn all(&self) -> &[String] {
        &self.all
    }

    /// Whether the user chose how executables are linked.
    pub fn choose_linker(&self) -> bool {
        let names = ["linker", "link-self-contained", "fuse-ld", "ld-path"];
        self.names_linker
            || self.all.iter().any(|flag| names.iter().any(|name| flag.contains(name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_that_rustc_refuses_with_link_time_optimisation_are_known() {
        for (flags, forbid) in [
            ("-C prefer-dynamic", true),
            ("-C prefer-dynamic=yes", true),
            ("-Cprefer-dynamic", true),
            ("-C prefer-dynamic=no", false),
            ("-C embed-bitcode=no", true),
            ("-Cembed-bitcode=off", true),
            ("-C embed-bitcode=yes", false),
            ("-C target-cpu=native --cfg prefer-dynamic-x", false),
        ] {
            let all = flags.split(' ').map(str::to_owned).collect();
            assert_eq!(Flags { all, names_linker: false }.forbid_lto(), forbid, "{flags}");
        }
    }

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
}
