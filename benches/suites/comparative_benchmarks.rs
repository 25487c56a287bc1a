//! Writing and reading back, flatstream against serde's formats:
//! `cargo bench --features comparative_bench --bench comparative_benchmarks`.
//!
//! Under the published names flatstream never looks into a payload, while bincode and serde_json
//! decode every value. `flatstream_fields` verifies each payload and reads all its fields: that is
//! the one to compare with them. `bincode_in_place` and `serde_json_in_place` in turn are spared
//! the vectors per message that only flatstream was spared; `protobuf` (prost) and `defiant` never
//! need any. `flatstream_fields_create_vector` is without the suite's own `Push`.

#![expect(clippy::unwrap_used, reason = "a benchmark that fails can only panic")]

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, Criterion, SamplingMode, Throughput, criterion_group, criterion_main,
};
use flatbuffers::FlatBufferBuilder;
use flatstream::{
    ChecksumDeframer, ChecksumFramer, Crc16, Crc32, DefaultDeframer, DefaultFramer, Deframer,
    Framer, StreamReader, StreamSerialize, XxHash64,
};
use flatstream_benches::flatstream::model::{
    ByCreateVector, SMALL_MESSAGE_COUNT, TelemetryEvent, telemetry,
};
use flatstream_benches::flatstream::protobuf;
use flatstream_benches::flatstream::serde_frames::{self, Bincode, Format, Json};
use flatstream_benches::flatstream::stream;

type Group<'a> = BenchmarkGroup<'a, WallTime>;

/// Events of the large dataset: 2.29 MiB of fields, 3.43 MiB of frames.
const LARGE_COUNT: u64 = 100_000;

fn framed<F: Framer + Copy, D: Deframer + Copy>(
    group: &mut Group<'_>,
    name: &str,
    events: &[TelemetryEvent],
    (framer, deframer): (F, D),
) {
    group.bench_function(name, |b| {
        b.iter(|| {
            let mut sink = Vec::new();
            let mut builder = FlatBufferBuilder::new();
            stream::write_all(&mut sink, framer, &mut builder, events).unwrap();
            stream::read_by_closure(sink.as_slice(), deframer).unwrap()
        });
    });
}

fn builder_reuse(group: &mut Group<'_>, events: &[TelemetryEvent]) {
    group.bench_function("flatstream_builder_reuse", |b| {
        let mut builder = FlatBufferBuilder::new();
        b.iter(|| {
            let mut sink = Vec::new();
            stream::write_all(&mut sink, DefaultFramer, &mut builder, events).unwrap();
            stream::read_by_closure(sink.as_slice(), DefaultDeframer).unwrap()
        });
    });
}

fn fields<T: StreamSerialize>(group: &mut Group<'_>, name: &str, events: &[T]) {
    group.bench_function(name, |b| {
        b.iter(|| {
            let mut sink = Vec::new();
            let mut builder = FlatBufferBuilder::new();
            stream::write_all(&mut sink, DefaultFramer, &mut builder, events).unwrap();
            StreamReader::new(sink.as_slice(), DefaultDeframer)
                .process_all(|payload| {
                    black_box(TelemetryEvent::read(payload).unwrap());
                })
                .unwrap()
        });
    });
}

fn serde<F: Format>(group: &mut Group<'_>, name: &str, events: &[TelemetryEvent]) {
    group.bench_function(name, |b| {
        b.iter(|| {
            let mut sink = Vec::new();
            serde_frames::write_all::<F, _>(&mut sink, events);
            serde_frames::read_all::<F, _>(sink.as_slice(), |event: TelemetryEvent| {
                black_box(event);
            })
            .unwrap();
        });
    });
    group.bench_function(format!("{name}_in_place"), |b| {
        b.iter(|| {
            let mut sink = Vec::new();
            serde_frames::write_all_in_place::<F, _>(&mut sink, events);
            serde_frames::read_all_reusing::<F, _>(sink.as_slice(), |event: TelemetryEvent| {
                black_box(event);
            })
            .unwrap();
        });
    });
}

fn protobuf(group: &mut Group<'_>, events: &[TelemetryEvent]) {
    group.bench_function("protobuf", |b| {
        b.iter(|| {
            let mut sink = Vec::new();
            protobuf::write_prost(&mut sink, events);
            protobuf::read_prost(&sink, |event| {
                black_box(event);
            })
        });
    });
    group.bench_function("defiant", |b| {
        b.iter(|| {
            let mut sink = Vec::new();
            protobuf::write_defiant(&mut sink, events);
            protobuf::read_defiant(&sink, |event| {
                black_box(event);
            })
        });
    });
}

fn dataset(group: &mut Group<'_>, events: &[TelemetryEvent]) {
    group.throughput(Throughput::Elements(events.len() as u64));
    let plain = (DefaultFramer, DefaultDeframer);
    framed(group, "flatstream_default", events, plain);
    let xxhash = (ChecksumFramer(XxHash64), ChecksumDeframer(XxHash64));
    framed(group, "flatstream_xxhash64", events, xxhash);
    let crc32 = (ChecksumFramer(Crc32), ChecksumDeframer(Crc32));
    framed(group, "flatstream_crc32", events, crc32);
    let crc16 = (ChecksumFramer(Crc16), ChecksumDeframer(Crc16));
    framed(group, "flatstream_crc16", events, crc16);
    builder_reuse(group, events);
    fields(group, "flatstream_fields", events);
    let plainly_built: Vec<_> = events.iter().copied().map(ByCreateVector).collect();
    fields(group, "flatstream_fields_create_vector", &plainly_built);
    serde::<Bincode>(group, "bincode", events);
    serde::<Json>(group, "serde_json", events);
    protobuf(group, events);
}

fn small(c: &mut Criterion) {
    let mut group = c.benchmark_group("Small Dataset (100 events)");
    dataset(&mut group, &telemetry(SMALL_MESSAGE_COUNT));
    group.finish();
}

fn large(c: &mut Criterion) {
    let mut group = c.benchmark_group("Large Dataset (~2.4 MiB)");
    // A run takes milliseconds: the same number of them in every sample. A time set here would also
    // be what every process of the gate takes.
    group.sampling_mode(SamplingMode::Flat);
    let events: Vec<_> = (0..LARGE_COUNT)
        .map(|i| TelemetryEvent { device_id: i % 1000, ..TelemetryEvent::new(i) })
        .collect();
    dataset(&mut group, &events);
    group.finish();
}

criterion_group!(benches, small, large);
criterion_main!(benches);
