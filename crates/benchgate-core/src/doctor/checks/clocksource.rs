//! What the time is read from.

use super::{Check, Facts, Seen};

const CURRENT: &str = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
const AVAILABLE: &str = "/sys/devices/system/clocksource/clocksource0/available_clocksource";

pub(super) const CHECK: Check = Check {
    name: "clocksource",
    reads: &[CURRENT, AVAILABLE],
    why: "a clock that is not the CPU's own costs a call into the kernel or the hypervisor each time",
    judge,
};

fn judge(facts: &Facts) -> Seen {
    match facts.text(CURRENT) {
        None => Seen::unknown("the system does not tell"),
        Some(own @ ("tsc" | "arch_sys_counter")) => Seen::ok(own),
        Some(other) => {
            let available = facts.text(AVAILABLE).unwrap_or_default();
            if available.split_whitespace().any(|name| name == "tsc") {
                return Seen::advice(other, format!("echo tsc | sudo tee {CURRENT}"));
            }
            Seen::advice(
                other,
                "journalctl --dmesg --grep 'tsc|clocksource' says why the CPU's own is not used",
            )
        }
    }
}
