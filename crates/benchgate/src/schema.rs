//! The JSON schema of `benchgate.toml`, where an editor finds it.
//!
//! It is written next to the results and not committed: so it is that of the benchgate in use, and needs no
//! network.

use std::path::{Path, PathBuf};

use benchgate_host::HostError;
use benchgate_host::cargo::Workspace;
use benchgate_host::system::files;

const SCHEMA: &str = include_str!("../policy.schema.json");

/// Writes the schema, and gives its path.
pub(crate) fn write(workspace: &Workspace) -> Result<PathBuf, HostError> {
    let path = workspace.work_dir().join("policy.schema.json");
    files::write_atomically(&path, SCHEMA.as_bytes())?;
    Ok(path)
}

/// How the policy at the workspace's root refers to the schema; `None` if it is elsewhere on this machine, which
/// is not to be committed.
pub(crate) fn reference(path: &Path, root: &Path) -> Option<String> {
    path.strip_prefix(root).ok().map(|path| format!("./{}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_folder_elsewhere_has_no_reference_that_could_be_committed() {
        let of = |path: &str| reference(Path::new(path), Path::new("/repo"));
        assert_eq!(of("/repo/target/x.json").as_deref(), Some("./target/x.json"));
        assert_eq!(of("/elsewhere/x.json"), None);
    }
}
