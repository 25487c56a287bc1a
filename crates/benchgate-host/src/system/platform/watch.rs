//! Watching a process, and all that it starts, for system calls that fail: what Landlock and the filter deny stands in no
//! log, nor which files were looked for. The watched one stops before and after each call, so nothing is measured meanwhile.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use libc::{c_int, c_long, pid_t};
use rustix::process::{Signal, getpid, kill_process};

use super::child::{Act, Refused};
use super::filter::{is_filtered, is_native};
use super::os_string;
use super::unix::end_with_parent;

/// Errors of what is denied: by Landlock, by the filter, and of a link or a new name between folders of unlike rules.
const DENIED: [i64; 3] = [-(libc::EACCES as i64), -(libc::EPERM as i64), -(libc::EXDEV as i64)];

/// The error of what is not there.
const MISSING: i64 = -(libc::ENOENT as i64);

/// The longest path of a system call.
const LONGEST_PATH: usize = libc::PATH_MAX as usize;

/// Calls of each kind that are kept: the last ones, as what a process fails for is at its end. Loaders look for files in
/// many places.
const MOST: usize = 4096;

/// Flags of opening a file that ask for more than to read it.
const WRITING: u64 = (libc::O_WRONLY | libc::O_RDWR | libc::O_CREAT | libc::O_TRUNC) as u64;

/// How a call uses the path that it names.
enum How {
    /// Looks whether there is one.
    Looks,
    Reads,
    Writes,
    /// Makes it, so that its folder alone has to be there.
    Makes,
    /// As the flags of this argument say.
    Flags(usize),
}

/// A call that names a path: its number, the argument of the folder that the path is relative to, that of the path, and how.
type OfPath = (c_long, Option<usize>, usize, How);

/// Calls that name a path; those that name two have a row for each.
const OF_PATHS: &[OfPath] = &[
    (libc::SYS_openat, Some(0), 1, How::Flags(2)),
    // Its flags are in memory, and few programs use it.
    (libc::SYS_openat2, Some(0), 1, How::Reads),
    (libc::SYS_execve, None, 0, How::Reads),
    (libc::SYS_execveat, Some(0), 1, How::Reads),
    (libc::SYS_mkdirat, Some(0), 1, How::Makes),
    (libc::SYS_mknodat, Some(0), 1, How::Makes),
    (libc::SYS_unlinkat, Some(0), 1, How::Writes),
    (libc::SYS_symlinkat, Some(1), 2, How::Makes),
    (libc::SYS_linkat, Some(0), 1, How::Reads),
    (libc::SYS_linkat, Some(2), 3, How::Makes),
    (libc::SYS_renameat2, Some(0), 1, How::Writes),
    (libc::SYS_renameat2, Some(2), 3, How::Makes),
    (libc::SYS_truncate, None, 0, How::Writes),
    (libc::SYS_newfstatat, Some(0), 1, How::Looks),
    (libc::SYS_statx, Some(0), 1, How::Looks),
    (libc::SYS_faccessat, Some(0), 1, How::Looks),
    (libc::SYS_faccessat2, Some(0), 1, How::Looks),
    (libc::SYS_readlinkat, Some(0), 1, How::Looks),
    (libc::SYS_chdir, None, 0, How::Looks),
];

