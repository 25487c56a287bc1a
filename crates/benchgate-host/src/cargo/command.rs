//! Starts other programs, such as cargo, in the user's environment.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::HostError;
use crate::cargo::rustup;
use crate::system::configuration;
use crate::system::process::Finished;
use crate::system::sandbox::Sandbox;

/// Variables by which cargo would build both sides into one folder.
pub(crate) const OF_ONE_FOLDER: [&str; 2] = ["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR"];

/// Number of lines of a failed build that are kept.
const TAIL: usize = 40;

/// First words of cargo's lines about what it is doing.
const PROGRESS: [&str; 9] = [
    "Adding",
    "Blocking",
    "Checking",
    "Compiling",
    "Downloaded",
    "Downloading",
    "Fresh",
    "Locking",
    "Updating",
];

/// Maximum number of characters of each line: a linker is called with lines of kilobytes.
const LONGEST_LINE: usize = 800;

/// A command with the user's environment, without the variables about benchgate's own package that
/// `cargo run` sets.
pub fn clean_command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        let is_of_package = ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_CRATE_"]
            .iter()
            .any(|prefix| text.starts_with(prefix));
        if is_of_package || text == "CARGO_PRIMARY_PACKAGE" {
            command.env_remove(name);
        }
    }
    for name in crate::git::OF_ANOTHER_CHECKOUT {
        command.env_remove(name);
    }
    if rustup::chose_toolchain() {
        command.env_remove(rustup::TOOLCHAIN);
    }
    command
}

pub(crate) fn cargo(folder: &Path) -> Command {
    // The cargo that started us is one toolchain's; rustup's on the PATH takes that of the folder.
    let named = std::env::var_os("CARGO").filter(|_| !rustup::chose_toolchain());
    let program = named.unwrap_or_else(|| "cargo".into());
    let mut command = clean_command(program);
    // Colours would be letters of what is read here and shown in reports, and CI asks for them.
    command.current_dir(folder).env("CARGO_TERM_COLOR", "never");
    command
}

/// Cargo's home, as cargo finds it.
pub(crate) fn cargo_home() -> Option<PathBuf> {
    home_of("CARGO_HOME", ".cargo")
}

/// The files by which cargo is configured in a folder, in its order: whether they exist or not.
pub(crate) fn configuration_files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let folders = folder.ancestors().map(|above| above.join(".cargo")).chain(cargo_home());
    folders.flat_map(|folder| configuration::files_of(&folder))
}

/// A folder that a variable names, or else one in the user's home.
pub(crate) fn home_of(variable: &str, folder: &str) -> Option<PathBuf> {
    let path = |name: &str| std::env::var_os(name).map(PathBuf::from);
    path(variable).or_else(|| Some(path("HOME")?.join(folder)))
}

/// Lets a build that has no network do without: what it needs has been downloaded, and a cargo that does not know
/// tries again and again.
pub(crate) fn without_network(command: &mut Command, sandbox: &Sandbox) {
    if !sandbox.restricts_network() {
        return;
    }
    command.env("CARGO_NET_OFFLINE", "true");
    for (name, of_cargo) in WRAPPERS {
        let is_sccache = match [name, of_cargo].iter().find_map(std::env::var_os) {
            Some(wrapper) => wrapper.to_string_lossy().contains(SCCACHE),
            None => command.get_current_dir().is_some_and(is_configured),
        };
        if is_sccache {
            // Empty, it also takes back what a configuration names.
            command.env(name, "");
        }
    }
}

/// Compiles in a server, which is reached by TCP and is in no sandbox.
const SCCACHE: &str = "sccache";

/// Variables that name a wrapper of rustc: rustc's own name, and cargo's.
const WRAPPERS: [(&str, &str); 2] = [
    ("RUSTC_WRAPPER", "CARGO_BUILD_RUSTC_WRAPPER"),
    ("RUSTC_WORKSPACE_WRAPPER", "CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER"),
];

/// Whether cargo's configuration in a folder names sccache.
fn is_configured(folder: &Path) -> bool {
    configuration_files(folder)
        .filter_map(|path| fs_err::read_to_string(path).ok())
        .any(|text| text.contains(SCCACHE))
}

pub(crate) fn failed(what: &str, done: &Finished) -> HostError {
    // Rendered diagnostics are on stderr; stdout holds JSON.
    HostError::Cargo { what: what.to_owned(), output: first_error(&done.stderr) }
}

/// The lines that begin with cargo's first error, or the last ones if it names none. Other units continue after an error, and
/// their lines are dropped: they would push it out of the kept lines.
fn first_error(stderr: &str) -> String {
    let is_progress = |line: &&str| {
        line.starts_with(' ')
            && line.split_whitespace().next().is_some_and(|word| PROGRESS.contains(&word))
    };
    let lines: Vec<&str> = stderr.lines().filter(|line| !is_progress(line)).collect();
    let first = lines.iter().position(|line| line.starts_with("error"));
    let shown = lines.iter().skip(first.unwrap_or(lines.len().saturating_sub(TAIL))).take(TAIL);
    let cut = |line: &&str| line.chars().take(LONGEST_LINE).collect::<String>();
    shown.map(cut).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_an_error_does_not_push_it_out() {
        let earlier = "   Compiling serde v1.0.0\n".repeat(TAIL + 1);
        let error =
            "error: failed to run custom build command for `pq-sys`\n\nCaused by:\n  no libpq";
        let stderr = format!("warning: unused\n{earlier}{error}\n{earlier}");
        assert_eq!(first_error(&stderr), error);
        // A long one keeps its start, and without one the end is kept.
        let many: Vec<String> = (0..2 * TAIL).map(|line| format!("line {line}")).collect();
        let of_error = first_error(&format!("error[E0432]: unresolved\n{}", many.join("\n")));
        assert!(of_error.starts_with("error[E0432]: unresolved\nline 0\n"), "{of_error}");
        assert!(first_error(&many.join("\n")).ends_with("\nline 79"));
    }
}
