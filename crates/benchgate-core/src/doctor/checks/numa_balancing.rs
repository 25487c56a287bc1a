//! Automatic balancing between the nodes of a machine with several memories.

use super::{Check, Facts, Observation};

const FILE: &str = "/proc/sys/kernel/numa_balancing";

pub(super) const CHECK: Check = Check {
    name: "numa-balancing",
    reads: &[FILE],
    why: "the kernel unmaps pages of a running process, to see which node uses them, and moves them",
    judge,
};

fn judge(facts: &Facts) -> Observation {
    match facts.text(FILE) {
        None => Observation::unknown("not reported by the system"),
        Some("0") => Observation::ok("off"),
        // 2 is the mode for memories of different speeds.
        Some(_) => Observation::advice("on", "sudo sysctl kernel.numa_balancing=0"),
    }
}
