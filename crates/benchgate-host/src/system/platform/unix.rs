//! Process groups, accounting of children, modes and links of files, as Unix has them.

use std::ffi::OsString;
use std::io;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, getpgid, getppid, kill_process, kill_process_group, setpgid, setsid,
};

use super::child::{Act, Readable, Stop, Used};

/// Makes a child lead a separate group, so that its own children end with it.
pub(crate) fn lead_group(command: &mut Command) {
    command.process_group(0);
}

/// Begins a session, which has no terminal: in that of the gate, a process can type what the user's shell then runs.
pub(crate) fn begin_session() -> io::Result<()> {
    // The leader of a group cannot, and the gate made it one: it goes back to the gate's for a moment.
    if setsid().is_err() {
        setpgid(None, Some(getpgid(getppid())?))?;
        setsid()?;
    }
    // One that is stopped while the other side has its turn would otherwise outlive a gate that is killed.
    end_with_parent()
}

/// Lets a child begin one before it becomes its program.
pub(crate) fn begins_session(command: &mut Command) {
    // SAFETY: it makes system calls only, and allocates nothing.
    unsafe { command.pre_exec(begin_session) };
}

/// Whether a process was killed by a signal that it cannot send itself by failing.
pub(crate) fn is_killed(status: ExitStatus) -> bool {
    status.signal() == Some(libc::SIGKILL)
}

/// Ends this process when its parent ends.
pub(crate) fn end_with_parent() -> io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    Ok(())
}

/// Stops the group that a child leads.
pub(crate) fn stop(child: &mut Child, how: Stop) {
    let signal = match how {
        Stop::Ask => Signal::TERM,
        Stop::Kill => Signal::KILL,
        Stop::Pause => Signal::STOP,
        Stop::Resume => Signal::CONT,
    };
    let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) else { return };
    let is_led = kill_process_group(pid, signal).is_ok();
    // Between two groups it leads none. A number that was given back may be another process's.
    if !is_led && matches!(child.try_wait(), Ok(None)) {
        let _ = kill_process(pid, signal);
    }
}

/// Waits for a child with the accounting of this child alone.
pub(crate) fn wait(child: &mut Child) -> io::Result<(ExitStatus, Used)> {
    let child = libc::pid_t::try_from(child.id()).map_err(io::Error::other)?;
    let mut status = 0;
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: both pointers are to locals that outlive the call, and nothing else waits for this child.
    while unsafe { libc::wait4(child, &raw mut status, 0, usage.as_mut_ptr()) } == -1 {
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    // SAFETY: zeroes are a valid `rusage`, which is integers only, and the kernel has written it since.
    let usage = unsafe { usage.assume_init() };
    let ns = |time: libc::timeval| time.tv_sec as f64 * 1e9 + time.tv_usec as f64 * 1e3;
    // The kernel knows the sum to the nanosecond and shares it out by what the clock's ticks met: of a
    // process of a few milliseconds the user's part alone is all or nothing.
    let cpu = ns(usage.ru_utime) + ns(usage.ru_stime);
    let kib = if cfg!(target_os = "macos") { 1.0 } else { 1024.0 };
    Ok((ExitStatus::from_raw(status), Used { cpu, peak: usage.ru_maxrss as f64 * kib }))
}

/// Gives new files the mode of ordinary ones, or of programs; temporary ones are private otherwise.
pub(crate) fn set_mode(builder: &mut tempfile::Builder<'_, '_>, executable: bool) {
    let mode = if executable { 0o755 } else { 0o644 };
    builder.permissions(std::fs::Permissions::from_mode(mode));
}

/// Whether a file has several names: cargo links what it leaves.
pub(crate) fn has_other_names(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| metadata.is_file() && metadata.nlink() > 1)
}

/// Whether anybody may start a file.
pub(crate) fn is_executable(metadata: &std::fs::Metadata) -> bool {
    metadata.permissions().mode() & 0o111 != 0
}

/// Makes a file a program.
pub(crate) fn make_executable(path: &Path) -> io::Result<()> {
    fs_err::set_permissions(path, std::fs::Permissions::from_mode(0o755))
}

/// Text of the system from the bytes that it is kept as.
pub(crate) fn os_string(bytes: &[u8]) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes.to_vec())
}

/// Makes `link` a link to a folder.
pub(crate) fn link_folder(folder: &Path, link: &Path) -> io::Result<()> {
    fs_err::os::unix::fs::symlink(folder, link)
}

/// Sets the access time of a file, link or folder, in seconds since 1970.
pub(crate) fn set_accessed(path: &Path, seconds: u64) -> io::Result<()> {
    let at = rustix::fs::Timespec {
        tv_sec: i64::try_from(seconds).map_err(io::Error::other)?,
        tv_nsec: 0,
    };
    let same = rustix::fs::Timespec { tv_sec: 0, tv_nsec: rustix::fs::UTIME_OMIT };
    let times = rustix::fs::Timestamps { last_access: at, last_modification: same };
    let flags = rustix::fs::AtFlags::SYMLINK_NOFOLLOW;
    Ok(rustix::fs::utimensat(rustix::fs::CWD, path, &times, flags)?)
}

/// The identity of a file, whatever it is called.
pub(crate) fn file_id(path: &Path) -> Option<(u64, u64)> {
    let metadata = std::fs::symlink_metadata(path).ok()?;
    Some((metadata.dev(), metadata.ino()))
}

/// The files that this process writes its output to.
pub(crate) fn output_files() -> Vec<(u64, u64)> {
    let outputs = [rustix::fs::fstat(std::io::stdout()), rustix::fs::fstat(std::io::stderr())];
    let is_file = |stat: &rustix::fs::Stat| {
        rustix::fs::FileType::from_raw_mode(stat.st_mode) == rustix::fs::FileType::RegularFile
    };
    let files = outputs.into_iter().flatten().filter(is_file);
    files.map(|stat| (stat.st_dev, stat.st_ino)).collect()
}

/// Whether this process may do something with a file.
pub(crate) fn is_permitted(path: &Path, act: Act) -> bool {
    let wanted = match act {
        Act::Write => rustix::fs::Access::WRITE_OK,
        _ => rustix::fs::Access::READ_OK,
    };
    rustix::fs::access(path, wanted).is_ok()
}

/// Becomes another program; returns only where that fails.
pub(crate) fn replace(command: &mut Command) -> io::Error {
    command.exec()
}

/// Opens what must not be waited for and must be no link, such as a file that a bench was to write.
pub(crate) fn open_plain(path: &Path) -> io::Result<std::fs::File> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    std::fs::OpenOptions::new().read(true).custom_flags(flags).open(path)
}

/// Free bytes of the file system of a folder.
pub(crate) fn free_disk(folder: &Path) -> Option<u64> {
    let stat = rustix::fs::statvfs(folder).ok()?;
    Some(stat.f_bavail.saturating_mul(stat.f_frsize))
}

/// Waits until the output of a child can be read, or ends.
pub(crate) fn readable(output: &ChildStdout, patience: Duration) -> io::Result<Readable> {
    let timeout = Timespec::try_from(patience).map_err(io::Error::other)?;
    match poll(&mut [PollFd::new(output, PollFlags::IN)], Some(&timeout)) {
        Ok(0) | Err(Errno::INTR) => Ok(Readable::NotYet),
        Ok(_) => Ok(Readable::Now),
        Err(error) => Err(error.into()),
    }
}
