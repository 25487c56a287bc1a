//! Counts the allocations of writing and reading 1000 messages: `stream/<what>_1000/<how>`.
//!
//! `cold` means new buffers each time, and `warm` that the buffers have seen the longest message;
//! `lean` is cold with a reader's buffer of [`LEAN_BUFFER`] bytes; `v1` is the first version. `cargo test --release -p flatstream-benches --bench stream_allocations`
//! prints a table; [`allocation_counts`] says how it counts and what else it prints.

#![expect(clippy::unwrap_used, reason = "a benchmark that fails can only panic")]

use std::hint::black_box;

use allocation_counts::{Counted, Counter};
use flatbuffers::FlatBufferBuilder;
use flatstream::{DefaultDeframer, DefaultFramer, StreamReader};
use flatstream_benches::flatstream::model::{HIGH_FREQUENCY_COUNT, telemetry};
use flatstream_benches::flatstream::stream;
use flatstream_benches::flatstream::v1::{V1Reader, V1Writer};

/// Bytes of a buffer that holds any of the frames, where the default is 8 KiB.
const LEAN_BUFFER: usize = 256;

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

fn main() {
    allocation_counts::run(count, print_table);
}

fn count(counter: &mut Counter) {
    let events = telemetry(HIGH_FREQUENCY_COUNT);
    let stream = stream::plain_stream_of(&events);
    let source = stream.as_slice();
    let mut sink = Vec::with_capacity(stream.len());

    counter.count("stream/write_1000/cold", || {
        sink.clear();
        let mut builder = FlatBufferBuilder::new();
        stream::write_all(&mut sink, DefaultFramer, &mut builder, &events).unwrap();
    });
    counter.count("stream/write_read_1000/lean", || {
        sink.clear();
        let mut builder = FlatBufferBuilder::new();
        stream::write_all(&mut sink, DefaultFramer, &mut builder, &events).unwrap();
        let mut reader = StreamReader::with_capacity(LEAN_BUFFER, sink.as_slice(), DefaultDeframer);
        stream::process_all(&mut reader).unwrap();
    });
    let mut builder = FlatBufferBuilder::new();
    counter.count("stream/write_1000/warm", || {
        sink.clear();
        stream::write_all(&mut sink, DefaultFramer, &mut builder, &events).unwrap();
    });
    counter.count("stream/write_1000/v1", || {
        sink.clear();
        let mut writer = V1Writer::new(&mut sink);
        events.iter().for_each(|event| writer.write(event).unwrap());
    });

    counter.count("stream/read_1000/cold", || {
        stream::read_by_closure(source, DefaultDeframer).unwrap();
    });
    let mut reader = StreamReader::new(source, DefaultDeframer);
    counter.count("stream/read_1000/warm", || {
        reader.restart(source);
        stream::lend_all(reader.messages()).unwrap();
    });
    counter.count("stream/read_1000/slice", || {
        stream::read_slice(source, DefaultDeframer).unwrap();
    });
    counter.count("stream/read_1000/v1", || {
        V1Reader::new(source).for_each(|payload| {
            black_box(payload.unwrap());
        });
    });
}

fn print_table(counted: &[Counted]) {
    println!("{}", allocation_counts::table_head());
    for row in counted {
        println!("{}", allocation_counts::table_line(&row.id, row));
    }
}
