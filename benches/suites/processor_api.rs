//! Ways of using one library: builders, closures and cursors, static and dynamic dispatch:
//! `cargo bench --bench processor_api`.

#![expect(clippy::unwrap_used, reason = "a benchmark that fails can only panic")]

use std::hint::black_box;
use std::io::Write;

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use flatbuffers::FlatBufferBuilder;
use flatstream::{
    DefaultDeframer, DefaultFramer, Deframer, Framer, StreamReader, StreamSerialize, StreamWriter,
};
use flatstream_benches::flatstream::model::{
    Blob, HIGH_FREQUENCY_COUNT, SMALL_MESSAGE_COUNT, TelemetryEvent, blobs, telemetry,
};
use flatstream_benches::flatstream::{hand_written, stream};

/// Messages that a stream is kept up for.
const SUSTAINED_COUNT: usize = 100_000;
/// Small messages of the mixed stream, and after how many of them a large one comes.
const MIXED_COUNT: usize = 1000;
const SMALL_PER_LARGE: usize = 100;
/// Bytes of a large message of the mixed stream.
const MIXED_SIZE: usize = 1_000_000;

fn write_expertly<W: Write, T: StreamSerialize>(
    writer: &mut StreamWriter<W, DefaultFramer>,
    builder: &mut FlatBufferBuilder<'_>,
    item: &T,
) {
    let root = item.build(builder);
    builder.finish(root, None);
    writer.write_finished(builder).unwrap();
}

/// Small messages with a large one now and then. A builder that has seen a large one has a large
/// buffer for good; a second builder keeps the small ones in a small one.
fn mixed_sizes(c: &mut Criterion) {
    let small = telemetry(MIXED_COUNT);
    let large = blobs(MIXED_COUNT / SMALL_PER_LARGE, MIXED_SIZE);
    let batches = || small.chunks(SMALL_PER_LARGE).zip(&large);
    let mut group = c.benchmark_group("Real-World Performance: Mixed Message Sizes");
    // A run takes milliseconds: the same number of them in every sample. A time set here would also
    // be what every process of the gate takes.
    group.sampling_mode(SamplingMode::Flat);

    group.bench_function("Simple Mode", |b| {
        let (mut sink, mut builder) = (Vec::new(), FlatBufferBuilder::new());
        b.iter(|| {
            sink.clear();
            let mut writer = StreamWriter::new(&mut sink, DefaultFramer);
            for (events, blob) in batches() {
                events.iter().for_each(|event| writer.write(&mut builder, event).unwrap());
                writer.write(&mut builder, blob).unwrap();
            }
            writer.frames_written()
        });
    });
    group.bench_function("Expert Mode (Single Builder)", |b| {
        let (mut sink, mut builder) = (Vec::new(), FlatBufferBuilder::new());
        b.iter(|| {
            sink.clear();
            let mut writer = StreamWriter::new(&mut sink, DefaultFramer);
            for (events, blob) in batches() {
                events.iter().for_each(|event| write_expertly(&mut writer, &mut builder, event));
                write_expertly::<_, Blob>(&mut writer, &mut builder, blob);
            }
            writer.frames_written()
        });
    });
    group.bench_function("Expert Mode (Multiple Builders)", |b| {
        let (mut sink, mut for_small) = (Vec::new(), FlatBufferBuilder::new());
        let mut for_large = FlatBufferBuilder::new();
        b.iter(|| {
            sink.clear();
            let mut writer = StreamWriter::new(&mut sink, DefaultFramer);
            for (events, blob) in batches() {
                events.iter().for_each(|event| write_expertly(&mut writer, &mut for_small, event));
                write_expertly::<_, Blob>(&mut writer, &mut for_large, blob);
            }
            writer.frames_written()
        });
    });
    group.finish();
}

fn ways_of_reading(c: &mut Criterion) {
    let stream = stream::plain_stream_of(&telemetry(HIGH_FREQUENCY_COUNT));
    let mut reader = StreamReader::new(stream.as_slice(), DefaultDeframer);
    let mut group = c.benchmark_group("Processor API (1000 messages)");
    group.bench_function("process_all", |b| {
        b.iter(|| {
            reader.restart(black_box(stream.as_slice()));
            stream::process_all(&mut reader).unwrap()
        });
    });
    group.bench_function("messages", |b| {
        b.iter(|| {
            reader.restart(black_box(stream.as_slice()));
            stream::lend_all(reader.messages()).unwrap()
        });
    });
    group.bench_function("read_message", |b| {
        b.iter(|| {
            reader.restart(black_box(stream.as_slice()));
            let mut count = 0;
            while let Some(payload) = reader.read_message().unwrap() {
                black_box(payload);
                count += 1;
            }
            count
        });
    });
    group.finish();
}

