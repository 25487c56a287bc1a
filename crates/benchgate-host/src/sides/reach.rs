//! Sandboxes of a side's builds and rounds, and the download of dependencies before they run.

use std::path::{Path, PathBuf};

use benchgate_core::model::Side;
use benchgate_core::policy::{Runtime, Suite};
use fs_err as fs;

use super::BuildDir;
use crate::cargo::fetch_for;
use crate::cargo::share::without_link;
use crate::cargo::start::Start;
use crate::cargo::written::TEMPORARY;
use crate::system::files;
use crate::system::sandbox::Sandbox;
use crate::{HostError, Progress};

impl BuildDir {
    /// Returns the folder for short-lived files of a side's builds.
    pub(crate) fn temporary(&self, side: Side) -> PathBuf {
        self.work.join("tmp").join(side.name())
    }

    /// Returns the sandbox of a side, which reads its checkout and the history of the repository.
    pub(super) fn sandbox_of(&self, side: Side) -> Result<Sandbox, HostError> {
        let sandbox = self.options.sandbox.of_checkout(&self.trees.join(side.name()))?;
        Ok(sandbox.reading([self.history.clone()]).reading(self.lent()))
    }

    /// Returns what a side reads outside of its checkout.
    fn lent(&self) -> Vec<PathBuf> {
        [self.data_places(), self.siblings.folders()].concat()
    }

    /// Returns the sandbox of a side's builds: they write into its checkout, where cargo makes a lock file, and build
    /// scripts generate headers and sources.
    pub(super) fn of_builds(&self, side: Side) -> Result<Sandbox, HostError> {
        let sandbox = self.sandbox_of(side)?.writing([self.trees.join(side.name())]);
        Ok(sandbox.with_temporary(self.temporary(side)))
    }

    /// Returns that of the build of a declared suite, which also writes into `target`.
    pub(crate) fn of_suite(
        &self,
        side: Side,
        suite: &Suite,
        target: &Path,
    ) -> Result<Sandbox, HostError> {
        let checkout = self.trees.join(side.name());
        let sandbox = self.of_builds(side)?.allowing(&suite.sandbox, &checkout)?;
        let words = suite.build.iter().chain(&suite.needs);
        Ok(sandbox.running(words).writing([target.to_owned()]))
    }

    /// Returns the sandbox of a declared suite's rounds.
    pub(crate) fn of_rounds_of(&self, side: Side, suite: &Suite) -> Result<Sandbox, HostError> {
        let sandbox = self.of_rounds(side)?;
        let sandbox = sandbox.allowing(&suite.sandbox, &self.trees.join(side.name()))?;
        Ok(sandbox.running(suite.run.iter().chain(&suite.needs)))
    }

    /// Returns the sandbox of a side's rounds: they read the files that were built of it.
    pub(crate) fn of_rounds(&self, side: Side) -> Result<Sandbox, HostError> {
        // The executables of both sides, and copies of them.
        let built = [self.target_dir(side), self.suites_dir(side), self.work.join("bin")];
        let sandbox = self.options.sandbox.of_checkout(&self.trees.join(side.name()))?;
        // `CARGO_TARGET_TMPDIR`, which is a constant of every bench.
        let constant = self.target_dir(side).join(TEMPORARY);
        if sandbox.restricts() {
            without_link(&constant)?;
            fs::create_dir_all(&constant)?;
        }
        // The same for both sides: the length of its path moves the measured code.
        let temporary = self.work.join("tmp/rounds");
        Ok(sandbox
            .reading(built)
            .reading(self.lent())
            .writing([constant])
            .with_temporary(temporary))
    }

    /// Empties the folder of a side that is a constant of every bench: what a bench of another commit left there is none of
    /// its own.
    pub(super) fn empty_temporary(&self, side: Side) -> Result<(), HostError> {
        let constant = self.target_dir(side).join(TEMPORARY);
        without_link(&constant)?;
        files::remove_dir(&constant)
    }

    /// Returns the same for a bench that may write what was generated for it.
    pub(crate) fn of_generated(
        &self,
        of_rounds: &Sandbox,
        side: Side,
        start: Option<&Start>,
    ) -> Sandbox {
        let folder = start.and_then(|start| start.variable("OUT_DIR"));
        of_rounds.with_generated(folder, &self.target_dir(side))
    }

    /// Downloads what a side depends on, for its build has no network; what went wrong.
    pub(crate) fn fetch(
        &self,
        side: Side,
        root: &Path,
        runtime: Runtime,
        progress: &dyn Progress,
    ) -> Result<Option<String>, HostError> {
        let manifest = root.join("Cargo.toml");
        // Through a lock file that is a link, cargo would write elsewhere.
        let lock_file = root.join("Cargo.lock");
        // A stand-in is that of a version, which without a lock file nobody knows; and a build with stand-ins, which changes
        // the lock file, cannot say that it was up to date.
        let is_resolved = runtime == Runtime::Criterion
            || lock_file.is_file() && !self.options.cargo_options.contains(&"--locked");
        let is_needless = !self.options.sandbox.restricts_network() && is_resolved;
        if is_needless || !manifest.is_file() || lock_file.is_symlink() {
            return Ok(None);
        }
        // The base's checkout, while there is one. Its configuration was merged; the head's may name any program.
        let of_base = self.trees.join(Side::Base.name()).join(&self.inside);
        let from = if side == Side::Base || self.options.trusts_head { root } else { &of_base };
        let from = if from.is_dir() { from } else { &self.trees };
        fetch_for(&manifest, from, &self.of_fetches(), &self.options.cargo_options, progress)
    }

    /// Where cargo notes what it asks to download. No build can write there.
    pub(crate) fn of_fetches(&self) -> PathBuf {
        self.work.join("cargo/fetch")
    }
}
