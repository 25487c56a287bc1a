//! Whether heat has slowed the CPU down.

use super::{Check, Facts, Observation};

const CORES: &str = "/sys/devices/system/cpu/cpu*/thermal_throttle/core_throttle_count";
const PACKAGES: &str = "/sys/devices/system/cpu/cpu*/thermal_throttle/package_throttle_count";

pub(super) const CHECK: Check = Check {
    name: "throttling",
    reads: &[CORES, PACKAGES],
    why: "a CPU that gets too hot lowers its clock for seconds, without notice",
    judge,
};

fn judge(facts: &Facts) -> Observation {
    // Every CPU of a package shows the package's count, so a sum would count it twice.
    let most = facts
        .matching(CORES)
        .chain(facts.matching(PACKAGES))
        .filter_map(|(_, text)| text.parse::<u64>().ok())
        .max();
    match most {
        None => Observation::unknown("the system does not count it"),
        Some(0) => Observation::ok("never since the start"),
        Some(times) => Observation::advice(
            format!("{times} times since the start"),
            "journalctl --dmesg --grep 'temperature|throttl' shows when; clean the fans, then restart",
        ),
    }
}
