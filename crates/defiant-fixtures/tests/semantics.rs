//! Rules of the format beyond single values: presence, defaults, enums, oneofs, maps, pieces.

use defiant::{Arena, DecodeErrorKind, Map, Message};
use defiant_fixtures::defiant::everything::{proto2, proto3};
use defiant_fixtures::prost::everything as prost_everything;
use prost::Message as _;

fn decode<'a, M: Message<'a>>(bytes: &[u8], arena: &'a Arena) -> M {
    M::decode(arena.alloc_slice_copy(bytes), arena).expect("the bytes are valid")
}

#[test]
fn a_field_that_is_not_set_has_its_default() {
    let message = proto2::Defaults::default();
    assert_eq!(message.number, None);
    assert_eq!(message.number(), -7);
    assert_eq!(message.text(), "a \"quoted\" word");
    assert_eq!(message.data(), b"\0\x7f\xff\n");
    assert_eq!(message.infinite(), f32::NEG_INFINITY);
    assert!(message.not_a_number().is_nan());
    assert!(message.flag());
    assert_eq!(message.level(), proto2::Level::High);
    assert_eq!(message.large(), u64::MAX);
    assert_eq!(message.tenth(), 0.1);
    assert_eq!(message.first(), proto2::Level::Low, "an enum's first value is its default");
}

#[test]
fn a_required_field_is_always_written() {
    let message = proto2::Required::default();
    assert_eq!(message.level(), proto2::Level::Low);
    assert_eq!(message.data, b"\x01x\xff");
    assert_eq!(message.encode_to_vec(), [8, 0, 18, 0, 24, 1, 34, 3, 1, b'x', 0xff]);
}

#[test]
fn a_field_without_presence_is_written_unless_zero_and_minus_zero_is_not() {
    let zero = proto3::Everything { plain_double: 0.0, plain_int32: 0, ..Default::default() };
    assert_eq!(zero.encode_to_vec(), []);
    let minus_zero = proto3::Everything { plain_float: -0.0, ..Default::default() };
    assert_eq!(minus_zero.encode_to_vec(), [0x15, 0, 0, 0, 0x80]);
    let explicit = proto3::Everything { optional_int32: Some(0), ..Default::default() };
    assert_eq!(explicit.encode_to_vec(), [0xb0, 1, 0]);
}

#[test]
fn an_unknown_value_of_a_closed_enum_counts_as_an_unknown_field() {
    let arena = Arena::new();
    // optional_level = 2, repeated_level = [5, 2], packed_level = [1, 2, -3], the oneof = 2.
    let bytes = [
        &[0x80, 1, 2][..],
        &[0x98, 2, 5, 0x98, 2, 2],
        &[0xaa, 3, 12, 1, 2, 0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1],
        &[0xf0, 5, 2],
        // The map entries 7 -> 2, 8 -> 5, and 9 without a value.
        &[0xb2, 6, 4, 8, 7, 16, 2, 0xb2, 6, 4, 8, 8, 16, 5, 0xb2, 6, 2, 8, 9],
    ];
    let bytes = bytes.concat();
    let message: proto2::Everything<'_> = decode(&bytes, &arena);
    assert_eq!(message.optional_level, None);
    assert_eq!(message.repeated_level, [5]);
    assert_eq!(message.packed_level, [1, -3]);
    assert_eq!(message.choice, None);
    assert_eq!(message.map_uint64_level.entries(), [(8, 5), (9, 1)]);
    assert_eq!(
        message.packed_level().collect::<Vec<_>>(),
        [proto2::Level::Low, proto2::Level::Negative]
    );
}

#[test]
fn an_open_enum_keeps_unknown_values() {
    let arena = Arena::new();
    let message: proto3::Everything<'_> = decode(&[0x80, 1, 99], &arena);
    assert_eq!(message.plain_color, 99);
    assert_eq!(message.plain_color(), proto3::Color::Unspecified);
    assert_eq!(message.encode_to_vec(), [0x80, 1, 99]);
}

