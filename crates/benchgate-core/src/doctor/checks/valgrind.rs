//! Whether instructions can be counted.

use super::{Check, Facts, Seen};

const FILES: [&str; 2] = ["/usr/bin/valgrind", "/usr/local/bin/valgrind"];

pub(super) const CHECK: Check = Check {
    name: "valgrind",
    reads: &FILES,
    why: "callgrind counts instructions, which no noise moves: evidence beside a time",
    judge,
};

fn judge(facts: &Facts) -> Seen {
    match FILES.iter().find(|path| facts.exists(path)) {
        Some(path) => Seen::ok(*path),
        None => Seen::advice("not installed", "sudo pacman -S --needed valgrind"),
    }
}
