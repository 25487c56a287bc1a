//! The deframer by itself, on long messages: once, which is about the buffer, and a thousand times.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use flatstream::{DefaultDeframer, StreamReader};
use flatstream_benches::flatstream::model::{HIGH_FREQUENCY_COUNT, blobs};
use flatstream_benches::flatstream::stream;

const MESSAGE_SIZE: usize = 4096;

pub(crate) fn benches(c: &mut Criterion) {
    let mut group = c.benchmark_group("Deframer Micro-Benchmark (Buffer Initialization)");
    let stream = stream::plain_stream_of(&blobs(1, MESSAGE_SIZE));
    group.throughput(Throughput::Bytes(stream.len() as u64));
    group.bench_function("DefaultDeframer (steady state)", |b| {
        b.iter(|| stream::read_lent(black_box(stream.as_slice()), DefaultDeframer).unwrap());
    });
    group.finish();

    let mut group = c.benchmark_group("Deframer Sustained Throughput (1000 msgs)");
    let stream = stream::plain_stream_of(&blobs(HIGH_FREQUENCY_COUNT, MESSAGE_SIZE));
    group.throughput(Throughput::Bytes(stream.len() as u64));
    group.bench_function("DefaultDeframer (steady state)", |b| {
        b.iter(|| {
            let source = black_box(stream.as_slice());
            let mut reader = StreamReader::with_capacity(64 * 1024, source, DefaultDeframer);
            stream::process_all(&mut reader).unwrap()
        });
    });
    group.finish();
}
