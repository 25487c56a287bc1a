//! The kernel, and whether an update may change it.

use super::{Check, Facts, Observation};

const RELEASE: &str = "/proc/sys/kernel/osrelease";
const PACMAN: &str = "/etc/pacman.conf";
const PINS: &str = "/etc/pacman.d/benchgate.conf";

pub(super) const CHECK: Check = Check {
    name: "kernel",
    reads: &[RELEASE, PACMAN, PINS],
    why: "a new kernel shifts every result at once; on a rolling system one comes with any update",
    judge,
};

fn judge(facts: &Facts) -> Observation {
    let Some(release) = facts.text(RELEASE) else {
        return Observation::unknown("not reported by the system");
    };
    if !facts.exists(PACMAN) {
        return Observation::unknown(format!("{release}; only pacman's pins are known here"));
    }
    // Manjaro's package of 6.12.48-1-MANJARO is linux612.
    let mut numbers = release.split(['.', '-']);
    let (Some(major), Some(minor)) = (numbers.next(), numbers.next()) else {
        return Observation::unknown(release);
    };
    let package = format!("linux{major}{minor}");
    let pinned = [PACMAN, PINS]
        .iter()
        .filter_map(|path| facts.text(path))
        .flat_map(str::lines)
        .filter_map(|line| line.split_once('='))
        .filter(|(key, _)| key.trim() == "IgnorePkg")
        .any(|(_, packages)| packages.split_whitespace().any(|name| name == package));
    if pinned {
        return Observation::ok(format!("{release}, {package} is pinned"));
    }
    Observation::advice(
        format!("{release}, {package} is not pinned"),
        format!("sudo sed -i '/^\\[options\\]/a IgnorePkg = {package}' {PACMAN}"),
    )
}
