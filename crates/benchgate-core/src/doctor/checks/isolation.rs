//! CPUs kept apart from the scheduler.

use super::{Check, Facts, Seen};

const ISOLATED: &str = "/sys/devices/system/cpu/isolated";
const NOHZ_FULL: &str = "/sys/devices/system/cpu/nohz_full";
const PSTATE: &str = "/sys/devices/system/cpu/intel_pstate/status";

pub(super) const CHECK: Check = Check {
    name: "isolation",
    reads: &[ISOLATED, NOHZ_FULL, PSTATE],
    why: "benchgate pins nothing: builds crowd on what is left, and no round runs on an isolated CPU",
    judge,
};

fn judge(facts: &Facts) -> Seen {
    if !facts.exists(ISOLATED) {
        return Seen::unknown("the system does not tell");
    }
    // A kernel without full tickless CPUs writes `(null)`.
    let list = |path| facts.text(path).filter(|text| *text != "(null)");
    let mend = "take it out of /etc/default/grub, then sudo update-grub, then restart";
    match (list(ISOLATED), list(NOHZ_FULL)) {
        (Some(isolated), _) => Seen::advice(format!("isolcpus={isolated}"), mend),
        (None, Some(nohz)) if facts.exists(PSTATE) => {
            Seen::advice(format!("nohz_full={nohz}, which does not go with intel_pstate"), mend)
        }
        (None, Some(nohz)) => Seen::ok(format!("none (nohz_full={nohz})")),
        (None, None) => Seen::ok("none"),
    }
}
