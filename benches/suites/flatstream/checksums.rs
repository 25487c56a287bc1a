//! Frames with checksums. The throughput counts messages, and the bytes of the frames for readers and
//! those of the fields for writers and cycles: so it was published.

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput};
use flatbuffers::FlatBufferBuilder;
use flatstream::{Checksum, ChecksumDeframer, ChecksumFramer};
use flatstream_benches::flatstream::model::{SMALL_MESSAGE_COUNT, TelemetryEvent, telemetry};
use flatstream_benches::flatstream::stream;

type Group<'a> = BenchmarkGroup<'a, WallTime>;

fn of_messages(bytes: usize) -> Throughput {
    Throughput::ElementsAndBytes { elements: SMALL_MESSAGE_COUNT as u64, bytes: bytes as u64 }
}

fn writer<C: Checksum + Copy>(group: &mut Group<'_>, name: &str, checksum: C) {
    let events = telemetry(SMALL_MESSAGE_COUNT);
    group.throughput(of_messages(events.len() * TelemetryEvent::SIZE));
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
    group.throughput(of_messages(stream.len()));
    group.bench_with_input(BenchmarkId::new("read_100_messages", name), &stream, |b, stream| {
        b.iter(|| {
            let source = black_box(stream.as_slice());
            stream::read_by_closure(source, ChecksumDeframer(checksum)).unwrap()
        });
    });
}

fn cycle<C: Checksum + Copy>(group: &mut Group<'_>, name: &str, checksum: C) {
    let events = telemetry(SMALL_MESSAGE_COUNT);
    group.throughput(of_messages(events.len() * TelemetryEvent::SIZE));
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
    use flatstream::{StreamReader, XxHash64};
    use flatstream_benches::flatstream::model::{LARGE_MESSAGE_COUNT, LARGE_MESSAGE_SIZE, blobs};
    use flatstream_benches::flatstream::v1::{V1Checksum, V1Reader, V1Writer};

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
    let checksum: V1Checksum = Some(|payload| XxHash64.calculate(payload));
    c.bench_function("v1/write_with_checksum_100_messages", |b| {
        let mut sink = Vec::new();
        b.iter(|| {
            sink.clear();
            let mut writer = V1Writer::with_checksum(&mut sink, checksum);
            events.iter().for_each(|event| writer.write(event).unwrap());
            black_box(sink.len())
        });
    });
    c.bench_function("v1/read_with_checksum_100_messages", |b| {
        b.iter(|| {
            V1Reader::with_checksum(black_box(stream.as_slice()), checksum)
                .map(|payload| black_box(payload.unwrap()))
                .filter(|payload| !payload.is_empty())
                .count()
        });
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
