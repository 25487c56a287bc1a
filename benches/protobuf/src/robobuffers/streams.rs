//! Streams of delimited messages, read and written again: `stream/<number>/<operation>/<library>`.
//!
//! defiant reads each message into an arena that is reset after it, prost into a message of its own that is dropped;
//! in `read_reused` and `read_write_reused`, which only prost has, into one message that is cleared.
//! The messages to write were read before; `read_write` reads each message and writes it at once.

use std::hint::black_box;

use ::prost::Message as _;
use defiant::{Arena, Message as _};

use super::stream;
use crate::libraries::Meter;
use crate::messages::{defiant as d, prost as p};

/// An operation on a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Every message is read.
    Read,
    /// Every message is written.
    Write,
    /// Every message is read and written.
    ReadWrite,
    /// Every message is read into the memory of the one before, by a library whose `Read` is not that.
    ReadReused,
    /// The same, and written.
    ReadWriteReused,
}

impl Operation {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Read, Self::Write, Self::ReadWrite, Self::ReadReused, Self::ReadWriteReused];

    /// The name of the benchmarks of both libraries.
    #[must_use]
    pub fn group_name(self, number: usize) -> String {
        let name = match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::ReadWrite => "read_write",
            Self::ReadReused => "read_reused",
            Self::ReadWriteReused => "read_write_reused",
        };
        format!("stream/{number}/{name}")
    }
}

/// Hands the work of both libraries to `meter`.
///
/// # Panics
/// When a stream is not what it was made as.
pub fn measure(meter: &mut impl Meter, number: usize, operation: Operation) {
    let stream = stream::of(number);
    match number {
        3 => measure_cars(meter, &stream, operation),
        4 => measure_market(meter, &stream, operation),
        5 => measure_doubles(meter, &stream, operation),
        _ => measure_log(meter, &stream, operation),
    }
}

macro_rules! measured {
    ($name:ident, $($type:ident)::+) => {
        fn $name(meter: &mut impl Meter, stream: &[u8], operation: Operation) {
            use d::$($type)::+ as Defiant;
            use p::$($type)::+ as Prost;

            let mut arena = Arena::new();
            let mut buffer = Vec::with_capacity(stream.len());
            let kept = Arena::new();
            let by_defiant: Vec<Defiant<'_>> = stream::messages(stream)
                .map(|bytes| Defiant::decode(bytes, &kept).expect("a message"))
                .collect();
            let by_prost: Vec<Prost> = stream::messages(stream)
                .map(|bytes| Prost::decode(bytes).expect("a message"))
                .collect();
            match operation {
                Operation::Read => {
                    meter.measure("defiant", || {
                        for bytes in stream::messages(black_box(stream)) {
                            black_box(Defiant::decode(bytes, &arena).ok());
                            arena.reset();
                        }
                    });
                    meter.measure("prost", || {
                        for bytes in stream::messages(black_box(stream)) {
                            black_box(Prost::decode(bytes).ok());
                        }
                    });
                }
                Operation::Write => {
                    meter.measure("defiant", || {
                        buffer.clear();
                        for message in black_box(&by_defiant) {
                            message.encode_length_delimited(&mut buffer);
                        }
                        black_box(&buffer);
                    });
                    meter.measure("prost", || {
                        buffer.clear();
                        for message in black_box(&by_prost) {
                            message.encode_length_delimited(&mut buffer).expect("it grows");
                        }
                        black_box(&buffer);
                    });
                }
                Operation::ReadReused => {
                    let mut message = Prost::default();
                    meter.measure("prost", || {
                        for bytes in stream::messages(black_box(stream)) {
                            message.clear();
                            black_box(message.merge(bytes).ok());
                            black_box(&message);
                        }
                    });
                }
                Operation::ReadWriteReused => {
                    let mut message = Prost::default();
                    meter.measure("prost", || {
                        buffer.clear();
                        for bytes in stream::messages(black_box(stream)) {
                            message.clear();
                            message.merge(bytes).expect("a message");
                            message.encode_length_delimited(&mut buffer).expect("it grows");
                        }
                        black_box(&buffer);
                    });
                }
                Operation::ReadWrite => {
                    meter.measure("defiant", || {
                        buffer.clear();
                        for bytes in stream::messages(black_box(stream)) {
                            let message = Defiant::decode(bytes, &arena).expect("a message");
                            message.encode_length_delimited(&mut buffer);
                            arena.reset();
                        }
                        black_box(&buffer);
                    });
                    meter.measure("prost", || {
                        buffer.clear();
                        for bytes in stream::messages(black_box(stream)) {
                            let message = Prost::decode(bytes).expect("a message");
                            message.encode_length_delimited(&mut buffer).expect("it grows");
                        }
                        black_box(&buffer);
                    });
                }
            }
            if !matches!(operation, Operation::Read | Operation::ReadReused) {
                assert!(buffer.is_empty() || buffer == stream, "written as it was read");
            }
        }
    };
}

measured!(measure_log, robobuffers::LogEntry);
measured!(measure_cars, robobuffers::Car);
measured!(measure_market, robobuffers::MarketData);
measured!(measure_doubles, packed::PackedDoubles);
