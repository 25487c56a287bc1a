//! Jobs that the system starts at set times.

use super::{Check, Facts, Observation};

const INIT: &str = "/proc/1/comm";
const ENABLED: &str = "/etc/systemd/system/timers.target.wants/*.timer";
const BUILT_IN: &str = "/usr/lib/systemd/system/timers.target.wants/*.timer";
const OVERRIDDEN: &str = "/etc/systemd/system/*.timer";

/// The updates that the set-up script installs itself; they wait for the end of a job.
const OWN: &str = "benchgate-";

pub(super) const CHECK: Check = Check {
    name: "timers",
    reads: &[INIT, ENABLED, BUILT_IN, OVERRIDDEN],
    why: "a job that starts at a set time (indexes, mirrors, snapshots) runs during some round",
    judge,
};

fn judge(facts: &Facts) -> Observation {
    if facts.text(INIT) != Some("systemd") {
        return Observation::unknown("systemd is not running");
    }
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    // systemd masks a unit with a link to /dev/null: a file without text.
    let masked: Vec<String> = facts
        .matching(OVERRIDDEN)
        .filter(|(_, text)| text.is_empty())
        .map(|(path, _)| name(path))
        .collect();
    let mut running: Vec<String> = facts
        .matching(ENABLED)
        .chain(facts.matching(BUILT_IN))
        .map(|(path, _)| name(path))
        .filter(|name| !masked.contains(name) && !name.starts_with(OWN))
        .collect();
    running.sort();
    running.dedup();
    if running.is_empty() {
        return Observation::ok("none");
    }
    let fix = format!("sudo systemctl mask --now {}", running.join(" "));
    Observation::advice(running.join(", "), fix)
}
