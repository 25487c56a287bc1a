//! The messages of the document with its values, made by prost, which owns them, and by defiant in an arena.

use defiant::Arena;
use prost::Message as _;

use crate::messages::{defiant as d, prost as p};

type Acceleration = [(u32, f32); 3];

const ACCELERATION: [(u32, Acceleration); 2] =
    [(95, [(30, 4.0), (60, 7.5), (100, 12.2)]), (99, [(30, 3.8), (60, 7.1), (100, 11.8)])];
const FUEL: [(u32, f32); 3] = [(30, 35.9), (30, 49.0), (30, 40.0)];
const NUMBERS: [u32; 5] = [0, 1, 2, 3, 4];
const EXTRAS: [i32; 2] = [1, 2];

/// The text of each entry of the container.
pub(super) const NAME: &str = "Hello, World!";
/// The text of the container.
pub(super) const LOCATION: &str = "http://google.com/flatbuffers/";
/// The number of the first entry of the container.
pub(super) const ID: u64 = 0xABAD_CAFE_ABAD_CAFE;
/// The first ratio.
#[expect(clippy::approx_constant, reason = "the document's number, of six digits")]
pub(super) const RATIO: f32 = 3.14159;
/// The first rating.
pub(super) const RATING: f64 = 3.141_543_243_244_554_3;

/// A car: 140 bytes.
#[must_use]
pub fn car() -> Vec<u8> {
    prost_car().encode_to_vec()
}

/// An update of market data: 62 bytes.
#[must_use]
pub fn market() -> Vec<u8> {
    prost_market().encode_to_vec()
}

/// A container with three entries: 228 bytes.
#[must_use]
pub fn container() -> Vec<u8> {
    prost_container().encode_to_vec()
}

/// A car that owns its parts.
#[must_use]
pub fn prost_car() -> p::robobuffers::Car {
    use p::robobuffers::car::performance_figures::Acceleration;
    use p::robobuffers::car::{Engine, FuelFigures, PerformanceFigures};
    let acceleration = |(mph, seconds)| Acceleration { mph: Some(mph), seconds: Some(seconds) };
    p::robobuffers::Car {
        serial_number: Some(12345),
        model_year: Some(2005),
        available: Some(true),
        code: Some(1),
        some_numbers: NUMBERS.to_vec(),
        vehicle_code: Some("abcdef".to_owned()),
        extras: EXTRAS.to_vec(),
        engine: Some(Engine {
            capacity: Some(4200),
            cylinders: Some(8),
            max_rpm: None,
            manufacturer_code: Some("abc".to_owned()),
            fuel: None,
        }),
        fuel_figures: FUEL
            .map(|(speed, mpg)| FuelFigures { speed: Some(speed), mpg: Some(mpg) })
            .to_vec(),
        performance_figures: ACCELERATION
            .map(|(octane, figures)| PerformanceFigures {
                octane_rating: Some(octane),
                acceleration: figures.map(acceleration).to_vec(),
            })
            .to_vec(),
        manufacturer: Some("AUDI".to_owned()),
        model: Some("R8".to_owned()),
    }
}

/// A car whose parts are in an arena.
#[must_use]
pub fn defiant_car(arena: &Arena) -> d::robobuffers::Car<'_> {
    use d::robobuffers::car::performance_figures::Acceleration;
    use d::robobuffers::car::{Engine, FuelFigures, PerformanceFigures};
    let acceleration = |(mph, seconds)| Acceleration { mph: Some(mph), seconds: Some(seconds) };
    let fuel = FUEL.map(|(speed, mpg)| FuelFigures { speed: Some(speed), mpg: Some(mpg) });
    let performance = ACCELERATION.map(|(octane, figures)| PerformanceFigures {
        octane_rating: Some(octane),
        acceleration: arena.alloc_slice_copy(&figures.map(acceleration)),
    });
    d::robobuffers::Car {
        serial_number: Some(12345),
        model_year: Some(2005),
        available: Some(true),
        code: Some(1),
        some_numbers: arena.alloc_slice_copy(&NUMBERS),
        vehicle_code: Some(arena.alloc_str("abcdef")),
        extras: arena.alloc_slice_copy(&EXTRAS),
        engine: Some(arena.alloc(Engine {
            capacity: Some(4200),
            cylinders: Some(8),
            manufacturer_code: Some(arena.alloc_str("abc")),
            ..Engine::default()
        })),
        fuel_figures: arena.alloc_slice_copy(&fuel),
        performance_figures: arena.alloc_slice_copy(&performance),
        manufacturer: Some(arena.alloc_str("AUDI")),
        model: Some(arena.alloc_str("R8")),
    }
}

