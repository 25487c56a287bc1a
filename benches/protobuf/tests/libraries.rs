//! The libraries do the same work: they decode the same values, and encode them to bytes in which
//! prost finds those values again.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

mod support;

use std::fmt::Debug;

use benchmarks::datasets::{Dataset, Source};
use benchmarks::libraries::{self, Meter, NOT_MEASURED, Operation};
use benchmarks::messages;
use defiant::{Arena, Message as _};
use pilota::pb::EncodeLengthContext;
use prost::Message as _;
use support::official;

/// Encoded again: prost, defiant, pilota.
type Sizes = (usize, usize, Option<usize>);

/// proto3 drops 7 bytes of explicit zeros. Pilota writes the defaults of a proto2 schema for fields
/// that the message does not have, and drops the zeros there too.
const REENCODED_BYTES: [Sizes; 4] =
    [(228, 228, Some(295)), (221, 221, Some(221)), (84_570, 84_570, None), (84_570, 84_570, None)];

#[test]
fn generated_messages_have_the_same_values_in_all_libraries() {
    assert_same_values(&Source::Generated);
}

#[test]
fn official_messages_have_the_same_values_in_all_libraries() {
    if let Some(source) = official("official_messages_have_the_same_values_in_all_libraries") {
        assert_same_values(&source);
    }
}

fn assert_same_values(source: &Source) {
    let sizes = Dataset::ALL.map(|dataset| {
        let payload = source.load(dataset).unwrap().payload.remove(0);
        match dataset {
            Dataset::GoogleMessage1Proto2 => message1_proto2(&payload),
            Dataset::GoogleMessage1Proto3 => message1_proto3(&payload),
            Dataset::GoogleMessage2 | Dataset::GoogleMessage2Utf8 => message2(&payload),
        }
    });
    assert_eq!(sizes, REENCODED_BYTES);
}

fn message1_proto2(payload: &[u8]) -> Sizes {
    let prost = decode::<messages::prost::proto2::GoogleMessage1>(payload);
    let arena = Arena::new();
    let defiant = messages::defiant::proto2::GoogleMessage1::decode(payload, &arena).unwrap();
    let pilota = decode_with_pilota::<messages::pilota::proto2::GoogleMessage1>(payload);

    assert_same_fields(&defiant, &prost);
    let by_defiant = defiant.encode_to_vec();
    assert_eq!(decode::<messages::prost::proto2::GoogleMessage1>(&by_defiant), prost);

    let with_defaults = with_defaults(prost.clone());
    assert_same_fields(&pilota, &with_defaults);
    let by_pilota = encode_with_pilota(&pilota);
    // Pilota leaves out zeros whose presence proto2 records, and so loses them where the
    // default is another value. Read as proto3, where a zero is as good as absent, nothing is lost.
    let as_proto3 = decode::<messages::prost::proto3::GoogleMessage1>;
    assert_eq!(as_proto3(&by_pilota), as_proto3(&with_defaults.encode_to_vec()));
    assert_eq!((prost.field17, prost.field17()), (Some(false), false), "in the payload");
    let lossy = decode::<messages::prost::proto2::GoogleMessage1>(&by_pilota);
    assert_eq!((lossy.field17, lossy.field17()), (None, true));

    (prost.encode_to_vec().len(), by_defiant.len(), Some(by_pilota.len()))
}

fn message1_proto3(payload: &[u8]) -> Sizes {
    let prost = decode::<messages::prost::proto3::GoogleMessage1>(payload);
    let arena = Arena::new();
    let defiant = messages::defiant::proto3::GoogleMessage1::decode(payload, &arena).unwrap();
    let pilota = decode_with_pilota::<messages::pilota::proto3::GoogleMessage1>(payload);

    assert_same_fields(&defiant, &prost);
    let by_defiant = defiant.encode_to_vec();
    assert_eq!(decode::<messages::prost::proto3::GoogleMessage1>(&by_defiant), prost);

    assert_same_fields(&pilota, &prost);
    let by_pilota = encode_with_pilota(&pilota);
    assert_eq!(decode::<messages::prost::proto3::GoogleMessage1>(&by_pilota), prost);

    (prost.encode_to_vec().len(), by_defiant.len(), Some(by_pilota.len()))
}

