//! Where nothing restricts or counts a process, and orphans are the system's.

use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use benchgate_core::model::CpuCounts;

use super::child::Refused;

/// None.
pub(crate) fn landlock_version() -> u32 {
    0
}

/// Fails.
pub(crate) fn restrict(
    _read: &[PathBuf],
    _write: &[PathBuf],
    _has_network: bool,
) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "this system has no Landlock"))
}

/// Fails.
pub(crate) fn filter(_has_network: bool) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "this system has no seccomp"))
}

/// It cannot.
pub(crate) fn can_filter() -> bool {
    false
}

/// Runs it.
pub(crate) fn counted<T, R: FnOnce() -> T>(run: R) -> (T, Option<CpuCounts>) {
    (run(), None)
}

/// Fails.
pub(crate) fn can_count() -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "this system has no perf_event_open"))
}

/// Does without.
pub(crate) fn adopt_orphans() -> io::Result<()> {
    Ok(())
}

/// There are none.
pub(crate) fn end_orphans() {}

/// Nothing is kept.
pub(crate) fn keep_standing() {}

/// Nothing is set back.
pub(crate) fn restore_standing() -> io::Result<()> {
    Ok(())
}

/// It is not known.
pub(crate) fn time_of_others() -> Option<Duration> {
    None
}

/// There is none.
pub(crate) struct Spinning;

/// Fails.
pub(crate) fn spin() -> io::Result<Spinning> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "this system has no idle class"))
}

/// Fails.
pub(crate) fn processors() -> io::Result<Vec<usize>> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "this system does not say"))
}

/// Fails.
pub(crate) fn run_first_thread_on(_process: u32, _processors: &[usize]) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "this system does not do it"))
}

/// Unknown.
pub(crate) fn another_thread_runs(_process: u32) -> Option<bool> {
    None
}

/// Unknown.
pub(crate) fn time_of_other_threads(_process: u32) -> Option<Duration> {
    None
}

/// Unknown.
pub(crate) fn peak_memory(_process: u32) -> Option<u64> {
    None
}

/// Unknown.
pub(crate) fn available_memory() -> Option<u64> {
    None
}

/// Unknown.
pub(crate) fn trace_of_children(_process: u32) -> Option<u64> {
    None
}

/// Fails.
pub(crate) fn be_watched() -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "this system watches nothing"))
}

/// Runs it.
pub(crate) fn watch(command: &mut Command) -> io::Result<Option<Vec<Refused>>> {
    command.status().map(|_| None)
}
