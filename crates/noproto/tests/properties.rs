//! Properties that hold for all values, tested on random ones.

use noproto::{Buffer, Schema};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::{Value, json};

const SCHEMA: &str = "struct { text: string, numbers: list<i64>, floats: list<f64>, \
                      map: map<struct { flag: bool, deep: list<list<u8>> }>, pair: tuple(i16, string) }";

fn schema(text: &str) -> Schema {
    Schema::parse(text).expect("a schema")
}

/// A value of [`SCHEMA`], as another library's JSON.
fn value() -> impl Strategy<Value = Value> {
    let text = || any::<String>();
    let deep = vec(vec(any::<u8>(), 0..4), 0..4);
    let entry = (any::<bool>(), deep).prop_map(|(flag, deep)| json!({"flag": flag, "deep": deep}));
    let floats = vec(any::<f64>().prop_filter("JSON has no other", |f| f.is_finite()), 0..4);
    (text(), vec(any::<i64>(), 0..300), floats, btree_map(text(), entry, 0..6), any::<i16>(), text())
        .prop_map(|(text, numbers, floats, map, one, two)| {
            json!({"text": text, "numbers": numbers, "floats": floats, "map": map, "pair": [one, two]})
        })
}

#[derive(Clone, Debug)]
enum Change {
    Text(String),
    Push(i64),
    Number(usize, i64),
    RemoveNumber(usize),
    Flag(String, bool),
    RemoveKey(String),
    Compact,
}

fn change() -> impl Strategy<Value = Change> {
    let key = || "[a-c]{0,2}";
    prop_oneof![
        any::<String>().prop_map(Change::Text),
        any::<i64>().prop_map(Change::Push),
        (0..20_usize, any::<i64>()).prop_map(|(at, value)| Change::Number(at, value)),
        (0..20_usize).prop_map(Change::RemoveNumber),
        (key(), any::<bool>()).prop_map(|(key, flag)| Change::Flag(key, flag)),
        key().prop_map(Change::RemoveKey),
        Just(Change::Compact),
    ]
}

proptest! {
    #[test]
    fn json_that_goes_in_comes_out(value in value()) {
        let buffer = Buffer::from_json(&schema(SCHEMA), &value.to_string()).expect("values");
        let json = buffer.to_json().expect("sound");
        prop_assert_eq!(serde_json::from_str::<Value>(&json).expect("JSON"), value);
        buffer.view().verify().expect("sound");
    }

    /// A plain Rust struct goes through the same changes.
    #[test]
    fn changes_do_what_they_do_to_a_model(changes in vec(change(), 0..60)) {
        let mut buffer = Buffer::new(&schema(SCHEMA));
        let (mut text, mut numbers) = (None, Vec::new());
        let mut flags = std::collections::BTreeMap::new();
        for change in changes {
            match change {
                Change::Text(new) => {
                    buffer.set("text", &*new).expect("set");
                    text = Some(new);
                }
                Change::Push(number) => {
                    buffer.set(&*format!("numbers.{}", numbers.len()), number).expect("set");
                    numbers.push(number);
                }
                Change::Number(at, number) if at < numbers.len() => {
                    buffer.set(&*format!("numbers.{at}"), number).expect("set");
                    numbers[at] = number;
                }
                Change::Number(at, number) => {
                    let result = buffer.set(&*format!("numbers.{at}"), number);
                    prop_assert_eq!(result.is_ok(), at == numbers.len());
                    if at == numbers.len() {
                        numbers.push(number);
                    }
                }
                Change::RemoveNumber(at) => {
                    let is_there = at < numbers.len();
                    prop_assert_eq!(buffer.del(&*format!("numbers.{at}")), Ok(is_there));
                    if is_there {
                        numbers.remove(at);
                    }
                }
                Change::Flag(key, flag) => {
                    buffer.set(&["map", &key, "flag"], flag).expect("set");
                    flags.insert(key, flag);
                }
                Change::RemoveKey(key) => {
                    let was_there = flags.remove(&key).is_some();
                    prop_assert_eq!(buffer.del(&["map", &key]), Ok(was_there));
                }
                Change::Compact => buffer.compact().expect("sound"),
            }
            buffer.view().verify().expect("sound");
            prop_assert_eq!(buffer.get::<&str>("text"), Ok(text.as_deref()));
            prop_assert_eq!(buffer.view().len("numbers"), Ok(numbers.len()));
            for (at, number) in numbers.iter().enumerate() {
                prop_assert_eq!(buffer.get(&*format!("numbers.{at}")), Ok(Some(*number)));
            }
            for (key, flag) in &flags {
                prop_assert_eq!(buffer.get(&["map", key, "flag"]), Ok(Some(*flag)));
            }
            prop_assert_eq!(buffer.view().len("map"), Ok(flags.len()));
        }
    }

    #[test]
    fn bytes_of_a_sortable_tuple_sort_as_its_values(
        one in (any::<i32>(), any::<f64>(), any::<bool>(), "[a-z]{0,5}"),
        other in (any::<i32>(), any::<f64>(), any::<bool>(), "[a-z]{0,5}"),
    ) {
        let schema = schema("tuple(i32, f64, bool, string[5])");
        prop_assert!(schema.root().is_sortable());
        let key = |(a, b, c, d): &(i32, f64, bool, String)| {
            let mut buffer = Buffer::new(&schema);
            buffer.set("0", *a).expect("set");
            buffer.set("1", *b).expect("set");
            buffer.set("2", *c).expect("set");
            buffer.set("3", &**d).expect("set");
            buffer.view().root().sort_key().expect("sortable").to_vec()
        };
        let order = one.0.cmp(&other.0)
            .then(one.1.total_cmp(&other.1))
            .then(one.2.cmp(&other.2))
            .then(one.3.cmp(&other.3));
        prop_assert_eq!(key(&one).cmp(&key(&other)), order);
    }

    #[test]
    fn any_text_is_a_schema_or_an_error(text in "[a-z0-9{}<>(),:=\\[\\]\" ]{0,60}") {
        let _ = Schema::parse(&text);
        let _ = Schema::from_json(&text);
    }
}
