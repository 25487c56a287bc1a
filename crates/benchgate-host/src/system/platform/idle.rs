//! Keeps processors from halting. A processor that waits halts and comes back cold: on a virtual machine, pairs of rounds
//! then scatter two to three times as much.
//!
//! The processes that spin have a session. With autogroups (`sched_autogroup_enabled`) the system shares processors out
//! between sessions first, and each bench has its session: a thread of this process, of the idle class or not, would get
//! as much of a processor as the bench that is measured there.

use std::fs;
use std::io::{self, Read as _};
use std::os::fd::AsRawFd as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

use rustix::fs::{Mode, OFlags, open};
use rustix::io::{Errno, write};
use rustix::process::{
    Pid, Signal, WaitOptions, getpgid, getpid, getppid, kill_process, kill_process_group, setsid,
    waitpgid, waitpid,
};

use super::standing::{run_on, schedule};
use super::threads::processors;
use super::unix::end_with_parent;

/// The group of the processes that spin; 0 where none do.
static GROUP: AtomicI32 = AtomicI32::new(0);

/// Lowest priority of a session among sessions: 15 parts of 1024.
const LAST: &[u8] = b"19";

/// The system lets an autogroup be changed every tenth of a second.
const MOST_TRIES: usize = 100;
const BETWEEN_TRIES: Duration = Duration::from_millis(10);

/// Processes that spin, one on each processor, until this value is dropped or this process ends.
pub(crate) struct Spinning {
    group: Pid,
}

/// Lets one process spin on each processor that this one may use, where nothing else wants to run there.
///
/// # Errors
/// Where the system does not allow it, or what spins would take time from measurements.
pub(crate) fn spin() -> io::Result<Spinning> {
    if let Some(file) = quota() {
        let problem = format!("{} limits CPU time, which spinning would use up", file.display());
        return Err(io::Error::other(problem));
    }
    let processors = processors()?;
    let (mut answer, sender) = io::pipe()?;
    let parent = getpid();
    let Some(group) = new_process(0)? else {
        // This is the new process: a copy of one with many threads, of which it is the only one. It makes system calls, and
        // nothing else: no memory is allocated, for another thread may have held that lock.
        answer_and_spin(parent, sender.as_raw_fd(), &processors)
    };
    drop(sender);
    // To its end: then each of the new processes has let go of the files of this one.
    let mut number = Vec::new();
    let read = answer.read_to_end(&mut number);
    let spinning = Spinning { group };
    read?;
    let number = number.try_into().map_err(|_| io::Error::from(io::ErrorKind::UnexpectedEof))?;
    match i32::from_ne_bytes(number) {
        0 => {
            GROUP.store(group.as_raw_nonzero().get(), Ordering::Relaxed);
            Ok(spinning)
        }
        error => Err(io::Error::from_raw_os_error(error)),
    }
}

/// Whether a child of this process spins.
pub(super) fn is_spinning(child: Pid) -> bool {
    let group = Pid::from_raw(GROUP.load(Ordering::Relaxed));
    group.is_some() && getpgid(Some(child)).ok() == group
}

impl Drop for Spinning {
    fn drop(&mut self) {
        let _ = GROUP.compare_exchange(
            self.group.as_raw_nonzero().get(),
            0,
            Ordering::Relaxed,
            Ordering::Relaxed,
        );
        let _ = kill_process_group(self.group, Signal::KILL);
        // They are no usual children, see `new_process`.
        let all = WaitOptions::from_bits_retain(libc::__WALL as u32);
        // The first one, before it has led a group; then all of its group.
        let _ = kill_process(self.group, Signal::KILL);
        let _ = waitpid(Some(self.group), all);
        while waitpgid(self.group, all).is_ok() {}
    }
}

/// A copy of this process, or, with `CLONE_PARENT`, another one of its parent's; `None` in the new one. It ends without a
/// signal, so that who waits for any child does not wait for it.
fn new_process(flags: libc::c_int) -> io::Result<Option<Pid>> {
    // SAFETY: as `fork`, without what the C library does around it: the caller says what the new process may do.
    let made = unsafe { libc::syscall(libc::SYS_clone, libc::c_long::from(flags), 0, 0, 0, 0) };
    match made {
        -1 => Err(io::Error::last_os_error()),
        made => Ok(i32::try_from(made).ok().and_then(Pid::from_raw)),
    }
}

/// What the first of the new processes does: it begins a session, has the other ones made, and says how that went.
fn answer_and_spin(parent: Pid, sender: libc::c_int, processors: &[usize]) -> ! {
    // SAFETY: system calls on numbers. Files of this process, locks among them, are not kept open by the new ones.
    unsafe {
        libc::dup2(sender, 0);
        // By its number: musl, which a release is linked with, has no function for it.
        libc::syscall(libc::SYS_close_range, 1, libc::c_uint::MAX, 0);
    }
    let mut own = 0;
    let done = begin(parent).and_then(|()| {
        for number in 1..processors.len() {
            // In the same session, a child of the same parent.
            if new_process(libc::CLONE_PARENT)?.is_none() {
                own = number;
                return end_with(parent);
            }
        }
        Ok(())
    });
    let done = done.and_then(|()| yield_to_all(processors.get(own).copied().unwrap_or_default()));
    let error = done.err().map_or(0, |error| error.raw_os_error().unwrap_or(libc::EINVAL));
    // Of the others, an error has one processor halt.
    if own == 0 {
        let answer = error.to_ne_bytes();
        // SAFETY: the bytes outlive the call.
        unsafe { libc::write(0, answer.as_ptr().cast(), answer.len()) };
    }
    // SAFETY: a system call on a number.
    unsafe { libc::close(0) };
    if error != 0 {
        // SAFETY: it ends without anything that the process of which it is a copy would do at its end.
        unsafe { libc::_exit(1) }
    }
    loop {
        std::hint::spin_loop();
    }
}

