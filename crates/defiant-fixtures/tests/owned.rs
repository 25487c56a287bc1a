//! Messages that own what they borrow from.

use std::thread;

use defiant::{Arena, DecodeErrorKind, Message, Owned};
use defiant_fixtures::defiant::everything::{proto2, proto3};
use defiant_fixtures::entropy::{Draw, Entropy};
use defiant_fixtures::mirror::Same;
use defiant_fixtures::prost as p;
use proptest::prelude::*;

type Everything = proto2::Everything<'static>;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn an_owned_message_is_the_same_after_moves_and_so_is_a_copy_of_it(
        entropy in proptest::collection::vec(any::<u8>(), 0..3000),
    ) {
        let message = p::everything::proto2::Everything::draw(&mut Entropy::new(&entropy));
        let bytes = prost::Message::encode_to_vec(&message);
        let owned = Owned::<Everything>::decode(bytes.clone()).unwrap();
        // Moved to a heap and to a thread, where it is read, and back.
        let moved = thread::spawn(move || {
            let boxed = vec![owned];
            boxed.into_iter().map(|owned| (owned.get().encode_to_vec(), owned)).next().unwrap()
        });
        let (encoded, owned) = moved.join().unwrap();
        prop_assert!(owned.get().same(&message));
        prop_assert_eq!(&encoded, &owned.get().encode_to_vec());
        let copy = Owned::<Everything>::copy_of(owned.get()).unwrap();
        drop(owned);
        prop_assert!(copy.get().same(&message));
        prop_assert_eq!(copy.get().encode_to_vec(), encoded);
    }
}

#[test]
fn a_message_without_a_lifetime_is_lent_too() {
    let owned = Owned::<proto2::Empty>::decode(Vec::new()).unwrap();
    assert_eq!(owned.get(), &proto2::Empty {});
    let leaf = proto3::Option { key: "a", ..proto3::Option::default() };
    assert_eq!(Owned::<proto3::Option<'_>>::copy_of(&leaf).unwrap().get().key, "a");
}

#[test]
fn an_arena_is_used_again_and_its_limit_is_kept() {
    let bytes = [0xb0, 0x01, 0x07].repeat(100);
    let owned = Owned::<Everything>::decode(bytes.clone()).unwrap();
    let arena = owned.into_arena();
    let memory = arena.allocated_bytes();
    let owned = Owned::<Everything>::decode_in(arena, bytes.clone()).unwrap();
    assert_eq!(owned.get().repeated_int32, [7; 100]);
    assert_eq!(owned.into_arena().allocated_bytes(), memory);

    let error = Owned::<Everything>::decode_in(Arena::with_limit(100), bytes).unwrap_err();
    assert!(matches!(error.kind(), DecodeErrorKind::ArenaLimit { limit: 100, .. }), "{error}");
}

#[test]
fn a_message_that_is_not_decoded_is_an_error_and_frees_its_bytes() {
    let error = Owned::<Everything>::decode(vec![0x18]).unwrap_err();
    assert_eq!(error.kind(), DecodeErrorKind::Truncated);
}

#[test]
fn an_owned_message_is_shown_as_its_message() {
    let owned = Owned::<proto2::Leaf<'_>>::decode(vec![8, 1]).unwrap();
    assert_eq!(format!("{owned:?}"), format!("{:?}", owned.get()));
}

#[test]
fn threads_share_an_owned_message() {
    let owned = Owned::<Everything>::decode([0x72, 3, b'A', b'd', b'a'].to_vec()).unwrap();
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| assert_eq!(owned.get().optional_string, Some("Ada")));
        }
    });
}
