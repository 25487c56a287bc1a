//! The library prost, with the message types that prost-build generates.

use std::hint::black_box;

use ::prost::Message;

use super::{Meter, Operation};
use crate::datasets::Dataset;
use crate::messages::prost::{proto2, proto3};

pub(super) fn measure(
    meter: &mut impl Meter,
    dataset: Dataset,
    operation: Operation,
    payloads: &[Vec<u8>],
) {
    let measure = match dataset {
        Dataset::GoogleMessage1Proto2 => measure_type::<proto2::GoogleMessage1, _>,
        Dataset::GoogleMessage1Proto3 => measure_type::<proto3::GoogleMessage1, _>,
        Dataset::GoogleMessage2 | Dataset::GoogleMessage2Utf8 => {
            measure_type::<proto2::GoogleMessage2, _>
        }
    };
    measure(meter, operation, payloads);
}

fn measure_type<M: Message + Default, T: Meter>(
    meter: &mut T,
    operation: Operation,
    payloads: &[Vec<u8>],
) {
    let decode = |payload: &Vec<u8>| -> M {
        M::decode(payload.as_slice()).expect("payloads are messages of the type of their dataset")
    };
    let messages: Vec<M> = payloads.iter().map(decode).collect();
    let longest = messages.iter().map(M::encoded_len).max().unwrap_or(0);

    match operation {
        Operation::Decode => meter.measure("prost", || {
            for payload in payloads {
                black_box(decode(black_box(payload)));
            }
        }),
        // As prost's own bench, which calls it `merge`.
        Operation::DecodeReused => {
            let mut message = M::default();
            meter.measure("prost", || {
                for payload in payloads {
                    message.clear();
                    message
                        .merge(black_box(payload).as_slice())
                        .expect("payloads are messages of the type of their dataset");
                    black_box(&message);
                }
            });
        }
        Operation::DecodeCopied | Operation::DecodeWithCapacity => {}
        Operation::Encode => {
            let mut buffer = Vec::with_capacity(longest);
            meter.measure("prost", || {
                for message in &messages {
                    buffer.clear();
                    black_box(message).encode(&mut buffer).expect("a Vec grows as needed");
                    black_box(&buffer);
                }
            });
        }
        Operation::EncodedLen => meter.measure("prost", || {
            black_box(black_box(&messages).iter().map(M::encoded_len).sum::<usize>());
        }),
    }
}
