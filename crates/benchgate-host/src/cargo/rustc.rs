//! Version and platform of rustc.

use std::path::Path;

use crate::HostError;
use crate::cargo::command::clean_command;
use crate::system::process;
use crate::system::sandbox::Sandbox;

/// The platform of the rustc that cargo uses in a workspace, such as `x86_64-unknown-linux-gnu`.
///
/// # Errors
/// When rustc cannot be run.
pub(crate) fn host(root: &Path, sandbox: &Sandbox) -> Result<String, HostError> {
    Ok(host_of(&version(root, sandbox)?))
}

/// Returns the platform in the output of [`version`].
pub(crate) fn host_of(version: &str) -> String {
    version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default().to_owned()
}

/// Returns the output of `rustc --version --verbose`, of the rustc that cargo uses in a workspace.
///
/// # Errors
/// When rustc cannot be run.
pub(crate) fn version(root: &Path, sandbox: &Sandbox) -> Result<String, HostError> {
    let mut command = clean_command(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    command.args(["--version", "--verbose"]).current_dir(root);
    // A toolchain may be a folder of the checkout.
    let done = process::run(&mut sandbox.command(command)?, None, &mut |_| {})?;
    if !done.succeeded() {
        let what = "print its version (rustc)".to_owned();
        return Err(HostError::Cargo { what, output: done.tail(5) });
    }
    Ok(done.stdout)
}
