//! Where benchgate cannot measure: what nothing but measuring needs is an error, the rest does without.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus};
use std::time::Duration;

use super::child::{Act, Readable, Stop, Used};

/// Without groups a child is alone.
pub(crate) fn lead_group(_command: &mut Command) {}

/// Without sessions a process is in the only one.
pub(crate) fn begin_session() -> io::Result<()> {
    Ok(())
}

/// Like `begin_session`, of a child.
pub(crate) fn begins_session(_command: &mut Command) {}

/// Stops the child itself; it cannot be asked to.
pub(crate) fn stop(child: &mut Child, how: Stop) {
    if how == Stop::Kill {
        let _ = child.kill();
    }
}

/// Never known here.
pub(crate) fn is_killed(_status: ExitStatus) -> bool {
    false
}

/// Fails: there is no accounting of one child.
pub(crate) fn wait(child: &mut Child) -> io::Result<(ExitStatus, Used)> {
    let _ = child.wait()?;
    Err(unsupported("the accounting of a child"))
}

/// Files have no mode.
pub(crate) fn set_mode(_builder: &mut tempfile::Builder<'_, '_>, _executable: bool) {}

/// Nothing is known of links.
pub(crate) fn has_other_names(_path: &Path) -> bool {
    false
}

/// A file is a program by its name, which both sides have.
pub(crate) fn is_executable(_metadata: &std::fs::Metadata) -> bool {
    false
}

/// A file is a program by its name.
pub(crate) fn make_executable(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// Text of the system, as far as it is UTF-8.
pub(crate) fn os_string(bytes: &[u8]) -> OsString {
    String::from_utf8_lossy(bytes).into_owned().into()
}

/// Fails: links need rights that a user may not have.
pub(crate) fn link_folder(_folder: &Path, _link: &Path) -> io::Result<()> {
    Err(unsupported("a link to a folder"))
}

/// Fails: a process is a new one here.
pub(crate) fn replace(_command: &mut Command) -> io::Error {
    unsupported("becoming another program")
}

/// Opens a file.
pub(crate) fn open_plain(path: &Path) -> io::Result<std::fs::File> {
    std::fs::File::open(path)
}

/// Always: nothing is measured here.
pub(crate) fn readable(_output: &ChildStdout, _patience: Duration) -> io::Result<Readable> {
    Ok(Readable::Now)
}

/// Unknown.
pub(crate) fn free_disk(_folder: &Path) -> Option<u64> {
    None
}

/// Fails: what is read is not observed here.
pub(crate) fn set_accessed(_path: &Path, _seconds: u64) -> io::Result<()> {
    Err(unsupported("setting an access time"))
}

/// Unknown.
pub(crate) fn file_id(_path: &Path) -> Option<(u64, u64)> {
    None
}

/// Unknown.
pub(crate) fn output_files() -> Vec<(u64, u64)> {
    Vec::new()
}

/// Unknown: nothing is denied here.
pub(crate) fn is_permitted(_path: &Path, _act: Act) -> bool {
    false
}

fn unsupported(what: &str) -> io::Error {
    let system = std::env::consts::OS;
    io::Error::new(io::ErrorKind::Unsupported, format!("{what} is not supported on {system}"))
}
