//! How much of the processors others use.

use std::fs;
use std::time::Duration;

use super::threads::processors;

/// CPU time of everything on this machine but this process and the children that it has waited for, since some moment; `None`
/// if unknown, or if this process may use some of the processors only.
pub(crate) fn time_of_others() -> Option<Duration> {
    let stat = fs::read_to_string("/proc/stat").ok()?;
    // SAFETY: the function reads a constant of the system.
    let ticks = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
    let busy = busy_ticks(&stat, processors().ok()?.len())? as f64 / ticks as f64;
    let all = Duration::try_from_secs_f64(busy).ok()?;
    Some(all.saturating_sub(used(libc::RUSAGE_SELF)? + used(libc::RUSAGE_CHILDREN)?))
}

/// The ticks that the processors were busy, if there are as many.
fn busy_ticks(stat: &str, processors: usize) -> Option<u64> {
    let lines = stat.lines().filter(|line| line.starts_with("cpu"));
    if lines.count() != processors + 1 {
        return None;
    }
    let all: Vec<u64> =
        stat.lines().next()?.split_whitespace().skip(1).map_while(|it| it.parse().ok()).collect();
    // Idle and waiting for devices are the fourth and the fifth; what comes after the seventh is a hypervisor's, or is in
    // the first two.
    let [user, nice, system, _, _, interrupts, soft, ..] = all[..] else { return None };
    Some(user + nice + system + interrupts + soft)
}

/// CPU time of this process, or of its children.
fn used(whose: libc::c_int) -> Option<Duration> {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the pointer is to a local that outlives the call.
    if unsafe { libc::getrusage(whose, usage.as_mut_ptr()) } != 0 {
        return None;
    }
    // SAFETY: zeroes are a valid `rusage`, which is integers only, and the kernel has written it since.
    let usage = unsafe { usage.assume_init() };
    let time = |time: libc::timeval| {
        let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
        Duration::from_secs(seconds)
            + Duration::from_micros(u64::try_from(time.tv_usec).unwrap_or_default())
    };
    Some(time(usage.ru_utime) + time(usage.ru_stime))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_processors_did_is_known_where_this_process_may_use_all_of_them() {
        let stat = "cpu  10 20 30 400 500 6 7 800 9 0\ncpu0 1 2\ncpu1 3 4\nintr 1 2\n";
        assert_eq!(busy_ticks(stat, 2), Some(73));
        assert_eq!(busy_ticks(stat, 1), None);
        assert_eq!(busy_ticks("cpu  10 20\ncpu0 1\n", 1), None);
        assert_eq!(busy_ticks("", 2), None);
    }
}
