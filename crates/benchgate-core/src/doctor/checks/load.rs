//! What else runs.

use super::{Check, Facts, Seen};

const FILE: &str = "/proc/loadavg";

pub(super) const CHECK: Check = Check {
    name: "load",
    reads: &[FILE],
    why: "other work takes caches, memory bandwidth and the CPU itself",
    judge,
};

fn judge(facts: &Facts) -> Seen {
    let load = facts
        .text(FILE)
        .and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok())
        .filter(|load| load.is_finite());
    match load {
        None => Seen::unknown("the system does not tell"),
        Some(load) if load < 1.0 => Seen::ok(format!("{load:.2} in the last minute")),
        Some(load) => Seen::advice(
            format!("{load:.2} in the last minute"),
            "ps -eo pcpu,user,comm --sort=-pcpu | head shows what to stop or to wait for",
        ),
    }
}
