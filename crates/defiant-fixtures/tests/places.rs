//! Messages that are encoded into memory of a fixed size are the same bytes as in a vector.

use bytes::{BufMut as _, BytesMut};
use defiant::{Arena, EncodeError, Message};
use defiant_fixtures::defiant::everything::{proto2, proto3};
use defiant_fixtures::entropy::{Draw, Entropy};
use defiant_fixtures::prost as p;
use proptest::prelude::*;
use proptest::sample::Index;

/// That `message` has the bytes `expected` in a slice and a buffer of at least their number, whatever the number of bytes
/// behind them and wherever the buffer is cut, and is refused by a shorter one.
fn same_everywhere<'a>(message: &impl Message<'a>, expected: &[u8], spare: usize, cut: Index) {
    let (needed, spare_bytes) = (expected.len(), vec![0xee; spare]);
    let mut slice = vec![0xee; needed + spare];
    assert_eq!(message.encode_to_slice(&mut slice), Ok(needed));
    assert_eq!(slice, [expected, &spare_bytes].concat());

    let delimited = message.encode_length_delimited_to_vec();
    let mut slice = vec![0xee; delimited.len() + spare];
    assert_eq!(message.encode_length_delimited_to_slice(&mut slice), Ok(delimited.len()));
    assert_eq!(slice, [delimited.as_slice(), &spare_bytes].concat());

    let mut buf = BytesMut::with_capacity(cut.index(needed + 1));
    assert_eq!(message.encode_buf(&mut buf), Ok(()));
    assert_eq!(buf, expected);
    let (mut first, mut second) = (vec![0; cut.index(needed + 1)], vec![0; needed]);
    let mut pieces = first.as_mut_slice().chain_mut(second.as_mut_slice());
    assert_eq!(message.encode_buf(&mut pieces), Ok(()));
    assert_eq!([first, second].concat()[..needed], *expected);

    if needed > 0 {
        let available = cut.index(needed);
        let mut slice = vec![0xee; available];
        let refused = EncodeError { needed, available };
        assert_eq!(message.encode_to_slice(&mut slice), Err(refused));
        assert_eq!(message.encode_buf(&mut slice.as_mut_slice()), Err(refused));
        assert!(slice.iter().all(|byte| *byte == 0xee));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_message_has_the_bytes_of_its_vector(
        entropy in proptest::collection::vec(any::<u8>(), 0..3000),
        spare in 0..20_usize,
        cut in any::<Index>(),
    ) {
        let arena = Arena::new();
        let message = p::everything::proto2::Everything::draw(&mut Entropy::new(&entropy));
        let bytes = prost::Message::encode_to_vec(&message);
        let message = proto2::Everything::decode(&bytes, &arena).unwrap();
        same_everywhere(&message, &message.encode_to_vec(), spare, cut);
        let message = p::everything::proto3::Everything::draw(&mut Entropy::new(&entropy));
        let bytes = prost::Message::encode_to_vec(&message);
        let message = proto3::Everything::decode(&bytes, &arena).unwrap();
        same_everywhere(&message, &message.encode_to_vec(), spare, cut);
    }
}
