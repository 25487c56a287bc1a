//! Files: whole or not at all.

use std::io::Write as _;
use std::path::Path;

use crate::HostError;

/// The largest file that is read: an export of a hundred thousand benchmarks is a quarter of it.
pub const LARGEST_FILE: u64 = 1 << 30;

/// Writes a whole file or leaves what was there: a temporary neighbour is written, flushed to disk
/// and renamed.
///
/// # Errors
/// Names the path.
pub fn write_atomically(path: &Path, content: &[u8]) -> Result<(), HostError> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs_err::create_dir_all(folder)?;
    let named = |source: std::io::Error| HostError::Content {
        path: path.to_owned(),
        problem: format!("cannot be written: {source}"),
    };
    let mut file = tempfile::Builder::new()
        .prefix(".benchgate-")
        .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644))
        .tempfile_in(folder)
        .map_err(named)?;
    file.write_all(content).map_err(named)?;
    file.as_file().sync_all().map_err(named)?;
    file.persist(path).map_err(|error| named(error.error))?;
    Ok(())
}

/// Reads a whole file of a bearable size.
///
/// # Errors
/// Names the path; for a larger file, the limit.
pub fn read(path: &Path) -> Result<Vec<u8>, HostError> {
    open(path)?;
    // Not through the handle: only this asks for the size first and reserves once.
    Ok(fs_err::read(path)?)
}

/// Opens a file of a bearable size for reading.
///
/// # Errors
/// As [`read`].
pub fn open(path: &Path) -> Result<fs_err::File, HostError> {
    let file = fs_err::File::open(path)?;
    let size = file.metadata()?.len();
    if size > LARGEST_FILE {
        return Err(HostError::Content {
            path: path.to_owned(),
            problem: format!("{size} bytes is more than the {LARGEST_FILE} that are read"),
        });
    }
    Ok(file)
}

/// A folder that is removed when dropped.
pub struct Scratch(std::path::PathBuf);

impl Scratch {
    /// Makes an empty folder, whatever was there before.
    ///
    /// # Errors
    /// Names the path.
    pub fn new(path: std::path::PathBuf) -> Result<Self, HostError> {
        remove_dir(&path)?;
        fs_err::create_dir_all(&path)?;
        Ok(Self(path))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = remove_dir(&self.0);
    }
}

/// Removes a folder and all in it; nothing to remove is fine.
///
/// # Errors
/// Names the path.
pub fn remove_dir(path: &Path) -> Result<(), HostError> {
    match fs_err::remove_dir_all(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_written_leaves_the_old_one_and_no_litter() {
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
    fn a_file_of_unbearable_size_is_refused_by_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("huge.json");
        std::fs::File::create(&path).unwrap().set_len(LARGEST_FILE + 1).unwrap();
        let error = read(&path).unwrap_err().to_string();
        assert!(error.contains("huge.json: 1073741825 bytes"), "{error}");
    }
}
