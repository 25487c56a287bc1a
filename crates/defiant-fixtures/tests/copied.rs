//! Messages that do not borrow from their input, and packed fields that are copied in one piece.

use bytes::Buf;
use defiant::{Arena, DecodeErrorKind, Message};
use defiant_fixtures::entropy::{Draw, Entropy};
use defiant_fixtures::mirror::Same;
use defiant_fixtures::{defiant as d, prost as p};
use proptest::prelude::*;

type Everything<'a> = d::everything::proto2::Everything<'a>;

fn entropy() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(any::<u8>(), 0..3000)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_copied_message_outlives_its_input_and_is_the_same(entropy in entropy()) {
        let message = p::everything::proto2::Everything::draw(&mut Entropy::new(&entropy));
        let arena = Arena::new();
        let copied = {
            let mut input = prost::Message::encode_to_vec(&message);
            let copied = Everything::decode_copied(&input, &arena).unwrap();
            // Anything that still pointed here would change.
            input.fill(0xff);
            copied
        };
        prop_assert!(copied.same(&message), "{:#?}\nis not\n{:#?}", copied, message);
    }

    #[test]
    fn a_buffer_in_pieces_is_the_message_of_all_of_them(entropy in entropy(), cut in any::<prop::sample::Index>()) {
        let message = p::everything::proto2::Everything::draw(&mut Entropy::new(&entropy));
        let input = prost::Message::encode_to_vec(&message);
        let (first, second) = input.split_at(cut.index(input.len() + 1));
        let arena = Arena::new();
        let decoded = Everything::decode_buf(first.chain(second), &arena).unwrap();
        prop_assert!(decoded.same(&message), "{:#?}\nis not\n{:#?}", decoded, message);
    }

    #[test]
    fn packed_values_of_a_fixed_length_keep_every_bit(bits in proptest::collection::vec(any::<u64>(), 0..200)) {
        let doubles: Vec<f64> = bits.iter().map(|bits| f64::from_bits(*bits)).collect();
        let message = Everything { packed_double: &doubles, ..Default::default() };
        let bytes = message.encode_to_vec();
        prop_assert_eq!(bytes.len(), message.encoded_len());
        let by_prost: p::everything::proto2::Everything = prost::Message::decode(&*bytes).unwrap();
        let arena = Arena::new();
        // Twice, so that the second half is appended to what is there.
        let twice = [bytes.as_slice(), &bytes].concat();
        let decoded = Everything::decode(&twice, &arena).unwrap();
        let to_bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        prop_assert_eq!(to_bits(&by_prost.packed_double), bits.clone());
        prop_assert_eq!(to_bits(decoded.packed_double), bits.repeat(2));
    }
}

#[test]
fn a_packed_field_that_ends_inside_a_value_is_an_error() {
    for len in 1..24 {
        let mut bytes = vec![0xc2, 0x02, len];
        bytes.extend(vec![1; len.into()]);
        let arena = Arena::new();
        match Everything::decode(&bytes, &arena) {
            Ok(message) => assert_eq!(message.packed_double.len() * 8, usize::from(len)),
            Err(error) => {
                assert_eq!(error.kind(), DecodeErrorKind::Truncated);
                assert_ne!(len % 8, 0);
            }
        }
    }
}

#[test]
fn a_copied_message_takes_one_block_of_memory() {
    let input = defiant_fixtures::dataset::like_google_message2();
    let arena = Arena::new();
    d::benchmarks::proto2::GoogleMessage2::decode_copied(&input, &arena).unwrap();
    assert!(arena.allocated_bytes() < 6 * input.len(), "{} bytes", arena.allocated_bytes());
}
