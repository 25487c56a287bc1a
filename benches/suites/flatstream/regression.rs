//! Three bodies that are sensitive to how the library compiles. The published ones were copies of
//! the plain write.

use std::hint::black_box;
use std::io::Cursor;

use criterion::Criterion;
use flatbuffers::FlatBufferBuilder;
use flatstream::{
    ChecksumFramer, DefaultDeframer, DefaultFramer, FrameHeader, Framer, NoChecksum, StreamWriter,
};
use flatstream_benches::flatstream::model::{SMALL_MESSAGE_COUNT, TelemetryEvent, Tick, telemetry};
use flatstream_benches::flatstream::stream;

/// One-byte messages, written and read: what is left is the cost per message.
fn small_messages(c: &mut Criterion) {
    let ticks: Vec<_> = (0..SMALL_MESSAGE_COUNT).map(|i| Tick(i as u8)).collect();
    c.bench_function("regression_small_messages", |b| {
        let (mut sink, mut builder) = (Vec::new(), FlatBufferBuilder::new());
        b.iter(|| {
            sink.clear();
            stream::write_all(&mut sink, DefaultFramer, &mut builder, &ticks).unwrap();
            stream::read_by_closure(sink.as_slice(), DefaultDeframer).unwrap()
        });
    });
}

/// One generic writer through four pairs of types, all of which write the same bytes. Each has to
/// compile to the same loop; an instance that stops being inlined shows.
fn monomorphization(c: &mut Criterion) {
    let events = telemetry(SMALL_MESSAGE_COUNT);
    c.bench_function("regression_monomorphization", |b| {
        let (mut sink, mut builder) = (Vec::new(), FlatBufferBuilder::new());
        let none = ChecksumFramer(NoChecksum);
        b.iter(|| {
            sink.clear();
            let mut count = 0;
            count += stream::write_all(&mut sink, DefaultFramer, &mut builder, &events).unwrap();
            count += stream::write_all(&mut sink, none, &mut builder, &events).unwrap();
            let end = sink.len() as u64;
            let mut cursor = Cursor::new(&mut sink);
            cursor.set_position(end);
            count += stream::write_all(&mut cursor, DefaultFramer, &mut builder, &events).unwrap();
            count += stream::write_all(&mut cursor, none, &mut builder, &events).unwrap();
            black_box(count)
        });
    });
}

/// A framer like the default one, and of a type of its own for every `N`.
struct Numbered<const N: usize>;

impl<const N: usize> Framer for Numbered<N> {
    #[inline]
    fn header(&self, payload: &[u8], payload_len: u32) -> FrameHeader {
        // Or the linker would fold the ten bodies into one.
        black_box(N);
        DefaultFramer.header(payload, payload_len)
    }
}

#[inline(never)]
fn write_ten<const N: usize>(
    sink: &mut Vec<u8>,
    builder: &mut FlatBufferBuilder<'_>,
    events: &[TelemetryEvent],
) -> u64 {
    let mut writer = StreamWriter::new(sink, Numbered::<N>);
    for event in events {
        writer.write(builder, event).unwrap();
    }
    writer.frames_written()
}

/// Ten writers of ten types write ten messages each: ten bodies that have to stay small enough to
/// be in the instruction cache together.
fn instruction_cache(c: &mut Criterion) {
    let events = telemetry(10);
    let writers = [
        write_ten::<0>,
        write_ten::<1>,
        write_ten::<2>,
        write_ten::<3>,
        write_ten::<4>,
        write_ten::<5>,
        write_ten::<6>,
        write_ten::<7>,
        write_ten::<8>,
        write_ten::<9>,
    ];
    c.bench_function("regression_instruction_cache", |b| {
        let (mut sink, mut builder) = (Vec::new(), FlatBufferBuilder::new());
        b.iter(|| {
            sink.clear();
            writers.iter().map(|write| write(&mut sink, &mut builder, &events)).sum::<u64>()
        });
    });
}

pub(crate) fn benches(c: &mut Criterion) {
    small_messages(c);
    monomorphization(c);
    instruction_cache(c);
}
