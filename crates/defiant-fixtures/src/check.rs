//! Properties that hold for any input at all: the body of the fuzz target.

use defiant::{Arena, DecodeError, DecodeErrorKind, Message};

use crate::mirror::Same;
use crate::{defiant as d, prost as p};

/// Arena bytes that one input byte may cost. The dearest are empty sub-messages: two bytes for a
/// `proto3.Everything`, whose lists double as they grow and whose chunks double too.
const BYTES_PER_INPUT_BYTE: usize = 8 * 2048;
/// Arena bytes that are allowed even for an empty input.
const SMALLEST: usize = 4096;

/// Decodes `input` as several messages and panics if anything is wrong with that. The first byte
/// chooses the message.
pub fn any_input(input: &[u8]) {
    let Some((choice, bytes)) = input.split_first() else { return };
    match choice % 4 {
        0 => proto2(bytes),
        1 => proto3(bytes),
        2 => accepted::<d::everything::proto2::Tree<'_>>(bytes, &arenas(), |_| ()),
        _ => accepted::<d::benchmarks::proto2::GoogleMessage2<'_>>(bytes, &arenas(), |_| ()),
    }
}

fn proto2(bytes: &[u8]) {
    // prost keeps unknown values of closed enums, so it is compared for proto3 only.
    accepted::<d::everything::proto2::Everything<'_>>(bytes, &arenas(), |_| ());
}

fn proto3(bytes: &[u8]) {
    let prost = <p::everything::proto3::Everything as prost::Message>::decode(bytes);
    let arenas = arenas();
    accepted::<d::everything::proto3::Everything<'_>>(bytes, &arenas, |message| {
        // A NaN is not equal to itself; the encodings are compared in any case.
        let prost = prost.as_ref().expect("defiant accepts what prost does not");
        let has_nan = format!("{prost:?}").contains("NaN");
        assert!(has_nan || message.same(prost), "{message:#?}\nis not\n{prost:#?}");
    });
    if let Err(error) = d::everything::proto3::Everything::decode(bytes, &Arena::new()) {
        assert!(prost.is_err() || only_prost_accepts(&error), "{error}: {bytes:x?}");
    }
}

/// Whether prost is known to accept what defiant refuses with `error`: prost does not look at the
/// wire type of a `map` field and takes any as a length and its bytes.
pub fn only_prost_accepts(error: &DecodeError) -> bool {
    let in_map = error.path().last().is_some_and(|(_, field)| field.starts_with("map_"));
    in_map && matches!(error.kind(), DecodeErrorKind::WireType { .. })
}

/// One for a decode that borrows, one for a decode that copies.
fn arenas() -> [Arena; 2] {
    [Arena::new(), Arena::new()]
}

/// If `bytes` are a message, that it can be written and read again, and looks right to `check`.
fn accepted<'a, M: Message<'a> + std::fmt::Debug>(
    bytes: &'a [u8],
    [arena, copies]: &'a [Arena; 2],
    check: impl Fn(&M),
) {
    let result = M::decode(bytes, arena);
    let limit = SMALLEST + bytes.len() * BYTES_PER_INPUT_BYTE;
    assert!(arena.allocated_bytes() <= limit, "{} bytes", arena.allocated_bytes());
    let copied = M::decode_copied(bytes, copies).map(|message| message.encode_to_vec());
    let Ok(message) = result else {
        assert!(copied.is_err(), "a copy of the input means something else");
        return;
    };
    assert!(copied.is_ok_and(|copied| copied == message.encode_to_vec()));
    check(&message);
    let written = message.encode_to_vec();
    assert_eq!(written.len(), message.encoded_len());
    let written = arena.alloc_slice_copy(&written);
    let again = M::decode(written, arena).expect("what was written is valid");
    assert_eq!(again.encode_to_vec(), written);
}
