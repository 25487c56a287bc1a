//! Streams of messages: [`benchmarks::robobuffers::streams`].

use benchmarks::libraries::Meter;
use benchmarks::robobuffers::stream;
use benchmarks::robobuffers::streams::{self, Operation};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};

/// Times the work of each library as one benchmark of a group.
struct Timed<'a>(BenchmarkGroup<'a, WallTime>);

impl Meter for Timed<'_> {
    fn measure(&mut self, library: &'static str, mut work: impl FnMut()) {
        self.0.bench_function(library, |bencher| bencher.iter(&mut work));
    }
}

fn streams(criterion: &mut Criterion) {
    for number in stream::NUMBERS {
        for operation in Operation::ALL {
            let mut group = criterion.benchmark_group(operation.group_name(number));
            group.throughput(Throughput::Bytes(stream::size(number) as u64));
            let mut timed = Timed(group);
            streams::measure(&mut timed, number, operation);
            timed.0.finish();
        }
    }
}

criterion_group!(benches, streams);
criterion_main!(benches);
