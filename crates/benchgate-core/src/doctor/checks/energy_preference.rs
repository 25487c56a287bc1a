//! The CPU's own preference: performance or energy.

use super::{Check, Facts, Observation};

const FILES: &str = "/sys/devices/system/cpu/cpu*/cpufreq/energy_performance_preference";
const GOVERNORS: &str = "/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor";

pub(super) const CHECK: Check = Check {
    name: "energy-preference",
    reads: &[FILES, GOVERNORS],
    why: "a CPU that is set to save energy takes longer to reach its full clock",
    judge,
};

fn judge(facts: &Facts) -> Observation {
    let values: Vec<&str> = facts.values(FILES).into_keys().collect();
    match values.as_slice() {
        [] if facts.values(GOVERNORS).is_empty() => {
            Observation::unknown("the system has no cpufreq")
        }
        [] => Observation::ok("the frequency driver has no such setting"),
        ["performance"] => Observation::ok("performance"),
        others => {
            Observation::advice(others.join(", "), format!("echo performance | sudo tee {FILES}"))
        }
    }
}
