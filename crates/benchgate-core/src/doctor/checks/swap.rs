//! Memory that was moved to disk.

use super::{Check, Facts, Observation};
use crate::adapters::kernel as parse;

const FILE: &str = "/proc/meminfo";
const SWAPPINESS: &str = "/proc/sys/vm/swappiness";

pub(super) const CHECK: Check = Check {
    name: "swap",
    reads: &[FILE, SWAPPINESS],
    why: "a page read back from disk costs thousands of times as much as one in memory",
    judge,
};

fn judge(facts: &Facts) -> Observation {
    let meminfo = facts.text(FILE).unwrap_or_default();
    let (Some(total), Some(free)) =
        (parse::kib(meminfo, "SwapTotal"), parse::kib(meminfo, "SwapFree"))
    else {
        return Observation::unknown("not reported by the system");
    };
    let swappiness = facts.text(SWAPPINESS).unwrap_or("not reported");
    match (total, total.saturating_sub(free)) {
        (0, _) => Observation::ok("none"),
        (_, 0) => Observation::ok(format!("unused (swappiness {swappiness})")),
        (_, used) => Observation::advice(
            format!("{} used (swappiness {swappiness})", parse::gib(used)),
            "sudo sysctl vm.swappiness=1 && sudo swapoff --all && sudo swapon --all",
        ),
    }
}
