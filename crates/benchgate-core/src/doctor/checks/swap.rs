//! Memory that was moved to disk.

use super::{Check, Facts, Seen, parse};

const FILE: &str = "/proc/meminfo";
const SWAPPINESS: &str = "/proc/sys/vm/swappiness";

pub(super) const CHECK: Check = Check {
    name: "swap",
    reads: &[FILE, SWAPPINESS],
    why: "a page that comes back from disk costs thousands of times what one in memory does",
    judge,
};

fn judge(facts: &Facts) -> Seen {
    let meminfo = facts.text(FILE).unwrap_or_default();
    let (Some(total), Some(free)) =
        (parse::kib(meminfo, "SwapTotal"), parse::kib(meminfo, "SwapFree"))
    else {
        return Seen::unknown("the system does not tell");
    };
    let swappiness = facts.text(SWAPPINESS).unwrap_or("not told");
    match (total, total.saturating_sub(free)) {
        (0, _) => Seen::ok("none"),
        (_, 0) => Seen::ok(format!("unused (swappiness {swappiness})")),
        (_, used) => Seen::advice(
            format!("{} used (swappiness {swappiness})", parse::gib(used)),
            "sudo sysctl vm.swappiness=1 && sudo swapoff --all && sudo swapon --all",
        ),
    }
}
