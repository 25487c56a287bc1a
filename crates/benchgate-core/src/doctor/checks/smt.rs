//! Two threads on one core.

use super::{Check, Facts, Observation};
use crate::adapters::kernel as parse;

const ACTIVE: &str = "/sys/devices/system/cpu/smt/active";
const CONTROL: &str = "/sys/devices/system/cpu/smt/control";

pub(super) const CHECK: Check = Check {
    name: "smt",
    reads: &[ACTIVE, CONTROL],
    why: "whatever runs on the other thread of a core takes half of it",
    judge,
};

fn judge(facts: &Facts) -> Observation {
    let control = facts.text(CONTROL).unwrap_or("not reported");
    match facts.text(ACTIVE).and_then(parse::switch) {
        None => Observation::unknown("not reported by the system"),
        Some(false) => Observation::ok(format!("off ({control})")),
        Some(true) if control.starts_with("not") => Observation::advice(
            format!("on ({control})"),
            "switch it off in the firmware, or on the host",
        ),
        Some(true) => Observation::blocking("on", format!("echo off | sudo tee {CONTROL}")),
    }
}
