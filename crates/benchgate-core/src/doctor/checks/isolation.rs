//! CPUs that are isolated from the scheduler.

use super::{Check, Facts, Observation};

const ISOLATED: &str = "/sys/devices/system/cpu/isolated";
const NOHZ_FULL: &str = "/sys/devices/system/cpu/nohz_full";
const PSTATE: &str = "/sys/devices/system/cpu/intel_pstate/status";

pub(super) const CHECK: Check = Check {
    name: "isolation",
    reads: &[ISOLATED, NOHZ_FULL, PSTATE],
    why: "benchgate pins no process: builds share the CPUs that are left, and no round runs on an isolated one",
    judge,
};

fn judge(facts: &Facts) -> Observation {
    if !facts.exists(ISOLATED) {
        return Observation::unknown("not reported by the system");
    }
    // A kernel without full tickless CPUs writes `(null)`.
    let list = |path| facts.text(path).filter(|text| *text != "(null)");
    let fix = "remove it from /etc/default/grub, then sudo update-grub, then restart";
    match (list(ISOLATED), list(NOHZ_FULL)) {
        (Some(isolated), _) => Observation::advice(format!("isolcpus={isolated}"), fix),
        (None, Some(nohz)) if facts.exists(PSTATE) => Observation::advice(
            format!("nohz_full={nohz}, which does not work with intel_pstate"),
            fix,
        ),
        (None, Some(nohz)) => Observation::ok(format!("none (nohz_full={nohz})")),
        (None, None) => Observation::ok("none"),
    }
}
