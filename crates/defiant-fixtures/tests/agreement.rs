//! defiant and prost read each other's messages as the same values.

use std::fmt::Debug;

use defiant::{Arena, Message};
use defiant_fixtures::entropy::{Draw, Entropy};
use defiant_fixtures::mirror::Same;
use defiant_fixtures::{defiant as d, prost as p};
use proptest::prelude::*;

/// That `bytes`, as prost wrote them, mean the same to defiant, and what defiant writes the same
/// to prost.
fn agree<'a, D, P>(prost: &P, bytes: &'a [u8], arena: &'a Arena)
where
    D: Message<'a> + Same<P> + Debug + PartialEq,
    P: prost::Message + Debug + Default + PartialEq,
{
    let defiant = D::decode(bytes, arena).expect("defiant reads what prost wrote");
    assert!(defiant.same(prost), "{defiant:#?}\nis not\n{prost:#?}");
    let written = defiant.encode_to_vec();
    assert_eq!(written.len(), defiant.encoded_len(), "{defiant:#?}");
    assert_eq!(written.capacity(), written.len(), "the vector was large enough");
    let back = P::decode(written.as_slice()).expect("prost reads what defiant wrote");
    assert_eq!(&back, prost);

    let mut exact = Vec::with_capacity(defiant.encoded_len() + 3);
    exact.extend_from_slice(b"abc");
    defiant.encode(&mut exact);
    assert_eq!(exact[3..], written);
    let mut grown = Vec::new();
    defiant.encode(&mut grown);
    assert_eq!(grown, written, "a vector that grows holds the same");
}

/// A message drawn from `entropy`, and its encoding.
fn drawn<P: prost::Message + Draw>(entropy: &[u8]) -> (P, Vec<u8>) {
    let message = P::draw(&mut Entropy::new(entropy));
    let bytes = message.encode_to_vec();
    (message, bytes)
}

fn entropy() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..3000),
        // Mostly absent fields, so that the tail of the message is reached.
        proptest::collection::vec(prop_oneof![9 => Just(0), 1 => any::<u8>()], 0..3000),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn every_kind_of_proto2_field_means_the_same_to_both(entropy in entropy()) {
        let (message, bytes) = drawn::<p::everything::proto2::Everything>(&entropy);
        agree::<d::everything::proto2::Everything<'_>, _>(&message, &bytes, &Arena::new());
    }

    #[test]
    fn every_kind_of_proto3_field_means_the_same_to_both(entropy in entropy()) {
        let (message, bytes) = drawn::<p::everything::proto3::Everything>(&entropy);
        agree::<d::everything::proto3::Everything<'_>, _>(&message, &bytes, &Arena::new());
    }

    #[test]
    fn messages_without_maps_are_the_same_bytes(entropy in entropy()) {
        let (mut message, _) = drawn::<p::everything::proto2::Everything>(&entropy);
        message.map_string_int64.clear();
        message.map_int32_leaf.clear();
        message.map_uint64_level.clear();
        let bytes = prost::Message::encode_to_vec(&message);
        let arena = Arena::new();
        let defiant = d::everything::proto2::Everything::decode(&bytes, &arena).unwrap();
        prop_assert_eq!(defiant.encode_to_vec(), bytes);
    }

    #[test]
    fn merging_a_second_message_means_the_same_to_both(a in entropy(), b in entropy()) {
        let (mut message, first) = drawn::<p::everything::proto2::Everything>(&a);
        let (_, second) = drawn::<p::everything::proto2::Everything>(&b);
        prost::Message::merge(&mut message, second.as_slice()).unwrap();
        let arena = Arena::new();
        let mut defiant = d::everything::proto2::Everything::decode(&first, &arena).unwrap();
        defiant.merge(&second, &arena).unwrap();
        prop_assert!(defiant.same(&message), "{:#?}\nis not\n{:#?}", defiant, message);

        let whole = [first, second].concat();
        let at_once = d::everything::proto2::Everything::decode(&whole, &arena).unwrap();
        prop_assert!(at_once.same(&message), "{:#?}\nis not\n{:#?}", at_once, message);
    }

    #[test]
    fn a_length_in_front_of_a_message_is_read_by_both(entropy in entropy()) {
        let (message, _) = drawn::<p::everything::proto3::Everything>(&entropy);
        let bytes = prost::Message::encode_length_delimited_to_vec(&message);
        let followed = [bytes.as_slice(), b"more"].concat();
        let arena = Arena::new();
        let (defiant, rest) =
            d::everything::proto3::Everything::decode_length_delimited(&followed, &arena).unwrap();
        prop_assert_eq!(rest, b"more");
        prop_assert!(defiant.same(&message));
        let written = defiant.encode_length_delimited_to_vec();
        let back: p::everything::proto3::Everything =
            prost::Message::decode_length_delimited(written.as_slice()).unwrap();
        prop_assert_eq!(back, message);
    }

    #[test]
    fn a_reset_arena_decodes_as_a_new_one(a in entropy(), b in entropy()) {
        let (_, first) = drawn::<p::everything::proto2::Everything>(&a);
        let (message, second) = drawn::<p::everything::proto2::Everything>(&b);
        let mut arena = Arena::new();
        d::everything::proto2::Everything::decode(&first, &arena).unwrap();
        arena.reset();
        agree::<d::everything::proto2::Everything<'_>, _>(&message, &second, &arena);
    }
}
