//! Free memory.

use super::{Check, Facts, Observation};
use crate::adapters::kernel as parse;

const FILE: &str = "/proc/meminfo";
const LEAST: u64 = 1024 * 1024;
const ENOUGH: u64 = 4 * LEAST;

pub(super) const CHECK: Check = Check {
    name: "memory",
    reads: &[FILE],
    why: "a link with fat LTO needs gigabytes, and a system short of memory drops its caches",
    judge,
};

fn judge(facts: &Facts) -> Observation {
    let Some(kib) = facts.text(FILE).and_then(|text| parse::kib(text, "MemAvailable")) else {
        return Observation::unknown("not reported by the system");
    };
    let available = format!("{} available", parse::gib(kib));
    let fix = "ps -eo rss,user,comm --sort=-rss | head shows what uses it";
    match kib {
        ..LEAST => Observation::blocking(available, fix),
        LEAST..ENOUGH => Observation::advice(available, fix),
        ENOUGH.. => Observation::ok(available),
    }
}
