//! The core suite of the framed stream: `cargo bench --bench benchmarks`.
//!
//! The names are the published ones; `v1/…`, `slice/…` and `raw/…` are what they are compared
//! with. Sinks are reused on every side, so that the difference is in the writer and not in the
//! growth of a vector.

#![expect(clippy::unwrap_used, reason = "a benchmark that fails can only panic")]

#[cfg(any(feature = "xxhash", feature = "crc32", feature = "crc16"))]
#[path = "flatstream/checksums.rs"]
mod checksums;
#[path = "flatstream/deframer.rs"]
mod deframer;
#[path = "flatstream/regression.rs"]
mod regression;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use flatbuffers::FlatBufferBuilder;
use flatstream::{DefaultDeframer, DefaultFramer, StreamReader, StreamSerialize, StreamWriter};
use flatstream_benches::flatstream::model::{
    ByCreateVector, HIGH_FREQUENCY_COUNT, LARGE_MESSAGE_COUNT, LARGE_MESSAGE_SIZE,
    SMALL_MESSAGE_COUNT, blobs, pack, telemetry,
};
use flatstream_benches::flatstream::v1::{V1Reader, V1Writer};
use flatstream_benches::flatstream::{hand_written, stream};

/// Finishes each buffer itself and hands it over: the expert's way in.
fn write(c: &mut Criterion) {
    let events = telemetry(SMALL_MESSAGE_COUNT);
    c.bench_function("write_default_framer_100_messages", |b| {
        let (mut sink, mut builder) = (Vec::new(), FlatBufferBuilder::new());
        b.iter(|| {
            sink.clear();
            let mut writer = StreamWriter::new(&mut sink, DefaultFramer);
            for event in &events {
                let root = pack(&mut builder, event.to_bytes());
                builder.finish(root, None);
                writer.write_finished(&mut builder).unwrap();
            }
            black_box(writer.frames_written())
        });
    });
    c.bench_function("v1/write_100_messages", |b| write_v1(b, &events));
    c.bench_function("raw/write_100_messages", |b| {
        let (mut sink, mut builder) = (Vec::new(), FlatBufferBuilder::new());
        b.iter(|| {
            sink.clear();
            hand_written::write_all(&mut sink, &mut builder, &events).unwrap();
            black_box(sink.len())
        });
    });
    c.bench_function("raw/build_100_messages", |b| {
        let mut builder = FlatBufferBuilder::new();
        b.iter(|| hand_written::build_all(&mut builder, &events));
    });
}

fn write_v1<T: StreamSerialize>(b: &mut criterion::Bencher<'_>, events: &[T]) {
    let mut sink = Vec::new();
    b.iter(|| {
        sink.clear();
        let mut writer = V1Writer::new(&mut sink);
        for event in events {
            writer.write(event).unwrap();
        }
        black_box(sink.len())
    });
}

/// Hands items over one by one, and leaves building and finishing to the writer.
fn write_iterative(c: &mut Criterion) {
    let events = telemetry(SMALL_MESSAGE_COUNT);
    c.bench_function("write_iterative_100_messages", |b| {
        let (mut sink, mut builder) = (Vec::new(), FlatBufferBuilder::new());
        b.iter(|| {
            sink.clear();
            stream::write_all(&mut sink, DefaultFramer, &mut builder, &events).unwrap()
        });
    });
}

/// The suites build a message with a push of all its bytes. This is what it takes without.
fn write_create_vector(c: &mut Criterion) {
    let events: Vec<_> = telemetry(SMALL_MESSAGE_COUNT).into_iter().map(ByCreateVector).collect();
    c.bench_function("create_vector/write_100_messages", |b| {
        let (mut sink, mut builder) = (Vec::new(), FlatBufferBuilder::new());
        b.iter(|| {
            sink.clear();
            stream::write_all(&mut sink, DefaultFramer, &mut builder, &events).unwrap()
        });
    });
    c.bench_function("create_vector/v1/write_100_messages", |b| write_v1(b, &events));
}

fn read_v1(b: &mut criterion::Bencher<'_>, stream: &[u8]) {
    b.iter(|| {
        V1Reader::new(black_box(stream))
            .map(|payload| black_box(payload.unwrap()))
            .filter(|payload| !payload.is_empty())
            .count()
    });
}

