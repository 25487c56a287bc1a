//! The generated datasets have the shape of the official ones, and libraries read them back.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use benchmarks::datasets::{Dataset, Source};
use benchmarks::messages::prost::{proto2, proto3};
use prost::Message;
use sha2::{Digest, Sha256};
use support::official;

/// Of the payloads, without the wrapper. They may change only together with the committed baselines.
const GENERATED_SHA256: [(Dataset, &str); 4] = [
    (
        Dataset::GoogleMessage1Proto2,
        "dbb7fd970fe024019b564b985aa2e714aea6ed1f6bb5d8ddc7d8230e814b613e",
    ),
    (
        Dataset::GoogleMessage1Proto3,
        "dbb7fd970fe024019b564b985aa2e714aea6ed1f6bb5d8ddc7d8230e814b613e",
    ),
    (Dataset::GoogleMessage2, "e21949f778ef2108f7611013f81b7da9c15520e112b83f781566bbcce34a0bfe"),
    (
        Dataset::GoogleMessage2Utf8,
        "b44c7a6a2b5a7898bef182936bc63267d7034d8ef14fcb22c6d29727a2bcea83",
    ),
];

const PAYLOAD_BYTES: [(Dataset, usize); 4] = [
    (Dataset::GoogleMessage1Proto2, 228),
    (Dataset::GoogleMessage1Proto3, 228),
    (Dataset::GoogleMessage2, 84_570),
    (Dataset::GoogleMessage2Utf8, 84_570),
];

/// Bytes of prost's encodings of the payloads: with proto3, 7 bytes of explicit zeros are gone.
const REENCODED_BYTES: [(Dataset, usize); 4] = [
    (Dataset::GoogleMessage1Proto2, 228),
    (Dataset::GoogleMessage1Proto3, 221),
    (Dataset::GoogleMessage2, 84_570),
    (Dataset::GoogleMessage2Utf8, 84_570),
];

#[test]
fn the_generated_bytes_are_the_same_on_every_machine() {
    let digest = |dataset| {
        let payload = payload(&Source::Generated, dataset);
        Sha256::digest(payload).iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    let actual = Dataset::ALL.map(|dataset| (dataset, digest(dataset)));
    let expected = GENERATED_SHA256.map(|(dataset, digest)| (dataset, digest.to_owned()));
    assert_eq!(actual, expected);
}

#[test]
fn generated_payloads_have_the_sizes_of_the_official_ones() {
    assert_payload_bytes(&Source::Generated);
}

#[test]
fn official_payloads_have_the_documented_sizes() {
    if let Some(source) = official("official_payloads_have_the_documented_sizes") {
        assert_payload_bytes(&source);
    }
}

#[test]
fn the_wrapper_names_the_set_and_the_type_of_its_one_payload() {
    for source in [Some(Source::Generated), official("the official half of the wrapper test")] {
        let Some(source) = source else { continue };
        for dataset in Dataset::ALL {
            let wrapper = source.load(dataset).unwrap();
            assert_eq!(wrapper.name, dataset.name());
            assert_eq!(wrapper.message_name, dataset.message_name());
            assert_eq!(wrapper.payload.len(), 1);
        }
    }
}

#[test]
fn generated_messages_survive_prost() {
    assert_round_trips(&Source::Generated);
}

#[test]
fn official_messages_survive_prost() {
    if let Some(source) = official("official_messages_survive_prost") {
        assert_round_trips(&source);
    }
}

#[test]
fn a_generated_google_message1_has_thirteen_fields_and_a_sub_message_of_89_bytes() {
    for dataset in [Dataset::GoogleMessage1Proto2, Dataset::GoogleMessage1Proto3] {
        let shape = Shape::of(&payload(&Source::Generated, dataset));
        assert_eq!(shape.top_level, [1, 2, 3, 4, 9, 12, 13, 14, 15, 17, 18, 67, 100]);
        assert_eq!(shape.extremes("15"), (89, 89));
    }
}

#[test]
fn a_generated_google_message2_has_a_thousand_groups_with_strings_of_16_to_172_bytes() {
    let shape = Shape::of(&payload(&Source::Generated, Dataset::GoogleMessage2));
    for field in ["10", "10/5", "10/11", "10/12", "10/15", "10/31"] {
        assert_eq!(shape.count(field), 1000, "{field}");
    }
    assert_eq!(shape.count("10/73"), 27);
    assert_eq!(shape.extremes("2"), (1428, 1428));
    assert_eq!(shape.extremes("10/12"), (16, 172));
    assert_eq!(shape.extremes("10/31"), (5, 17));
    let in_strings: usize = shape.lengths["10/12"].iter().map(|(len, count)| len * count).sum();
    assert_eq!(in_strings, 51_625);
}

#[test]
fn the_utf8_message_has_the_shape_of_the_other_and_text_of_one_to_four_bytes_a_character() {
    let utf8 = payload(&Source::Generated, Dataset::GoogleMessage2Utf8);
    assert_eq!(Shape::of(&utf8), Shape::of(&payload(&Source::Generated, Dataset::GoogleMessage2)));
    let message = proto2::GoogleMessage2::decode(utf8.as_slice()).unwrap();
    let text: String = message.group1.iter().map(|group| group.field12()).collect();
    let mut of_length = [0; 4];
    text.chars().for_each(|character| of_length[character.len_utf8() - 1] += 1);
    assert!(of_length.iter().all(|count| *count > 3_000), "{of_length:?}");
}

#[test]
fn generated_and_official_messages_have_the_same_fields_with_the_same_encoded_lengths() {
    let name = "generated_and_official_messages_have_the_same_fields_with_the_same_encoded_lengths";
    let Some(official) = official(name) else { return };
    for dataset in Dataset::ALL {
        let generated = Shape::of(&payload(&Source::Generated, dataset));
        let official = Shape::of(&payload(&official, dataset));
        assert_eq!(generated, official, "{}", dataset.name());
    }
}

#[test]
fn a_missing_official_file_is_an_error_that_names_the_file_and_the_script_to_get_it() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("missing");
    let source = Source::Official(folder.clone());
    let error = source.load(Dataset::GoogleMessage2).unwrap_err().to_string();
    let file = folder.join("dataset.google_message2.pb");
    assert!(error.contains(&file.display().to_string()), "{error}");
    assert!(error.contains("`scripts/fetch-datasets` downloads it"), "{error}");
    assert!(error.contains("unset BENCH_DATASETS"), "{error}");
}

