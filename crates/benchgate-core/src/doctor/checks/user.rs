//! Who runs the gate.

use super::{Check, Facts, Seen, parse};

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

fn judge(facts: &Facts) -> Seen {
    let status = facts.text(STATUS).unwrap_or_default();
    let ids = |key| parse::field(status, key).unwrap_or_default();
    // Real, effective, saved, of the file system.
    let Some(uid) = ids("Uid").split_whitespace().nth(1).map(str::to_owned) else {
        return Seen::unknown("the system does not tell");
    };
    let mend = "run the gate as a user of its own without sudo, as setup-manjaro.sh makes one";
    if uid == "0" {
        return Seen::advice("root", mend);
    }
    let own = format!("{} {}", ids("Gid"), ids("Groups"));
    let own: Vec<&str> = own.split_whitespace().collect();
    let powerful: Vec<&str> = facts
        .text(GROUPS)
        .unwrap_or_default()
        .lines()
        .filter_map(|line| {
            let mut parts = line.split(':');
            let (name, _, id) = (parts.next()?, parts.next()?, parts.next()?);
            (POWERFUL.contains(&name) && own.contains(&id)).then_some(name)
        })
        .collect();
    if powerful.is_empty() {
        return Seen::ok(format!("user {uid}, in no group that leads to root"));
    }
    Seen::advice(format!("user {uid} is in {}", powerful.join(", ")), mend)
}
