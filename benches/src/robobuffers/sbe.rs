//! Single messages: filled in and written into a buffer, or read. `sbe/<message>/<operation>/<library>`.
//!
//! defiant fills and reads into an arena that is reset after each message; prost's messages own their parts, and are
//! dropped. Text that defiant reads stays where it is, and what it fills in is copied into the arena. Neither library
//! writes JSON.

use std::hint::black_box;

use ::prost::Message as _;
use defiant::{Arena, Message as _};

use super::samples;
use crate::libraries::Meter;
use crate::messages::{defiant as d, prost as p};

/// The group and the work of each benchmark.
pub const GROUPS: [&str; 4] =
    ["sbe/car/encode", "sbe/car/decode", "sbe/market/encode", "sbe/market/decode"];

/// Enough for either message.
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
        other => panic!("no group is named {other}"),
    }
}
