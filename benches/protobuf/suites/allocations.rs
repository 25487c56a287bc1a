//! Counts the allocations of the work of the suite `dataset`, under the same ids.
//!
//! `cargo test --release -p benchmarks --bench allocations` prints a table with the published
//! figures next to those found; [`allocation_counts`] says how it counts and what else it
//! prints.

use std::fmt;
use std::process;

use allocation_counts::{Counted, Counter};
use benchmarks::datasets::{Dataset, Source};
use benchmarks::libraries::{self, Meter, NOT_MEASURED, Operation};

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

/// The published figures, for one decode: blocks and bytes. Theirs of defiant are of an arena that
/// holds the dataset already, so that part of the message goes into memory that is not counted.
const PUBLISHED: &[(&str, u64, u64)] = &[
    ("dataset/google_message1_proto2/decode/prost", 4, 174),
    ("dataset/google_message1_proto2/decode/defiant", 1, 1_008),
    ("dataset/google_message1_proto2/decode/pilota", 0, 0),
    ("dataset/google_message1_proto3/decode/prost", 4, 174),
    ("dataset/google_message1_proto3/decode/defiant", 1, 1_008),
    ("dataset/google_message1_proto3/decode/pilota", 0, 0),
    ("dataset/google_message2/decode/prost", 1_038, 725_345),
    ("dataset/google_message2/decode/defiant", 2, 516_064),
];

/// Counts for each library as a benchmark of a group.
struct Group<'a> {
    name: String,
    counter: &'a mut Counter,
}

impl Meter for Group<'_> {
    fn measure(&mut self, library: &'static str, work: impl FnMut()) {
        self.counter.count(format!("{}/{library}", self.name), work);
    }
}

fn main() {
    let source = Source::from_env().unwrap_or_else(|error| give_up(&error));
    allocation_counts::run(|counter| count(counter, &source), print_table);
}

fn count(counter: &mut Counter, source: &Source) {
    for dataset in Dataset::ALL {
        let payloads = source.load(dataset).unwrap_or_else(|error| give_up(&error)).payload;
        for operation in Operation::COUNTED {
            let name = libraries::group_name(dataset, operation);
            libraries::measure(&mut Group { name, counter }, dataset, operation, &payloads);
        }
    }
}

fn print_table(counted: &[Counted]) {
    println!("{} {:>10} {:>10}", allocation_counts::table_head(), "published", "bytes");
    for row in counted {
        let published = PUBLISHED.iter().find(|(id, ..)| *id == row.id);
        let published = published
            .map(|(_, blocks, bytes)| format!(" {blocks:>10} {bytes:>10}"))
            .unwrap_or_default();
        println!("{}{published}", allocation_counts::table_line(&row.id, row));
    }
    for missing in NOT_MEASURED {
        println!(
            "\nnot measured: {} of {}: {}",
            missing.library,
            missing.dataset.name(),
            missing.reason
        );
    }
}

/// Ends the process: a panic would bury the help in the message under a backtrace note.
fn give_up(error: &dyn fmt::Display) -> ! {
    eprintln!("error: {error}");
    process::exit(1)
}
