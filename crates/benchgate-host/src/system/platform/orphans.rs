//! Processes whose parent has ended: they come to this process, which ends them.

use std::fs;
use std::io;

use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, getpid, kill_process, set_child_subreaper,
    waitid, waitpid,
};

/// A process can start others for as long as it is not ended itself.
const MOST_TURNS: usize = 1000;

/// Makes this process the next parent of what its descendants leave behind, in whatever group and session.
pub(crate) fn adopt_orphans() -> io::Result<()> {
    Ok(set_child_subreaper(Some(getpid()))?)
}

/// Ends all children of this process, and theirs in turn.
pub(crate) fn end_orphans() {
    for _ in 0..MOST_TURNS {
        if !has_children() {
            return;
        }
        for child in children() {
            let _ = kill_process(child, Signal::KILL);
            let _ = waitpid(Some(child), WaitOptions::empty());
        }
    }
}

/// Whether this process has any, running or ended: it has none after almost every round, and to ask is one call, while
/// to list them opens a file for each thread.
fn has_children() -> bool {
    let any = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    waitid(WaitId::All, any).err() != Some(Errno::CHILD)
}

/// The children of every thread; orphans are those of any.
fn children() -> Vec<Pid> {
    let mut children = Vec::new();
    for task in fs::read_dir("/proc/self/task").into_iter().flatten().flatten() {
        let listed = fs::read_to_string(task.path().join("children")).unwrap_or_default();
        let pids = listed.split_whitespace().filter_map(|pid| Pid::from_raw(pid.parse().ok()?));
        children.extend(pids.filter(|child| !super::idle::is_spinning(*child)));
    }
    children
}