/// Those that newer systems have not.
#[cfg(target_arch = "x86_64")]
const OF_OLD_PATHS: &[OfPath] = &[
    (libc::SYS_open, None, 0, How::Flags(1)),
    (libc::SYS_creat, None, 0, How::Writes),
    (libc::SYS_mkdir, None, 0, How::Makes),
    (libc::SYS_mknod, None, 0, How::Makes),
    (libc::SYS_rmdir, None, 0, How::Writes),
    (libc::SYS_unlink, None, 0, How::Writes),
    (libc::SYS_symlink, None, 1, How::Makes),
    (libc::SYS_link, None, 0, How::Reads),
    (libc::SYS_link, None, 1, How::Makes),
    (libc::SYS_renameat, Some(0), 1, How::Writes),
    (libc::SYS_renameat, Some(2), 3, How::Makes),
    (libc::SYS_rename, None, 0, How::Writes),
    (libc::SYS_rename, None, 1, How::Makes),
    (libc::SYS_stat, None, 0, How::Looks),
    (libc::SYS_lstat, None, 0, How::Looks),
    (libc::SYS_access, None, 0, How::Looks),
    (libc::SYS_readlink, None, 0, How::Looks),
];
#[cfg(target_arch = "aarch64")]
const OF_OLD_PATHS: &[OfPath] =
    &[(libc::SYS_renameat, Some(0), 1, How::Writes), (libc::SYS_renameat, Some(2), 3, How::Makes)];
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const OF_OLD_PATHS: &[OfPath] = &[];

/// Calls that need the network, as the filter and Landlock see it.
const OF_NETWORK: [c_long; 5] = [
    libc::SYS_socket,
    libc::SYS_socketpair,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_io_uring_setup,
];

/// Lets the parent of this process watch what it becomes.
pub(crate) fn be_watched() -> io::Result<()> {
    // SAFETY: this request has no arguments.
    if unsafe { libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) } == -1 {
        return Err(io::Error::last_os_error());
    }
    // Until the parent has said what it wants to see.
    Ok(kill_process(getpid(), Signal::STOP)?)
}

/// Runs a command that lets itself be watched; what could not be done, or `None` where it could not be watched.
pub(crate) fn watch(command: &mut Command) -> io::Result<Option<Vec<Refused>>> {
    end_with_parent()?;
    let child = command.spawn()?;
    let first = pid_t::try_from(child.id()).map_err(io::Error::other)?;
    let mut known = BTreeSet::new();
    let mut begun = BTreeMap::new();
    let (mut refused, mut missed) = (Latest::default(), Latest::default());
    loop {
        let (process, status) = wait()?;
        if libc::WIFEXITED(status) || libc::WIFSIGNALED(status) {
            if process == first {
                // What it left behind ends with this process.
                let all = || [missed.in_order(), refused.in_order()].concat();
                return Ok((!known.is_empty()).then(all));
            }
            begun.remove(&process);
            continue;
        }
        if process == first && known.is_empty() {
            choose(first)?;
        }
        let signal = libc::WSTOPSIG(status);
        let is_new = known.insert(process);
        let is_call = signal == libc::SIGTRAP | 0x80;
        let is_event = status >> 16 != 0;
        if is_call {
            for seen in call(process, &mut begun) {
                let latest = if seen.act == Act::Find { &mut missed } else { &mut refused };
                latest.add(seen);
            }
        }
        // The first stop of a new process is the kernel's, and no signal for it.
        let is_own = is_call || is_event || is_new && signal == libc::SIGSTOP;
        go_on(process, if is_own { 0 } else { signal });
    }
}

/// Different calls, with the place of the last of each in their order.
#[derive(Default)]
struct Latest {
    number: usize,
    calls: BTreeMap<Refused, usize>,
}

impl Latest {
    fn add(&mut self, call: Refused) {
        self.number += 1;
        self.calls.insert(call, self.number);
        // Not at each call: to find the oldest one is to look at all.
        if self.calls.len() > 2 * MOST {
            let kept = self.in_order();
            self.calls = kept.into_iter().zip(1..).collect();
        }
    }

    /// The last ones, the very last at the end.
    fn in_order(&self) -> Vec<Refused> {
        let mut calls: Vec<_> = self.calls.iter().collect();
        calls.sort_by_key(|(_, number)| **number);
        let calls = calls.into_iter().map(|(call, _)| call.clone());
        calls.skip(self.calls.len().saturating_sub(MOST)).collect()
    }
}

