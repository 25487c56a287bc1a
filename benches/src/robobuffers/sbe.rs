//! Single messages: filled in and written into a buffer, in binary or as JSON, or read.
//! `sbe/<message>/<operation>/<library>`.
//!
//! defiant fills and reads into an arena that is reset after each message; prost's messages own their parts, and are
//! dropped. Text that defiant reads stays where it is, and what it fills in is copied into the arena. JSON is written by
//! `serde_json`; what of it is each library's own is in its `Serialize`, which pbjson generates for prost.

use std::hint::black_box;

use ::prost::Message as _;
use defiant::{Arena, Message as _};
use serde::Serialize;

use super::samples;
use crate::libraries::Meter;
use crate::messages::{defiant as d, prost as p};

/// The group and the work of each benchmark.
pub const GROUPS: [&str; 6] = [
    "sbe/car/encode",
    "sbe/car/decode",
    "sbe/car/encode_json",
    "sbe/market/encode",
    "sbe/market/decode",
    "sbe/market/encode_json",
];

/// Enough for either message, and for its JSON.
const CAPACITY: usize = 1 << 12;

/// Hands the work of both libraries in a group to `meter`.
///
/// # Panics
/// When there is no such group.
pub fn measure(meter: &mut impl Meter, group: &str) {
    let mut arena = Arena::with_capacity(CAPACITY);
    let mut buffer = Vec::with_capacity(CAPACITY);
    match group {
        "sbe/car/encode" => {
            meter.measure("defiant", || {
                buffer.clear();
                black_box(samples::defiant_car(&arena)).encode(&mut buffer);
                black_box(&buffer);
                arena.reset();
            });
            meter.measure("prost", || {
                buffer.clear();
                let message = black_box(samples::prost_car());
                message.encode(&mut buffer).expect("a Vec grows as needed");
                black_box(&buffer);
            });
        }
        "sbe/market/encode" => {
            meter.measure("defiant", || {
                buffer.clear();
                black_box(samples::defiant_market(&arena)).encode(&mut buffer);
                black_box(&buffer);
                arena.reset();
            });
            meter.measure("prost", || {
                buffer.clear();
                let message = black_box(samples::prost_market());
                message.encode(&mut buffer).expect("a Vec grows as needed");
                black_box(&buffer);
            });
        }
        "sbe/car/decode" => {
            let bytes = samples::car();
            meter.measure("defiant", || {
                black_box(d::robobuffers::Car::decode(black_box(&bytes), &arena).ok());
                arena.reset();
            });
            meter.measure("prost", || {
                black_box(p::robobuffers::Car::decode(black_box(bytes.as_slice())).ok());
            });
        }
        "sbe/market/decode" => {
            let bytes = samples::market();
            meter.measure("defiant", || {
                black_box(d::robobuffers::MarketData::decode(black_box(&bytes), &arena).ok());
                arena.reset();
            });
            meter.measure("prost", || {
                black_box(p::robobuffers::MarketData::decode(black_box(bytes.as_slice())).ok());
            });
        }
        "sbe/car/encode_json" => {
            meter.measure("defiant", || {
                write_json(&mut buffer, &black_box(samples::defiant_car(&arena)));
                black_box(&buffer);
                arena.reset();
            });
            meter.measure("prost", || {
                write_json(&mut buffer, &black_box(samples::prost_car()));
                black_box(&buffer);
            });
        }
        "sbe/market/encode_json" => {
            meter.measure("defiant", || {
                write_json(&mut buffer, &black_box(samples::defiant_market(&arena)));
                black_box(&buffer);
                arena.reset();
            });
            meter.measure("prost", || {
                write_json(&mut buffer, &black_box(samples::prost_market()));
                black_box(&buffer);
            });
        }
        other => panic!("no group is named {other}"),
    }
}

/// Replaces what is in `buffer` by `message` as JSON.
pub fn write_json(buffer: &mut Vec<u8>, message: &impl Serialize) {
    buffer.clear();
    serde_json::to_writer(buffer, message).expect("a Vec grows as needed");
}
