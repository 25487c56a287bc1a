//! What the CPU itself prefers, speed or saving.

use super::{Check, Facts, Seen};

const FILES: &str = "/sys/devices/system/cpu/cpu*/cpufreq/energy_performance_preference";
const GOVERNORS: &str = "/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor";

pub(super) const CHECK: Check = Check {
    name: "energy-preference",
    reads: &[FILES, GOVERNORS],
    why: "a CPU that is told to save energy takes its time to reach its clock",
    judge,
};

fn judge(facts: &Facts) -> Seen {
    let values: Vec<&str> = facts.values(FILES).into_keys().collect();
    match values.as_slice() {
        [] if facts.values(GOVERNORS).is_empty() => Seen::unknown("the system has no cpufreq"),
        [] => Seen::ok("the frequency driver has no such setting"),
        ["performance"] => Seen::ok("performance"),
        others => Seen::advice(others.join(", "), format!("echo performance | sudo tee {FILES}")),
    }
}
