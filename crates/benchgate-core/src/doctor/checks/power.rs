//! Battery or mains.

use super::{Check, Facts, Observation};

const TYPES: &str = "/sys/class/power_supply/*/type";
const ONLINE: &str = "/sys/class/power_supply/*/online";
const STATUS: &str = "/sys/class/power_supply/*/status";
const SCOPE: &str = "/sys/class/power_supply/*/scope";

pub(super) const CHECK: Check = Check {
    name: "power",
    reads: &[TYPES, ONLINE, STATUS, SCOPE],
    why: "on battery the firmware lowers the clock, and lowers it more as the charge falls",
    judge,
};

fn judge(facts: &Facts) -> Observation {
    let (mut mains, mut batteries) = (Vec::new(), Vec::new());
    for (path, kind) in facts.matching(TYPES) {
        let folder = path.strip_suffix("/type").unwrap_or(path);
        let of = |name: &str| facts.text(&format!("{folder}/{name}"));
        // The battery of a mouse is a power supply too.
        if of("scope") == Some("Device") {
            continue;
        }
        match kind {
            "Mains" | "USB" => mains.push(of("online") == Some("1")),
            "Battery" => batteries.push(of("status").unwrap_or("Unknown")),
            _ => {}
        }
    }
    if batteries.is_empty() {
        return Observation::ok("no battery");
    }
    if mains.contains(&true) {
        return Observation::ok("mains");
    }
    if mains.is_empty() && !batteries.contains(&"Discharging") {
        return Observation::unknown("a battery that does not discharge");
    }
    Observation::blocking("battery", "plug the machine in")
}
