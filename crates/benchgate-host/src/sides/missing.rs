//! Files that a side lacked and the user's checkout has: no commit has them.

use std::path::Path;

use fs_err as fs;

use super::built::BuiltSide;
use crate::HostError;
use crate::git::Repository;
use crate::system::files;

/// The message about a missing file.
const NOT_THERE: [&str; 4] = ["No such file", "os error 2", "couldn't read", "NotFound"];

/// Ignored files that are not data: cargo writes one, and secrets are kept in the other.
const NO_DATA: [&str; 2] = ["Cargo.lock", ".env"];

/// How many files of an ignored folder are looked for.
const MOST_FILES: usize = 200;

/// The shortest text in an executable that may name a file.
const SHORTEST: usize = 4;

/// The ignored files and folders of the user's checkout, below the workspace's folder, that processes which failed with
/// these outputs name: in the output, or in their executables. Where no output says that something is not there, a file
/// is named by its path alone.
///
/// # Errors
/// When git cannot be run.
pub fn lendable(
    repository: &Repository,
    root: &Path,
    target_dir: &Path,
    sides: &[&BuiltSide],
    outputs: &[&str],
) -> Result<Vec<String>, HostError> {
    if outputs.is_empty() {
        return Ok(Vec::new());
    }
    let is_missed = outputs.iter().any(|output| NOT_THERE.iter().any(|said| output.contains(said)));
    let mut texts: Vec<Vec<u8>> = outputs.iter().map(|output| output.as_bytes().to_vec()).collect();
    let mut folders = vec![String::new()];
    for side in sides {
        for executable in &side.executables {
            texts.extend(fs::read(&executable.path).map(|bytes| names_in(&bytes)));
            folders.push(side.package_folder(executable));
        }
    }
    folders.sort();
    folders.dedup();
    let is_held = |name: &str| texts.iter().any(|text| files::holds(text, name.as_bytes()));
    let is_named = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        if NO_DATA.contains(&name) {
            return false;
        }
        // A path may be joined from parts: its last part is a separate text.
        let is_whole = is_missed && name.contains('.') && name.len() > SHORTEST && is_held(name);
        let below = |folder: &String| match folder.as_str() {
            "" => Some(path),
            folder => path.strip_prefix(folder)?.strip_prefix('/'),
        };
        let is_path = |inside: &str| (is_missed || inside.contains('/')) && is_held(inside);
        is_whole || folders.iter().filter_map(below).any(is_path)
    };
    let mut missing = Vec::new();
    for ignored in repository.ignored()? {
        let path = repository.top().join(&ignored);
        let Ok(inside) = path.strip_prefix(root) else { continue };
        if path.starts_with(target_dir) || target_dir.starts_with(&path) {
            continue;
        }
        let mut files = Vec::new();
        list(&path, &ignored, &mut files);
        if files.iter().any(|file| is_named(file)) {
            missing.push(inside.to_string_lossy().into_owned());
        }
    }
    // git names a folder with nothing but ignored files, too.
    let all = missing.clone();
    missing.retain(|path| !all.iter().any(|other| other.starts_with(&format!("{path}/"))));
    Ok(missing)
}

/// The files at a path, as the repository names them.
fn list(path: &Path, name: &str, files: &mut Vec<String>) {
    if files.len() >= MOST_FILES {
        return;
    }
    match fs::read_dir(path) {
        Ok(entries) => {
            for entry in entries.flatten() {
                let inside = format!("{name}/{}", entry.file_name().to_string_lossy());
                list(&entry.path(), &inside, files);
            }
        }
        Err(_) => files.push(name.to_owned()),
    }
}

/// The texts in an executable that may name a file: a small part of it, which is searched for many names.
fn names_in(executable: &[u8]) -> Vec<u8> {
    let is_text = |byte: &u8| byte.is_ascii_graphic() || *byte == b' ';
    let is_name = |text: &&[u8]| {
        text.len() >= SHORTEST && text.iter().any(|byte| matches!(byte, b'/' | b'.'))
    };
    let texts = executable.split(|byte| !is_text(byte)).filter(is_name);
    texts.collect::<Vec<_>>().join(&b'\n')
}
