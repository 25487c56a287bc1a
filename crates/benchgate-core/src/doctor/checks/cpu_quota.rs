//! A limit on CPU time, as of a container.

use super::{Check, Facts, Observation};

const CURRENT: &str = "/sys/fs/cgroup/cpu.max";
const OLD_QUOTA: &str = "/sys/fs/cgroup/cpu/cpu.cfs_quota_us";
const OLD_PERIOD: &str = "/sys/fs/cgroup/cpu/cpu.cfs_period_us";

pub(super) const CHECK: Check = Check {
    name: "cpu-quota",
    reads: &[CURRENT, OLD_QUOTA, OLD_PERIOD],
    why: "a process that has used up its quota is stopped until the next period, in the middle of a round",
    judge,
};

fn judge(facts: &Facts) -> Observation {
    let current = facts.text(CURRENT).and_then(|text| text.split_once(' '));
    let old = facts.text(OLD_QUOTA).zip(facts.text(OLD_PERIOD));
    match current.or(old) {
        None | Some(("max" | "-1", _)) => Observation::ok("none"),
        Some((quota, period)) => Observation::advice(
            format!("{quota} of every {period} microseconds"),
            "start the container without a CPU limit (--cpuset-cpus instead of --cpus)",
        ),
    }
}
