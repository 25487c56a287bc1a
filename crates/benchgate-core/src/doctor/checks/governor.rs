//! The frequency governor.

use super::{Check, Facts, Seen, cpus};

const FILES: &str = "/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor";

pub(super) const CHECK: Check = Check {
    name: "governor",
    reads: &[FILES],
    why: "a governor that saves power changes the clock in the middle of a round",
    judge,
};

fn judge(facts: &Facts) -> Seen {
    let values = facts.values(FILES);
    let all = || {
        let told: Vec<String> =
            values.iter().map(|(name, count)| format!("{name} on {}", cpus(*count))).collect();
        told.join(", ")
    };
    match values.keys().copied().collect::<Vec<_>>().as_slice() {
        [] => Seen::unknown("the system has no cpufreq"),
        ["performance"] => Seen::ok(all()),
        _ => Seen::blocking(all(), format!("echo performance | sudo tee {FILES}")),
    }
}
