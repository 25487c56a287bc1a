//! The container of FlatBuffers' own bench: [`benchmarks::robobuffers::container`].

use benchmarks::libraries::Meter;
use benchmarks::robobuffers::{container, samples};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};

/// Times the work of each library as one benchmark of a group.
struct Timed<'a>(BenchmarkGroup<'a, WallTime>);

impl Meter for Timed<'_> {
    fn measure(&mut self, library: &'static str, mut work: impl FnMut()) {
        self.0.bench_function(library, |bencher| bencher.iter(&mut work));
    }
}

fn containers(criterion: &mut Criterion) {
    for operation in container::OPERATIONS {
        let mut group = criterion.benchmark_group(format!("fb_bench/{operation}"));
        group.throughput(Throughput::Bytes(samples::container().len() as u64));
        let mut timed = Timed(group);
        container::measure(&mut timed, operation);
        timed.0.finish();
    }
}

criterion_group!(benches, containers);
criterion_main!(benches);
