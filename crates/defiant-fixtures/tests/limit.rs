//! A limit of the arena: what fits is the same message, and what does not is refused without the memory for it.

use defiant::{Arena, ArenaVec, DecodeErrorKind, Message};
use defiant_fixtures::defiant::everything::{proto2, proto3};
use defiant_fixtures::entropy::{Draw, Entropy};
use defiant_fixtures::prost as p;
use proptest::prelude::*;

/// That `bytes` in at most `limit` bytes of memory are the same message, or are refused for the limit.
fn decode_within<'a, M: Message<'a> + std::fmt::Debug>(
    bytes: &'a [u8],
    arena: &'a Arena,
    whole: &M,
) {
    let limit = arena.limit().expect("the arena has one");
    match M::decode(bytes, arena) {
        Ok(message) => {
            assert_eq!(message.encode_to_vec(), whole.encode_to_vec());
        }
        Err(error) => {
            let kind = error.kind();
            let DecodeErrorKind::ArenaLimit { limit: named, needed } = kind else {
                panic!("{error}")
            };
            assert_eq!(named, limit);
            assert!(needed > limit, "{needed} <= {limit}");
        }
    }
    assert!(arena.allocated_bytes() <= limit, "{} > {limit}", arena.allocated_bytes());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_message_fits_or_is_refused(
        entropy in proptest::collection::vec(any::<u8>(), 0..3000),
        limit in prop_oneof![0..2000_usize, 0..100_000_usize],
    ) {
        let message = p::everything::proto2::Everything::draw(&mut Entropy::new(&entropy));
        let bytes = prost::Message::encode_to_vec(&message);
        let arenas = [Arena::new(), Arena::with_limit(limit)];
        let whole = proto2::Everything::decode(&bytes, &arenas[0]).unwrap();
        decode_within(&bytes, &arenas[1], &whole);
        // What was enough without a limit is enough for one.
        let exact = Arena::with_limit(arenas[0].allocated_bytes());
        proto2::Everything::decode(&bytes, &exact).unwrap();

        let message = p::everything::proto3::Everything::draw(&mut Entropy::new(&entropy));
        let bytes = prost::Message::encode_to_vec(&message);
        let arenas = [Arena::new(), Arena::with_limit(limit)];
        let whole = proto3::Everything::decode(&bytes, &arenas[0]).unwrap();
        decode_within(&bytes, &arenas[1], &whole);
        let copied = proto3::Everything::decode_copied(&bytes, &Arena::with_limit(limit)).map(|copied| copied.encode_to_vec());
        prop_assert!(copied.is_err() || copied.unwrap() == whole.encode_to_vec());
    }

    #[test]
    fn any_input_is_refused_before_it_takes_more(
        bytes in proptest::collection::vec(prop_oneof![any::<u8>(), Just(2), Just(8), Just(10), Just(0)], 0..400),
        limit in 0..2000_usize,
    ) {
        let arena = Arena::with_limit(limit);
        let _ = proto2::Everything::decode(&bytes, &arena);
        prop_assert!(arena.allocated_bytes() <= limit, "{} > {limit}", arena.allocated_bytes());
    }
}

