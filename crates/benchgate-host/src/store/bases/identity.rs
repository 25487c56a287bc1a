//! The identity of an executable, before it is built.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use benchgate_core::policy::Build;
use serde::{Deserialize, Serialize};

use crate::HostError;
use crate::cargo::command::{cargo, configuration_files};
use crate::cargo::flags::LINE_TABLES;
use crate::cargo::rustc;
use crate::cargo::written::Listing;
use crate::git;
use crate::system::sandbox::Sandbox;
use crate::system::{files, process};

/// Variables that compilers, linkers and build scripts go by.
const NAMES: [&str; 3] = ["AR", "CC", "LD"];

/// Beginnings of the names of more of them.
const BEGINNINGS: [&str; 15] = [
    "AR_",
    "ARFLAGS",
    "BINDGEN_",
    "CARGO_",
    "CC_",
    "CFLAGS",
    "CMAKE",
    "CXX",
    "HOST_",
    "LDFLAGS",
    "LD_",
    "LIBRARY_PATH",
    "PKG_CONFIG",
    "RUST",
    "TARGET_",
];

/// Of those, what says how cargo talks, which tool calls which, or is secret.
const OTHERS: [&str; 8] = [
    "CARGO_TERM_",
    "CARGO_REGISTR",
    "RUST_RECURSION_COUNT",
    "RUST_BACKTRACE",
    "RUST_LOG",
    "CARGO_NET_",
    "CARGO_HTTP_",
    "RUSTUP_",
];

/// The sources that read what cargo and the linker say, by their paths: an entry holds what they made of it, and another
/// benchgate of the same version may read more.
const READERS: [(&str, &str); 5] = [
    ("cargo/neighbours.rs", include_str!("../../cargo/neighbours.rs")),
    ("cargo/questions.rs", include_str!("../../cargo/questions.rs")),
    ("cargo/runner.rs", include_str!("../../cargo/runner.rs")),
    ("cargo/start.rs", include_str!("../../cargo/start.rs")),
    ("system/links.rs", include_str!("../../system/links.rs")),
];

/// The name of their value, which dependencies do not have: nothing of theirs is read.
const OF_READERS: &str = "way of reading what cargo says";

/// The name of what git made of the commit, of which others' packages are no part.
const OF_CHECKOUT: &str = "checkout by git";

/// Name and value of everything that is compared before an executable is used again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Identity(BTreeMap<String, String>);

impl Identity {
    /// The identity of what would be built of a commit in its checkout.
    ///
    /// # Errors
    /// When a tool cannot be run.
    pub(crate) fn of(
        commit: &str,
        top: &Path,
        root: &Path,
        target_dir: &Path,
        build: &Build,
        sandbox: &Sandbox,
    ) -> Result<Self, HostError> {
        let lock = files::digest(&root.join("Cargo.lock")).unwrap_or_default();
        let configuration = configuration(top)?;
        let variables = variables();
        let programs = programs(&format!("{configuration}{variables}"));
        let building = Build { layouts: 0, ..build.clone() };
        let all = [
            ("benchgate", env!("CARGO_PKG_VERSION").to_owned()),
            // A gate that is built from its sources has the version of the last release.
            ("runtime", files::digest_of(benchgate_runtime::fingerprint().as_bytes())),
            (OF_READERS, files::digest_of(READERS.map(|(_, source)| source).concat().as_bytes())),
            ("commit", commit.to_owned()),
            ("toolchain", toolchain(root, sandbox)?),
            ("linker", linker()),
            ("sandbox", sandbox.description()),
            ("profile or features", format!("{building:?}")),
            ("line tables", LINE_TABLES.join(" ")),
            ("configuration of cargo", files::digest_of(configuration.as_bytes())),
            ("environment", files::digest_of(variables.as_bytes())),
            ("wrapper, linker or compiler", files::digest_of(programs.as_bytes())),
            // Any configuration may say `native`, and a build script may look at the CPU.
            ("CPU", files::digest_of(cpu().as_bytes())),
            ("Cargo.lock", lock),
            (OF_CHECKOUT, checkout(top, &root.join("Cargo.lock"))?),
            ("checkout's folder", root.display().to_string()),
            ("target folder", target_dir.display().to_string()),
        ];
        Ok(Self(all.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()))
    }

