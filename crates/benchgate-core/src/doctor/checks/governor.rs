//! The frequency governor.

use super::{Check, Facts, Observation};

const FILES: &str = "/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor";

pub(super) const CHECK: Check = Check {
    name: "governor",
    reads: &[FILES],
    why: "a governor that saves power changes the clock in the middle of a round",
    judge,
};

fn judge(facts: &Facts) -> Observation {
    let values = facts.values(FILES);
    let all = || {
        let counts: Vec<String> =
            values.iter().map(|(name, count)| format!("{name} on {}", cpus(*count))).collect();
        counts.join(", ")
    };
    match values.keys().copied().collect::<Vec<_>>().as_slice() {
        [] => Observation::unknown("the system has no cpufreq"),
        ["performance"] => Observation::ok(all()),
        _ => Observation::blocking(all(), format!("echo performance | sudo tee {FILES}")),
    }
}

/// `4 CPUs`, `1 CPU`.
fn cpus(count: usize) -> String {
    format!("{count} {}", if count == 1 { "CPU" } else { "CPUs" })
}
