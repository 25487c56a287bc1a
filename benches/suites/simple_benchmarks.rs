//! The smallest messages, flatstream against serde's formats:
//! `cargo bench --features comparative_bench --bench simple_benchmarks`.
//!
//! As in `comparative_benchmarks`, `flatstream_fields` is the variant that does the others' work.

#![expect(clippy::unwrap_used, reason = "a benchmark that fails can only panic")]

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use flatbuffers::FlatBufferBuilder;
use flatstream::{DefaultDeframer, DefaultFramer, StreamReader, StreamSerialize, StreamWriter};
use flatstream_benches::flatstream::model::{MinimalNumeric, MinimalString, SMALL_MESSAGE_COUNT};
use flatstream_benches::flatstream::serde_frames::{self, Bincode, Format, Json};
use flatstream_benches::flatstream::stream;
use serde::Serialize;
use serde::de::DeserializeOwned;

type Group<'a> = BenchmarkGroup<'a, WallTime>;

/// A limit so high that it never applies: what is measured is that there is one to choose.
const BOUND: u32 = 1 << 30;

fn flatstream_cycles<T: StreamSerialize>(
    group: &mut Group<'_>,
    messages: &[T],
    read_fields: fn(&[u8]),
) {
    group.bench_function("flatstream_default", |b| {
        b.iter(|| {
            let mut sink = Vec::new();
            let mut builder = FlatBufferBuilder::new();
            stream::write_all(&mut sink, DefaultFramer, &mut builder, messages).unwrap();
            stream::read_by_closure(sink.as_slice(), DefaultDeframer).unwrap()
        });
    });
    group.bench_function("flatstream_bounded", |b| {
        b.iter(|| {
            let mut builder = FlatBufferBuilder::new();
            let mut writer =
                StreamWriter::new(Vec::new(), DefaultFramer).with_max_frame_len(black_box(BOUND));
            for message in messages {
                writer.write(&mut builder, message).unwrap();
            }
            let sink = writer.into_inner();
            bounded(&sink)
        });
    });
    group.bench_function("flatstream_fields", |b| {
        b.iter(|| {
            let mut sink = Vec::new();
            let mut builder = FlatBufferBuilder::new();
            stream::write_all(&mut sink, DefaultFramer, &mut builder, messages).unwrap();
            StreamReader::new(sink.as_slice(), DefaultDeframer).process_all(read_fields).unwrap()
        });
    });
}

fn bounded(stream: &[u8]) -> u64 {
    StreamReader::new(stream, DefaultDeframer)
        .with_max_frame_len(black_box(BOUND))
        .process_all(|payload| {
            black_box(payload);
        })
        .unwrap()
}

fn serde_cycle<F: Format, T: Serialize + DeserializeOwned>(
    group: &mut Group<'_>,
    name: &str,
    messages: &[T],
) {
    group.bench_function(name, |b| {
        b.iter(|| {
            let mut sink = Vec::new();
            serde_frames::write_all::<F, _>(&mut sink, messages);
            serde_frames::read_all::<F, _>(sink.as_slice(), |message: T| {
                black_box(message);
            })
            .unwrap();
        });
    });
    group.bench_function(format!("{name}_in_place"), |b| {
        b.iter(|| {
            let mut sink = Vec::new();
            serde_frames::write_all_in_place::<F, _>(&mut sink, messages);
            serde_frames::read_all_reusing::<F, _>(sink.as_slice(), |message: T| {
                black_box(message);
            })
            .unwrap();
        });
    });
}

fn suite<T: StreamSerialize + Serialize + DeserializeOwned>(
    c: &mut Criterion,
    shape: &str,
    messages: &[T],
    read_fields: fn(&[u8]),
) {
    let mut group = c.benchmark_group(format!("Simple Streams ({shape})/write_read_cycle_100"));
    group.throughput(Throughput::Elements(messages.len() as u64));
    flatstream_cycles(&mut group, messages, read_fields);
    serde_cycle::<Bincode, T>(&mut group, "bincode", messages);
    serde_cycle::<Json, T>(&mut group, "serde_json", messages);
    group.finish();

    let mut group = c.benchmark_group(format!("Simple Streams ({shape})/read_only_100"));
    group.throughput(Throughput::Elements(messages.len() as u64));
    let stream = stream::plain_stream_of(messages);
    group.bench_function("default_deframer", |b| {
        b.iter(|| stream::read_by_closure(black_box(stream.as_slice()), DefaultDeframer).unwrap());
    });
    group.bench_function("bounded_deframer", |b| b.iter(|| bounded(black_box(&stream))));
    group.finish();
}

fn numeric(c: &mut Criterion) {
    let messages: Vec<_> = (0..SMALL_MESSAGE_COUNT as u64).map(MinimalNumeric::new).collect();
    suite(c, "Numeric", &messages, |payload| {
        black_box(MinimalNumeric::read(payload).unwrap());
    });
}

fn string(c: &mut Criterion) {
    let messages = vec![MinimalString::sample(); SMALL_MESSAGE_COUNT];
    // Verified as UTF-8 and lent, where the others make a string of their own.
    suite(c, "String16", &messages, |payload| {
        black_box(flatstream::root::<&str>(payload).unwrap());
    });
}

criterion_group!(benches, numeric, string);
criterion_main!(benches);
