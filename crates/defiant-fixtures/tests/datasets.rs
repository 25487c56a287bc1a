//! The official messages decode to the values prost sees, and round-trip.

use defiant::{Arena, Message};
use defiant_fixtures::dataset;
use defiant_fixtures::defiant::benchmarks::{proto2, proto3};
use defiant_fixtures::prost::benchmarks as prost_benchmarks;

/// That the dataset `name` decodes and encodes to `len` bytes, those that prost writes.
fn round_trip<'a, D, P>(name: &str, len: usize, bytes: &'a [u8], arena: &'a Arena) -> D
where
    D: Message<'a> + PartialEq + std::fmt::Debug,
    P: prost::Message + Default,
{
    let message = D::decode(bytes, arena).expect("the dataset is valid");
    let written = message.encode_to_vec();
    assert_eq!((written.len(), message.encoded_len()), (len, len), "{name}");
    assert_eq!(written, P::decode(bytes).expect("the dataset is valid").encode_to_vec(), "{name}");
    let again =
        D::decode(arena.alloc_slice_copy(&written), arena).expect("what was written is valid");
    assert_eq!(message, again);
    message
}

#[test]
fn google_message1_proto2_round_trips() {
    let name = "google_message1_proto2";
    let Some(bytes) = dataset::official(name) else { return };
    let arena = Arena::new();
    let message = round_trip::<proto2::GoogleMessage1<'_>, prost_benchmarks::proto2::GoogleMessage1>(
        name, 228, &bytes, &arena,
    );
    assert_eq!((message.field2, message.field3), (8, 2_066_379));
    assert_eq!(message.field4.map(str::len), Some(6));
    assert_eq!(message.field67(), 1_591_432);
    assert_eq!((message.field271, message.field271()), (None, -1));
}

#[test]
fn google_message1_proto3_loses_its_explicit_zeros() {
    let name = "google_message1_proto3";
    let Some(bytes) = dataset::official(name) else { return };
    let arena = Arena::new();
    let message = round_trip::<proto3::GoogleMessage1<'_>, prost_benchmarks::proto3::GoogleMessage1>(
        name, 221, &bytes, &arena,
    );
    assert_eq!(message.field100, 31);
}

#[test]
fn google_message2_round_trips() {
    let name = "google_message2";
    let Some(bytes) = dataset::official(name) else { return };
    let arena = Arena::new();
    let message = round_trip::<proto2::GoogleMessage2<'_>, prost_benchmarks::proto2::GoogleMessage2>(
        name, 84_570, &bytes, &arena,
    );
    assert_eq!(message.group1.len(), 1000);
    assert!(message.group1.iter().all(|group| group.field31.is_some()));
}

#[test]
fn the_message_of_the_same_shape_has_its_size() {
    let bytes = dataset::like_google_message2();
    assert!((81_000..88_000).contains(&bytes.len()), "{} bytes", bytes.len());
    let arena = Arena::new();
    let message = proto2::GoogleMessage2::decode(&bytes, &arena).expect("it is valid");
    assert_eq!(message.encode_to_vec(), bytes);
}
