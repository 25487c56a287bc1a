//! Who may use the CPU's counters.

use super::{Check, Facts, Observation};

const FILE: &str = "/proc/sys/kernel/perf_event_paranoid";

pub(super) const CHECK: Check = Check {
    name: "perf-events",
    reads: &[FILE],
    why: "`perf stat` and `perf record` explain a finding; the gate itself does not need them",
    judge,
};

fn judge(facts: &Facts) -> Observation {
    match facts.text(FILE).and_then(|text| text.parse::<i32>().ok()) {
        None => Observation::unknown("not reported by the system"),
        Some(level @ ..=2) => Observation::ok(format!("perf_event_paranoid is {level}")),
        Some(level) => Observation::advice(
            format!("perf_event_paranoid is {level}: not for users"),
            "sudo sysctl kernel.perf_event_paranoid=2",
        ),
    }
}