/// Market data that owns its entries.
#[must_use]
pub fn prost_market() -> p::robobuffers::MarketData {
    use p::robobuffers::market_data::{Decimal, Entry};
    let decimal = |mantissa| Some(Decimal { mantissa: Some(mantissa), exponent: None });
    let entry = || Entry {
        trade_id: Some(1234),
        security_id: Some(56789),
        price: decimal(50),
        size: decimal(10),
        number_of_orders: Some(1),
        update_action: Some(1),
        rep_seq: Some(1),
        aggressor_side: Some(1),
        entry_type: Some(1),
    };
    p::robobuffers::MarketData {
        transact_time: Some(1234),
        event_time_delta: Some(987),
        match_event_indicator: Some(3),
        entries: vec![entry(), entry()],
    }
}

/// Market data whose entries are in an arena.
#[must_use]
pub fn defiant_market(arena: &Arena) -> d::robobuffers::MarketData<'_> {
    use d::robobuffers::market_data::{Decimal, Entry};
    let decimal = |mantissa| -> Option<&Decimal> {
        Some(arena.alloc(Decimal { mantissa: Some(mantissa), exponent: None }))
    };
    let entry = || Entry {
        trade_id: Some(1234),
        security_id: Some(56789),
        price: decimal(50),
        size: decimal(10),
        number_of_orders: Some(1),
        update_action: Some(1),
        rep_seq: Some(1),
        aggressor_side: Some(1),
        entry_type: Some(1),
    };
    d::robobuffers::MarketData {
        transact_time: Some(1234),
        event_time_delta: Some(987),
        match_event_indicator: Some(3),
        entries: arena.alloc_slice_copy(&[entry(), entry()]),
    }
}

/// A container that owns its entries.
#[must_use]
pub fn prost_container() -> p::robobuffers::FooBarContainer {
    use p::robobuffers::foo_bar_container::{Bar, Foo, FooBar};
    let entry = |at: u8| FooBar {
        sibling: Some(Bar {
            parent: Some(Foo {
                id: Some(ID + u64::from(at)),
                count: Some(10_000 + i32::from(at)),
                prefix: Some(i32::from(b'@' + at)),
                length: Some(1_000_000 + u32::from(at)),
            }),
            time: Some(123_456 + i32::from(at)),
            ratio: Some(RATIO + f32::from(at)),
            size: Some(10_000 + u32::from(at)),
        }),
        name: Some(NAME.to_owned()),
        rating: Some(RATING + f64::from(at)),
        postfix: Some(u32::from(b'!' + at)),
    };
    p::robobuffers::FooBarContainer {
        list: vec![entry(0), entry(1), entry(2)],
        initialized: Some(true),
        fruit: Some(2),
        location: Some(LOCATION.to_owned()),
    }
}

/// A container whose entries are in an arena.
#[must_use]
pub fn defiant_container(arena: &Arena) -> d::robobuffers::FooBarContainer<'_> {
    use d::robobuffers::foo_bar_container::{Bar, Foo, FooBar};
    let entry = |at: u8| FooBar {
        sibling: Some(arena.alloc(Bar {
            parent: Some(arena.alloc(Foo {
                id: Some(ID + u64::from(at)),
                count: Some(10_000 + i32::from(at)),
                prefix: Some(i32::from(b'@' + at)),
                length: Some(1_000_000 + u32::from(at)),
            })),
            time: Some(123_456 + i32::from(at)),
            ratio: Some(RATIO + f32::from(at)),
            size: Some(10_000 + u32::from(at)),
        })),
        name: Some(arena.alloc_str(NAME)),
        rating: Some(RATING + f64::from(at)),
        postfix: Some(u32::from(b'!' + at)),
    };
    d::robobuffers::FooBarContainer {
        list: arena.alloc_slice_copy(&[entry(0), entry(1), entry(2)]),
        initialized: Some(true),
        fruit: Some(2),
        location: Some(arena.alloc_str(LOCATION)),
    }
}
