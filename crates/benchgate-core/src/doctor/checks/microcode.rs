//! The CPU's microcode.

use std::collections::BTreeSet;

use super::{Check, Facts, Observation};
use crate::adapters::kernel as parse;

const FILE: &str = "/proc/cpuinfo";

/// The values that hypervisors report instead.
const HIDDEN: [&str; 2] = ["0x1", "0xffffffff"];

pub(super) const CHECK: Check = Check {
    name: "microcode",
    reads: &[FILE],
    why: "an update of it changes what instructions cost: baselines of another revision are not used",
    judge,
};

fn judge(facts: &Facts) -> Observation {
    let text = facts.text(FILE).unwrap_or_default();
    let revisions: BTreeSet<&str> = parse::fields(text, "microcode").collect();
    match revisions.into_iter().collect::<Vec<_>>().as_slice() {
        [] => Observation::unknown("not reported by the system"),
        [hidden] if HIDDEN.contains(hidden) => {
            Observation::unknown(format!("{hidden}: hidden by the hypervisor"))
        }
        [revision] => Observation::ok(*revision),
        several => Observation::advice(
            format!("differs between the CPUs: {}", several.join(", ")),
            "sudo pacman -S --needed intel-ucode amd-ucode, then restart",
        ),
    }
}
