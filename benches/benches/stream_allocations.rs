//! What writing and reading ask of the allocator, per 1000 messages:
//! `cargo bench --bench stream_allocations`.
//!
//! Counted and not timed, so the numbers are the same on every machine. One line for each body:
//! its name, then blocks and bytes. `warm` means that the buffers have seen the longest message.

#![expect(clippy::unwrap_used, reason = "a benchmark that fails can only panic")]

use std::hint::black_box;

use benchmarks::flatstream::counting::{Counting, allocations_of};
use benchmarks::flatstream::model::{HIGH_FREQUENCY_COUNT, telemetry};
use benchmarks::flatstream::stream;
use benchmarks::flatstream::v1::{V1Reader, V1Writer};
use flatbuffers::FlatBufferBuilder;
use flatstream::{DefaultDeframer, DefaultFramer, StreamReader};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn report(name: &str, work: impl FnOnce()) {
    let found = allocations_of(work);
    println!("stream_allocations/{name}: {} blocks, {} bytes", found.blocks, found.bytes);
}

fn main() {
    let events = telemetry(HIGH_FREQUENCY_COUNT);
    let stream = stream::plain_stream_of(&events);
    let source = stream.as_slice();
    let mut sink = Vec::with_capacity(stream.len());

    let mut builder = FlatBufferBuilder::new();
    let mut write = || {
        sink.clear();
        stream::write_all(&mut sink, DefaultFramer, &mut builder, &events).unwrap();
    };
    report("write_1000_messages/cold", &mut write);
    report("write_1000_messages/warm", &mut write);
    report("write_1000_messages/v1", || {
        sink.clear();
        let mut writer = V1Writer::new(&mut sink);
        events.iter().for_each(|event| writer.write(event).unwrap());
    });

    report("read_1000_messages/cold", || {
        stream::read_by_closure(source, DefaultDeframer).unwrap();
    });
    let mut reader = StreamReader::new(source, DefaultDeframer);
    stream::lend_all(reader.messages()).unwrap();
    reader.restart(source);
    report("read_1000_messages/warm", || {
        stream::lend_all(reader.messages()).unwrap();
    });
    report("read_1000_messages/slice", || {
        stream::read_slice(source, DefaultDeframer).unwrap();
    });
    report("read_1000_messages/v1", || {
        V1Reader::new(source).for_each(|payload| {
            black_box(payload.unwrap());
        });
    });
}
