//! rustup's choice of a toolchain, which its cargo passes on to all that it starts.
//!
//! Started as `cargo benchgate` or by an alias, benchgate has the toolchain of the folder that it was started in.
//! Each side is to be built with its own, which its `rust-toolchain.toml` names.

use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

/// The toolchain that is passed on.
pub(crate) const TOOLCHAIN: &str = "RUSTUP_TOOLCHAIN";

/// Where it comes from, since rustup 1.29.
const SOURCE: &str = "RUSTUP_TOOLCHAIN_SOURCE";

/// Set in all that a cargo of rustup starts.
const BELOW_RUSTUP: &str = "RUST_RECURSION_COUNT";

/// Whether the toolchain was not named by the user: by a variable, or as `cargo +nightly`.
pub(crate) fn chose_toolchain() -> bool {
    static ANSWER: OnceLock<bool> = OnceLock::new();
    *ANSWER.get_or_init(|| {
        let variable = |name: &str| std::env::var(name).ok();
        let Some(toolchain) = variable(TOOLCHAIN) else { return false };
        if variable(BELOW_RUSTUP).is_none() {
            return false;
        }
        match variable(SOURCE).as_deref() {
            Some("env" | "cli") => false,
            Some(_) => true,
            // A toolchain that rustup would choose here by itself was not named.
            None => active().is_some_and(|active| active == toolchain),
        }
    })
}

/// Whether rustup installs what is missing, or says that it is. In the sandbox it cannot install.
pub(crate) const AUTO_INSTALL: &str = "RUSTUP_AUTO_INSTALL";

/// Installs the toolchain that a folder names, where cargo ended because it is missing; whether it is there now. rustup
/// runs nothing of the folder for that.
pub(crate) fn install(folder: &Path, said: &str) -> bool {
    let is_allowed = std::env::var(AUTO_INSTALL).as_deref() != Ok("0");
    if !is_missing(said) || !is_allowed {
        return false;
    }
    let mut command = Command::new("rustup");
    command.args(["toolchain", "install", "--no-self-update"]).current_dir(folder);
    if chose_toolchain() {
        command.env_remove(TOOLCHAIN);
    }
    command.output().is_ok_and(|done| done.status.success())
}

/// Whether cargo ended because its toolchain is missing. A rustup before 1.28 does not know [`AUTO_INSTALL`]: it fails
/// if it begins to install.
fn is_missing(said: &str) -> bool {
    said.contains("is not installed") || said.contains("syncing channel updates")
}

fn active() -> Option<String> {
    let mut command = Command::new("rustup");
    let done = command.args(["show", "active-toolchain"]).env_remove(TOOLCHAIN).output().ok()?;
    String::from_utf8_lossy(&done.stdout).split_whitespace().next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_toolchain_is_missing_whether_rustup_says_so_or_tries_to_install_it() {
        let table = [
            ("error: toolchain '1.94.0-x86_64-unknown-linux-gnu' is not installed", true),
            (
                "info: syncing channel updates for 1.94.0-x86_64-unknown-linux-gnu\nerror: could not create temp file",
                true,
            ),
            ("error: no matching package named `left-pad` found", false),
        ];
        for (said, expected) in table {
            assert_eq!(is_missing(said), expected, "{said}");
        }
    }
}
