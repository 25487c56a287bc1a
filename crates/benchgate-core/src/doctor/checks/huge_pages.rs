//! Transparent huge pages.

use super::{Check, Facts, Observation};
use crate::adapters::kernel as parse;

const FILE: &str = "/sys/kernel/mm/transparent_hugepage/enabled";

pub(super) const CHECK: Check = Check {
    name: "huge-pages",
    reads: &[FILE],
    why: "with `always`, whether a process gets huge pages depends on how fragmented memory is when it starts",
    judge,
};

fn judge(facts: &Facts) -> Observation {
    match facts.text(FILE).and_then(parse::chosen) {
        None => Observation::unknown("not reported by the system"),
        Some("always") => Observation::advice("always", format!("echo madvise | sudo tee {FILE}")),
        Some(other) => Observation::ok(other),
    }
}
