//! Where a child's first thread runs, and how much of its CPU time is another thread's.

use std::fs;
use std::io;
use std::time::Duration;

/// The processors that this process may use.
pub(crate) fn processors() -> io::Result<Vec<usize>> {
    let allowed = affinity(0)?;
    let all = 0..libc::CPU_SETSIZE as usize;
    // SAFETY: the number is below the size of a set.
    Ok(all.filter(|cpu| unsafe { libc::CPU_ISSET(*cpu, &allowed) }).collect())
}

/// Lets the first thread of a process run on these processors only; threads that it starts meanwhile, too.
pub(crate) fn run_first_thread_on(process: u32, processors: &[usize]) -> io::Result<()> {
    // SAFETY: zeroes are an empty set.
    let mut set = unsafe { std::mem::zeroed::<libc::cpu_set_t>() };
    for processor in processors.iter().filter(|cpu| **cpu < libc::CPU_SETSIZE as usize) {
        // SAFETY: the number is below the size of the set.
        unsafe { libc::CPU_SET(*processor, &mut set) };
    }
    let thread = libc::pid_t::try_from(process).map_err(io::Error::other)?;
    // SAFETY: the set is a local of the stated size.
    let done = unsafe { libc::sched_setaffinity(thread, size_of_val(&set), &raw const set) };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// CPU time of all threads of a process but its first, those that have ended included; `None` if unknown.
pub(crate) fn time_of_other_threads(process: u32) -> Option<Duration> {
    let mut clock = 0;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    let process_id = libc::pid_t::try_from(process).ok()?;
    // SAFETY: both calls write to locals that outlive them.
    let is_read = unsafe {
        libc::clock_getcpuclockid(process_id, &raw mut clock) == 0
            && libc::clock_gettime(clock, &raw mut time) == 0
    };
    let seconds = u64::try_from(time.tv_sec).ok().filter(|_| is_read)?;
    let all = Duration::new(seconds, u32::try_from(time.tv_nsec).ok()?);
    let of_first = fs::read_to_string(format!("/proc/{process}/schedstat")).ok()?;
    let of_first = of_first.split(' ').next()?.parse().ok()?;
    Some(all.saturating_sub(Duration::from_nanos(of_first)))
}

/// Page faults of the children that a process has waited for: every child has some. `None` while it has children, and where it
/// is not known.
pub(crate) fn trace_of_children(process: u32) -> Option<u64> {
    let alive = fs::read_to_string(format!("/proc/{process}/task/{process}/children"));
    if alive.is_ok_and(|alive| !alive.trim().is_empty()) {
        return None;
    }
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name before it may hold anything. State, five numbers of groups and terminal, flags, its own faults.
    let (_, rest) = stat.rsplit_once(") ")?;
    rest.split(' ').nth(8)?.parse().ok()
}

/// Whether a thread of a process but its first runs now, or waits for a processor; `None` where it is not known.
pub(crate) fn another_thread_runs(process: u32) -> Option<bool> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).ok()?;
    let first = process.to_string();
    let is_running = |thread: fs::DirEntry| {
        // One that ended meanwhile does not run.
        let stat = fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
        // The name before it may hold anything.
        stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('R'))
    };
    let mut others = threads.flatten().filter(|thread| *thread.file_name() != *first);
    Some(others.any(is_running))
}

/// The processors that a thread may run on; 0 is this one.
pub(super) fn affinity(thread: libc::pid_t) -> io::Result<libc::cpu_set_t> {
    // SAFETY: zeroes are an empty set.
    let mut set = unsafe { std::mem::zeroed::<libc::cpu_set_t>() };
    // SAFETY: the set is a local of the stated size.
    let done = unsafe { libc::sched_getaffinity(thread, size_of_val(&set), &raw mut set) };
    if done == 0 { Ok(set) } else { Err(io::Error::last_os_error()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_runs_on_the_processor_that_it_is_given_and_has_no_other_thread() {
        let mut child = std::process::Command::new("sleep").arg("1000").spawn().unwrap();
        let all = processors().unwrap();
        run_first_thread_on(child.id(), &all[..1]).unwrap();
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
        assert_eq!(allowed.unwrap().trim(), all[0].to_string());
        // Both clocks are read one after the other.
        assert!(time_of_other_threads(child.id()).unwrap() < Duration::from_millis(100));
        assert_eq!(another_thread_runs(child.id()), Some(false));
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(another_thread_runs(child.id()), None);
    }

    #[test]
    fn a_process_that_starts_others_leaves_a_trace_of_them() {
        use std::io::{BufRead as _, BufReader, Write as _};
        use std::process::{Command, Stdio};
        let script = "echo; read a; sh -c :; echo; read b; sleep 1000 & echo; read c; kill $!";
        let mut shell = Command::new("sh")
            .args(["-c", script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut says = BufReader::new(shell.stdout.take().unwrap());
        let mut asked = shell.stdin.take().unwrap();
        let process = shell.id();
        let mut trace = || {
            says.read_line(&mut String::new()).unwrap();
            trace_of_children(process)
        };
        let before = trace().unwrap();
        writeln!(asked).unwrap();
        assert!(trace().unwrap() > before);
        writeln!(asked).unwrap();
        assert_eq!(trace(), None);
        writeln!(asked).unwrap();
        shell.wait().unwrap();
    }

    #[test]
    fn a_thread_that_spins_is_seen_though_it_gets_no_processor() {
        let (ends, ended) = std::sync::mpsc::channel::<()>();
        let spinning = std::thread::spawn(move || {
            while ended.try_recv() != Err(std::sync::mpsc::TryRecvError::Disconnected) {
                std::hint::spin_loop();
            }
        });
        let seen = another_thread_runs(std::process::id());
        drop(ends);
        spinning.join().unwrap();
        assert_eq!(seen, Some(true));
    }
}
