//! Whether instructions can be counted.

use super::{Check, Facts, Observation};

const FILES: [&str; 2] = ["/usr/bin/valgrind", "/usr/local/bin/valgrind"];

pub(super) const CHECK: Check = Check {
    name: "valgrind",
    reads: &FILES,
    why: "callgrind counts instructions, which noise does not change: evidence alongside a time",
    judge,
};

fn judge(facts: &Facts) -> Observation {
    match FILES.iter().find(|path| facts.exists(path)) {
        Some(path) => Observation::ok(*path),
        None => Observation::advice("not installed", "sudo pacman -S --needed valgrind"),
    }
}
