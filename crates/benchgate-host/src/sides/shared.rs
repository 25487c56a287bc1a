//! Dependencies that a side takes over from the builds of the other one.

use std::path::{Path, PathBuf};

use benchgate_core::model::Side;
use fs_err as fs;

use super::BuildDir;
use crate::HostError;
use crate::cargo::Workspace;
use crate::cargo::share::{self, Large, VENDORED};
use crate::system::files;

impl BuildDir {
    /// Takes over the dependencies that the other side has built. `vendored` names the state of those that lie
    /// in the checkout: cargo assumes that a package of a registry never changes, wherever it is.
    pub(super) fn take_over(
        &self,
        side: Side,
        workspace: &Workspace,
        vendored: &str,
    ) -> Result<(), HostError> {
        let [own, other] = [side, side.other()].map(|side| self.target_dir(side));
        if vendored_in(&own).as_deref() != Some(vendored) {
            files::remove_dir(&own)?;
            files::write_atomically(&own.join(VENDORED), vendored.as_bytes())?;
        }
        if self.may_take(side) && vendored_in(&other).as_deref() == Some(vendored) {
            share::take_over(&other, &own, workspace.own_names(), self.large())?;
        }
        Ok(())
    }

    /// Removes earlier builds of a side if one of their files has a time in the future, and returns a notice
    /// about it. Cargo does not build again what is newer than its sources, and processes of any side can set the times of
    /// this user's files.
    pub(super) fn without_future(&self, side: Side) -> Result<Option<String>, HostError> {
        let mut notice = None;
        for folder in [self.target_dir(side), self.suites_dir(side)] {
            if files::is_from_future(&folder)? {
                files::remove_dir(&folder)?;
                notice = Some(format!(
                    "what was built of the {} before had files with a time in the future and was removed: it is built \
                     from scratch",
                    side.name()
                ));
            }
        }
        Ok(notice)
    }

    /// Where the declared suites of a side build: what the other side's have built of dependencies is there too.
    pub(crate) fn suites_folder(
        &self,
        side: Side,
        workspace: &Workspace,
    ) -> Result<PathBuf, HostError> {
        let [own, other] = [side, side.other()].map(|side| self.suites_dir(side));
        let [state, of_other] =
            [side, side.other()].map(|side| vendored_in(&self.target_dir(side)));
        // A folder of another tool than cargo may hold anything.
        let is_of_cargo = other.join(".rustc_info.json").is_file();
        if self.may_take(side) && state == of_other && is_of_cargo {
            share::take_over(&other, &own, workspace.own_names(), self.large())?;
        }
        Ok(own)
    }

    /// Whether a side may use what the other one has built. A build of the head can have written anything into its
    /// own folder; in the sandbox the base's keeps what the base built.
    fn may_take(&self, side: Side) -> bool {
        side == Side::Head || !self.options.sandbox.restricts()
    }

    /// In the sandbox no file is in the folders of both sides: to write it in one is to write it in the other.
    fn large(&self) -> Large {
        if self.options.sandbox.restricts() { Large::Copied } else { Large::Linked }
    }
}

fn vendored_in(folder: &Path) -> Option<String> {
    fs::read_to_string(folder.join(VENDORED)).ok()
}