#[test]
fn a_changed_official_file_is_an_error_that_names_the_file_and_both_digests() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("changed");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("dataset.google_message2.pb");
    fs::write(&file, "abc").unwrap();
    let source = Source::Official(folder);
    let error = source.load(Dataset::GoogleMessage2).unwrap_err().to_string();
    assert!(error.contains(&file.display().to_string()), "{error}");
    assert!(error.contains("its sha256 is ba7816bf"), "{error}");
    assert!(error.contains("expected 2d408fb9"), "{error}");
}

#[test]
fn a_relative_folder_is_shown_as_the_absolute_one_that_was_looked_in() {
    let source = Source::Official("no/such/folder".into());
    let error = source.load(Dataset::GoogleMessage2).unwrap_err().to_string();
    let file = std::env::current_dir().unwrap().join("no/such/folder");
    assert!(error.contains(&file.display().to_string()), "{error}");
}

fn payload(source: &Source, dataset: Dataset) -> Vec<u8> {
    source.load(dataset).unwrap().payload.remove(0)
}

fn assert_payload_bytes(source: &Source) {
    let actual = Dataset::ALL.map(|dataset| (dataset, payload(source, dataset).len()));
    assert_eq!(actual, PAYLOAD_BYTES);
}

fn assert_round_trips(source: &Source) {
    let actual = Dataset::ALL.map(|dataset| {
        let payload = payload(source, dataset);
        let reencoded = match dataset {
            Dataset::GoogleMessage1Proto2 => round_trip::<proto2::GoogleMessage1>(&payload),
            Dataset::GoogleMessage1Proto3 => round_trip::<proto3::GoogleMessage1>(&payload),
            Dataset::GoogleMessage2 | Dataset::GoogleMessage2Utf8 => {
                round_trip::<proto2::GoogleMessage2>(&payload)
            }
        };
        if dataset != Dataset::GoogleMessage1Proto3 {
            assert!(reencoded == payload, "{} changes when encoded again", dataset.name());
        }
        (dataset, reencoded.len())
    });
    assert_eq!(actual, REENCODED_BYTES);
}

fn round_trip<M: Message + Default + PartialEq>(payload: &[u8]) -> Vec<u8> {
    let message = M::decode(payload).unwrap();
    let reencoded = message.encode_to_vec();
    assert_eq!(message.encoded_len(), reencoded.len());
    assert!(M::decode(reencoded.as_slice()).unwrap() == message);
    reencoded
}

/// The fields of a message and the lengths of their values, without the values.
#[derive(Debug, Default, PartialEq, Eq)]
struct Shape {
    /// Field numbers in order, repeated ones once.
    top_level: Vec<u64>,
    /// Path of field numbers, such as `10/31/7`, to how often its value has how many bytes.
    lengths: BTreeMap<String, BTreeMap<usize, usize>>,
}

impl Shape {
    fn of(payload: &[u8]) -> Self {
        let mut shape = Self::default();
        let mut rest = payload;
        while !rest.is_empty() {
            let field = shape.field(&mut rest, "").expect("no group ends at the top level");
            shape.top_level.push(field);
        }
        shape.top_level.dedup();
        shape
    }

    /// How many values the field has.
    fn count(&self, path: &str) -> usize {
        self.lengths[path].values().sum()
    }

    /// Length of the shortest and of the longest value.
    fn extremes(&self, path: &str) -> (usize, usize) {
        let lengths = &self.lengths[path];
        (*lengths.keys().next().unwrap(), *lengths.keys().next_back().unwrap())
    }

    /// Takes one field off `rest`; `None` is the end of a group.
    fn field(&mut self, rest: &mut &[u8], parent: &str) -> Option<u64> {
        let key = take_varint(rest);
        let (field, wire_type) = (key >> 3, key & 7);
        let path = format!("{parent}{field}");
        let before = rest.len();
        let len = match wire_type {
            0 => {
                take_varint(rest);
                before - rest.len()
            }
            1 => take(rest, 8).len(),
            2 => {
                let len = take_varint(rest) as usize;
                let mut content = take(rest, len);
                // Strings cannot be distinguished from messages; these two are messages.
                if path == "15" || path == "10/31" {
                    while !content.is_empty() {
                        self.field(&mut content, &format!("{path}/"));
                    }
                }
                len
            }
            3 => {
                while self.field(rest, &format!("{path}/")).is_some() {}
                // Its length follows from its fields, and from which of them came together, which
                // is random.
                0
            }
            4 => return None,
            5 => take(rest, 4).len(),
            other => panic!("wire type {other} of field {path}"),
        };
        *self.lengths.entry(path).or_default().entry(len).or_default() += 1;
        Some(field)
    }
}

fn take<'a>(rest: &mut &'a [u8], len: usize) -> &'a [u8] {
    let (taken, after) = rest.split_at(len);
    *rest = after;
    taken
}

fn take_varint(rest: &mut &[u8]) -> u64 {
    let mut value = 0;
    for shift in (0..).step_by(7) {
        let byte = take(rest, 1)[0];
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            break;
        }
    }
    value
}
