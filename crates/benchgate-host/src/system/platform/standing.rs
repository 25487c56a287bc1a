//! Limits, processors and priority of this process: what it starts gets the same, and code that it has run may have
//! changed them.

use std::io;
use std::sync::OnceLock;

use rustix::process::{
    Resource, Rlimit, getpriority_process, getrlimit, setpriority_process, setrlimit,
};

use super::threads::affinity;

/// Not the size of files: it changes nothing that is measured, and a file that does not fit ends the run by name.
const LIMITS: [Resource; 15] = [
    Resource::Cpu,
    Resource::Data,
    Resource::Stack,
    Resource::Core,
    Resource::Rss,
    Resource::Nproc,
    Resource::Nofile,
    Resource::Memlock,
    Resource::As,
    Resource::Locks,
    Resource::Sigpending,
    Resource::Msgqueue,
    Resource::Nice,
    Resource::Rtprio,
    Resource::Rttime,
];

static AT_START: OnceLock<Standing> = OnceLock::new();

/// As they were at one time, of this process and this thread.
#[derive(Clone, PartialEq)]
struct Standing {
    limits: [Rlimit; 15],
    /// `None` of more processors than the type holds.
    processors: Option<libc::cpu_set_t>,
    policy: libc::c_int,
    priority: Option<i32>,
}

impl Standing {
    fn now() -> Self {
        // SAFETY: it has no pointers.
        let policy = unsafe { libc::sched_getscheduler(0) };
        let priority = getpriority_process(None).ok();
        Self { limits: LIMITS.map(getrlimit), processors: affinity(0).ok(), policy, priority }
    }

    /// Sets back what has changed since.
    fn restore(&self) -> io::Result<()> {
        let now = Self::now();
        for (index, resource) in LIMITS.into_iter().enumerate() {
            if self.limits[index] != now.limits[index] {
                setrlimit(resource, self.limits[index])?;
            }
        }
        if let Some(processors) = self.processors.filter(|_| self.processors != now.processors) {
            run_on(&processors)?;
        }
        if self.policy != now.policy && self.policy == libc::SCHED_OTHER {
            schedule(self.policy)?;
        }
        if let Some(priority) = self.priority.filter(|_| self.priority != now.priority) {
            setpriority_process(None, priority)?;
        }
        Ok(())
    }
}

/// Keeps limits, processors and priority of now, for [`restore_standing`].
pub(crate) fn keep_standing() {
    AT_START.get_or_init(Standing::now);
}

/// Sets back limits, processors and priority if they were kept and something has changed them.
pub(crate) fn restore_standing() -> io::Result<()> {
    AT_START.get().map_or(Ok(()), Standing::restore)
}

/// Lets this thread run on these processors only.
pub(super) fn run_on(processors: &libc::cpu_set_t) -> io::Result<()> {
    let size = size_of_val(processors);
    // SAFETY: the set is borrowed, and of the stated size.
    let done = unsafe { libc::sched_setaffinity(0, size, std::ptr::from_ref(processors)) };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Gives this thread a policy that has no priorities.
pub(super) fn schedule(policy: libc::c_int) -> io::Result<()> {
    // SAFETY: zeroes are valid parameters, which are integers only.
    let parameters = unsafe { std::mem::zeroed::<libc::sched_param>() };
    // SAFETY: the parameters outlive the call.
    let done = unsafe { libc::sched_setscheduler(0, policy, &raw const parameters) };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Limits are of the whole process: a limit that no other test uses.
    #[test]
    fn what_was_changed_is_set_back_and_what_was_not_is_left_alone() {
        let before = Standing::now();
        before.restore().unwrap();
        let core = getrlimit(Resource::Core);
        setrlimit(Resource::Core, Rlimit { current: Some(4096), maximum: core.maximum }).unwrap();
        let mut one = affinity(0).unwrap();
        let first = (0..libc::CPU_SETSIZE as usize)
            // SAFETY: the number is below the size of a set.
            .find(|cpu| unsafe { libc::CPU_ISSET(*cpu, &one) })
            .unwrap();
        // SAFETY: as above.
        unsafe {
            libc::CPU_ZERO(&mut one);
            libc::CPU_SET(first, &mut one);
        }
        run_on(&one).unwrap();
        assert!(Standing::now() != before);
        before.restore().unwrap();
        assert!(Standing::now() == before);
    }
}
