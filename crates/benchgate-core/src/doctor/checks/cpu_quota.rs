//! A limit on CPU time.

use super::{Check, Facts, Seen};

const CURRENT: &str = "/sys/fs/cgroup/cpu.max";
const OLD_QUOTA: &str = "/sys/fs/cgroup/cpu/cpu.cfs_quota_us";
const OLD_PERIOD: &str = "/sys/fs/cgroup/cpu/cpu.cfs_period_us";

pub(super) const CHECK: Check = Check {
    name: "cpu-quota",
    reads: &[CURRENT, OLD_QUOTA, OLD_PERIOD],
    why: "a process that has used up its quota is stopped until the next period, amid a round",
    judge,
};

fn judge(facts: &Facts) -> Seen {
    let current = facts.text(CURRENT).and_then(|text| text.split_once(' '));
    let old = facts.text(OLD_QUOTA).zip(facts.text(OLD_PERIOD));
    match current.or(old) {
        None | Some(("max" | "-1", _)) => Seen::ok("none"),
        Some((quota, period)) => Seen::advice(
            format!("{quota} of every {period} microseconds"),
            "start the container without a CPU limit (--cpuset-cpus instead of --cpus)",
        ),
    }
}
