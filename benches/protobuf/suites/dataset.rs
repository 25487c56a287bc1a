//! Decoding and encoding of whole messages: `dataset/<dataset>/<operation>/<library>`.
//!
//! The libraries, the operations, and what is equal and unequal about their work are in
//! [`benchmarks::libraries`]. Each time is for all payloads of the dataset, which is one message;
//! the throughput counts its encoded bytes. `packed_doubles/<operation>/<library>` is described in
//! [`benchmarks::libraries::packed`].

use std::fmt;
use std::process;

use benchmarks::datasets::{Dataset, Source};
use benchmarks::libraries::packed::{self, Packed};
use benchmarks::libraries::{self, Meter, Operation};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};

/// Times the work of each library as one benchmark of a group.
struct Timed<'a>(BenchmarkGroup<'a, WallTime>);

impl Meter for Timed<'_> {
    fn measure(&mut self, library: &'static str, mut work: impl FnMut()) {
        self.0.bench_function(library, |bencher| bencher.iter(&mut work));
    }
}

fn dataset(criterion: &mut Criterion) {
    let source = Source::from_env().unwrap_or_else(|error| give_up(&error));
    for dataset in Dataset::ALL {
        let payloads = source.load(dataset).unwrap_or_else(|error| give_up(&error)).payload;
        let bytes = payloads.iter().map(Vec::len).sum::<usize>() as u64;
        for &operation in Operation::timed(dataset) {
            let mut group = criterion.benchmark_group(libraries::group_name(dataset, operation));
            group.throughput(Throughput::Bytes(bytes));
            let mut timed = Timed(group);
            libraries::measure(&mut timed, dataset, operation, &payloads);
            timed.0.finish();
        }
    }
}

fn packed_doubles(criterion: &mut Criterion) {
    for operation in Packed::ALL {
        let mut group = criterion.benchmark_group(operation.group_name());
        group.throughput(Throughput::Bytes((packed::COUNT * size_of::<f64>()) as u64));
        let mut timed = Timed(group);
        packed::measure(&mut timed, operation);
        timed.0.finish();
    }
}

/// Ends the process: a panic would bury the help in the message under a backtrace note.
fn give_up(error: &dyn fmt::Display) -> ! {
    eprintln!("error: {error}");
    process::exit(1)
}

criterion_group!(benches, dataset, packed_doubles);
criterion_main!(benches);
