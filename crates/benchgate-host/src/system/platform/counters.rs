//! Counters of the CPU, over a process that this thread starts.

use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::FromRawFd as _;

use benchgate_core::model::CpuCounts;
use perf_event_open_sys as sys;
use sys::bindings::{
    PERF_COUNT_HW_BRANCH_MISSES, PERF_COUNT_HW_CACHE_MISSES, PERF_COUNT_HW_CPU_CYCLES,
    PERF_COUNT_HW_INSTRUCTIONS, PERF_FLAG_FD_CLOEXEC, PERF_FORMAT_TOTAL_TIME_ENABLED,
    PERF_FORMAT_TOTAL_TIME_RUNNING, PERF_TYPE_HARDWARE, perf_event_attr,
};

/// Runs something, and counts the process that it starts with all that this one starts; `None` where the CPU, its
/// hypervisor or the system does not let this user count.
pub(crate) fn counted<T, R: FnOnce() -> T>(run: R) -> (T, Option<CpuCounts>) {
    let Ok(mut counting) = Counting::start() else { return (run(), None) };
    let done = run();
    (done, counting.counts())
}

/// Whether [`counted`] may count.
///
/// # Errors
/// As the system puts it.
pub(crate) fn can_count() -> io::Result<()> {
    Counting::start().map(drop)
}

/// Counters that are open.
struct Counting {
    cycles: Counter,
    instructions: Counter,
    branch_misses: Option<Counter>,
    cache_misses: Option<Counter>,
}

impl Counting {
    fn start() -> io::Result<Self> {
        let open = |event| Counter::open(PERF_TYPE_HARDWARE, event);
        Ok(Self {
            cycles: open(PERF_COUNT_HW_CPU_CYCLES)?,
            instructions: open(PERF_COUNT_HW_INSTRUCTIONS)?,
            branch_misses: open(PERF_COUNT_HW_BRANCH_MISSES).ok(),
            cache_misses: open(PERF_COUNT_HW_CACHE_MISSES).ok(),
        })
    }

    fn counts(&mut self) -> Option<CpuCounts> {
        Some(CpuCounts {
            cycles: self.cycles.read()?,
            instructions: self.instructions.read()?,
            branch_misses: self.branch_misses.as_mut().and_then(Counter::read),
            cache_misses: self.cache_misses.as_mut().and_then(Counter::read),
        })
    }
}

/// A counter that is off in this process, and on in the next copy of it from the moment when that becomes another
/// program. Only in the next one: a kernel may give the counters of a process to its copy, which takes them with it.
struct Counter(File);

impl Counter {
    fn open(kind: u32, event: u32) -> io::Result<Self> {
        let times = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
        let mut attributes = perf_event_attr {
            size: size_of::<perf_event_attr>() as u32,
            type_: kind,
            config: event.into(),
            read_format: times.into(),
            ..perf_event_attr::default()
        };
        attributes.set_disabled(1);
        attributes.set_inherit(1);
        attributes.set_enable_on_exec(1);
        attributes.set_exclude_kernel(1);
        attributes.set_exclude_hv(1);
        // The code of a bench must not get it: it could change what was counted.
        let flags = PERF_FLAG_FD_CLOEXEC.into();
        // SAFETY: the attributes are valid for the call, and `size` is theirs.
        let descriptor = unsafe { sys::perf_event_open(&raw mut attributes, 0, -1, -1, flags) };
        if descriptor < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: it was opened just now, and nothing else has it.
        Ok(Self(unsafe { File::from_raw_fd(descriptor) }))
    }

    /// `None` if it was never on.
    fn read(&mut self) -> Option<f64> {
        let mut bytes = [0; 24];
        self.0.read_exact(&mut bytes).ok()?;
        let (numbers, _) = bytes.as_chunks();
        let [count, enabled, running] = *numbers else { return None };
        let [count, enabled, running] = [count, enabled, running].map(u64::from_ne_bytes);
        // Where a CPU cannot count all events at once, they take turns.
        let is_on = (1..=enabled).contains(&running);
        is_on.then(|| count as f64 * (enabled as f64 / running as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;
    use sys::bindings::{PERF_COUNT_SW_PAGE_FAULTS, PERF_TYPE_SOFTWARE};

    fn page_faults() -> io::Result<Counter> {
        Counter::open(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS)
    }

    fn shell(script: &str) -> String {
        let done = Command::new("sh").args(["-c", script]).output().unwrap();
        assert!(done.status.success());
        String::from_utf8(done.stdout).unwrap()
    }

    /// A machine may count nothing of its CPU; the kernel itself counts page faults, where a container lets it.
    #[test]
    fn a_child_is_counted_with_what_it_starts_and_this_process_is_not() {
        if page_faults().is_err() {
            return;
        }
        let run = |script: &str| {
            let mut counter = page_faults().unwrap();
            let own = vec![1_u8; 64 << 20];
            assert_eq!(std::hint::black_box(&own).len(), 64 << 20);
            assert_eq!(counter.read(), None);
            shell(script);
            counter.read().unwrap()
        };
        let (one, two) = (run("true"), run("sh -c true; true"));
        assert!(one > 10.0 && two > 1.5 * one, "{one} {two}");
    }

    #[test]
    fn a_child_does_not_get_the_counters() {
        let counters: Vec<_> = (0..3).map(|_| page_faults()).collect();
        let open = shell("ls -l /proc/self/fd");
        assert!(!open.contains("perf_event"), "{open}");
        drop(counters);
    }

    #[test]
    fn what_is_run_gives_its_value_whether_or_not_it_is_counted() {
        let (code, counts) = counted(|| Command::new("sh").args(["-c", "exit 3"]).status());
        assert_eq!(code.unwrap().code(), Some(3));
        assert!(counts.is_none() || can_count().is_ok());
        assert!(counts.is_none_or(|counts| counts.instructions > 1_000.0));
    }
}