#[test]
fn enums_convert_from_and_to_numbers_and_names() {
    assert_eq!(proto3::Color::try_from(7), Ok(proto3::Color::Blue));
    assert_eq!(proto3::Color::try_from(2), Err(defiant::UnknownEnumValue(2)));
    assert_eq!(i32::from(proto2::Level::Negative), -3);
    assert_eq!(proto3::Color::Red.as_str_name(), "COLOR_RED");
    assert_eq!(proto3::Color::from_str_name("COLOR_CRIMSON"), Some(proto3::Color::Red));
    assert_eq!(proto3::Color::from_str_name("RED"), None);
    let mut message = proto3::Everything::default();
    message.set_plain_color(proto3::Color::Blue);
    assert_eq!(message.plain_color(), proto3::Color::Blue);
}

#[test]
fn packed_and_unpacked_elements_are_read_in_both_forms_and_may_alternate() {
    let arena = Arena::new();
    // Field 22, declared unpacked, and field 42, declared packed.
    let bytes = [0xb0, 1, 1, 0xb2, 1, 2, 2, 3, 0xb0, 1, 4, 0xd0, 2, 5, 0xd2, 2, 1, 6];
    let message: proto2::Everything<'_> = decode(&bytes, &arena);
    assert_eq!(message.repeated_int32, [1, 2, 3, 4]);
    assert_eq!(message.packed_int32, [5, 6]);
}

#[test]
fn the_last_of_a_oneof_counts_and_messages_of_the_same_field_merge() {
    let arena = Arena::new();
    let leaf = |bytes: &[u8]| [&[0xea, 5, bytes.len() as u8], bytes].concat();
    let (number, name) = (leaf(&[8, 1]), leaf(&[18, 1, b'x']));
    let text = vec![0xda, 5, 1, b'y'];
    let choice = |parts: &[&[u8]]| {
        let message: proto2::Everything<'_> = decode(&parts.concat(), &arena);
        message.choice.expect("the last one")
    };
    use proto2::everything::Choice;
    let merged = proto2::Leaf { number: Some(1), names: &["x"] };
    assert_eq!(choice(&[&number, &name]), Choice::ChoiceLeaf(&merged));
    assert_eq!(choice(&[&number, &text]), Choice::ChoiceString("y"));
    // Another field of the oneof drops the pieces before it, even several.
    let only_name = proto2::Leaf { number: None, names: &["x"] };
    assert_eq!(choice(&[&number, &number, &text, &name]), Choice::ChoiceLeaf(&only_name));
}

#[test]
fn the_last_entry_of_a_map_key_counts_and_parts_may_be_missing() {
    let arena = Arena::new();
    let entries: [&[u8]; 4] = [
        &[0xa2, 6, 5, 10, 1, b'b', 16, 1],
        &[0xa2, 6, 3, 10, 1, b'a'],
        &[0xa2, 6, 2, 16, 7],
        // The value before the key, twice, and an unknown field.
        &[0xa2, 6, 9, 16, 2, 16, 3, 24, 0, 10, 1, b'b'],
    ];
    let message: proto2::Everything<'_> = decode(&entries.concat(), &arena);
    assert_eq!(message.map_string_int64.entries(), [("", 7), ("a", 0), ("b", 3)]);
    assert_eq!(message.map_string_int64.get("b"), Some(&3));
    assert_eq!(message.map_string_int64.get("c"), None);
}

#[test]
fn a_map_of_many_keys_in_any_order_is_sorted() {
    let arena = Arena::new();
    let entries: Vec<(u32, u32)> = (0..1000).map(|at| (at * 7919 % 500, at)).collect();
    let map = Map::from_entries(&arena, &entries);
    let expected: std::collections::BTreeMap<_, _> = entries.into_iter().collect();
    assert!(map.iter().map(|(k, v)| (k, v)).eq(&expected));
}

/// `Everything.leaf` or, of a map entry, its value, in `pieces` that each add one name.
fn split_leaf(pieces: usize) -> Vec<u8> {
    [0xe2, 3, 3, 18, 1, b'x'].repeat(pieces)
}

#[test]
fn a_message_in_many_pieces_costs_memory_in_proportion_to_them() {
    let arena = Arena::new();
    let bytes = split_leaf(100_000);
    let message = proto2::Everything::decode(&bytes, &arena).unwrap();
    assert_eq!(message.leaf.unwrap().names.len(), 100_000);
    // Sixteen bytes for each text, 40 for each piece, and both doubled by growth and chunks.
    assert!(arena.allocated_bytes() < 40 * bytes.len(), "{} bytes", arena.allocated_bytes());
}

