//! Free disk space where the gate builds.

use super::{Check, Facts, Observation};
use crate::adapters::kernel as parse;

const LEAST: u64 = 2 * 1024 * 1024;
const ENOUGH: u64 = 5 * LEAST;

pub(super) const CHECK: Check = Check {
    name: "disk",
    reads: &[],
    why: "two sides of a workspace, built with LTO, take gigabytes under target/",
    judge,
};

fn judge(facts: &Facts) -> Observation {
    let Some(kib) = facts.free_disk.map(|bytes| bytes / 1024) else {
        return Observation::unknown("not reported by the system");
    };
    let free = format!("{} free", parse::gib(kib));
    let fix = "cargo clean, or du -xh --max-depth=3 . | sort -h | tail shows what uses it";
    match kib {
        ..LEAST => Observation::blocking(free, fix),
        LEAST..ENOUGH => Observation::advice(free, fix),
        ENOUGH.. => Observation::ok(free),
    }
}
