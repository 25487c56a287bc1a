//! Who may use the CPU's counters.

use super::{Check, Facts, Observation};

const FILE: &str = "/proc/sys/kernel/perf_event_paranoid";

pub(super) const CHECK: Check = Check {
    name: "perf-events",
    reads: &[FILE],
    why: "what the CPU counts in rounds is evidence alongside a time; the gate does not need it",
    judge,
};

fn judge(facts: &Facts) -> Observation {
    match facts.text(FILE).and_then(|text| text.parse::<i32>().ok()) {
        None => Observation::unknown("not reported by the system"),
        Some(level @ ..=2) => match &facts.counters {
            Some(Err(reason)) => Observation::advice(
                format!("cycles and instructions are not counted: {reason}"),
                "give the virtual machine performance counters (a PMU), where it is one",
            ),
            Some(Ok(())) | None => Observation::ok(format!("perf_event_paranoid is {level}")),
        },
        Some(level) => Observation::advice(
            format!("perf_event_paranoid is {level}: not for users"),
            "sudo sysctl kernel.perf_event_paranoid=2",
        ),
    }
}
