//! Transparent huge pages.

use super::{Check, Facts, Seen, parse};

const FILE: &str = "/sys/kernel/mm/transparent_hugepage/enabled";

pub(super) const CHECK: Check = Check {
    name: "huge-pages",
    reads: &[FILE],
    why: "with `always`, whether a process gets huge pages depends on how scattered memory is just then",
    judge,
};

fn judge(facts: &Facts) -> Seen {
    match facts.text(FILE).and_then(parse::chosen) {
        None => Seen::unknown("the system does not tell"),
        Some("always") => Seen::advice("always", format!("echo madvise | sudo tee {FILE}")),
        Some(other) => Seen::ok(other),
    }
}