    pub(super) fn digest(&self) -> String {
        files::digest_of(format!("{:?}", self.0).as_bytes())
    }

    /// The identity of builds of others' packages: the same for every commit with the lock file of this digest,
    /// whether the repository brings it or cargo resolved it, and with this state of what else decides how they are built.
    pub(crate) fn of_dependencies(&self, lock_file: String, built_by: String) -> Self {
        let mut all = self.0.clone();
        all.remove("commit");
        all.remove(OF_READERS);
        all.remove(OF_CHECKOUT);
        all.insert("Cargo.lock".to_owned(), lock_file);
        all.insert("manifest, configuration or vendored package".to_owned(), built_by);
        Self(all)
    }

    pub(super) fn commit(&self) -> String {
        self.0.get("commit").cloned().unwrap_or_default()
    }

    /// The name of the first value that another one does not have.
    pub(super) fn difference<'a>(&'a self, other: &'a Self) -> Option<&'a str> {
        let names = self.0.keys().chain(other.0.keys());
        names.map(String::as_str).find(|name| self.0.get(*name) != other.0.get(*name))
    }
}

/// What git made of the commit: its settings and filters decide that, too.
fn checkout(top: &Path, lock_file: &Path) -> Result<String, HostError> {
    let sizes = Listing::of(top)?.digest(top, lock_file);
    Ok(files::digest_of(format!("{}{sizes}", git::settings_of_files(top)).as_bytes()))
}

fn toolchain(root: &Path, sandbox: &Sandbox) -> Result<String, HostError> {
    let mut cargo = cargo(root);
    cargo.arg("--version");
    let done = process::run(&mut sandbox.command(cargo)?, None, &mut |_| {})?;
    Ok(rustc::version(root, sandbox)? + &done.stdout)
}

/// Returns the versions of the machine's compiler driver, linker and C library; empty for each that is missing.
fn linker() -> String {
    let first_line = |program: &str| {
        let output = Command::new(program).arg("--version").output().ok()?;
        String::from_utf8_lossy(&output.stdout).lines().next().map(str::to_owned)
    };
    ["cc", "ld", "ldd"].map(|program| first_line(program).unwrap_or_default()).join("; ")
}

/// cargo's configuration outside of the repository: in it, the commit names it.
fn configuration(top: &Path) -> Result<String, HostError> {
    let mut all = String::new();
    for path in configuration_files(top).filter(|path| path.is_file()) {
        all.push_str(&String::from_utf8_lossy(&files::read(&path)?));
    }
    Ok(all)
}

fn variables() -> String {
    let mut all: Vec<String> = std::env::vars_os()
        .map(|(name, value)| (name.to_string_lossy().into_owned(), value))
        .filter(|(name, _)| is_of_compilers(name))
        .map(|(name, value)| format!("{name}={}\n", value.to_string_lossy()))
        .collect();
    all.sort();
    all.concat()
}

/// Each file that configuration and variables name by its path or on `PATH`, with its digest: a wrapper is another program
/// under the same name.
fn programs(settings: &str) -> String {
    let is_between = |c: char| c.is_whitespace() || "\"'=,[]".contains(c);
    let words: BTreeSet<&str> =
        settings.split(is_between).filter(|word| !word.is_empty()).collect();
    let digest = |word: &str| files::digest(&files::program_on_path(word)?).ok();
    let named = words.into_iter().filter_map(|word| Some((word, digest(word)?)));
    named.map(|(word, digest)| format!("{word}={digest}\n")).collect()
}

/// Whether a build may depend on a variable, judged by its name.
fn is_of_compilers(name: &str) -> bool {
    let begins = |beginnings: &[&str]| beginnings.iter().any(|prefix| name.starts_with(prefix));
    (NAMES.contains(&name) || begins(&BEGINNINGS)) && !begins(&OTHERS) && !is_of_this_program(name)
}

