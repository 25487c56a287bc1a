//! What a suite was linked from, kept when it is linked: its layouts are linked from that, and nothing is compiled again.
//!
//! cargo gets a script as its linker. It links, and then keeps arguments and object files in a folder next to the
//! executable. If it cannot, the suite is compiled once more when a layout is requested.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use fs_err as fs;

use crate::HostError;
use crate::system::files;

/// The variable that cargo reads the path of its linker from, on the one platform whose linker moves sections.
pub const LINKER: &str = "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER";

const ARGUMENTS: &str = "arguments";

/// Maximum number of bytes of the files. With link-time optimisation it is one file of the size of the executable;
/// without, all libraries, and then compiling the suite once more takes little.
const LARGEST: u64 = 64 << 20;

/// Links, and keeps files of the folder of the output under numbers, without debug information where that can be removed:
/// it is three quarters of them. Arguments come last: a folder without them is none.
const SCRIPT: &str = r#"#!/bin/sh
cc "$@" || exit
output= previous=
for argument; do
    [ "$previous" = -o ] && output=$argument
    [ "$argument" = -shared ] && exit 0
    previous=$argument
done
case $output in */deps/*-*) ;; *) exit 0 ;; esac
kept=$output.link
rm -rf "$kept" && mkdir "$kept" || exit 0
number=0 previous=
for argument; do
    case $previous$argument in
    -o) previous=-o && continue ;;
    -o*) previous= && continue ;;
    @* | *"
"*) exit 0 ;;
    "${output%/*}"/*.o | "${output%/*}"/*.rlib | "${output%/*}"/*.a)
        number=$((number + 1))
        name=$number.${argument##*.}
        case $name in *.o) objcopy --strip-debug "$argument" "$kept/$name" 2>/dev/null ;; esac
        [ -f "$kept/$name" ] || ln "$argument" "$kept/$name" 2>/dev/null ||
            cp "$argument" "$kept/$name" || exit 0
        argument=$name
        ;;
    esac
    printf '%s\n' "$argument" >>"$kept/new" || exit 0
done
mv "$kept/new" "$kept/arguments"
exit 0
"#;

/// Writes the linker into a folder; returns its path.
///
/// # Errors
/// Names the path.
pub fn linker_in(folder: &Path) -> Result<PathBuf, HostError> {
    // rustc derives the kind of linker from its name.
    let path = folder.join("cc");
    if fs::read(&path).ok().as_deref() != Some(SCRIPT.as_bytes()) {
        fs::create_dir_all(folder)?;
        files::remove_file(&path)?;
        files::create_atomically(&path, SCRIPT.as_bytes(), true)?;
    }
    Ok(path)
}

/// The arguments and files that an executable was linked from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Link {
    /// Names of files in `files` and paths of the toolchain, without the output.
    pub(crate) arguments: Vec<String>,
    /// By name.
    pub(crate) files: BTreeMap<String, Vec<u8>>,
}

/// The folder of what an executable was linked from.
pub fn folder(executable: &Path) -> PathBuf {
    let mut name: OsString = executable.as_os_str().to_owned();
    name.push(".link");
    name.into()
}

/// Reads what is kept next to an executable; `None` where nothing or too much is, or where a build left what is not a
/// file.
pub(crate) fn read(executable: &Path) -> Option<Link> {
    let folder = folder(executable);
    let arguments = String::from_utf8(files::read_written(&folder.join(ARGUMENTS)).ok()?).ok()?;
    let arguments: Vec<String> = arguments.lines().map(str::to_owned).collect();
    let names: Vec<&String> = arguments.iter().filter(|argument| is_name(argument)).collect();
    let sizes = names.iter().map(|name| Some(folder.join(name).metadata().ok()?.len()));
    if sizes.sum::<Option<u64>>()? > LARGEST {
        return None;
    }
    let files = names
        .into_iter()
        .map(|name| Some((name.clone(), files::read_written(&folder.join(name)).ok()?)));
    Some(Link { files: files.collect::<Option<_>>()?, arguments })
}

/// Whether an argument is a file that was kept.
pub(crate) fn is_name(argument: &str) -> bool {
    let number = argument.split_once('.').filter(|(_, kind)| ["o", "rlib", "a"].contains(kind));
    number.is_some_and(|(number, _)| number.parse::<u32>().is_ok())
}

/// Writes what an executable was linked from next to it.
pub(crate) fn write(link: &Link, executable: &Path) -> Result<(), HostError> {
    let folder = folder(executable);
    files::remove_dir(&folder)?;
    fs::create_dir_all(&folder)?;
    for (name, bytes) in &link.files {
        fs::write(folder.join(name), bytes)?;
    }
    Ok(fs::write(folder.join(ARGUMENTS), link.arguments.join("\n"))?)
}

/// A command that links it again, with more arguments; `None` where nothing is kept of it.
pub fn command(executable: &Path, output: &Path, more: &[String]) -> Option<Command> {
    let folder = folder(executable);
    let arguments = fs::read_to_string(folder.join(ARGUMENTS)).ok()?;
    let mut command = Command::new("cc");
    command.current_dir(folder).args(arguments.lines()).args(more).arg("-o").arg(output);
    Some(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_read_as_it_was_written_and_half_of_it_is_nothing() {
        let scratch = tempfile::tempdir().unwrap();
        let executable = scratch.path().join("speed");
        assert_eq!(read(&executable), None);
        let link = Link {
            arguments: ["-m64", "1.o", "/lib/x.rlib", "2.rlib", "-lc"].map(str::to_owned).into(),
            files: [("1.o".to_owned(), vec![1]), ("2.rlib".to_owned(), vec![2])].into(),
        };
        write(&link, &executable).unwrap();
        assert_eq!(read(&executable), Some(link));
        let library = scratch.path().join("speed.link/2.rlib");
        fs::OpenOptions::new().write(true).open(&library).unwrap().file().set_len(LARGEST).unwrap();
        assert_eq!(read(&executable), None, "too much");
        fs::remove_file(library).unwrap();
        assert_eq!(read(&executable), None, "half of it");
    }

    #[test]
    fn a_file_that_was_kept_is_a_number_and_never_a_path() {
        assert!(["1.o", "12.rlib", "3.a"].iter().all(|name| is_name(name)));
        assert!(["../1.o", "/1.o", "x.o", "1.so", "-l1.o", "1"].iter().all(|name| !is_name(name)));
    }
}
