//! Unknown fields that are kept: nothing of a message is lost on its way through a program that knows less of it.

use defiant::{Arena, DecodeErrorKind, Message, UnknownFields};
use defiant_fixtures::defiant::kept::{
    Extensions, Level, Nothing, Some as Kept, Taken, some::Choice,
};
use defiant_fixtures::entropy::{Draw, Entropy};
use defiant_fixtures::prost::everything::proto2 as p;
use proptest::prelude::*;

/// What becomes of a list of a closed enum: values that are not known are fields of their own, behind the known ones.
fn known_first(levels: &mut [i32]) {
    levels.sort_by_key(|level| *level != Level::Low as i32);
}

fn decode<'a>(bytes: &'a [u8], arena: &'a Arena) -> Kept<'a> {
    Kept::decode(bytes, arena).expect("the bytes are valid")
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn nothing_is_lost_on_the_way_through_a_type_that_knows_less(
        entropy in proptest::collection::vec(any::<u8>(), 0..3000),
    ) {
        let mut message = p::Everything::draw(&mut Entropy::new(&entropy));
        let bytes = prost::Message::encode_to_vec(&message);
        let arena = Arena::new();
        let kept = decode(&bytes, &arena);
        let passed_on = kept.encode_to_vec();
        prop_assert_eq!(passed_on.len(), kept.encoded_len());
        let again: p::Everything = prost::Message::decode(passed_on.as_slice()).unwrap();
        known_first(&mut message.repeated_level);
        known_first(&mut message.packed_level);
        prop_assert_eq!(&again, &message);
        // What was written once is written the same way again.
        let twice = decode(&passed_on, &arena);
        prop_assert_eq!(twice.encode_to_vec(), &*passed_on);
        prop_assert_eq!(twice, kept);

        // Each byte is the same where nothing is known.
        let nothing = Nothing::decode(&bytes, &arena).unwrap();
        prop_assert_eq!(nothing.encode_to_vec(), &*bytes);
        prop_assert!(nothing.unknown_fields.pieces().len() <= 1, "fields in a row are one piece");
        prop_assert_eq!(nothing.unknown_fields.decode_as::<Kept<'_>>(&arena).unwrap(), kept);
    }

    #[test]
    fn any_valid_input_is_kept_to_the_byte(
        bytes in proptest::collection::vec(prop_oneof![any::<u8>(), Just(2), Just(8), Just(11), Just(12), Just(0)], 0..60),
    ) {
        let arena = Arena::new();
        if let Ok(nothing) = Nothing::decode(&bytes, &arena) {
            prop_assert_eq!(nothing.encode_to_vec(), bytes);
        }
    }

    #[test]
    fn a_message_that_is_merged_has_the_fields_of_all_parts(
        entropy in proptest::collection::vec(any::<u8>(), 0..1000),
    ) {
        let bytes = prost::Message::encode_to_vec(&p::Everything::draw(&mut Entropy::new(&entropy)));
        let arena = Arena::new();
        let mut merged = Nothing::decode(&bytes, &arena).unwrap();
        merged.merge(&bytes, &arena).unwrap();
        prop_assert_eq!(merged.encode_to_vec(), bytes.repeat(2));
    }
}

#[test]
fn fields_of_every_wire_type_are_kept_as_they_came() {
    let unknown = [
        &[0xf8, 0x3f, 0x80, 0x00][..],         // a varint with a byte too many
        &[0xf9, 0x3f, 1, 2, 3, 4, 5, 6, 7, 8], // 64 bits
        &[0xfa, 0x3f, 2, b'a', b'b'],          // delimited
        &[0xfb, 0x3f, 0x08, 0x01, 0xfb, 0x3f, 0xfc, 0x3f, 0xfc, 0x3f], // a group in a group
        &[0xfd, 0x3f, 1, 2, 3, 4],             // 32 bits
    ];
    let arena = Arena::new();
    let bytes: Vec<u8> =
        unknown.iter().flat_map(|field| [*field, &[0x18, 0x07]]).flatten().copied().collect();
    let kept = decode(&bytes, &arena);
    assert_eq!(kept.optional_int32, Some(7));
    assert_eq!(kept.unknown_fields.pieces(), unknown);
    assert_eq!(kept.encode_to_vec(), [&[0x18, 0x07], unknown.concat().as_slice()].concat());
}

#[test]
fn unknown_values_of_a_closed_enum_are_fields_and_leave_the_known_ones_alone() {
    let negative = [0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
    let arena = Arena::new();
    for (field, expected) in [
        // optional_level = -3
        ([&[0x80, 0x01], &negative[..]].concat(), [&[0x80, 0x01], &negative[..]].concat()),
        // repeated_level: 1, 5, 1
        (vec![0x98, 0x02, 1, 0x98, 0x02, 5, 0x98, 0x02, 1], vec![0x98, 0x02, 5]),
        // packed_level: [1, 5, 6], each as a field of its own
        (vec![0xaa, 0x03, 3, 1, 5, 6], vec![0xa8, 0x03, 5, 0xa8, 0x03, 6]),
        // packed_level, not packed
        (vec![0xa8, 0x03, 5], vec![0xa8, 0x03, 5]),
        // choice_level = 5
        (vec![0xf0, 0x05, 5], vec![0xf0, 0x05, 5]),
        // an entry of map_uint64_level, with a key and the value 5
        (vec![0xb2, 0x06, 4, 8, 1, 16, 5], vec![0xb2, 0x06, 4, 8, 1, 16, 5]),
    ] {
        let kept = decode(&field, &arena);
        assert_eq!(kept.unknown_fields.pieces().concat(), expected);
        assert_eq!((kept.optional_level, kept.choice), (None, None));
        assert!(kept.map_uint64_level.is_empty());
        assert!(kept.repeated_level.iter().chain(kept.packed_level).all(|level| *level == 1));
    }
    // One that comes after a known one does not take its place.
    let bytes = [0xd0, 0x05, 9, 0xf0, 0x05, 5];
    assert_eq!(decode(&bytes, &arena).choice, Some(Choice::ChoiceInt32(9)));
}

#[test]
fn extensions_are_read_as_a_message_that_has_them() {
    let arena = Arena::new();
    let extensions = Extensions { text: Some("Ada"), numbers: &[1, 2], ..Extensions::default() };
    let bytes = [&[0x18, 0x07], extensions.encode_to_vec().as_slice()].concat();
    let kept = decode(&bytes, &arena);
    assert_eq!(kept.unknown_fields.decode_as::<Extensions<'_>>(&arena), Ok(extensions));
}

#[test]
fn a_field_of_that_name_keeps_its_name() {
    let arena = Arena::new();
    let bytes = [0x08, 0x01, 0x10, 0x02];
    let message = Taken::decode(&bytes, &arena).unwrap();
    assert_eq!(message.unknown_fields, Some(1));
    assert_eq!(message.unknown_fields_.pieces(), [[0x10, 0x02]]);
}

#[test]
fn fields_are_equal_by_their_bytes_and_no_fields_cost_nothing() {
    let arena = Arena::new();
    let apart = decode(&[0xf8, 0x3f, 1, 0x18, 7, 0xf8, 0x3f, 2], &arena);
    let in_a_row = decode(&[0x18, 7, 0xf8, 0x3f, 1, 0xf8, 0x3f, 2], &arena);
    assert_eq!(
        (apart.unknown_fields.pieces().len(), in_a_row.unknown_fields.pieces().len()),
        (2, 1)
    );
    assert_eq!(apart, in_a_row);
    assert_ne!(apart.unknown_fields, UnknownFields::new());

    let arena = Arena::new();
    assert!(decode(&[0x18, 7], &arena).unknown_fields.is_empty());
    assert_eq!(arena.allocated_bytes(), 0);
}

#[test]
fn unknown_fields_count_for_the_arenas_limit() {
    let bytes = [0xf8, 0x3f, 1, 0x18, 7].repeat(1000);
    let arena = Arena::with_limit(1000);
    let error = Kept::decode(&bytes, &arena).unwrap_err();
    assert!(matches!(error.kind(), DecodeErrorKind::ArenaLimit { limit: 1000, .. }), "{error}");
    assert!(arena.allocated_bytes() <= 1000);
}

#[test]
fn a_group_that_is_not_closed_is_an_error_and_not_kept() {
    let arena = Arena::new();
    let error = Kept::decode(&[0xfb, 0x3f, 0x08, 0x01], &arena).unwrap_err();
    assert_eq!(error.kind(), DecodeErrorKind::Truncated);
}
