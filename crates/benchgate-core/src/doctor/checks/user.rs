//! Who runs the gate.

use super::{Check, Facts, Observation};
use crate::adapters::kernel as parse;

const STATUS: &str = "/proc/self/status";
const GROUPS: &str = "/etc/group";

/// Groups whose members can become root.
const POWERFUL: [&str; 6] = ["root", "sudo", "wheel", "admin", "docker", "lxd"];

pub(super) const CHECK: Check = Check {
    name: "user",
    reads: &[STATUS, GROUPS],
    why: "benches are code of a pull request: on a runner their user must not be able to become root",
    judge,
};

fn judge(facts: &Facts) -> Observation {
    let status = facts.text(STATUS).unwrap_or_default();
    let ids = |key| parse::field(status, key).unwrap_or_default();
    // Real, effective, saved, of the file system.
    let Some(uid) = ids("Uid").split_whitespace().nth(1).map(str::to_owned) else {
        return Observation::unknown("not reported by the system");
    };
    let fix = "run the gate as a dedicated user without sudo, such as the one of setup-manjaro.sh";
    if uid == "0" {
        return Observation::advice("root", fix);
    }
    let groups = format!("{} {}", ids("Gid"), ids("Groups"));
    let groups: Vec<&str> = groups.split_whitespace().collect();
    let powerful: Vec<&str> = facts
        .text(GROUPS)
        .unwrap_or_default()
        .lines()
        .filter_map(|line| {
            let mut parts = line.split(':');
            let (name, _, id) = (parts.next()?, parts.next()?, parts.next()?);
            (POWERFUL.contains(&name) && groups.contains(&id)).then_some(name)
        })
        .collect();
    if powerful.is_empty() {
        return Observation::ok(format!("user {uid}, in no group that leads to root"));
    }
    Observation::advice(format!("user {uid} is in {}", powerful.join(", ")), fix)
}
