//! Input that is not valid gives an error that says what and where, and never more.

use defiant::{Arena, DecodeError, DecodeErrorKind, Message};
use defiant_fixtures::check;
use defiant_fixtures::entropy::{Draw, Entropy};
use defiant_fixtures::{defiant as d, prost as p};
use proptest::prelude::*;

type Everything<'a> = d::everything::proto2::Everything<'a>;
type Tree<'a> = d::everything::proto2::Tree<'a>;

fn error_of(bytes: &[u8]) -> DecodeError {
    Everything::decode(bytes, &Arena::new()).expect_err("the input is not valid")
}

/// Table of an input and the whole text of its error.
fn check_errors(table: &[(&[u8], &str)]) {
    for (bytes, text) in table {
        let expected = format!("failed to decode protobuf message: {text}");
        assert_eq!(error_of(bytes).to_string(), expected, "for {bytes:x?}");
    }
}

#[test]
fn input_that_ends_too_early_is_told_by_field() {
    check_errors(&[
        (&[0x18], "Everything.optional_int32: input ends too early"),
        (&[0x18, 0x80], "Everything.optional_int32: input ends too early"),
        (&[0x09, 1, 2, 3], "Everything.optional_double: input ends too early"),
        (&[0x72, 5, b'a'], "Everything.optional_string: input ends too early"),
        (&[0xc2, 0x02, 3, 1, 2], "Everything.packed_double: input ends too early"),
        (&[0xd2, 0x02, 2, 1, 0x80], "Everything.packed_int32: input ends too early"),
        // The key itself is cut, so there is no field.
        (&[0x80], "input ends too early"),
        // A group without an end.
        (&[0xb3, 0x04, 0xb8, 0x04, 1], "Everything.single: input ends too early"),
        (&[0xe2, 0x03, 2, 0x12, 9], "Everything.leaf: Leaf.names: input ends too early"),
    ]);
}

#[test]
fn the_path_leads_from_the_outermost_message_to_the_field() {
    // Tree { left: Tree { branch: Branch { tree: Tree { value: (cut) } } } }
    let bytes = [0x0a, 5, 0x23, 0x0a, 1, 0x18, 0x24];
    let error = Tree::decode(&bytes, &Arena::new()).unwrap_err();
    assert_eq!(error.kind(), DecodeErrorKind::Truncated);
    let path = [("Tree", "left"), ("Tree", "branch"), ("Branch", "tree"), ("Tree", "value")];
    assert_eq!(error.path().collect::<Vec<_>>(), path);
}

#[test]
fn a_known_field_with_a_wrong_wire_type_is_an_error() {
    check_errors(&[
        (&[0x1d, 0, 0, 0, 0], "Everything.optional_int32: unexpected wire type Fixed32"),
        (&[0x1a, 0], "Everything.optional_int32: unexpected wire type Delimited"),
        (&[0x70, 0], "Everything.optional_string: unexpected wire type Varint"),
        (&[0xe3, 0x03, 0xe4, 0x03], "Everything.leaf: unexpected wire type StartGroup"),
        (&[0xb2, 0x04, 0], "Everything.single: unexpected wire type Delimited"),
        (&[0xa0, 0x06, 0], "Everything.map_string_int64: unexpected wire type Varint"),
    ]);
}

#[test]
fn a_map_field_with_a_wrong_wire_type_is_an_error_though_prost_accepts_it() {
    // Field 121 as a varint, 0, which prost takes as a length.
    let bytes = [0xc8, 7, 0];
    let prost: Result<p::everything::proto3::Everything, _> = prost::Message::decode(&bytes[..]);
    assert_eq!(prost.map(|message| message.map_color.len()), Ok(1));
    let arena = Arena::new();
    let error = d::everything::proto3::Everything::decode(&bytes, &arena).unwrap_err();
    assert!(check::only_prost_accepts(&error), "{error}");
}

#[test]
fn keys_that_cannot_be_are_errors() {
    check_errors(&[
        (&[0x00], "invalid field key 0"),
        (&[0x07], "invalid field key 7"),
        (&[0x80, 0x00], "invalid field key 0"),
        (&[0xff, 0xff, 0xff, 0xff, 0x1f], "invalid field key 8589934591"),
        (&[0x3f], "Everything.optional_sint32: invalid field key 63"),
        (&[0xc7, 0x3e], "invalid field key 8007"),
        (&[0x80; 11], "varint is longer than 64 bits"),
        (&[0x0c], "Everything.optional_double: unexpected wire type EndGroup"),
        (&[0xbc, 0x3e], "unexpected end of group"),
    ]);
}

#[test]
fn varints_of_more_than_64_bits_are_errors() {
    let mut bytes = vec![0x20];
    bytes.extend([0xff; 9]);
    bytes.push(2);
    check_errors(&[(&bytes, "Everything.optional_int64: varint is longer than 64 bits")]);
    bytes[10] = 1;
    let arena = Arena::new();
    assert_eq!(Everything::decode(&bytes, &arena).unwrap().optional_int64, Some(-1));
}

