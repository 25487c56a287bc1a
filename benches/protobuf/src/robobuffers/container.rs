//! The container of FlatBuffers' own bench: `fb_bench/<operation>/<library>`.
//!
//! `traverse` looks at every value, and at text as the number of its bytes. FlatBuffers decode nothing: what is
//! traversed is the buffer, unverified as in the published bench; `decode` of theirs is the verification that bytes
//! of elsewhere need. `all` encodes, decodes and traverses.
//!
//! defiant fills and reads into an arena that is reset after each container, and its text is borrowed; prost makes a
//! message that owns its parts and is dropped, but for `decode_reused`, which it alone has: one message that is cleared.

use std::hint::black_box;

use ::prost::Message as _;
use defiant::{Arena, Message as _};
use flatbuffers::FlatBufferBuilder;

use super::flat_tables::{Bar, BarValues, FooBarContainer, finish_container, push_foobar};
use super::samples::{self, ID, LOCATION, NAME, RATING, RATIO};
use crate::libraries::Meter;
use crate::messages::{defiant as d, prost as p};

/// The operations.
pub const OPERATIONS: [&str; 5] = ["encode", "decode", "decode_reused", "traverse", "all"];

const CAPACITY: usize = 1 << 12;

/// Sums up every value of a container, of either library's type.
macro_rules! sum {
    ($container:expr) => {{
        let container = $container;
        let mut sum = u64::from(container.initialized.unwrap_or_default());
        sum += container.fruit.unwrap_or_default() as u64;
        sum += container.location.as_ref().map_or(0, |text| text.len()) as u64;
        for each in container.list.iter() {
            let bar = each.sibling.as_ref().expect("a sibling");
            let foo = bar.parent.as_ref().expect("a parent");
            sum += each.name.as_ref().map_or(0, |text| text.len()) as u64;
            sum += u64::from(each.postfix.unwrap_or_default());
            sum += each.rating.unwrap_or_default() as u64;
            sum += bar.time.unwrap_or_default() as u64 + bar.ratio.unwrap_or_default() as u64;
            sum += u64::from(bar.size.unwrap_or_default());
            sum = sum.wrapping_add(foo.id.unwrap_or_default());
            sum += foo.count.unwrap_or_default() as u64 + foo.prefix.unwrap_or_default() as u64;
            sum += u64::from(foo.length.unwrap_or_default());
        }
        sum
    }};
}

fn build(builder: &mut FlatBufferBuilder<'_>) {
    builder.reset();
    let entries = [0_u8, 1, 2].map(|at| {
        let name = builder.create_string(NAME);
        let bar = Bar::new(BarValues {
            id: ID + u64::from(at),
            count: 10_000 + i16::from(at),
            prefix: (b'@' + at) as i8,
            length: 1_000_000 + u32::from(at),
            time: 123_456 + i32::from(at),
            ratio: RATIO + f32::from(at),
            size: 10_000 + u16::from(at),
        });
        push_foobar(builder, bar, name, RATING + f64::from(at), b'!' + at)
    });
    let location = builder.create_string(LOCATION);
    let list = builder.create_vector(&entries);
    finish_container(builder, list, true, 2, location);
}

/// The root of a buffer that was just built here.
fn root(buffer: &[u8]) -> FooBarContainer<'_> {
    // SAFETY: The buffer is one that `build` has made.
    unsafe { flatbuffers::root_unchecked::<FooBarContainer<'_>>(buffer) }
}

fn traverse_flat(container: FooBarContainer<'_>) -> u64 {
    let mut sum = u64::from(container.initialized().unwrap_or_default());
    sum += container.fruit().unwrap_or_default() as u64;
    sum += container.location().map_or(0, str::len) as u64;
    for each in container.list().expect("a list") {
        let BarValues { id, count, prefix, length, time, ratio, size } =
            each.sibling().expect("a sibling").values();
        sum += each.name().map_or(0, str::len) as u64;
        sum += u64::from(each.postfix().unwrap_or_default());
        sum += each.rating().unwrap_or_default() as u64;
        sum += time as u64 + ratio as u64 + u64::from(size);
        sum = sum.wrapping_add(id) + count as u64 + prefix as u64 + u64::from(length);
    }
    sum
}

/// Hands the work of every library to `meter`.
///
/// # Panics
/// When there is no such operation.
pub fn measure(meter: &mut impl Meter, operation: &str) {
    let bytes = samples::container();
    let mut arena = Arena::with_capacity(CAPACITY);
    let mut buffer = Vec::with_capacity(CAPACITY);
    let mut builder = FlatBufferBuilder::with_capacity(CAPACITY);
    let kept = Arena::new();
    let by_defiant = samples::defiant_container(&kept);
    let by_prost = samples::prost_container();
    build(&mut builder);
    let flat = builder.finished_data().to_vec();
    match operation {
        "encode" => {
            meter.measure("defiant", || {
                buffer.clear();
                black_box(samples::defiant_container(&arena)).encode(&mut buffer);
                black_box(&buffer);
                arena.reset();
            });
            meter.measure("prost", || {
                buffer.clear();
                let message = black_box(samples::prost_container());
                message.encode(&mut buffer).expect("a Vec grows as needed");
                black_box(&buffer);
            });
            meter.measure("flatbuffers", || {
                build(&mut builder);
                black_box(builder.finished_data());
            });
        }
        "decode" => {
            meter.measure("defiant", || {
                black_box(d::robobuffers::FooBarContainer::decode(black_box(&bytes), &arena).ok());
                arena.reset();
            });
            meter.measure("prost", || {
                black_box(p::robobuffers::FooBarContainer::decode(black_box(&*bytes)).ok());
            });
            meter.measure("flatbuffers", || {
                black_box(flatbuffers::root::<FooBarContainer<'_>>(black_box(&flat)).is_ok());
            });
        }
        "decode_reused" => {
            let mut message = p::robobuffers::FooBarContainer::default();
            meter.measure("prost", || {
                message.clear();
                black_box(message.merge(black_box(&*bytes)).ok());
                black_box(&message);
            });
        }
        "traverse" => {
            meter.measure("defiant", || {
                black_box(sum!(black_box(&by_defiant)));
            });
            meter.measure("prost", || {
                black_box(sum!(black_box(&by_prost)));
            });
            meter.measure("flatbuffers", || {
                black_box(traverse_flat(root(black_box(&flat))));
            });
        }
        "all" => {
            meter.measure("defiant", || {
                buffer.clear();
                black_box(samples::defiant_container(&arena)).encode(&mut buffer);
                let read = d::robobuffers::FooBarContainer::decode(&buffer, &arena);
                black_box(sum!(read.expect("what was written")));
                arena.reset();
            });
            meter.measure("prost", || {
                buffer.clear();
                let message = black_box(samples::prost_container());
                message.encode(&mut buffer).expect("a Vec grows as needed");
                let read = p::robobuffers::FooBarContainer::decode(buffer.as_slice());
                black_box(sum!(read.expect("what was written")));
            });
            meter.measure("flatbuffers", || {
                build(&mut builder);
                black_box(traverse_flat(root(builder.finished_data())));
            });
        }
        other => panic!("no operation is named {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_library_looks_at_the_same_values() {
        let arena = Arena::new();
        let mut builder = FlatBufferBuilder::new();
        build(&mut builder);
        let flat = builder.finished_data();
        assert!(flatbuffers::root::<FooBarContainer<'_>>(flat).is_ok());
        let sum = traverse_flat(root(flat));
        assert_eq!(sum!(samples::defiant_container(&arena)), sum);
        assert_eq!(sum!(samples::prost_container()), sum);
    }
}
