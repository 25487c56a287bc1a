//! Memory that is free.

use super::{Check, Facts, Seen, parse};

const FILE: &str = "/proc/meminfo";
const LEAST: u64 = 1024 * 1024;
const ENOUGH: u64 = 4 * LEAST;

pub(super) const CHECK: Check = Check {
    name: "memory",
    reads: &[FILE],
    why: "a link with fat LTO needs gigabytes, and a system short of memory throws caches away",
    judge,
};

fn judge(facts: &Facts) -> Seen {
    let Some(kib) = facts.text(FILE).and_then(|text| parse::kib(text, "MemAvailable")) else {
        return Seen::unknown("the system does not tell");
    };
    let found = format!("{} available", parse::gib(kib));
    let mend = "ps -eo rss,user,comm --sort=-rss | head shows what takes it";
    match kib {
        ..LEAST => Seen::blocking(found, mend),
        LEAST..ENOUGH => Seen::advice(found, mend),
        ENOUGH.. => Seen::ok(found),
    }
}
