//! Addresses drawn anew for every process.

use super::{Check, Facts, Seen};

const FILE: &str = "/proc/sys/kernel/randomize_va_space";

pub(super) const CHECK: Check = Check {
    name: "aslr",
    reads: &[FILE],
    why: "rounds average the luck of where things lie in memory; without it one draw decides them all",
    judge,
};

fn judge(facts: &Facts) -> Seen {
    let mend = "sudo sysctl kernel.randomize_va_space=2";
    match facts.text(FILE) {
        Some("2") => Seen::ok("on"),
        Some("1") => Seen::advice("on, but not for the heap", mend),
        Some("0") => Seen::blocking("off", mend),
        _ => Seen::unknown("the system does not tell"),
    }
}
