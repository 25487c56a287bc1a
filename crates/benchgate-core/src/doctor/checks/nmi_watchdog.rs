//! The kernel's watchdog for CPUs that hang.

use super::{Check, Facts, Observation};
use crate::adapters::kernel as parse;

const FILE: &str = "/proc/sys/kernel/nmi_watchdog";

pub(super) const CHECK: Check = Check {
    name: "nmi-watchdog",
    reads: &[FILE],
    why: "it interrupts every CPU and takes one of its counters",
    judge,
};

fn judge(facts: &Facts) -> Observation {
    match facts.text(FILE).and_then(parse::switch) {
        None => Observation::unknown("not reported by the system"),
        Some(false) => Observation::ok("off"),
        Some(true) => Observation::advice("on", "sudo sysctl kernel.nmi_watchdog=0"),
    }
}
