//! Whether processors halt between rounds.

use super::{Check, Facts, Observation};

const COMMAND_LINE: &str = "/proc/cmdline";

pub(super) const CHECK: Check = Check {
    name: "awake",
    reads: &[COMMAND_LINE],
    why: "a processor that halts between rounds comes back cold, most of all on a virtual machine: a process of the idle \
          class spins on each while the gate measures",
    judge,
};

fn judge(facts: &Facts) -> Observation {
    let command_line = facts.text(COMMAND_LINE).unwrap_or_default();
    if command_line.split_whitespace().any(|option| option == "idle=poll") {
        return Observation::ok("processors never halt (idle=poll)");
    }
    match &facts.awake {
        None => Observation::unknown("only the running kernel can say"),
        Some(Ok(())) => Observation::ok("processors are kept from halting while the gate measures"),
        Some(Err(why)) => Observation::advice(
            format!("processors may halt between rounds: {why}"),
            "lift the limit of CPU time, or boot with idle=poll on the kernel's command line",
        ),
    }
}
