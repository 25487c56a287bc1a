//! Counts with the real dhat what functions of this file ask for, and writes their sites.

use std::hint::black_box;
use std::path::Path;

use dhat::{HeapStats, Profiler};

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

#[inline(never)]
fn fields(number: usize) -> Vec<String> {
    (0..number).map(|field| name(field)).collect()
}

#[inline(never)]
fn name(field: usize) -> String {
    let mut name = field.to_string();
    name.push_str(PLANTED);
    name
}

fn decode() {
    black_box(fields(black_box(FIELDS)));
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.iter().any(|argument| argument == "--help") {
        println!("speaks benchgate.allocations/1 {HEAP}");
        return;
    }
    decode();
    if let Some(at) = arguments.iter().position(|argument| argument == "--heap") {
        assert_eq!(arguments[at + 1], "decode");
        let profiler = Profiler::builder().file_name(Path::new(&arguments[at + 2])).build();
        decode();
        return drop(profiler);
    }
    let profiler = Profiler::builder().testing().build();
    decode();
    let HeapStats { total_blocks, total_bytes, max_bytes, .. } = HeapStats::get();
    drop(profiler);
    println!(
        r#"{{"schema":"benchgate.allocations/1","id":"decode","iterations":1,"blocks":{total_blocks},"bytes":{total_bytes},"peak":{max_bytes}}}"#
    );
}
