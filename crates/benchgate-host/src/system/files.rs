//! Writes files atomically, and reads them up to a maximum size.

use std::ffi::OsStr;
use std::io::{Read as _, Write as _};
use std::path::{Component, Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::HostError;
use crate::system::platform;

/// Maximum size of a file that is read: an export of a hundred thousand benchmarks is a quarter of it.
pub const LARGEST_FILE: u64 = 1 << 30;

/// Writes a whole file or leaves the old one: a temporary file next to it is written, flushed to disk
/// and renamed.
///
/// # Errors
/// Names the path.
pub fn write_atomically(path: &Path, content: &[u8]) -> Result<(), HostError> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let file = temporary_file(folder, content, false).map_err(|source| unwritten(path, source))?;
    file.persist(path).map_err(|error| unwritten(path, error.error))?;
    Ok(())
}

/// Writes a whole new file. Returns `false`, and writes nothing, when a file of that name exists.
///
/// # Errors
/// Names the path.
pub fn create_atomically(path: &Path, content: &[u8], executable: bool) -> Result<bool, HostError> {
    if path.symlink_metadata().is_ok() {
        return Ok(false);
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let file =
        temporary_file(folder, content, executable).map_err(|source| unwritten(path, source))?;
    match file.persist_noclobber(path) {
        Ok(_) => Ok(true),
        Err(error) if error.error.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(unwritten(path, error.error)),
    }
}

fn temporary_file(
    folder: &Path,
    content: &[u8],
    executable: bool,
) -> Result<tempfile::NamedTempFile, std::io::Error> {
    fs_err::create_dir_all(folder)?;
    let mut builder = tempfile::Builder::new();
    platform::set_mode(&mut builder, executable);
    let mut file = builder.prefix(".benchgate-").tempfile_in(folder)?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    Ok(file)
}

fn unwritten(path: &Path, source: std::io::Error) -> HostError {
    HostError::Content { path: path.to_owned(), problem: format!("cannot be written: {source}") }
}

/// Reads a whole file of at most [`LARGEST_FILE`] bytes.
///
/// # Errors
/// Names the path; for a larger file, the limit.
pub fn read(path: &Path) -> Result<Vec<u8>, HostError> {
    let mut bytes = Vec::new();
    read_into(path, &mut bytes)?;
    Ok(bytes)
}

/// Like [`read`], in place of what `bytes` holds: memory that was used before is not asked for again.
///
/// # Errors
/// As [`read`].
pub(crate) fn read_into(path: &Path, bytes: &mut Vec<u8>) -> Result<(), HostError> {
    bytes.clear();
    // The standard library's own handle: through another one, all of the memory is zeroed first.
    open(path)?.file().read_to_end(bytes).map_err(|source| {
        std::io::Error::new(source.kind(), format!("failed to read `{}`: {source}", path.display()))
    })?;
    Ok(())
}

/// Where a path leads, as far as it is there: a link and `..` may lead anywhere.
pub(crate) fn real(path: &Path) -> Option<PathBuf> {
    let there = path.ancestors().find(|it| it.exists())?;
    let rest = path.strip_prefix(there).ok()?;
    let is_plain = rest.components().all(|part| matches!(part, Component::Normal(_)));
    let there = fs_err::canonicalize(there).ok()?;
    is_plain.then(|| if rest.as_os_str().is_empty() { there } else { there.join(rest) })
}

/// A path without `.` and `..`, as it is written: links are not followed.
pub(crate) fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

/// Whether a text holds another one, which is not empty.
pub(crate) fn holds(text: &[u8], part: &[u8]) -> bool {
    !part.is_empty() && memchr::memmem::find(text, part).is_some()
}

/// Whether a text has a name that is no part of a longer one before it: what follows it in an executable is another text.
pub(crate) fn holds_name(text: &[u8], name: &[u8]) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let begins = |at: usize| at.checked_sub(1).is_none_or(|before| !is_word(text[before]));
    !name.is_empty() && memchr::memmem::find_iter(text, name).any(begins)
}

/// Whether what is, or would be, at a path lies in a folder: of what is there already, no link leads out of it.
pub(crate) fn leads_into(path: &Path, folder: &Path) -> bool {
    let goes_up = path.components().any(|part| part == std::path::Component::ParentDir);
    let above = path.ancestors().skip(1).find(|above| above.symlink_metadata().is_ok());
    let resolved = above.and_then(|above| fs_err::canonicalize(above).ok());
    let folder = fs_err::canonicalize(folder).ok();
    !goes_up && resolved.zip(folder).is_some_and(|(resolved, folder)| resolved.starts_with(folder))
}