#[test]
fn text_that_is_not_utf8_is_an_error_and_bytes_may_be_anything() {
    check_errors(&[
        (&[0x72, 1, 0xff], "Everything.optional_string: string is not UTF-8"),
        (&[0x72, 3, 0xed, 0xa0, 0x80], "Everything.optional_string: string is not UTF-8"),
        (&[0xa2, 0x06, 3, 0x0a, 1, 0x80], "Everything.map_string_int64: string is not UTF-8"),
    ]);
    let arena = Arena::new();
    let message = Everything::decode(&[0x7a, 1, 0xff], &arena).unwrap();
    assert_eq!(message.optional_bytes, Some(&[0xff][..]));
}

#[test]
fn the_wrong_end_of_a_group_is_an_error() {
    // Group 70 ended as 71, which is a field of it, and as 99, which is not.
    check_errors(&[
        (&[0xb3, 0x04, 0xbc, 0x04], "Everything.single: Single.a: unexpected wire type EndGroup"),
        (&[0xb3, 0x04, 0x9c, 0x06], "Everything.single: unexpected end of group"),
    ]);
}

/// The errors of an input and of prost for it, which both must have.
fn refused_by_both(bytes: &[u8]) -> String {
    let prost: Result<p::everything::proto2::Everything, _> = prost::Message::decode(bytes);
    prost.expect_err("prost accepts it");
    error_of(bytes).to_string()
}

#[test]
fn a_piece_of_a_message_that_a_oneof_has_left_is_checked_as_any_other() {
    let leaf = "failed to decode protobuf message: Everything.choice_leaf: Leaf";
    let group = "failed to decode protobuf message: Everything.choicegroup: ChoiceGroup";
    // A first piece that is valid, one that is not, and the error.
    let table: [(&[u8], &[u8], String); 4] = [
        (&[0xea, 5, 0], &[0xea, 5, 3, 0x12, 1, 0xff], format!("{leaf}.names: string is not UTF-8")),
        (
            &[0xea, 5, 0],
            &[0xea, 5, 2, 0x10, 1],
            format!("{leaf}.names: unexpected wire type Varint"),
        ),
        (&[0xea, 5, 2, 8, 1], &[0xea, 5, 1, 8], "input ends too early".into()),
        (
            &[0x83, 6, 0x84, 6],
            &[0x83, 6, 0x8d, 6, 0, 0, 0, 0, 0x84, 6],
            format!("{group}.d: unexpected wire type Fixed32"),
        ),
    ];
    let others: [&[u8]; 3] = [&[0xda, 5, 1, b'x'], &[0x92, 6, 0], &[0xd0, 5, 1]];
    for (first, wrong, error) in &table {
        for other in others {
            for parts in [
                [*first, *wrong, other, b""].concat(),
                [*first, *wrong, other, *first].concat(),
                [*first, *first, *wrong, other].concat(),
                [other, *first, *wrong, other].concat(),
                [*first, other, *first, *wrong, other].concat(),
            ] {
                let found = refused_by_both(&parts);
                assert!(found.ends_with(error.as_str()), "{parts:x?}: {found}");
            }
        }
        // The same pieces without what is wrong are valid, and the last field of the oneof counts.
        let valid = [*first, *first, others[0]].concat();
        let arena = Arena::new();
        let choice = Everything::decode(&valid, &arena).unwrap().choice;
        assert_eq!(choice, Some(d::everything::proto2::everything::Choice::ChoiceString("x")));
    }
}

#[test]
fn pieces_that_are_left_behind_in_pieces_are_decoded_once() {
    // Two pieces of `choice_everything` on each level, which `choice_bool` follows: with twice the work for each level, this
    // would take hours.
    let mut bytes = Vec::new();
    for _ in 0..30 {
        let mut outer = vec![0xe2, 5, 0, 0xe2, 5];
        prost::encoding::encode_varint(bytes.len() as u64, &mut outer);
        outer.extend(bytes);
        outer.extend([0xd0, 5, 1]);
        bytes = outer;
    }
    let arena = Arena::new();
    let message = d::everything::proto3::Everything::decode(&bytes, &arena).unwrap();
    assert_eq!(message.choice, Some(d::everything::proto3::everything::Choice::ChoiceBool(true)));
}

#[test]
fn unknown_fields_of_every_wire_type_are_passed_over() {
    // Fields 1000 and, nested in a group, 1001; then a known field.
    let unknown: &[&[u8]] = &[
        &[0xc0, 0x3e, 0xff, 0xff, 1],
        &[0xc1, 0x3e, 1, 2, 3, 4, 5, 6, 7, 8],
        &[0xc2, 0x3e, 2, 0xff, 0xff],
        &[0xc3, 0x3e, 0xcb, 0x3e, 0x08, 5, 0xcc, 0x3e, 0xc4, 0x3e],
        &[0xc5, 0x3e, 1, 2, 3, 4],
    ];
    let bytes = [unknown.concat().as_slice(), &[0x18, 5]].concat();
    let arena = Arena::new();
    let message = Everything::decode(&bytes, &arena).unwrap();
    assert_eq!(message, Everything { optional_int32: Some(5), ..Default::default() });
    for cut in 1..unknown.concat().len() {
        let bytes = &bytes[..cut];
        let at_boundary = (0..5).any(|n| unknown[..=n].concat().len() == cut);
        assert_eq!(Everything::decode(bytes, &arena).is_ok(), at_boundary, "{cut} bytes");
    }
}

