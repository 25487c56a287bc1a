//! One suite of a side, linked again with padding between its sections: the same functions at other
//! addresses.
//!
//! Under whole-program optimisation all code is made by the compilation that links, and it costs as much as
//! the first build. So the suite is compiled once a side, with a linker of ours: a script that calls the
//! real one for every seed. The side's sources are made newer than all artifacts first, because both sides
//! share a target folder and cargo goes by modification times; and what comes out without padding must be
//! the machine code that the side was measured with, or nothing is given.

use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use benchgate_core::identity::compare;
use benchgate_core::model::Side;
use benchgate_core::policy::Build;
use fs_err as fs;

use crate::cargo::Workspace;
use crate::files::{self, Scratch};
use crate::sides::{BuiltSide, Executable, Workshop};
use crate::{HostError, Progress};

/// What linking again came to.
#[derive(Debug)]
pub enum Relinked {
    /// One executable for each seed, in their order.
    Executables(Vec<Executable>),
    /// There is none: the reason.
    Unavailable(String),
}

impl Relinked {
    fn not(reason: impl Into<String>) -> Result<Self, HostError> {
        Ok(Self::Unavailable(reason.into()))
    }
}

/// Links one suite of a side again, once for each seed; the same seeds on both sides, at paths of one
/// length.
///
/// # Errors
/// When interrupted, or when files of our own cannot be used.
pub fn relink(
    workshop: &Workshop,
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
    let is_suite = |target: &&crate::cargo::BenchTarget| {
        (&target.package, &target.suite) == (&suite.package, &suite.suite)
    };
    let Some(target) = built.workspace.benches.iter().find(is_suite) else {
        return Relinked::not("the suite is none of this side's");
    };
    let target_dir = workshop.work.join("build");
    if Workspace::flags(target, &target_dir)?.choose_linker() {
        return Relinked::not("the repository chooses its own linker");
    }
    let executables: Vec<Executable> = seeds
        .iter()
        .map(|seed| {
            let folder =
                workshop.work.join("bin/moved").join(format!("{seed:08x}")).join(side.name());
            let path = folder.join(format!("{}.{}", suite.package, suite.suite));
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
    // By its name rustc knows how to talk to it.
    let scratch = Scratch::new(workshop.work.join("linker"))?;
    let script = scratch.path().join("cc");
    fs::write(&script, linker(seeds.iter().zip(&executables)))?;
    fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755))?;
    make_newer(built.folder())?;
    let arguments = [format!("-Clinker={}", script.display())];
    progress.line(&format!("linking {}.{} of {} again", suite.package, suite.suite, side.name()));
    let unmoved = match built.workspace.build_with(target, &arguments, build, &target_dir, progress)
    {
        Ok(unmoved) => unmoved,
        Err(HostError::Cargo { output, .. }) => {
            return Relinked::not(format!("it could not be linked again: {output}"));
        }
        Err(error) => return Err(error),
    };
    let folder = built.folder().as_os_str().as_bytes();
    let is_same = match unmoved {
        Some(path) => compare(&files::read(&suite.path)?, &files::read(&path)?, [folder; 2]),
        None => return Relinked::not("cargo reported no executable for it"),
    }
    .is_same_code();
    if !is_same || executables.iter().any(|executable| !executable.path.is_file()) {
        return Relinked::not("built again, it is another executable");
    }
    Ok(Relinked::Executables(executables))
}

/// A linker that links once for each seed, and then as it was asked to. Of two outputs the last counts.
fn linker<'a>(outputs: impl Iterator<Item = (&'a u32, &'a Executable)>) -> Vec<u8> {
    let mut script = b"#!/bin/sh\nset -e\n".to_vec();
    for (seed, executable) in outputs {
        let padding = format!("cc \"$@\" -Wl,--randomize-section-padding={seed} -o ");
        script.extend(padding.as_bytes());
        script.extend(quoted(&executable.path));
        script.push(b'\n');
    }
    script.extend(b"exec cc \"$@\"\n");
    script
}

fn quoted(path: &Path) -> Vec<u8> {
    let mut quoted = vec![b'\''];
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'\'' => quoted.extend(br"'\''"),
            byte => quoted.push(*byte),
        }
    }
    quoted.push(b'\'');
    quoted
}

/// Gives every file of a checkout the present time.
fn make_newer(folder: &Path) -> Result<(), HostError> {
    let now = SystemTime::now();
    let mut left: Vec<PathBuf> = vec![folder.to_owned()];
    while let Some(folder) = left.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                left.push(entry.path());
            } else if kind.is_file() {
                fs::File::open(entry.path())?.file().set_modified(now)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_of_any_name_is_one_word_of_the_script() {
        assert_eq!(quoted(Path::new("/a b/it's $HOME")), br"'/a b/it'\''s $HOME'");
    }
}
