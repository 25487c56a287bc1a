//! Keeps processors from halting. A processor that waits halts and comes back cold: on a virtual machine, pairs of rounds
//! then scatter two to three times as much.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::standing::{run_on, schedule};
use super::threads::processors;

/// Turns between two looks at whether it is to end.
const TURNS: u32 = 1000;

/// The processors that this process may use.
///
/// # Errors
/// Where what spins would take time from what is measured.
pub(crate) fn spinnable() -> io::Result<Vec<usize>> {
    if let Some(file) = quota() {
        let problem = format!("{} limits CPU time, which spinning would use up", file.display());
        return Err(io::Error::other(problem));
    }
    processors()
}

/// Lets this thread run on one processor, where nothing else wants to run there.
pub(crate) fn yield_to_all(processor: usize) -> io::Result<()> {
    // SAFETY: zeroes are an empty set.
    let mut one = unsafe { std::mem::zeroed::<libc::cpu_set_t>() };
    // SAFETY: the number is of a set of this size.
    unsafe { libc::CPU_SET(processor, &mut one) };
    schedule(libc::SCHED_IDLE)?;
    run_on(&one)
}

/// Spins until it is told to end.
pub(crate) fn spin(is_over: &AtomicBool) {
    while !is_over.load(Ordering::Relaxed) {
        (0..TURNS).for_each(|_| std::hint::spin_loop());
    }
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
    use super::is_limit;

    #[test]
    fn a_quota_is_a_number_and_none_is_a_word_or_below_zero() {
        assert!(is_limit("200000 100000\n") && is_limit("50000\n"));
        assert!(!is_limit("max 100000\n") && !is_limit("-1\n") && !is_limit(""));
    }
}