/// Inputs of `count` elements whose memory is many times their size.
fn hostile(count: usize) -> [(&'static str, Vec<u8>); 7] {
    [
        ("unpacked numbers", [0xb0, 0x01, 0x00].repeat(count)),
        ("unpacked texts", [0x8a, 0x02, 0x00].repeat(count)),
        ("packed numbers", {
            let mut bytes = vec![0xd2, 0x02];
            prost::encoding::encode_varint(count as u64, &mut bytes);
            bytes.extend(vec![0; count]);
            bytes
        }),
        ("messages", [0xea, 0x03, 0x00].repeat(count)),
        ("groups", [0x83, 0x05, 0x84, 0x05].repeat(count)),
        ("entries of a map", [0xa2, 0x06, 0x00].repeat(count)),
        ("pieces of a message", [0xe2, 0x03, 0x02, 0x08, 0x01].repeat(count)),
    ]
}

#[test]
fn hostile_lists_are_refused_within_the_limit() {
    for (name, bytes) in hostile(50_000) {
        let free = Arena::new();
        proto2::Everything::decode(&bytes, &free).expect(name);
        for limit in [0, 1000, 20_000] {
            let arena = Arena::with_limit(limit);
            let error = proto2::Everything::decode(&bytes, &arena).expect_err(name);
            assert!(matches!(error.kind(), DecodeErrorKind::ArenaLimit { .. }), "{name}: {error}");
            let taken = arena.allocated_bytes();
            assert!(taken <= limit, "{name}: {taken} > {limit}");
        }
    }
}

#[test]
fn many_decodes_in_one_arena_are_refused_within_the_limit() {
    for (name, bytes) in hostile(1) {
        for limit in [0, 1000, 20_000] {
            let mut arena = Arena::with_limit(limit);
            let mut refused = 0;
            for _ in 0..2000 {
                let result = proto2::Everything::decode(&bytes, &arena).map(|_| ());
                let kinds = result.map_err(|error| error.kind());
                assert!(
                    matches!(kinds, Ok(()) | Err(DecodeErrorKind::ArenaLimit { .. })),
                    "{name}"
                );
                refused += usize::from(kinds.is_err());
                assert!(
                    arena.allocated_bytes() <= limit,
                    "{name}: {} > {limit}",
                    arena.allocated_bytes()
                );
            }
            assert!(refused > 0 || name == "pieces of a message", "{name}: all fit in {limit}");
            // What was refused has taken nothing that a reset would keep.
            arena.reset();
            assert!(arena.allocated_bytes() <= limit, "{name}");
        }
    }
}

#[test]
fn the_error_names_the_limit_the_need_and_the_field() {
    let arena = Arena::with_limit(100);
    let bytes = [0xea, 0x03, 0x00].repeat(10);
    let error = proto2::Everything::decode(&bytes, &arena).unwrap_err();
    assert_eq!(
        error.to_string(),
        "failed to decode protobuf message: Everything.leaves: arena of 128 bytes needed, limit is 100"
    );
}

#[test]
fn messages_without_memory_have_no_use_for_it() {
    let bytes = [0x18, 0x01, 0x72, 0x01, b'a'];
    let arena = Arena::with_limit(0);
    let message = proto2::Everything::decode(&bytes, &arena).unwrap();
    assert_eq!((message.optional_int32, message.optional_string), (Some(1), Some("a")));
    assert_eq!(arena.allocated_bytes(), 0);
}

#[test]
fn a_refused_message_leaves_an_arena_that_can_be_used() {
    let bytes = [0xb0, 0x01, 0x00].repeat(10_000);
    let mut arena = Arena::with_limit(5000);
    for _ in 0..3 {
        proto2::Everything::decode(&bytes, &arena).unwrap_err();
        // What is pushed by hand is not part of a decode and stays, whatever the limit.
        let mut list = ArenaVec::new(&arena);
        (0..10_000).for_each(|value| list.push(value));
        assert!(list.freeze().iter().copied().eq(0..10_000));
        arena.reset();
        let few = [0xb0, 0x01, 0x07].repeat(10);
        let message = proto2::Everything::decode(&few, &arena).unwrap();
        assert_eq!(message.repeated_int32, [7; 10]);
        arena = Arena::with_limit(5000);
    }
}

#[test]
fn a_message_without_its_lists_is_never_taken_for_the_whole_one() {
    // At each limit there is another list that finds no memory.
    let bytes: Vec<u8> = hostile(40).into_iter().flat_map(|(_, bytes)| bytes).collect();
    let free = Arena::new();
    let whole = proto2::Everything::decode(&bytes, &free).unwrap();
    let mut fits = 0;
    for limit in 0..free.allocated_bytes() + 100 {
        let arena = Arena::with_limit(limit);
        decode_within(&bytes, &arena, &whole);
        fits += usize::from(proto2::Everything::decode(&bytes, &Arena::with_limit(limit)).is_ok());
    }
    assert!(fits > 100, "{fits}");
}
