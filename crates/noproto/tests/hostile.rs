//! Untrusted bytes give errors: no panic, no endless work, no memory beyond reason.

#[path = "../fuzz/fuzz_targets/property.rs"]
mod property;

use std::fs;
use std::path::{Path, PathBuf};

use noproto::{Buffer, Error, Schema};
use property::{SCHEMAS, any_edit, any_input, every_edit};
use proptest::collection::vec;
use proptest::prelude::*;

const MUTATIONS_PER_SEED: u32 = 2000;

/// Values for the schemas of the fuzz target, in their order, and texts for what follows them.
const SEEDS: [(&str, u8, &str); 10] = [
    (
        "0-message",
        0,
        r#"{"list":[{"sibling":{"parent":{"id":5,"count":-2},"ratio":0.5},"name":"Hello"},
        {"name":"","rating":-0.0}],"initialized":false,"fruit":"apples","location":"é"}"#,
    ),
    ("0-empty", 0, "{}"),
    ("1-map", 1, r#"{"a":[[1,"one","x",1.50],[-2,null,"y",-0.25]],"b":[],"":[[0,"","x",0]]}"#),
    ("2-lists", 2, "[[[1,2,3],[]],[],[[255]]]"),
    (
        "3-scalars",
        3,
        r#"{"a":"00112233-4455-6677-8899-aabbccddeeff","b":"01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "c":1605700000000,"d":7,"e":-128,"f":"abc","g":"010203","h":"ff","i":[9,["NaN",true]],
        "j":{"x":"0a","key":"0b"},"k":-9223372036854775808,"l":4294967295}"#,
    ),
    ("3-half", 3, r#"{"e":0,"l":1}"#),
    (
        "4-places",
        4,
        r#"{"a":{"lat":-33.86,"lng":151.2},"b":{"lat":90,"lng":-180},
        "c":{"lat":1e-9,"lng":0},"next":{"a":1,"b":[{"c":"x"},{"c":null}]}}"#,
    ),
    (
        "5-schema",
        5,
        "struct { a: u8 = 3, \"b c\": list<map<string>>, // and\n d: tuple(i8, string[3]) }",
    ),
    (
        "5-json-schema",
        5,
        r#"{"type":"struct","fields":[["a",{"type":"enum","choices":["x","y"],"default":"y"}],
        ["b",{"type":"decimal","digits":2,"default":-1.50}],["c",{"type":"tuple","of":[{"type":"geo8"}]}]]}"#,
    ),
    ("5-values", 5, r#"{"k":[["\ud83d\ude00",-1.5e-3]]}"#),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/any_buffer")
}

fn seed(choice: u8, text: &str) -> Vec<u8> {
    let content = match SCHEMAS.get(usize::from(choice)) {
        Some(schema) => {
            let schema = Schema::parse(schema).expect("a schema");
            Buffer::from_json(&schema, text).expect("values of the schema").into_bytes()
        }
        None => text.as_bytes().to_vec(),
    };
    [vec![choice], content].concat()
}

fn seeds() -> Vec<Vec<u8>> {
    SEEDS.iter().map(|(_, choice, text)| seed(*choice, text)).collect()
}

/// The corpus is of this format: bytes that were written once stay readable, and are still what is
/// written. `UPDATE_CORPUS=1` writes it again.
#[test]
fn the_committed_corpus_is_what_is_written() {
    for (name, choice, text) in SEEDS {
        let path = folder().join(name);
        if std::env::var_os("UPDATE_CORPUS").is_some() {
            fs::write(&path, seed(choice, text)).expect("a writable corpus");
        }
        let committed = fs::read(path).expect("the corpus is part of the repository");
        assert!(committed == seed(choice, text), "{name}");
    }
}

fn both(input: &[u8]) {
    any_input(input);
    any_edit(input);
}

#[test]
fn every_seed_holds() {
    seeds().iter().for_each(|seed| both(seed));
}

#[test]
fn every_truncation_is_an_error_or_a_smaller_buffer() {
    for seed in seeds() {
        (0..seed.len()).for_each(|len| both(&seed[..len]));
    }
}

