//! The CPU's own program.

use std::collections::BTreeSet;

use super::{Check, Facts, Seen, parse};

const FILE: &str = "/proc/cpuinfo";

/// What hypervisors show instead.
const HIDDEN: [&str; 2] = ["0x1", "0xffffffff"];

pub(super) const CHECK: Check = Check {
    name: "microcode",
    reads: &[FILE],
    why: "an update of it changes what instructions cost: baselines of another revision are not used",
    judge,
};

fn judge(facts: &Facts) -> Seen {
    let text = facts.text(FILE).unwrap_or_default();
    let revisions: BTreeSet<&str> = parse::fields(text, "microcode").collect();
    match revisions.into_iter().collect::<Vec<_>>().as_slice() {
        [] => Seen::unknown("the system does not tell"),
        [hidden] if HIDDEN.contains(hidden) => {
            Seen::unknown(format!("{hidden}: hidden by the hypervisor"))
        }
        [revision] => Seen::ok(*revision),
        several => Seen::advice(
            format!("differs between the CPUs: {}", several.join(", ")),
            "sudo pacman -S --needed intel-ucode amd-ucode, then restart",
        ),
    }
}