/// Reads a whole file that a bench was to write. A link could lead to any other file, and a pipe would be waited for.
///
/// # Errors
/// Names the path; for a link, a pipe or a folder, and for a larger file, what is wrong.
pub fn read_written(path: &Path) -> Result<Vec<u8>, HostError> {
    let wrong =
        |problem: &str| HostError::Content { path: path.to_owned(), problem: problem.into() };
    if path.symlink_metadata()?.is_symlink() {
        return Err(wrong("it is a link, and not a file that the benchmark wrote"));
    }
    let mut file = platform::open_plain(path)?;
    if !file.metadata()?.is_file() {
        return Err(wrong("it is not a file that the benchmark wrote"));
    }
    if file.metadata()?.len() > LARGEST_FILE {
        return Err(wrong("it is larger than any result"));
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Like `read_written`, of a benchmark's result, whose failure is the benchmark's.
///
/// # Errors
/// The name of the file, and what is wrong with it.
pub(crate) fn read_result(path: &Path) -> Result<Vec<u8>, String> {
    let name = path.file_name().unwrap_or_default().display();
    read_written(path).map_err(|error| match error {
        HostError::Content { problem, .. } => format!("{name}: {problem}"),
        error => format!("{name}: {error}"),
    })
}

/// The names of what is in a folder, sorted.
///
/// # Errors
/// When it cannot be listed.
pub(crate) fn names(folder: &Path) -> Result<Vec<std::ffi::OsString>, HostError> {
    let names = fs_err::read_dir(folder)?.map(|entry| Ok(entry?.file_name()));
    let mut names: Vec<_> = names.collect::<Result<_, std::io::Error>>()?;
    names.sort();
    Ok(names)
}

/// A program, looked up in a list of folders such as `PATH` unless its path is absolute.
pub(crate) fn program(path: &OsStr, name: impl AsRef<Path>) -> Option<PathBuf> {
    std::env::split_paths(path).map(|folder| folder.join(&name)).find(|path| path.is_file())
}

/// The same in the `PATH` of the gate.
pub(crate) fn program_on_path(name: impl AsRef<Path>) -> Option<PathBuf> {
    program(&std::env::var_os("PATH").unwrap_or_default(), name)
}

/// The SHA-256 of a file, in hexadecimal digits.
///
/// # Errors
/// As [`read`].
pub fn digest(path: &Path) -> Result<String, HostError> {
    Ok(digest_of(&read(path)?))
}

/// The SHA-256 of some bytes, in hexadecimal digits.
pub fn digest_of(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Makes all files of a folder as new as if they had just been written.
///
/// # Errors
/// Names the file.
pub fn touch_all(folder: &Path) -> Result<(), HostError> {
    let now = std::time::SystemTime::now();
    let mut pending = vec![folder.to_owned()];
    while let Some(folder) = pending.pop() {
        for entry in fs_err::read_dir(folder)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                pending.push(entry.path());
            } else if kind.is_file() {
                fs_err::File::open(entry.path())?.file().set_modified(now)?;
            }
        }
    }
    Ok(())
}

/// Whether a file below a folder has a time that has not come yet; not if there is no folder.
pub(crate) fn is_from_future(folder: &Path) -> Result<bool, HostError> {
    let now = std::time::SystemTime::now();
    let mut pending = vec![folder.to_owned()];
    while let Some(folder) = pending.pop().filter(|folder| folder.is_dir()) {
        for entry in fs_err::read_dir(folder)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                pending.push(entry.path());
            } else if kind.is_file() && entry.metadata()?.modified()? > now {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Opens a file of at most [`LARGEST_FILE`] bytes for reading.
///
/// # Errors
/// As [`read`].
pub fn open(path: &Path) -> Result<fs_err::File, HostError> {
    let file = fs_err::File::open(path)?;
    let size = file.metadata()?.len();
    if size > LARGEST_FILE {
        return Err(HostError::Content {
            path: path.to_owned(),
            problem: format!("{size} bytes exceed the maximum of {LARGEST_FILE}"),
        });
    }
    Ok(file)
}

/// A folder that is removed when dropped.
pub struct Scratch(std::path::PathBuf);

impl Scratch {
    /// Creates an empty folder in place of anything at that path.
    ///
    /// # Errors
    /// Names the path.
    pub fn new(path: std::path::PathBuf) -> Result<Self, HostError> {
        remove_dir(&path)?;
        fs_err::create_dir_all(&path)?;
        Ok(Self(path))
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = remove_dir(&self.0);
    }
}

/// The size of a file, or of all below a folder; what another process removes meanwhile has none.
///
/// # Errors
/// Names the path.
pub fn size(path: &Path) -> Result<u64, HostError> {
    let is_gone = |error: &std::io::Error| error.kind() == std::io::ErrorKind::NotFound;
    match fs_err::symlink_metadata(path) {
        Err(error) if is_gone(&error) => return Ok(0),
        Err(error) => return Err(error.into()),
        Ok(metadata) if !metadata.is_dir() => return Ok(metadata.len()),
        Ok(_) => {}
    }
    let mut bytes = 0;
    match fs_err::read_dir(path) {
        Err(error) if is_gone(&error) => {}
        entries => {
            for entry in entries? {
                bytes += size(&entry?.path())?;
            }
        }
    }
    Ok(bytes)
}

/// Removes a folder and its content; succeeds if there is none.
///
/// # Errors
/// Names the path.
pub fn remove_dir(path: &Path) -> Result<(), HostError> {
    match fs_err::remove_dir_all(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

/// Removes a file; succeeds if there is none.
///
/// # Errors
/// Names the path.
pub fn remove_file(path: &Path) -> Result<(), HostError> {
    match fs_err::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_held_unless_it_is_the_end_of_a_longer_one() {
        for (text, held) in [
            ("DEBUG", true),
            ("asks for DEBUG and more", true),
            ("no end: DEBUGand another text", true),
            ("CRITERION_DEBUG", false),
            ("CRITERION_DEBUG\0DEBUG", true),
            ("", false),
        ] {
            assert_eq!(holds_name(text.as_bytes(), b"DEBUG"), held, "{text}");
        }
        assert!(!holds_name(b"text", b""));
    }

    #[test]
    fn a_link_and_dots_lead_where_they_lead() {
        let folder = tempfile::tempdir().unwrap();
        let top = fs_err::canonicalize(folder.path()).unwrap();
        fs_err::create_dir_all(top.join("data/deep")).unwrap();
        platform::link_folder(&top.join("data"), &top.join("link")).unwrap();
        for (path, leads) in [
            ("link/deep", Some("data/deep")),
            ("link/new/x", Some("data/new/x")),
            ("data/deep/../../link", Some("data")),
            ("new/../x", None),
        ] {
            assert_eq!(real(&top.join(path)), leads.map(|it| top.join(it)), "{path}");
        }
    }

    #[test]
    fn a_file_that_cannot_be_written_leaves_the_old_one_and_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        write_atomically(&path, b"one").unwrap();
        write_atomically(&path, b"two").unwrap();
        assert_eq!(read(&path).unwrap(), b"two");
        // A folder of that name cannot be replaced by a file.
        let taken = folder.path().join("taken");
        std::fs::create_dir(&taken).unwrap();
        std::fs::write(taken.join("x"), "x").unwrap();
        let error = write_atomically(&taken, b"three").unwrap_err().to_string();
        assert!(error.contains("taken: cannot be written"), "{error}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_new_file_is_whole_and_an_existing_one_is_kept() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hooks/pre-commit");
        assert!(create_atomically(&path, b"one", true).unwrap());
        assert!(!create_atomically(&path, b"two", true).unwrap());
        assert_eq!(read(&path).unwrap(), b"one");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o111, 0o111 & !umask());
        // A dangling link is kept too.
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("/no/such/file", &link).unwrap();
        assert!(!create_atomically(&link, b"three", false).unwrap());
        assert_eq!(std::fs::read_dir(folder.path().join("hooks")).unwrap().count(), 1);
    }

    fn umask() -> u32 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("Umask:")).unwrap();
        u32::from_str_radix(line.trim(), 8).unwrap()
    }

    #[test]
    fn a_file_that_is_too_large_is_refused_by_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("huge.json");
        std::fs::File::create(&path).unwrap().set_len(LARGEST_FILE + 1).unwrap();
        let error = read(&path).unwrap_err().to_string();
        assert!(error.contains("huge.json: 1073741825 bytes"), "{error}");
    }
}
