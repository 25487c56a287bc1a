//! Counters of the CPU, over what this thread starts.

use std::io;

use benchgate_core::model::Counts;
use perf_event::events::{Event, Hardware};
use perf_event::{Builder, Counter};

/// Runs something, and counts the process that it starts with all that this one starts; `None` where the CPU, its
/// hypervisor or the system does not let this user count.
pub(crate) fn counted<T, R: FnOnce() -> T>(run: R) -> (T, Option<Counts>) {
    let Ok(mut counting) = Counting::start() else { return (run(), None) };
    let done = run();
    (done, counting.counts())
}

/// Whether [`counted`] counts.
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
        Ok(Self {
            cycles: open(Hardware::CPU_CYCLES)?,
            instructions: open(Hardware::INSTRUCTIONS)?,
            branch_misses: open(Hardware::BRANCH_MISSES).ok(),
            cache_misses: open(Hardware::CACHE_MISSES).ok(),
        })
    }

    /// Of the processes that have ended.
    fn counts(&mut self) -> Option<Counts> {
        Some(Counts {
            cycles: read(&mut self.cycles)?,
            instructions: read(&mut self.instructions)?,
            branch_misses: self.branch_misses.as_mut().and_then(read),
            cache_misses: self.cache_misses.as_mut().and_then(read),
        })
    }
}

/// Opens a counter that is off in this process, and on in the next copy of it from the moment when that becomes another
/// program. Only in the next one: a kernel may give the counters of a process to its copy, which takes them with it.
fn open(event: impl Into<Event>) -> io::Result<Counter> {
    let mut builder = Builder::new().kind(event);
    builder.inherit(true).enable_on_exec(true);
    builder.build()
}

fn read(counter: &mut Counter) -> Option<f64> {
    let read = counter.read_count_and_time().ok()?;
    // Where a CPU cannot count all events at once, they take turns.
    let share = read.time_running as f64 / read.time_enabled as f64;
    (share > 0.0).then(|| read.count as f64 / share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use perf_event::events::Software;
    use std::process::Command;

    /// A machine may count nothing; the system itself can always count page faults, if it lets this user.
    #[test]
    fn a_child_is_counted_with_what_it_starts_and_this_process_is_not() {
        if open(Software::PAGE_FAULTS).is_err() {
            return;
        }
        let run = |script: &str| {
            let mut counter = open(Software::PAGE_FAULTS).unwrap();
            let own = vec![1_u8; 64 << 20];
            assert_eq!(std::hint::black_box(&own).len(), 64 << 20);
            assert_eq!(read(&mut counter), None);
            assert!(Command::new("sh").args(["-c", script]).status().unwrap().success());
            read(&mut counter).unwrap()
        };
        let (one, two) = (run("true"), run("sh -c true; true"));
        assert!(one > 10.0 && two > 1.5 * one, "{one} {two}");
    }

    #[test]
    fn what_is_run_gives_its_value_whether_or_not_it_is_counted() {
        let (code, counts) = counted(|| Command::new("sh").args(["-c", "exit 3"]).status());
        assert_eq!(code.unwrap().code(), Some(3));
        assert_eq!(counts.is_some(), can_count().is_ok());
        assert!(counts.is_none_or(|counts| counts.instructions > 1_000.0));
    }
}
