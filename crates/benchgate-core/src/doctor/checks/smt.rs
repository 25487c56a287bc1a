//! Two threads on one core.

use super::{Check, Facts, Seen, parse};

const ACTIVE: &str = "/sys/devices/system/cpu/smt/active";
const CONTROL: &str = "/sys/devices/system/cpu/smt/control";

pub(super) const CHECK: Check = Check {
    name: "smt",
    reads: &[ACTIVE, CONTROL],
    why: "whatever runs on the other thread of a core takes half of it",
    judge,
};

fn judge(facts: &Facts) -> Seen {
    let control = facts.text(CONTROL).unwrap_or("not told");
    match facts.text(ACTIVE).and_then(parse::switch) {
        None => Seen::unknown("the system does not tell"),
        Some(false) => Seen::ok(format!("off ({control})")),
        Some(true) if control.starts_with("not") => {
            Seen::advice(format!("on ({control})"), "switch it off in the firmware, or on the host")
        }
        Some(true) => Seen::blocking("on", format!("echo off | sudo tee {CONTROL}")),
    }
}
