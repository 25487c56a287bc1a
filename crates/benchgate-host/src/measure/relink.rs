//! Links one suite of a side again with padding between its sections: the same functions at other
//! addresses.
//!
//! The layout is linked from what the build has kept (`links`). If nothing is kept with the executable, cargo builds the
//! suite once more: under whole-program optimisation that costs as much as the first build. The result without padding
//! must be the machine code that was measured, or no executable is returned.

use std::path::Path;

use benchgate_core::identity::compare;
use benchgate_core::model::Side;
use benchgate_core::policy::Build;
use fs_err as fs;

use crate::sides::{BuildDir, BuiltSide, Executable};
use crate::system::files::{self, Scratch};
use crate::system::sandbox::Sandbox;
use crate::system::{links, process};
use crate::{HostError, Progress};

/// Maximum number of characters of cargo's error in a reason.
const LONGEST_ERROR: usize = 200;

/// The outcome of linking again.
#[derive(Debug)]
pub enum Relinked {
    /// An executable for each seed, in their order.
    Executables(Vec<Executable>),
    /// The suite could not be linked again: the reason.
    Unavailable(String),
}

impl Relinked {
    fn not(reason: impl Into<String>) -> Result<Self, HostError> {
        Ok(Self::Unavailable(reason.into()))
    }
}

/// Links one suite of a side again, once for each seed; the same seeds on both sides, at paths of equal
/// length.
///
/// # Errors
/// When interrupted, or when scratch files cannot be written.
pub fn relink(
    build_dir: &BuildDir,
    side: Side,
    built: &BuiltSide,
    suite: &Executable,
    build: &Build,
    seeds: &[u32],
    progress: &dyn Progress,
) -> Result<Relinked, HostError> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Relinked::not(
            "sections are moved by rust-lld, the default linker of x86-64 Linux only",
        );
    }
    let is_suite = |target: &&crate::cargo::BenchTarget| target.key() == suite.key;
    let Some(target) = built.workspace.benches.iter().find(is_suite) else {
        return Relinked::not("this side does not have the suite");
    };
    let mut folders = build_dir.folders(side)?;
    let _temporary = Scratch::new(build_dir.temporary(side))?;
    let is_chosen =
        folders.building(&built.workspace, build, progress).flags(target)?.choose_linker();
    if is_chosen {
        return Relinked::not("the repository sets its own linker");
    }
    let executables = seeds
        .iter()
        .map(|seed| place(build_dir, side, suite, *seed))
        .collect::<Result<Vec<_>, HostError>>()?;
    let moved = executables.iter().filter_map(|executable| executable.path.parent());
    folders.sandbox = folders.sandbox.writing(moved.map(Path::to_owned));
    progress.line(&format!("linking {} of {} again", suite.key, side.name()));
    let link = |from: &Path| link(from, suite, seeds, &executables, &folders.sandbox);
    if link(&suite.path)? {
        return Ok(Relinked::Executables(executables));
    }
    build_dir.compiles_again(side);
    let building = folders.building(&built.workspace, build, progress);
    let _lock_file = building.lock_file();
    let mut again = building.attempt(&[target])?;
    let Some(path) = again.executables.remove(&suite.key) else {
        let output = again.broken.remove(&suite.key).unwrap_or_default();
        let is_error = |line: &&str| line.trim_start().starts_with("error");
        let error = output.lines().find(is_error).or(output.lines().last());
        let shown: String = error.unwrap_or_default().chars().take(LONGEST_ERROR).collect();
        return Relinked::not(format!("it could not be linked again: {}", shown.trim()));
    };
    match link(&path)? {
        true => Ok(Relinked::Executables(executables)),
        false => Relinked::not("built again, its machine code differs"),
    }
}

/// Makes room for a suite in one layout.
fn place(
    build_dir: &BuildDir,
    side: Side,
    suite: &Executable,
    seed: u32,
) -> Result<Executable, HostError> {
    let folder = build_dir.work.join("bin/moved").join(format!("{seed:08x}")).join(side.name());
    let path = folder.join(suite.key.to_string());
    fs::create_dir_all(&folder)?;
    if path.exists() {
        fs::remove_file(&path)?;
    }
    Ok(Executable { path, ..suite.clone() })
}

/// Links from what was kept next to an executable. Whether it could: of a link without padding, the machine code must be
/// the measured code.
fn link(
    from: &Path,
    suite: &Executable,
    seeds: &[u32],
    executables: &[Executable],
    sandbox: &Sandbox,
) -> Result<bool, HostError> {
    let Some(first) = executables.first() else { return Ok(true) };
    let link = |output: &Path, more: &[String]| -> Result<bool, HostError> {
        let Some(command) = links::command(from, output, more) else { return Ok(false) };
        let mut command = sandbox.reading([links::folder(from)]).command(command)?;
        Ok(process::run(&mut command, None, &mut |_| ())?.succeeded())
    };
    if !link(&first.path, &[])? {
        return Ok(false);
    }
    if !compare(&files::read(&suite.path)?, &files::read(&first.path)?, &[]).is_same_code() {
        return Ok(false);
    }
    for (seed, executable) in seeds.iter().zip(executables) {
        if !link(&executable.path, &padded(*seed))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Symbols and debug information are not loaded, and would be most of the size of these files.
fn padded(seed: u32) -> [String; 2] {
    [format!("-Wl,--randomize-section-padding={seed}"), "-Wl,--strip-all".to_owned()]
}