fn message2(payload: &[u8]) -> Sizes {
    let prost = decode::<messages::prost::proto2::GoogleMessage2>(payload);
    let arena = Arena::new();
    let defiant = messages::defiant::proto2::GoogleMessage2::decode(payload, &arena).unwrap();

    assert_same_fields(&defiant, &prost);
    let by_defiant = defiant.encode_to_vec();
    assert_eq!(decode::<messages::prost::proto2::GoogleMessage2>(&by_defiant), prost);

    (prost.encode_to_vec().len(), by_defiant.len(), None)
}

/// Compares what the libraries decoded, field by field, before any of them encodes: a mistake that
/// decoding and encoding share would not show in the bytes. The types differ, their derived `Debug`
/// does not: the same names in the same order.
fn assert_same_fields(actual: &impl Debug, expected: &impl Debug) {
    let (actual, expected) = (format!("{actual:#?}"), format!("{expected:#?}"));
    for (actual, expected) in actual.lines().zip(expected.lines()) {
        assert_eq!(actual, expected);
    }
    assert_eq!(actual.lines().count(), expected.lines().count());
}

fn decode<M: prost::Message + Default>(bytes: &[u8]) -> M {
    M::decode(bytes).unwrap()
}

fn decode_with_pilota<M: pilota::pb::Message + Default>(payload: &[u8]) -> M {
    M::decode(pilota::Bytes::copy_from_slice(payload)).unwrap()
}

fn encode_with_pilota(message: &impl pilota::pb::Message) -> Vec<u8> {
    let bytes = message.encode_to_vec(&mut EncodeLengthContext::default());
    assert_eq!(message.encoded_len(&mut EncodeLengthContext::default()), bytes.len());
    bytes
}

/// The message with the default of the schema in every field that is absent and has one, as pilota
/// gives it.
fn with_defaults(
    mut message: messages::prost::proto2::GoogleMessage1,
) -> messages::prost::proto2::GoogleMessage1 {
    macro_rules! fill {
        ($message:ident: $($field:ident)*) => {
            $($message.$field = Some($message.$field().to_owned());)*
        };
    }
    fill!(message:
        field6 field12 field13 field14 field17 field23 field24 field25 field29 field30 field59 field60 field67 field80 field81 field100 field101 field104 field128 field129 field130 field131 field271 field272
    );
    if let Some(sub) = &mut message.field15 {
        fill!(sub:
            field1 field2 field3 field12 field19 field20 field23 field28 field206
        );
    }
    message
}

#[test]
fn what_a_library_does_not_measure_is_named_and_everything_else_is_measured() {
    struct Names(Vec<&'static str>);

    impl Meter for Names {
        fn measure(&mut self, library: &'static str, mut work: impl FnMut()) {
            work();
            self.0.push(library);
        }
    }

    for dataset in Dataset::ALL {
        let payloads = Source::Generated.load(dataset).unwrap().payload;
        for operation in Operation::COUNTED {
            let mut names = Names(Vec::new());
            libraries::measure(&mut names, dataset, operation, &payloads);
            let mut expected = match operation {
                Operation::DecodeCopied | Operation::DecodeWithCapacity => vec!["defiant"],
                Operation::DecodeReused => vec!["prost", "defiant"],
                _ => vec!["prost", "defiant", "pilota"],
            };
            expected.retain(|library| {
                !NOT_MEASURED.iter().any(|not| not.library == *library && not.dataset == dataset)
            });
            assert_eq!(names.0, expected, "{}", libraries::group_name(dataset, operation));
        }
    }
}