#[test]
fn a_map_value_in_many_pieces_costs_memory_in_proportion_to_them() {
    let arena = Arena::new();
    let pieces = [18, 3, 18, 1, b'x'].repeat(100_000);
    let mut bytes = vec![0xaa, 6];
    prost::encoding::encode_varint(pieces.len() as u64, &mut bytes);
    bytes.extend(pieces);
    let message = proto2::Everything::decode(&bytes, &arena).unwrap();
    assert_eq!(message.map_int32_leaf.get(0).unwrap().names.len(), 100_000);
    assert!(arena.allocated_bytes() < 40 * bytes.len(), "{} bytes", arena.allocated_bytes());
}

#[test]
fn pieces_of_pieces_merge_as_in_prost() {
    // A binary tree of splits: each level comes twice, so the leaves come 2^10 times.
    let mut bytes = vec![0x18, 2];
    for _ in 0..10 {
        let mut piece = vec![0x0a];
        prost::encoding::encode_varint(bytes.len() as u64, &mut piece);
        piece.extend(&bytes);
        bytes = piece.repeat(2);
        bytes.extend([0x23, 0x10, 1, 0x24, 0x12, 2, 0x18, 4]);
    }
    let arena = Arena::new();
    let message = proto2::Tree::decode(&bytes, &arena).unwrap();
    let prost = prost_everything::proto2::Tree::decode(bytes.as_slice()).unwrap();
    assert!(defiant_fixtures::mirror::Same::same(&message, &prost), "{message:?}");
    assert!(arena.allocated_bytes() < 100 * bytes.len(), "{} bytes", arena.allocated_bytes());
}

#[test]
fn a_group_in_pieces_may_end_with_a_key_that_is_longer_than_needed() {
    let arena = Arena::new();
    // Group 70 three times: a = 1; b = "x" with an end of five bytes; a = 2 with one of three.
    let bytes = [
        &[0xb3, 4, 0xb8, 4, 1, 0xb4, 4][..],
        &[0xb3, 4, 0xc2, 4, 1, b'x', 0xb4, 0x84, 0x80, 0x80, 0],
        &[0xb3, 4, 0xb8, 4, 2, 0xb4, 0x84, 0],
    ];
    let message: proto2::Everything<'_> = decode(&bytes.concat(), &arena);
    let single = proto2::everything::Single { a: Some(2), b: Some("x") };
    assert_eq!(message.single, Some(&single));
}

#[test]
fn a_piece_that_ends_inside_a_field_is_not_completed_by_the_next() {
    let arena = Arena::new();
    let bytes = [0xe2, 3, 2, 8, 1, 0xe2, 3, 1, 8, 0xe2, 3, 2, 1, 1];
    let error = proto2::Everything::decode(&bytes, &arena).unwrap_err();
    assert_eq!(error.kind(), DecodeErrorKind::Truncated);
    assert_eq!(error.path().collect::<Vec<_>>(), [("Everything", "leaf")]);
}

#[test]
fn a_length_beyond_the_input_allocates_nothing() {
    let arena = Arena::new();
    // Two GiB of text, of packed elements, and of a sub-message.
    for key in [[0x72].as_slice(), &[0xc2, 2], &[0xd2, 2], &[0xe2, 3], &[0xea, 3]] {
        let bytes = [key, &[0x80, 0x80, 0x80, 0x80, 0x08, 0]].concat();
        let error = proto2::Everything::decode(&bytes, &arena).unwrap_err();
        assert_eq!(error.kind(), DecodeErrorKind::Truncated, "{bytes:x?}");
    }
    assert_eq!(arena.allocated_bytes(), 0);
}

#[test]
fn a_long_sub_message_gets_a_long_length() {
    let arena = Arena::new();
    let names = vec!["0123456789"; 2000];
    let leaf = proto2::Leaf { number: Some(1), names: &names };
    let inner = proto2::Tree { value: Some(5), ..Default::default() };
    let message = proto2::Everything {
        leaf: Some(&leaf),
        leaves: &[leaf, proto2::Leaf::default(), leaf],
        tree: Some(&inner),
        ..Default::default()
    };
    let bytes = message.encode_to_vec();
    assert_eq!((bytes.len(), bytes.capacity()), (message.encoded_len(), message.encoded_len()));
    assert_eq!(decode::<proto2::Everything<'_>>(&bytes, &arena), message);
}