/// The same sum over all payloads, by a loop, by closures, and by a closure behind a pointer.
fn closure_overhead(c: &mut Criterion) {
    let stream = stream::plain_stream_of(&telemetry(HIGH_FREQUENCY_COUNT));
    let mut reader = StreamReader::new(stream.as_slice(), DefaultDeframer);
    let mut group = c.benchmark_group("Closure Overhead (1000 messages)");
    group.bench_function("loop", |b| {
        b.iter(|| {
            reader.restart(black_box(stream.as_slice()));
            let (mut messages, mut sum) = (reader.messages(), 0);
            while let Some(payload) = messages.next().unwrap() {
                sum += u64::from(payload[8]);
            }
            sum
        });
    });
    group.bench_function("closure", |b| {
        b.iter(|| {
            reader.restart(black_box(stream.as_slice()));
            let mut sum = 0;
            reader.process_all(|payload| sum += u64::from(payload[8])).unwrap();
            sum
        });
    });
    group.bench_function("fallible closure", |b| {
        b.iter(|| {
            reader.restart(black_box(stream.as_slice()));
            let mut sum = 0;
            let all: flatstream::Result<u64> = reader.try_process_all(|payload| {
                sum += u64::from(payload[8]);
                Ok(())
            });
            all.unwrap();
            sum
        });
    });
    group.bench_function("dyn closure", |b| {
        b.iter(|| {
            reader.restart(black_box(stream.as_slice()));
            let mut sum = 0;
            let mut add = |payload: &[u8]| sum += u64::from(payload[8]);
            let add: &mut dyn FnMut(&[u8]) = black_box(&mut add);
            reader.process_all(add).unwrap();
            sum
        });
    });
    group.finish();
}

fn sustained_throughput(c: &mut Criterion) {
    let events = telemetry(SUSTAINED_COUNT);
    let stream = stream::plain_stream_of(&events);
    let mut group = c.benchmark_group("Sustained Throughput (100000 messages)");
    group.sampling_mode(SamplingMode::Flat);
    group.throughput(Throughput::Bytes(stream.len() as u64));
    group.bench_function("write", |b| {
        let (mut sink, mut builder) = (Vec::new(), FlatBufferBuilder::new());
        b.iter(|| {
            sink.clear();
            stream::write_all(&mut sink, DefaultFramer, &mut builder, &events).unwrap()
        });
    });
    group.bench_function("read", |b| {
        b.iter(|| stream::read_by_closure(black_box(stream.as_slice()), DefaultDeframer).unwrap());
    });
    group.finish();
}

/// A loop that this group has for itself. One that other groups called too would be compiled apart
/// from its callers, which the loop by hand is not.
fn write_with<W: Write, F: Framer>(
    sink: W,
    framer: F,
    builder: &mut FlatBufferBuilder<'_>,
    events: &[TelemetryEvent],
) -> u64 {
    let mut writer = StreamWriter::new(sink, framer);
    for event in events {
        writer.write(builder, event).unwrap();
    }
    writer.frames_written()
}

/// Measures the cost of the traits: none for known types, a call for those chosen at run time.
fn trait_dispatch(c: &mut Criterion) {
    let events = telemetry(SMALL_MESSAGE_COUNT);
    let (mut sink, mut builder) = (Vec::new(), FlatBufferBuilder::new());
    let mut group = c.benchmark_group("Trait Dispatch (100 messages)");
    group.bench_function("write by hand", |b| {
        b.iter(|| {
            sink.clear();
            hand_written::write_all(&mut sink, &mut builder, &events).unwrap();
        });
    });
    group.bench_function("write static", |b| {
        b.iter(|| {
            sink.clear();
            write_with(&mut sink, DefaultFramer, &mut builder, &events)
        });
    });
    group.bench_function("write dyn framer", |b| {
        b.iter(|| {
            sink.clear();
            let framer: &dyn Framer = black_box(&DefaultFramer);
            write_with(&mut sink, framer, &mut builder, &events)
        });
    });
    group.bench_function("write dyn sink", |b| {
        b.iter(|| {
            sink.clear();
            let sink: &mut dyn Write = black_box(&mut sink);
            write_with(sink, DefaultFramer, &mut builder, &events)
        });
    });

    let stream = stream::plain_stream_of(&events);
    group.bench_function("read static", |b| {
        b.iter(|| stream::read_by_closure(black_box(stream.as_slice()), DefaultDeframer).unwrap());
    });
    group.bench_function("read dyn deframer", |b| {
        b.iter(|| {
            let deframer: &dyn Deframer = black_box(&DefaultDeframer);
            stream::read_by_closure(black_box(stream.as_slice()), deframer).unwrap()
        });
    });
    group.finish();
}

criterion_group!(
    benches,
    mixed_sizes,
    ways_of_reading,
    closure_overhead,
    sustained_throughput,
    trait_dispatch
);
criterion_main!(benches);