#[test]
fn every_bit_flip_is_an_error_or_another_value() {
    for mut seed in seeds() {
        for bit in 8..seed.len() * 8 {
            seed[bit / 8] ^= 1 << (bit % 8);
            any_input(&seed);
            seed[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

/// SplitMix64: mutations need to be many and repeatable, and no more than that.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((x ^ (x >> 31)) % end as u64) as usize
    }
}

#[test]
fn thousands_of_mutations_hold() {
    let mut random = Random(26);
    for seed in seeds() {
        for number in 0..MUTATIONS_PER_SEED {
            let mut bytes = seed.clone();
            for _ in 0..=random.below(3) {
                let at = random.below(bytes.len());
                match random.below(5) {
                    0 => bytes[at] ^= 1 << random.below(8),
                    1 => bytes[at] = random.below(256) as u8,
                    2 => bytes.truncate(at + 1),
                    3 => bytes.insert(at, random.below(4) as u8),
                    _ => bytes.extend_from_within(at..),
                }
            }
            any_input(&bytes);
            // Each edit begins with a copy: all of them take as long as twenty inputs.
            if number % 20 == 0 {
                any_edit(&bytes);
            }
        }
    }
}

/// A list whose item is the list itself, and a map whose entry is its own key and value.
#[test]
fn deleting_what_contains_itself_is_an_error_or_leaves_other_values() {
    let list = Schema::parse("list<string>").expect("a schema");
    let mut buffer =
        Buffer::open(&list, vec![b'N', 1, 6, 0, 0, 0, 1, 1, 6, 0, 0, 0]).expect("open");
    let _ = buffer.del("0");
    let map = Schema::parse("map<string>").expect("a schema");
    let bytes = vec![b'N', 1, 6, 0, 0, 0, 1, 1, 6, 0, 0, 0, 6, 0, 0, 0];
    let _ = Buffer::open(&map, bytes).expect("open").del("\u{6}");
}

/// A root and heads with slots behind them, whose offsets lead to any of them, or nearby.
fn hostile_bytes() -> impl Strategy<Value = Vec<u8>> {
    let offset = (0..6_usize, prop_oneof![6 => Just(0), 1 => 0..9_usize, 1 => any::<usize>()]);
    let head = prop_oneof![
        6 => vec(0..4_u8, 2),
        1 => vec(any::<u8>(), 1..3),
        1 => (0..4_u8, 0..4_u8).prop_map(|(one, two)| vec![255, one, 0, 0, 0, two, 0, 0, 0]),
    ];
    vec((head, vec(offset, 0..5)), 1..6).prop_map(|mut parts| {
        parts[0].0.clear();
        let mut begins = Vec::new();
        let mut end = 2;
        for (head, slots) in &parts {
            begins.push(end);
            end += head.len() + 4 * slots.len();
        }
        let mut bytes = b"N\x01".to_vec();
        for (head, slots) in parts {
            bytes.extend(head);
            for (part, beyond) in slots {
                let at = begins[part % begins.len()].wrapping_add(beyond);
                bytes.extend((at as u32).to_le_bytes());
            }
        }
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn no_edit_of_untrusted_bytes_panics(bytes in hostile_bytes()) {
        const SMALL: [&str; 8] = [
            "list<string>",
            "map<string>",
            "list<list<u8>>",
            "map<map<bytes>>",
            "list<u64>",
            "struct { a: string, b: list<struct { c: string, d: u32 }>, e: map<u16> }",
            "tuple(string, list<tuple(u8, string)>, map<u8>)",
            "list<struct { a: struct { b: list<string> } }>",
        ];
        for schema in SMALL {
            every_edit(&Schema::parse(schema).expect("a schema"), &bytes);
        }
    }
}

/// Lists that share their items: 254 × 254 × 254 values in less than a kilobyte and a half.
#[test]
fn a_few_bytes_that_stand_for_millions_of_values_are_an_error() {
    let schema = Schema::parse(SCHEMAS[2]).expect("a schema");
    let mut bytes = vec![b'N', 1];
    let list = |bytes: &mut Vec<u8>, next: usize| {
        bytes.extend([254, 254]);
        (0..254).for_each(|_| bytes.extend((next as u32).to_le_bytes()));
    };
    let size = 2 + 254 * 4;
    bytes.extend(6_u32.to_le_bytes());
    list(&mut bytes, 6 + size);
    list(&mut bytes, 6 + 2 * size);
    bytes.extend([254, 254]);
    bytes.resize(bytes.len() + 254, 7);

    let mut buffer = Buffer::open(&schema, bytes).expect("it begins as a buffer does");
    assert_eq!(buffer.get("253.253.253"), Ok(Some(7_u8)), "one value can be read");
    assert_eq!(buffer.view().verify(), Err(Error::Overlap));
    assert_eq!(buffer.to_json(), Err(Error::Overlap));
    assert_eq!(buffer.compact(), Err(Error::Overlap));
}

#[test]
fn a_length_that_lies_costs_no_memory() {
    let schema = Schema::parse("list<u64>").expect("a schema");
    let mut bytes = vec![b'N', 1, 6, 0, 0, 0, 0xFF];
    bytes.extend([0xFF; 8]);
    let mut buffer = Buffer::open(&schema, bytes).expect("it begins as a buffer does");
    assert_eq!(buffer.get::<u64>("0"), Err(Error::Truncated { at: 6 }));
    assert_eq!(buffer.set("0", 1_u64), Err(Error::Truncated { at: 6 }));
}

#[test]
fn nesting_without_end_is_an_error_and_no_overflow_of_the_stack() {
    for text in ["list<", "[", "{\"a\":", "tuple(", "{\"type\":\"list\",\"of\":"] {
        let text = text.repeat(100_000);
        assert!(Schema::parse(&text).is_err());
        assert!(Schema::from_json(&text).is_err());
    }
}

#[test]
fn bytes_of_another_kind_are_not_a_buffer() {
    let schema = Schema::parse("u64").expect("a schema");
    for bytes in [&b""[..], b"N", b"N\x01", b"N\x01\0\0\0\0\0\0\0", b"N\x02\0\0\0\0\0\0\0\0"] {
        assert_eq!(schema.view(bytes).map(|_| ()), Err(Error::NotABuffer));
    }
}
