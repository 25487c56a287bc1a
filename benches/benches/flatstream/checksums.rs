//! Frames with checksums. The throughput of readers counts the bytes of the frames, that of writers
//! and cycles the bytes of the fields: so it was published.

use std::hint::black_box;

use benchmarks::flatstream::model::{SMALL_MESSAGE_COUNT, TelemetryEvent, telemetry};
use benchmarks::flatstream::stream;
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput};
use flatbuffers::FlatBufferBuilder;
use flatstream::{Checksum, ChecksumDeframer, ChecksumFramer};

type Group<'a> = BenchmarkGroup<'a, WallTime>;

fn writer<C: Checksum + Copy>(group: &mut Group<'_>, name: &str, checksum: C) {
    let events = telemetry(SMALL_MESSAGE_COUNT);
    group.throughput(Throughput::Bytes((events.len() * TelemetryEvent::SIZE) as u64));
    group.bench_with_input(BenchmarkId::new("write_100_messages", name), &events, |b, events| {
        let (mut sink, mut builder) = (Vec::new(), FlatBufferBuilder::new());
        b.iter(|| {
            sink.clear();
            stream::write_all(&mut sink, ChecksumFramer(checksum), &mut builder, events).unwrap()
        });
    });
}

fn reader<C: Checksum + Copy>(group: &mut Group<'_>, name: &str, checksum: C) {
    let stream = stream::stream_of(ChecksumFramer(checksum), &telemetry(SMALL_MESSAGE_COUNT));
    group.throughput(Throughput::Bytes(stream.len() as u64));
    group.bench_with_input(BenchmarkId::new("read_100_messages", name), &stream, |b, stream| {
        b.iter(|| {
            let source = black_box(stream.as_slice());
            stream::read_by_closure(source, ChecksumDeframer(checksum)).unwrap()
        });
    });
}

fn cycle<C: Checksum + Copy>(group: &mut Group<'_>, name: &str, checksum: C) {
    let events = telemetry(SMALL_MESSAGE_COUNT);
    group.throughput(Throughput::Bytes((events.len() * TelemetryEvent::SIZE) as u64));
    let id = BenchmarkId::new("write_read_cycle_100_messages", name);
    group.bench_with_input(id, &events, |b, events| write_and_read(b, checksum, events));
}

fn write_and_read<C: Checksum + Copy>(
    b: &mut criterion::Bencher<'_>,
    checksum: C,
    events: &[TelemetryEvent],
) {
    let (mut sink, mut builder) = (Vec::new(), FlatBufferBuilder::new());
    b.iter(|| {
        sink.clear();
        stream::write_all(&mut sink, ChecksumFramer(checksum), &mut builder, events).unwrap();
        stream::read_by_closure(sink.as_slice(), ChecksumDeframer(checksum)).unwrap()
    });
}

/// Calls a generic function once for each checksum that the features allow.
macro_rules! for_each_checksum {
    ($body:ident, $group:expr) => {
        #[cfg(feature = "xxhash")]
        $body($group, "XXHash64", flatstream::XxHash64);
        #[cfg(feature = "crc32")]
        $body($group, "CRC32", flatstream::Crc32);
        #[cfg(feature = "crc16")]
        $body($group, "CRC16", flatstream::Crc16);
    };
}

#[cfg(feature = "xxhash")]
fn xxhash(c: &mut Criterion) {
    use benchmarks::flatstream::model::{LARGE_MESSAGE_COUNT, LARGE_MESSAGE_SIZE, blobs};
    use flatstream::{StreamReader, XxHash64};

    let events = telemetry(SMALL_MESSAGE_COUNT);
    let stream = stream::stream_of(ChecksumFramer(XxHash64), &events);
    c.bench_function("zero_allocation_reading_xxhash64_100_messages", |b| {
        let mut reader = StreamReader::new(stream.as_slice(), ChecksumDeframer(XxHash64));
        b.iter(|| {
            reader.restart(black_box(stream.as_slice()));
            stream::process_all(&mut reader).unwrap()
        });
    });
    c.bench_function("write_iterative_xxhash64_100_messages", |b| {
        let (mut sink, mut builder) = (Vec::new(), FlatBufferBuilder::new());
        b.iter(|| {
            sink.clear();
            stream::write_all(&mut sink, ChecksumFramer(XxHash64), &mut builder, &events).unwrap()
        });
    });
    c.bench_function("write_read_cycle_xxhash64_50_messages", |b| {
        write_and_read(b, XxHash64, &events[..LARGE_MESSAGE_COUNT]);
    });
    let messages = blobs(LARGE_MESSAGE_COUNT, LARGE_MESSAGE_SIZE);
    c.bench_function("large_messages_xxhash64_50_messages", |b| {
        let (mut sink, mut builder) = (Vec::new(), FlatBufferBuilder::new());
        b.iter(|| {
            sink.clear();
            stream::write_all(&mut sink, ChecksumFramer(XxHash64), &mut builder, &messages).unwrap()
        });
    });
}

pub(crate) fn benches(c: &mut Criterion) {
    let mut group = c.benchmark_group("Checksum Writers");
    for_each_checksum!(writer, &mut group);
    group.finish();

    let mut group = c.benchmark_group("Checksum Readers");
    for_each_checksum!(reader, &mut group);
    group.finish();

    let mut group = c.benchmark_group("Checksum Write-Read Cycles");
    for_each_checksum!(cycle, &mut group);
    group.finish();

    #[cfg(feature = "xxhash")]
    xxhash(c);
}
