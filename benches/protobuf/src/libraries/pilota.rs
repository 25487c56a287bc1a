//! The library pilota, with the message types that pilota-build generates.

use std::hint::black_box;

use ::pilota::pb::{EncodeLengthContext, Message};
use ::pilota::{Bytes, LinkedBytes};

use super::{Meter, Operation};
use crate::datasets::Dataset;
use crate::messages::pilota::{proto2, proto3};

pub(super) fn measure(
    meter: &mut impl Meter,
    dataset: Dataset,
    operation: Operation,
    payloads: &[Vec<u8>],
) {
    match dataset {
        Dataset::GoogleMessage1Proto2 => {
            measure_type::<proto2::GoogleMessage1, _>(meter, operation, payloads);
        }
        Dataset::GoogleMessage1Proto3 => {
            measure_type::<proto3::GoogleMessage1, _>(meter, operation, payloads);
        }
        // It has no groups; see `NOT_MEASURED`.
        Dataset::GoogleMessage2 | Dataset::GoogleMessage2Utf8 => {}
    }
}

fn measure_type<M: Message + Default, T: Meter>(
    meter: &mut T,
    operation: Operation,
    payloads: &[Vec<u8>],
) {
    // Shared from here on: the first clone of a `Bytes` made of a vector allocates its count.
    let payloads: Vec<Bytes> = payloads.iter().cloned().map(Bytes::from).collect();
    let decode = |payload: &Bytes| -> M {
        M::decode(payload.clone()).expect("payloads are messages of the type of their dataset")
    };
    let messages: Vec<M> = payloads.iter().map(decode).collect();
    let encoded_len = |message: &M| message.encoded_len(&mut EncodeLengthContext::default());
    let longest = messages.iter().map(encoded_len).max().unwrap_or(0);

    match operation {
        Operation::Decode => meter.measure("pilota", || {
            for payload in &payloads {
                black_box(decode(black_box(payload)));
            }
        }),
        Operation::DecodeReused | Operation::DecodeCopied | Operation::DecodeWithCapacity => {}
        Operation::Encode => {
            let mut buffer = LinkedBytes::with_capacity(longest);
            meter.measure("pilota", || {
                for message in &messages {
                    buffer.reset();
                    black_box(message).encode(&mut buffer).expect("the buffer grows as needed");
                    black_box(&buffer);
                }
            });
        }
        Operation::EncodedLen => meter.measure("pilota", || {
            black_box(black_box(&messages).iter().map(encoded_len).sum::<usize>());
        }),
    }
}
