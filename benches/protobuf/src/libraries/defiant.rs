//! The library defiant, with the message types that defiant-build generates.

use std::hint::black_box;

use ::defiant::{Arena, Message};

use super::{Meter, Operation};
use crate::datasets::Dataset;
use crate::messages::defiant::{proto2, proto3};

/// Enough for any of the messages, or a decode would ask for a second block.
const CAPACITY: usize = 300_000;

/// A message type without the lifetime of its input.
trait Family {
    type Message<'a>: Message<'a>;
}

struct Proto2Message1;

impl Family for Proto2Message1 {
    type Message<'a> = proto2::GoogleMessage1<'a>;
}

struct Proto3Message1;

impl Family for Proto3Message1 {
    type Message<'a> = proto3::GoogleMessage1<'a>;
}

struct Message2;

impl Family for Message2 {
    type Message<'a> = proto2::GoogleMessage2<'a>;
}

pub(super) fn measure(
    meter: &mut impl Meter,
    dataset: Dataset,
    operation: Operation,
    payloads: &[Vec<u8>],
) {
    let measure = match dataset {
        Dataset::GoogleMessage1Proto2 => measure_type::<Proto2Message1, _>,
        Dataset::GoogleMessage1Proto3 => measure_type::<Proto3Message1, _>,
        Dataset::GoogleMessage2 | Dataset::GoogleMessage2Utf8 => measure_type::<Message2, _>,
    };
    measure(meter, operation, payloads);
}

fn measure_type<F: Family, T: Meter>(meter: &mut T, operation: Operation, payloads: &[Vec<u8>]) {
    let kept = Arena::new();
    let messages: Vec<_> = payloads.iter().map(|payload| decode::<F>(payload, &kept)).collect();
    let longest = messages.iter().map(Message::encoded_len).max().unwrap_or(0);

    match operation {
        Operation::Decode => meter.measure("defiant", || {
            for payload in payloads {
                let arena = Arena::new();
                black_box(decode::<F>(black_box(payload), &arena));
            }
        }),
        Operation::DecodeReused => {
            let mut arena = Arena::new();
            meter.measure("defiant", || {
                for payload in payloads {
                    black_box(decode::<F>(black_box(payload), &arena));
                    arena.reset();
                }
            });
        }
        Operation::DecodeCopied => meter.measure("defiant", || {
            for payload in payloads {
                let arena = Arena::new();
                black_box(
                    F::Message::decode_copied(black_box(payload), &arena)
                        .expect("payloads are messages of the type of their dataset"),
                );
            }
        }),
        Operation::DecodeWithCapacity => meter.measure("defiant", || {
            for payload in payloads {
                let arena = Arena::with_capacity(CAPACITY);
                black_box(decode::<F>(black_box(payload), &arena));
            }
        }),
        Operation::Encode => {
            let mut buffer = Vec::with_capacity(longest);
            meter.measure("defiant", || {
                for message in &messages {
                    buffer.clear();
                    black_box(message).encode(&mut buffer);
                    black_box(&buffer);
                }
            });
        }
        Operation::EncodedLen => meter.measure("defiant", || {
            black_box(black_box(&messages).iter().map(Message::encoded_len).sum::<usize>());
        }),
    }
}

fn decode<'a, F: Family>(payload: &'a [u8], arena: &'a Arena) -> F::Message<'a> {
    F::Message::decode(payload, arena).expect("payloads are messages of the type of their dataset")
}
