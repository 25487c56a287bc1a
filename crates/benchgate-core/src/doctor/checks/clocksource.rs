//! The clock that time is read from.

use super::{Check, Facts, Observation};

const CURRENT: &str = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
const AVAILABLE: &str = "/sys/devices/system/clocksource/clocksource0/available_clocksource";

pub(super) const CHECK: Check = Check {
    name: "clocksource",
    reads: &[CURRENT, AVAILABLE],
    why: "a clock that is not the CPU's own costs a call into the kernel or the hypervisor each time",
    judge,
};

fn judge(facts: &Facts) -> Observation {
    match facts.text(CURRENT) {
        None => Observation::unknown("not reported by the system"),
        Some(own @ ("tsc" | "arch_sys_counter")) => Observation::ok(own),
        Some(other) => {
            let available = facts.text(AVAILABLE).unwrap_or_default();
            if available.split_whitespace().any(|name| name == "tsc") {
                return Observation::advice(other, format!("echo tsc | sudo tee {CURRENT}"));
            }
            Observation::advice(
                other,
                "journalctl --dmesg --grep 'tsc|clocksource' shows why the CPU's own is not used",
            )
        }
    }
}