/// Begins a session of the lowest priority, which ends with the process that this one is of.
fn begin(parent: Pid) -> io::Result<()> {
    end_with(parent)?;
    setsid()?;
    let Ok(file) = open(c"/proc/self/autogroup", OFlags::RDWR, Mode::empty()) else {
        // Without autogroups the idle class is enough.
        return Ok(());
    };
    for _ in 0..MOST_TRIES {
        match write(&file, LAST) {
            Err(Errno::AGAIN) => std::thread::sleep(BETWEEN_TRIES),
            done => return Ok(done.map(drop)?),
        }
    }
    Err(Errno::AGAIN.into())
}

fn end_with(parent: Pid) -> io::Result<()> {
    end_with_parent()?;
    // It may have ended before that.
    if getppid() == Some(parent) { Ok(()) } else { Err(Errno::SRCH.into()) }
}

/// Lets this process run on one processor, where nothing else wants to run there.
fn yield_to_all(processor: usize) -> io::Result<()> {
    // SAFETY: zeroes are an empty set.
    let mut one = unsafe { std::mem::zeroed::<libc::cpu_set_t>() };
    // SAFETY: the number is of a set of this size.
    unsafe { libc::CPU_SET(processor, &mut one) };
    schedule(libc::SCHED_IDLE)?;
    run_on(&one)
}

/// The file that limits the CPU time of this process's control group, or of one above; `None` where none does.
fn quota() -> Option<PathBuf> {
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let own = groups.lines().find_map(|line| line.strip_prefix("0::/")).unwrap_or_default();
    let root = Path::new("/sys/fs/cgroup");
    let of_two = root.join(own);
    let of_two =
        of_two.ancestors().take_while(|it| it.starts_with(root)).map(|it| it.join("cpu.max"));
    let of_one = ["cpu", "cpu,cpuacct"].map(|name| root.join(name).join("cpu.cfs_quota_us"));
    of_two.chain(of_one).find(|file| fs::read_to_string(file).is_ok_and(|text| is_limit(&text)))
}

/// `max 100000` and `-1` are none.
fn is_limit(text: &str) -> bool {
    text.split_whitespace().next().is_some_and(|quota| quota.parse::<u64>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quota_is_a_number_and_none_is_a_word_or_below_zero() {
        assert!(is_limit("200000 100000\n") && is_limit("50000\n"));
        assert!(!is_limit("max 100000\n") && !is_limit("-1\n") && !is_limit(""));
    }

    #[test]
    fn a_process_of_the_idle_class_and_of_the_last_session_spins_on_each_processor_until_the_end() {
        let all = processors().unwrap();
        let Ok(spinning) = spin() else { return };
        let group = spinning.group;
        // The name in brackets is the second field.
        let fields = |process: &fs::DirEntry| {
            let stat = fs::read_to_string(process.path().join("stat")).ok()?;
            let (_, rest) = stat.rsplit_once(") ")?;
            Some(rest.split(' ').map(str::to_owned).collect::<Vec<_>>())
        };
        let spinning_ones = || {
            let of_group =
                |fields: &Vec<String>| fields[2] == group.to_string() && fields[0] != "Z";
            let processes = fs::read_dir("/proc").unwrap().flatten();
            let of_group =
                processes.filter_map(|it| fields(&it).filter(of_group).map(|fields| (it, fields)));
            of_group.collect::<Vec<_>>()
        };
        // The last ones may not have begun yet.
        let has_begun = |(_, fields): &(fs::DirEntry, Vec<String>)| fields[38] == "5";
        while spinning_ones().len() < all.len() || !spinning_ones().iter().all(has_begun) {
            std::thread::yield_now();
        }
        let mut on = Vec::new();
        for (process, fields) in spinning_ones() {
            assert_eq!(fields[3], group.to_string(), "its session is that of another process");
            if let Ok(text) = fs::read_to_string(process.path().join("autogroup")) {
                assert!(text.ends_with(" nice 19\n"), "{text}");
            }
            let open = fs::read_dir(process.path().join("fd")).unwrap().count();
            assert_eq!(open, 0, "it keeps files of this process open");
            let status = fs::read_to_string(process.path().join("status")).unwrap();
            let allowed = status.lines().find_map(|it| it.strip_prefix("Cpus_allowed_list:\t"));
            on.push(allowed.unwrap().parse::<usize>().unwrap());
            let number = process.file_name().to_str().unwrap().parse().unwrap();
            assert!(is_spinning(Pid::from_raw(number).unwrap()));
        }
        on.sort_unstable();
        assert_eq!(on, all);
        drop(spinning);
        assert!(spinning_ones().is_empty());
    }
}