fn read(c: &mut Criterion) {
    let stream = stream::plain_stream_of(&telemetry(SMALL_MESSAGE_COUNT));
    let source = stream.as_slice();
    // The published number under this name is that of an iterator over owned copies.
    c.bench_function("read_default_deframer_100_messages", |b| {
        b.iter(|| stream::read_owned(black_box(source), DefaultDeframer).unwrap());
    });
    c.bench_function("v1/read_100_messages", |b| read_v1(b, source));
    c.bench_function("zero_allocation_reading_100_messages", |b| {
        // A new reader allocates its buffer, so the one reader begins the stream again.
        let mut reader = StreamReader::new(source, DefaultDeframer);
        b.iter(|| {
            reader.restart(black_box(source));
            stream::process_all(&mut reader).unwrap()
        });
    });
}

fn cycle(c: &mut Criterion) {
    let events = telemetry(LARGE_MESSAGE_COUNT);
    c.bench_function("write_read_cycle_default_50_messages", |b| {
        let (mut sink, mut builder) = (Vec::new(), FlatBufferBuilder::new());
        b.iter(|| {
            sink.clear();
            stream::write_all(&mut sink, DefaultFramer, &mut builder, &events).unwrap();
            stream::read_by_closure(sink.as_slice(), DefaultDeframer).unwrap()
        });
    });
    c.bench_function("v1/write_read_cycle_50_messages", |b| {
        let mut sink = Vec::new();
        b.iter(|| {
            sink.clear();
            let mut writer = V1Writer::new(&mut sink);
            events.iter().for_each(|event| writer.write(event).unwrap());
            V1Reader::new(sink.as_slice()).for_each(|payload| {
                black_box(payload.unwrap());
            });
        });
    });
}

fn high_frequency(c: &mut Criterion) {
    let events = telemetry(HIGH_FREQUENCY_COUNT);
    c.bench_function("high_frequency_telemetry_1000_messages", |b| {
        let (mut sink, mut builder) = (Vec::new(), FlatBufferBuilder::new());
        b.iter(|| {
            sink.clear();
            stream::write_all(&mut sink, DefaultFramer, &mut builder, &events).unwrap()
        });
    });
    c.bench_function("v1/high_frequency_telemetry_1000_messages", |b| write_v1(b, &events));

    let stream = stream::plain_stream_of(&events);
    let source = stream.as_slice();
    c.bench_function("high_frequency_reading_1000_messages", |b| {
        b.iter(|| stream::read_by_closure(black_box(source), DefaultDeframer).unwrap());
    });
    c.bench_function("slice/high_frequency_reading_1000_messages", |b| {
        b.iter(|| stream::read_slice(black_box(source), DefaultDeframer).unwrap());
    });
    c.bench_function("raw/follow_lengths_1000_messages", |b| {
        b.iter(|| hand_written::follow_lengths(black_box(source)));
    });
    c.bench_function("v1/high_frequency_reading_1000_messages", |b| read_v1(b, source));
}

/// Messages that are large: the published body under this name wrote 24 bytes each.
fn large_messages(c: &mut Criterion) {
    let messages = blobs(LARGE_MESSAGE_COUNT, LARGE_MESSAGE_SIZE);
    c.bench_function("large_messages_50_messages", |b| {
        let (mut sink, mut builder) = (Vec::new(), FlatBufferBuilder::new());
        b.iter(|| {
            sink.clear();
            stream::write_all(&mut sink, DefaultFramer, &mut builder, &messages).unwrap()
        });
    });
    c.bench_function("v1/large_messages_50_messages", |b| write_v1(b, &messages));
}

/// Everything is made again, so that what is timed beyond `write_iterative` is getting memory. How
/// much memory that is, `stream_allocations` says.
fn memory_efficiency(c: &mut Criterion) {
    let events = telemetry(SMALL_MESSAGE_COUNT);
    c.bench_function("memory_efficiency_write_100_messages", |b| {
        b.iter(|| {
            let mut sink = Vec::new();
            let mut builder = FlatBufferBuilder::new();
            stream::write_all(&mut sink, DefaultFramer, &mut builder, &events).unwrap();
            black_box(sink)
        });
    });
}

criterion_group!(
    core,
    write,
    write_iterative,
    write_create_vector,
    read,
    cycle,
    high_frequency,
    large_messages,
    memory_efficiency,
    regression::benches,
    deframer::benches,
);
#[cfg(any(feature = "xxhash", feature = "crc32", feature = "crc16"))]
criterion_group!(with_checksums, checksums::benches);
#[cfg(any(feature = "xxhash", feature = "crc32", feature = "crc16"))]
criterion_main!(core, with_checksums);
#[cfg(not(any(feature = "xxhash", feature = "crc32", feature = "crc16")))]
criterion_main!(core);
