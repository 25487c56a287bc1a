//! The sizes of the message: `noproto/size/<library>`, as exact counts.
//!
//! With `--json` it prints `benchgate.counts/1`, one line for each figure, and otherwise a table. All
//! other arguments are ignored, such as the `--bench` that Cargo adds.

use std::env;

use noproto_benches::sizes::{self, Size};
use noproto_benches::tables;

fn main() {
    let has = |name: &str| env::args().skip(1).any(|argument| argument == name);
    if has("--help") {
        println!(
            "Counts bytes; nothing is timed.\n\n\
             Usage: [--help | --json]\n\n      \
             --help  Print this\n      \
             --json  Print {}: one JSON object on a line for each figure\n\n\
             Without either, a table is printed. Other arguments are ignored.",
            sizes::SCHEMA
        );
    } else if has("--json") {
        sizes::all().iter().flat_map(Size::json).for_each(|line| println!("{line}"));
    } else {
        print!("{}", tables::all(&sizes::all(), &[]));
    }
}