/// `Tree { left: Tree { left: … } }` of `depth` messages below the outermost one.
fn nested_messages(depth: usize) -> Vec<u8> {
    nested_in(&[0x0a], depth)
}

/// `depth` messages below the outermost one, each in the field with `key`.
fn nested_in(key: &[u8], depth: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..depth {
        let mut outer = key.to_vec();
        prost::encoding::encode_varint(bytes.len() as u64, &mut outer);
        outer.extend(bytes);
        bytes = outer;
    }
    bytes
}

#[test]
fn a_hundred_levels_may_be_nested_as_in_prost() {
    for (depth, is_valid) in [(1, true), (99, true), (100, true), (101, false), (5000, false)] {
        let bytes = nested_messages(depth);
        let defiant = Tree::decode(&bytes, &Arena::new()).map(|_| ());
        let prost: Result<p::everything::proto2::Tree, _> = prost::Message::decode(&*bytes);
        assert_eq!(defiant.is_ok(), is_valid, "{depth} levels");
        assert_eq!(prost.is_ok(), is_valid, "{depth} levels");
        if let Err(error) = defiant {
            assert_eq!(error.kind(), DecodeErrorKind::RecursionLimit);
        }
    }
}

/// The stack of a thread, where nothing else is asked for.
const STACK: usize = 2 << 20;

#[test]
fn a_hundred_levels_of_a_large_message_fit_the_stack_of_a_thread_without_optimisation_too() {
    use d::everything::proto3::Everything;
    let nested = || {
        // Field 82, and field 92 of a oneof.
        for key in [[0x92, 0x05], [0xe2, 0x05]] {
            let bytes = nested_in(&key, 100);
            let arena = Arena::new();
            let message = Everything::decode(&bytes, &arena).unwrap();
            assert_eq!(message.encoded_len(), bytes.len());
            assert_eq!(message.encode_to_vec(), bytes);
        }
    };
    std::thread::Builder::new().stack_size(STACK).spawn(nested).unwrap().join().unwrap();
}

#[test]
fn groups_are_nested_as_deep_as_messages_known_or_not() {
    for key in [0x23, 0x7b] {
        let of_depth = |depth| [vec![key; depth], vec![key + 1; depth]].concat();
        // A branch holds a tree in turn, so known groups cannot nest in themselves directly.
        let limit = if key == 0x23 { 1 } else { 100 };
        assert!(Tree::decode(&of_depth(limit), &Arena::new()).is_ok(), "{key:#x}");
        let error = Tree::decode(&of_depth(100_000), &Arena::new()).unwrap_err();
        let kinds = [
            DecodeErrorKind::RecursionLimit,
            DecodeErrorKind::WireType { found: defiant::wire::WireType::StartGroup },
        ];
        assert!(kinds.contains(&error.kind()), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let arena = Arena::new();
        let _ = Everything::decode(&bytes, &arena);
        let _ = d::everything::proto3::Everything::decode(&bytes, &arena);
        let _ = d::benchmarks::proto2::GoogleMessage2::decode(&bytes, &arena);
    }

    #[test]
    fn a_message_cut_anywhere_is_an_error_or_a_message(
        entropy in proptest::collection::vec(any::<u8>(), 0..1000),
        cut in any::<prop::sample::Index>(),
    ) {
        let message = p::everything::proto2::Everything::draw(&mut Entropy::new(&entropy));
        let bytes = prost::Message::encode_to_vec(&message);
        let cut = &bytes[..cut.index(bytes.len() + 1)];
        let prost: Result<p::everything::proto2::Everything, _> = prost::Message::decode(cut);
        prop_assert_eq!(Everything::decode(cut, &Arena::new()).is_ok(), prost.is_ok());
    }

    #[test]
    fn a_changed_message_is_valid_to_both_or_to_none(
        entropy in proptest::collection::vec(any::<u8>(), 0..400),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let message = p::everything::proto3::Everything::draw(&mut Entropy::new(&entropy));
        let mut bytes = prost::Message::encode_to_vec(&message);
        prop_assume!(!bytes.is_empty());
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        let prost: Result<p::everything::proto3::Everything, _> =
            prost::Message::decode(bytes.as_slice());
        let arena = Arena::new();
        let defiant = d::everything::proto3::Everything::decode(&bytes, &arena);
        match defiant {
            Ok(_) => prop_assert!(prost.is_ok(), "{:?}", prost),
            Err(error) => prop_assert!(prost.is_err() || check::only_prost_accepts(&error)),
        }
    }
}
