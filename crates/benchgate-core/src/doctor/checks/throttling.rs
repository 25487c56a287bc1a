//! Whether heat has slowed the CPU down.

use super::{Check, Facts, Seen};

const CORES: &str = "/sys/devices/system/cpu/cpu*/thermal_throttle/core_throttle_count";
const PACKAGES: &str = "/sys/devices/system/cpu/cpu*/thermal_throttle/package_throttle_count";

pub(super) const CHECK: Check = Check {
    name: "throttling",
    reads: &[CORES, PACKAGES],
    why: "a CPU that gets too hot lowers its clock, for seconds and without a word",
    judge,
};

fn judge(facts: &Facts) -> Seen {
    // Every CPU of a package shows the package's count, so a sum would say too much.
    let most = facts
        .matching(CORES)
        .chain(facts.matching(PACKAGES))
        .filter_map(|(_, text)| text.parse::<u64>().ok())
        .max();
    match most {
        None => Seen::unknown("the system does not count it"),
        Some(0) => Seen::ok("never since the start"),
        Some(times) => Seen::advice(
            format!("{times} times since the start"),
            "journalctl --dmesg --grep 'temperature|throttl' says when; clean the fans, then restart",
        ),
    }
}