fn wait() -> io::Result<(pid_t, c_int)> {
    loop {
        let mut status = 0;
        // SAFETY: the pointer is to a local that outlives the call.
        let process = unsafe { libc::waitpid(-1, &raw mut status, libc::__WALL) };
        if process != -1 {
            return Ok((process, status));
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// Follows what a process starts, and ends all of it with this one.
fn choose(process: pid_t) -> io::Result<()> {
    let options = libc::PTRACE_O_TRACESYSGOOD
        | libc::PTRACE_O_TRACEFORK
        | libc::PTRACE_O_TRACEVFORK
        | libc::PTRACE_O_TRACECLONE
        | libc::PTRACE_O_TRACEEXEC
        | libc::PTRACE_O_EXITKILL;
    // SAFETY: the options are a number.
    if unsafe { libc::ptrace(libc::PTRACE_SETOPTIONS, process, 0, c_long::from(options)) } == -1 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// Lets a process run to its next call. One that was killed meanwhile is waited for like any other.
fn go_on(process: pid_t, signal: c_int) {
    // SAFETY: the signal is a number.
    unsafe { libc::ptrace(libc::PTRACE_SYSCALL, process, 0, c_long::from(signal)) };
}

/// A call that has begun.
struct Begun {
    number: c_long,
    arguments: [u64; 6],
}

/// What a process could not do by the call that it ends.
fn call(process: pid_t, begun: &mut BTreeMap<pid_t, Begun>) -> Vec<Refused> {
    /// `PTRACE_GET_SYSCALL_INFO`, and its kinds: before a call, and after it.
    const INFO: u32 = 0x420e;
    const ENTRY: u8 = 1;
    const EXIT: u8 = 2;
    // `struct ptrace_syscall_info`: a byte of the kind, the architecture, two addresses, and from the fourth word on the
    // number and the arguments, or what it returned.
    let mut words = [0_u64; 11];
    // SAFETY: the kernel writes no more than the size that it is given.
    let size = unsafe { libc::ptrace(INFO as _, process, size_of_val(&words), words.as_mut_ptr()) };
    let [first, _, _, rest @ ..] = words;
    let [kind, _, _, _, architecture @ ..] = first.to_ne_bytes();
    if size <= 0 || !is_native(u32::from_ne_bytes(architecture)) {
        return Vec::new();
    }
    if kind == ENTRY {
        let [number, arguments @ .., _] = rest;
        begun.insert(process, Begun { number: number.cast_signed(), arguments });
        return Vec::new();
    }
    let of = begun.remove(&process).filter(|_| kind == EXIT);
    of.map_or_else(Vec::new, |of| failed(process, &of, rest[0].cast_signed()))
}

/// What a call that returned this could not do, if that may be for the sandbox or the checkout.
fn failed(process: pid_t, call: &Begun, returned: i64) -> Vec<Refused> {
    let is_denied = DENIED.contains(&returned);
    if !is_denied && returned != MISSING {
        return Vec::new();
    }
    let Begun { number, arguments } = call;
    let of_paths = OF_PATHS.iter().chain(OF_OLD_PATHS).filter(|(it, ..)| it == number);
    let mut of_paths = of_paths.peekable();
    if of_paths.peek().is_some() {
        let refused = of_paths.filter_map(|(_, folder, path, how)| {
            let path = text(process, arguments[*path])?;
            let path = within(process, folder.map(|at| arguments[at]), &path)?;
            let has_folder = path.parent().is_some_and(Path::exists);
            Some(Refused { act: of_path(how, arguments, is_denied, has_folder)?, path })
        });
        return refused.collect();
    }
    let act = match number {
        _ if !is_denied => None,
        number if OF_NETWORK.contains(number) => Some(Act::Network),
        // The filter answers nothing else.
        number => {
            let is_filtered = returned == -i64::from(libc::EPERM) && is_filtered(*number);
            is_filtered.then_some(Act::Call(*number))
        }
    };
    act.map(|act| Refused { act, path: PathBuf::new() }).into_iter().collect()
}

/// What a call could not do with a path, whose folder is there or not; `None` where that is no reason.
fn of_path(how: &How, arguments: &[u64; 6], is_denied: bool, has_folder: bool) -> Option<Act> {
    match how {
        // It is the other name of the call that is not there.
        How::Makes if !is_denied && has_folder => None,
        _ if !is_denied => Some(Act::Find),
        // No rule of the sandbox is about that.
        How::Looks => None,
        How::Flags(at) if arguments[*at] & WRITING == 0 => Some(Act::Read),
        How::Reads => Some(Act::Read),
        How::Writes | How::Makes | How::Flags(_) => Some(Act::Write),
    }
}

/// The text at an address of a process.
fn text(process: pid_t, address: u64) -> Option<OsString> {
    let memory = File::open(format!("/proc/{process}/mem")).ok()?;
    let mut bytes = vec![0; LONGEST_PATH];
    let mut read = 0;
    // What follows the text may not be there, and the address may be any number.
    while let Ok(more @ 1..) = memory.read_at(&mut bytes[read..], address.wrapping_add(read as u64))
    {
        read += more;
        if bytes[..read].contains(&0) {
            break;
        }
    }
    let end = bytes[..read].iter().position(|byte| *byte == 0)?;
    Some(os_string(&bytes[..end]))
}

/// A path as a process means it: relative to one of its folders.
fn within(process: pid_t, folder: Option<u64>, path: &OsString) -> Option<PathBuf> {
    let path = Path::new(path);
    if path.is_absolute() {
        return Some(path.to_owned());
    }
    let open = folder.map(|folder| folder as u32 as c_int).filter(|it| *it != libc::AT_FDCWD);
    let link = match open {
        Some(open) => format!("/proc/{process}/fd/{open}"),
        None => format!("/proc/{process}/cwd"),
    };
    Some(std::fs::read_link(link).ok()?.join(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looked_for(name: &str) -> Refused {
        Refused { act: Act::Find, path: PathBuf::from(name) }
    }

    #[test]
    fn what_a_call_could_not_do_follows_from_how_it_uses_the_path() {
        let flags = [0, 0, libc::O_WRONLY as u64, 0, 0, 0];
        for (how, [missing, missing_with_folder, denied]) in [
            (How::Looks, [Some(Act::Find), Some(Act::Find), None]),
            (How::Reads, [Some(Act::Find), Some(Act::Find), Some(Act::Read)]),
            (How::Writes, [Some(Act::Find), Some(Act::Find), Some(Act::Write)]),
            // The new name of a rename, or a new folder.
            (How::Makes, [Some(Act::Find), None, Some(Act::Write)]),
            (How::Flags(1), [Some(Act::Find), Some(Act::Find), Some(Act::Read)]),
            (How::Flags(2), [Some(Act::Find), Some(Act::Find), Some(Act::Write)]),
        ] {
            assert_eq!(of_path(&how, &flags, false, false), missing);
            assert_eq!(of_path(&how, &flags, false, true), missing_with_folder);
            assert_eq!(of_path(&how, &flags, true, true), denied);
        }
    }

    #[test]
    fn the_last_calls_are_kept_and_one_that_comes_again_is_the_last_one() {
        let mut latest = Latest::default();
        for name in ["first", "second", "first"] {
            latest.add(looked_for(name));
        }
        assert_eq!(latest.in_order(), ["second", "first"].map(looked_for));
        for number in 0..3 * MOST {
            latest.add(looked_for(&number.to_string()));
        }
        let kept = latest.in_order();
        assert_eq!(kept.len(), MOST);
        assert_eq!(kept.last(), Some(&looked_for(&(3 * MOST - 1).to_string())));
        assert!(latest.calls.len() <= 2 * MOST);
    }
}
