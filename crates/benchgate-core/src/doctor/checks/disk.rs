//! Disk that is free where the gate builds.

use super::{Check, Facts, Seen, parse};

const LEAST: u64 = 2 * 1024 * 1024;
const ENOUGH: u64 = 5 * LEAST;

pub(super) const CHECK: Check = Check {
    name: "disk",
    reads: &[],
    why: "two sides of a workspace, built with LTO, take gigabytes under target/",
    judge,
};

fn judge(facts: &Facts) -> Seen {
    let Some(kib) = facts.free_disk.map(|bytes| bytes / 1024) else {
        return Seen::unknown("the system does not tell");
    };
    let found = format!("{} free", parse::gib(kib));
    let mend = "cargo clean, or du -xh --max-depth=3 . | sort -h | tail shows what takes it";
    match kib {
        ..LEAST => Seen::blocking(found, mend),
        LEAST..ENOUGH => Seen::advice(found, mend),
        ENOUGH.. => Seen::ok(found),
    }
}
