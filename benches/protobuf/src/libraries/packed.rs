//! A list of doubles, which is on the wire as it is in memory: what a library takes beyond a copy of
//! the bytes.
//!
//! `packed_doubles/<operation>/<library>`; `memcpy` copies the same bytes, from the same place, into
//! memory that was used before. defiant too decodes into memory that was used before; prost makes a new vector for each
//! `decode`, and for `decode_reused`, where there is no other library, it merges into one that was cleared.

use std::hint::black_box;

use ::prost::Message as _;
use defiant::{Arena, Message as _};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

use super::Meter;
use crate::messages::{defiant as d, prost as p};

/// 64 KiB of them, which neither side's memory has to come from beyond the second cache.
pub const COUNT: usize = 8 * 1024;

/// An operation on the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packed {
    /// Bytes to a list.
    Decode,
    /// Bytes to a list in the memory of the one before, by a library whose `decode` is not that.
    DecodeReused,
    /// A list to bytes, in a buffer that is large enough and used again and again.
    Encode,
}

impl Packed {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Decode, Self::DecodeReused, Self::Encode];

    /// The name of the benchmarks of all libraries.
    #[must_use]
    pub fn group_name(self) -> &'static str {
        match self {
            Self::Decode => "packed_doubles/decode",
            Self::DecodeReused => "packed_doubles/decode_reused",
            Self::Encode => "packed_doubles/encode",
        }
    }
}

/// The numbers: any bits that are a number.
#[must_use]
pub fn values() -> Vec<f64> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    (0..COUNT).map(|_| f64::from(random.next_u32()) / 1e3).collect()
}

/// Hands the work of every library to `meter`.
pub fn measure(meter: &mut impl Meter, operation: Packed) {
    let values = values();
    let encoded = d::packed::PackedDoubles { values: &values }.encode_to_vec();
    let raw = &encoded[encoded.len() - COUNT * size_of::<f64>()..];
    match operation {
        Packed::Decode => {
            let mut arena = Arena::new();
            meter.measure("defiant", || {
                black_box(d::packed::PackedDoubles::decode(black_box(&encoded), &arena).ok());
                arena.reset();
            });
            meter.measure("prost", || {
                black_box(p::packed::PackedDoubles::decode(black_box(encoded.as_slice())).ok());
            });
        }
        Packed::DecodeReused => {
            let mut list = p::packed::PackedDoubles::default();
            meter.measure("prost", || {
                list.clear();
                black_box(list.merge(black_box(encoded.as_slice())).ok());
                black_box(&list);
            });
            return;
        }
        Packed::Encode => {
            let mut buffer = Vec::with_capacity(encoded.len());
            let by_defiant = d::packed::PackedDoubles { values: &values };
            meter.measure("defiant", || {
                buffer.clear();
                black_box(&by_defiant).encode(&mut buffer);
                black_box(&buffer);
            });
            let by_prost = p::packed::PackedDoubles { values: values.clone() };
            meter.measure("prost", || {
                buffer.clear();
                black_box(&by_prost).encode(&mut buffer).expect("a Vec grows as needed");
                black_box(&buffer);
            });
        }
    }
    let mut copy = Vec::with_capacity(encoded.len());
    meter.measure("memcpy", || {
        copy.clear();
        copy.extend_from_slice(black_box(raw));
        black_box(&copy);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_libraries_write_the_same_bytes_and_read_the_same_numbers() {
        let values = values();
        let by_prost = p::packed::PackedDoubles { values: values.clone() };
        let encoded = by_prost.encode_to_vec();
        assert_eq!(d::packed::PackedDoubles { values: &values }.encode_to_vec(), encoded);
        let arena = Arena::new();
        let by_defiant = d::packed::PackedDoubles::decode(&encoded, &arena).unwrap();
        assert_eq!(by_defiant.values, values);
        assert_eq!(p::packed::PackedDoubles::decode(encoded.as_slice()).unwrap(), by_prost);
    }
}
