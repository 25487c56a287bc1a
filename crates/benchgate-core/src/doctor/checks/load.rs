//! The load of other processes.

use super::{Check, Facts, Observation};

const FILE: &str = "/proc/loadavg";

pub(super) const CHECK: Check = Check {
    name: "load",
    reads: &[FILE],
    why: "other work takes caches, memory bandwidth and the CPU itself",
    judge,
};

fn judge(facts: &Facts) -> Observation {
    let load = facts
        .text(FILE)
        .and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok())
        .filter(|load| load.is_finite());
    match load {
        None => Observation::unknown("not reported by the system"),
        Some(load) if load < 1.0 => Observation::ok(format!("{load:.2} in the last minute")),
        Some(load) => Observation::advice(
            format!("{load:.2} in the last minute"),
            "ps -eo pcpu,user,comm --sort=-pcpu | head shows which processes to stop or to wait for",
        ),
    }
}
