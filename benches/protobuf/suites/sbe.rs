//! A car and an update of market data: [`benchmarks::robobuffers::sbe`].

use benchmarks::libraries::Meter;
use benchmarks::robobuffers::{samples, sbe};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};

/// Times the work of each library as one benchmark of a group.
struct Timed<'a>(BenchmarkGroup<'a, WallTime>);

impl Meter for Timed<'_> {
    fn measure(&mut self, library: &'static str, mut work: impl FnMut()) {
        self.0.bench_function(library, |bencher| bencher.iter(&mut work));
    }
}

/// The bytes that the group `name` reads or writes.
fn message(name: &str) -> Vec<u8> {
    let mut json = Vec::new();
    match name {
        "sbe/car/encode_json" => sbe::write_json(&mut json, &samples::prost_car()),
        "sbe/market/encode_json" => sbe::write_json(&mut json, &samples::prost_market()),
        _ if name.contains("car") => return samples::car(),
        _ => return samples::market(),
    }
    json
}

fn messages(criterion: &mut Criterion) {
    for name in sbe::GROUPS {
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Bytes(message(name).len() as u64));
        let mut timed = Timed(group);
        sbe::measure(&mut timed, name);
        timed.0.finish();
    }
}

criterion_group!(benches, messages);
criterion_main!(benches);
