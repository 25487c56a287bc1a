//! The kernel's watchdog for CPUs that hang.

use super::{Check, Facts, Seen, parse};

const FILE: &str = "/proc/sys/kernel/nmi_watchdog";

pub(super) const CHECK: Check = Check {
    name: "nmi-watchdog",
    reads: &[FILE],
    why: "it interrupts every CPU and takes one of its counters",
    judge,
};

fn judge(facts: &Facts) -> Seen {
    match facts.text(FILE).and_then(parse::switch) {
        None => Seen::unknown("the system does not tell"),
        Some(false) => Seen::ok("off"),
        Some(true) => Seen::advice("on", "sudo sysctl kernel.nmi_watchdog=0"),
    }
}
