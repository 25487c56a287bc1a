//! What a side takes over of what the other one has built.

use std::path::{Path, PathBuf};

use benchgate_core::model::Side;
use fs_err as fs;

use super::BuildDir;
use crate::cargo::Workspace;
use crate::{HostError, files, share};

/// The file in a target folder that names the state of the vendored packages that it was built with.
const VENDORED: &str = "vendored";

impl BuildDir {
    /// Takes over the dependencies that the other side has built. `vendored` names the state of those that lie
    /// in the checkout: cargo takes a package of a registry for one that never changes, wherever it is.
    pub(super) fn take_over(
        &self,
        side: Side,
        workspace: &Workspace,
        vendored: &str,
    ) -> Result<(), HostError> {
        let [own, other] = [side, side.other()].map(|side| self.folders(side).target_dir);
        if vendored_in(&own).as_deref() != Some(vendored) {
            files::remove_dir(&own)?;
            files::write_atomically(&own.join(VENDORED), vendored.as_bytes())?;
        }
        if vendored_in(&other).as_deref() == Some(vendored) {
            share::take_over(&other, &own, workspace.own_names())?;
        }
        Ok(())
    }

    /// Where the declared suites of a side build: what the other side's have built of dependencies is there too.
    pub(crate) fn suites_folder(
        &self,
        side: Side,
        workspace: &Workspace,
    ) -> Result<PathBuf, HostError> {
        let [own, other] =
            [side, side.other()].map(|side| self.work.join("suites").join(side.name()));
        let [state, of_other] =
            [side, side.other()].map(|side| vendored_in(&self.folders(side).target_dir));
        // A folder of another tool than cargo may hold anything.
        if state == of_other && other.join(".rustc_info.json").is_file() {
            share::take_over(&other, &own, workspace.own_names())?;
        }
        Ok(own)
    }
}

fn vendored_in(folder: &Path) -> Option<String> {
    fs::read_to_string(folder.join(VENDORED)).ok()
}
