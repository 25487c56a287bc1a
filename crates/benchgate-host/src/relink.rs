//! Links one suite of a side again with padding between its sections: the same functions at other
//! addresses.
//!
//! It is linked from what the build has kept (`links`). Where nothing is kept, the suite is compiled once per side
//! with another linker of ours, a script that calls the real one for every seed: under whole-program optimisation
//! that costs as much as the first build. The result without padding must be the machine code that was measured, or
//! no executable is returned.

use std::path::Path;

use benchgate_core::identity::compare;
use benchgate_core::model::Side;
use benchgate_core::policy::Build;
use fs_err as fs;

use crate::files::{self, Scratch};
use crate::sandbox::Sandbox;
use crate::sides::{BuildDir, BuiltSide, Executable};
use crate::{HostError, Progress, links, platform, process};

/// Maximum number of characters of cargo's error in a reason.
const LONGEST_ERROR: usize = 200;

/// The outcome of linking again.
#[derive(Debug)]
pub enum Relinked {
    /// One executable for each seed, in their order.
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
    let executables: Vec<Executable> = seeds
        .iter()
        .map(|seed| {
            let folder =
                build_dir.work.join("bin/moved").join(format!("{seed:08x}")).join(side.name());
            let path = folder.join(suite.key.to_string());
            Executable { path, ..suite.clone() }
        })
        .collect();
    for executable in &executables {
        if let Some(folder) = executable.path.parent() {
            fs::create_dir_all(folder)?;
        }
        if executable.path.exists() {
            fs::remove_file(&executable.path)?;
        }
    }
    let moved = executables.iter().filter_map(|executable| executable.path.parent());
    folders.sandbox = folders.sandbox.writing(moved.map(Path::to_owned));
    progress.line(&format!("linking {} of {} again", suite.key, side.name()));
    if link_kept(suite, seeds, &executables, &folders.sandbox)? {
        return Ok(Relinked::Executables(executables));
    }
    // rustc derives the kind of linker from its name.
    let scratch = Scratch::new(build_dir.work.join("linker"))?;
    let script = scratch.path().join("cc");
    fs::write(&script, linker(seeds.iter().zip(&executables)))?;
    platform::make_executable(&script)?;
    let arguments = [format!("-Clinker={}", script.display())];
    folders.sandbox = folders.sandbox.reading([scratch.path().to_owned()]);
    let building = folders.building(&built.workspace, build, progress);
    let unmoved = match building.build_with(target, &arguments) {
        Ok(unmoved) => unmoved,
        Err(HostError::Cargo { output, .. }) => {
            let is_error = |line: &&str| line.trim_start().starts_with("error");
            let error = output.lines().find(is_error).or(output.lines().last());
            let shown: String = error.unwrap_or_default().chars().take(LONGEST_ERROR).collect();
            return Relinked::not(format!("it could not be linked again: {}", shown.trim()));
        }
        Err(error) => return Err(error),
    };
    let folder = built.folder().as_os_str().as_encoded_bytes();
    let is_same = match unmoved {
        Some(path) => compare(&files::read(&suite.path)?, &files::read(&path)?, &[[folder; 2]]),
        None => return Relinked::not("cargo reported no executable for it"),
    }
    .is_same_code();
    if !is_same || executables.iter().any(|executable| !executable.path.is_file()) {
        return Relinked::not("built again, its machine code differs");
    }
    Ok(Relinked::Executables(executables))
}

/// Links from what was kept when the suite was linked. Whether it could: of a link without padding, the machine code must
/// be what was measured.
fn link_kept(
    suite: &Executable,
    seeds: &[u32],
    executables: &[Executable],
    sandbox: &Sandbox,
) -> Result<bool, HostError> {
    let Some(first) = executables.first() else { return Ok(true) };
    let link = |output: &Path, more: &[String]| -> Result<bool, HostError> {
        let Some(command) = links::command(&suite.path, output, more) else { return Ok(false) };
        let mut command = sandbox.reading([links::folder(&suite.path)]).command(command)?;
        Ok(process::run(&mut command, None, &mut |_| ())?.succeeded())
    };
    if !link(&first.path, &[])? {
        return Ok(false);
    }
    let unmoved = compare(&files::read(&suite.path)?, &files::read(&first.path)?, &[]);
    if !unmoved.is_same_code() {
        return Ok(false);
    }
    for (seed, executable) in seeds.iter().zip(executables) {
        if !link(&executable.path, &padded(*seed))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Symbols and debug information are not loaded, and would be most of what so many files take.
fn padded(seed: u32) -> [String; 2] {
    [format!("-Wl,--randomize-section-padding={seed}"), "-Wl,--strip-all".to_owned()]
}

/// A linker script that links once for each seed, and then as it was called. Of two outputs the last counts.
fn linker<'a>(outputs: impl Iterator<Item = (&'a u32, &'a Executable)>) -> Vec<u8> {
    let mut script = b"#!/bin/sh\nset -e\n".to_vec();
    for (seed, executable) in outputs {
        script.extend(format!("cc \"$@\" {} -o ", padded(*seed).join(" ")).as_bytes());
        script.extend(quoted(&executable.path));
        script.push(b'\n');
    }
    script.extend(b"exec cc \"$@\"\n");
    script
}

fn quoted(path: &Path) -> Vec<u8> {
    let mut quoted = vec![b'\''];
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'\'' => quoted.extend(br"'\''"),
            byte => quoted.push(*byte),
        }
    }
    quoted.push(b'\'');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_of_any_name_is_one_word_of_the_script() {
        assert_eq!(quoted(Path::new("/a b/it's $HOME")), br"'/a b/it'\''s $HOME'");
    }
}