/// Whether `cargo run` sets this variable for benchgate itself.
fn is_of_this_program(name: &str) -> bool {
    let of_package = ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_CRATE_"];
    of_package.iter().any(|prefix| name.starts_with(prefix))
        || ["CARGO", "CARGO_PRIMARY_PACKAGE", "CARGO_MAKEFLAGS", "LD_LIBRARY_PATH"].contains(&name)
}

/// What the kernel says of the processors but for their numbers and clocks.
fn cpu() -> String {
    let text = fs_err::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let names = ["flags", "Features", "model", "CPU implementer", "CPU part", "CPU variant"];
    let is_kind = |line: &&str| names.iter().any(|name| line.starts_with(name));
    let kinds: BTreeSet<&str> = text.lines().filter(is_kind).collect();
    kinds.into_iter().collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use benchgate_core::policy::Policy;

    use super::{Identity, OF_READERS, READERS, is_of_compilers, programs};
    use crate::system::files;
    use crate::system::sandbox::Sandbox;

    #[cfg(unix)]
    #[test]
    fn another_program_under_the_same_name_is_another_wrapper() {
        let folder = tempfile::tempdir().unwrap();
        let wrapper = folder.path().join("wrap.sh");
        let settings = [
            format!("RUSTC_WRAPPER={}\n", wrapper.display()),
            format!("[build]\nrustc-wrapper = \"{}\"\n", wrapper.display()),
        ];
        std::fs::write(&wrapper, "exec \"$@\" --cfg big\n").unwrap();
        let before = settings.each_ref().map(|settings| programs(settings));
        assert!(before.iter().all(|named| named.contains("wrap.sh=")), "{before:?}");
        std::fs::write(&wrapper, "exec \"$@\"\n").unwrap();
        for (before, settings) in before.iter().zip(&settings) {
            assert_ne!(*before, programs(settings));
        }
        assert!(programs("linker = \"sh\"").contains("sh="));
        assert_eq!(programs("lto = \"fat-or-thin\"\n"), "");
    }

    /// A runner's words that were kept are what an older benchgate read, whatever its version says.
    #[test]
    fn a_base_that_was_kept_is_of_the_sources_that_read_what_cargo_says_of_it() {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let read: Vec<String> = READERS
            .iter()
            .map(|(path, _)| std::fs::read_to_string(sources.join(path)).unwrap())
            .collect();
        let (policy, sandbox) = (Policy::default(), Sandbox::default());
        let identity =
            Identity::of("c1", &sources, &sources, &sources, &policy.build, &sandbox).unwrap();
        assert_eq!(identity.0[OF_READERS], files::digest_of(read.concat().as_bytes()));
        assert_ne!(identity.0["CPU"], files::digest_of(b""), "code may be made for this one alone");
        // All that makes a part of a record out of words of others.
        for (makes, path) in
            [("Some(Self { runner:", "cargo/start.rs"), ("Runner {", "cargo/questions.rs")]
        {
            let (_, source) = READERS.iter().find(|(known, _)| *known == path).unwrap();
            assert!(source.contains(makes), "{path}");
        }
        let of_dependencies = identity.of_dependencies(String::new(), String::new());
        assert!(!of_dependencies.0.contains_key(OF_READERS));
    }

    #[test]
    fn a_build_goes_by_variables_of_compilers_and_not_by_those_that_begin_alike() {
        let of_compilers =
            ["AR", "AR_x86_64", "CC", "CFLAGS_x86_64", "CARGO_BUILD_RUSTFLAGS", "RUSTFLAGS"];
        let unrelated =
            ["ARTIFACT", "CCACHE_DIR", "LDAP_SERVER", "CARGO_TERM_COLOR", "CARGO_PKG_NAME", "PATH"];
        assert_eq!(of_compilers.map(is_of_compilers), [true; 6]);
        assert_eq!(unrelated.map(is_of_compilers), [false; 6]);
    }
}
