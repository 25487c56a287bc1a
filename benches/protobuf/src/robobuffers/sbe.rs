//! Single messages: filled in and written into a buffer, in binary or as JSON, or read.
//! `sbe/<message>/<operation>/<library>`.
//!
//! defiant fills and reads into an arena that is reset after each message; prost's messages own their parts, and are
//! dropped, but for `decode_reused`, where prost alone merges into one message that is cleared: that is what defiant's
//! `decode` is compared with. Text that defiant reads stays where it is, and what it fills in is copied into the arena. JSON is written by
//! `serde_json`; what of it is each library's own is in its `Serialize`, which pbjson generates for prost.

use std::hint::black_box;

use ::prost::Message as _;
use defiant::{Arena, Message as _};
use serde::Serialize;

use super::samples;
use crate::libraries::Meter;
use crate::messages::{defiant as d, prost as p};

/// The group and the work of each benchmark.
pub const GROUPS: [&str; 8] = [
    "sbe/car/encode",
    "sbe/car/decode",
    "sbe/car/decode_reused",
    "sbe/car/encode_json",
    "sbe/market/encode",
    "sbe/market/decode",
    "sbe/market/decode_reused",
    "sbe/market/encode_json",
];

/// Enough for either message, and for its JSON.
const CAPACITY: usize = 1 << 12;

/// A message, as each library has it.
trait Sample {
    type Defiant<'a>: defiant::Message<'a> + Serialize;
    type Prost: ::prost::Message + Default + Serialize;

    fn defiant(arena: &Arena) -> Self::Defiant<'_>;
    fn prost() -> Self::Prost;
}

struct Car;

impl Sample for Car {
    type Defiant<'a> = d::robobuffers::Car<'a>;
    type Prost = p::robobuffers::Car;

    fn defiant(arena: &Arena) -> Self::Defiant<'_> {
        samples::defiant_car(arena)
    }

    fn prost() -> Self::Prost {
        samples::prost_car()
    }
}

struct Market;

impl Sample for Market {
    type Defiant<'a> = d::robobuffers::MarketData<'a>;
    type Prost = p::robobuffers::MarketData;

    fn defiant(arena: &Arena) -> Self::Defiant<'_> {
        samples::defiant_market(arena)
    }

    fn prost() -> Self::Prost {
        samples::prost_market()
    }
}

/// Hands the work of both libraries in a group to `meter`.
///
/// # Panics
/// When there is no such group.
pub fn measure(meter: &mut impl Meter, group: &str) {
    match group {
        "sbe/car/encode" => encode::<Car>(meter),
        "sbe/market/encode" => encode::<Market>(meter),
        "sbe/car/decode" => decode::<Car>(meter),
        "sbe/market/decode" => decode::<Market>(meter),
        "sbe/car/decode_reused" => decode_reused::<Car>(meter),
        "sbe/market/decode_reused" => decode_reused::<Market>(meter),
        "sbe/car/encode_json" => encode_json::<Car>(meter),
        "sbe/market/encode_json" => encode_json::<Market>(meter),
        other => panic!("no group is named {other}"),
    }
}

fn encode<S: Sample>(meter: &mut impl Meter) {
    let mut arena = Arena::with_capacity(CAPACITY);
    let mut buffer = Vec::with_capacity(CAPACITY);
    meter.measure("defiant", || {
        buffer.clear();
        black_box(S::defiant(&arena)).encode(&mut buffer);
        black_box(&buffer);
        arena.reset();
    });
    meter.measure("prost", || {
        buffer.clear();
        let message = black_box(S::prost());
        message.encode(&mut buffer).expect("a Vec grows as needed");
        black_box(&buffer);
    });
}

fn decode<S: Sample>(meter: &mut impl Meter) {
    let mut arena = Arena::with_capacity(CAPACITY);
    let bytes = S::prost().encode_to_vec();
    meter.measure("defiant", || {
        black_box(S::Defiant::decode(black_box(&bytes), &arena).ok());
        arena.reset();
    });
    meter.measure("prost", || {
        black_box(S::Prost::decode(black_box(bytes.as_slice())).ok());
    });
}

fn decode_reused<S: Sample>(meter: &mut impl Meter) {
    let bytes = S::prost().encode_to_vec();
    let mut message = S::Prost::default();
    meter.measure("prost", || {
        message.clear();
        black_box(message.merge(black_box(bytes.as_slice())).ok());
        black_box(&message);
    });
}

fn encode_json<S: Sample>(meter: &mut impl Meter) {
    let mut arena = Arena::with_capacity(CAPACITY);
    let mut buffer = Vec::with_capacity(CAPACITY);
    meter.measure("defiant", || {
        write_json(&mut buffer, &black_box(S::defiant(&arena)));
        black_box(&buffer);
        arena.reset();
    });
    meter.measure("prost", || {
        write_json(&mut buffer, &black_box(S::prost()));
        black_box(&buffer);
    });
}

/// Replaces what is in `buffer` by `message` as JSON.
pub fn write_json(buffer: &mut Vec<u8>, message: &impl Serialize) {
    buffer.clear();
    serde_json::to_writer(buffer, message).expect("a Vec grows as needed");
}
