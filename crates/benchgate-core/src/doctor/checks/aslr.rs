//! Random addresses for every process (ASLR).

use super::{Check, Facts, Observation};

const FILE: &str = "/proc/sys/kernel/randomize_va_space";

pub(super) const CHECK: Check = Check {
    name: "aslr",
    reads: &[FILE],
    why: "rounds average over random memory layouts; without it they all share one layout",
    judge,
};

fn judge(facts: &Facts) -> Observation {
    let fix = "sudo sysctl kernel.randomize_va_space=2";
    match facts.text(FILE) {
        Some("2") => Observation::ok("on"),
        Some("1") => Observation::advice("on, but not for the heap", fix),
        Some("0") => Observation::blocking("off", fix),
        _ => Observation::unknown("not reported by the system"),
    }
}
