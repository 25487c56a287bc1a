//! Properties that hold for all values, tested on random ones.

use noproto::{Buffer, Choice, Date, Decimal, Error, Geo, Schema, Ulid, Uuid};
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

/// A field of every kind, and nothing in it has a default.
const KINDS: [&str; 25] = [
    "bool",
    "i8",
    "i16",
    "i32",
    "i64",
    "u8",
    "u16",
    "u32",
    "u64",
    "f32",
    "f64",
    "decimal(2)",
    "date",
    "uuid",
    "ulid",
    "geo4",
    "geo8",
    "geo16",
    "enum { x }",
    "string",
    "string[4]",
    "bytes",
    "bytes[1]",
    "list<u8>",
    "struct { a: u8 }",
];

/// JSON of which some fits somewhere.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-300_i64..300).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-cé]{0,3}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::from),
            btree_map("[a-c]", inner, 0..3)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Changes of texts, of which no two are the same.
#[derive(Clone, Debug)]
enum Secret {
    Text(usize),
    Item(usize, usize),
    Key(u8, usize),
    RemoveItem(usize),
    RemoveKey(u8),
    RemoveText,
    Append(usize),
    Json(usize),
    Compact,
}

fn secret() -> impl Strategy<Value = Secret> {
    prop_oneof![
        (0..40_usize).prop_map(Secret::Text),
        (0..4_usize, 0..40_usize).prop_map(|(at, len)| Secret::Item(at, len)),
        (0..3_u8, 0..40_usize).prop_map(|(key, len)| Secret::Key(key, len)),
        (0..4_usize).prop_map(Secret::RemoveItem),
        (0..3_u8).prop_map(Secret::RemoveKey),
        Just(Secret::RemoveText),
        (0..40_usize).prop_map(Secret::Append),
        (0..40_usize).prop_map(Secret::Json),
        Just(Secret::Compact),
    ]
}

/// Edits of [`REFUSED`], each of which is an error.
#[derive(Clone, Debug)]
enum Refused {
    Set(&'static str, i64),
    Text(&'static str, String),
    Json(&'static str, Value),
    Reserve(&'static str, usize),
    Push(&'static str),
}

const REFUSED: &str = "struct { a: list<i64>, b: string, c: map<list<string>>, d: string[2], e: geo8, \
                       f: list<struct { g: list<u8> }>, h: struct { i: tuple(u8, string) } }";

fn refused() -> impl Strategy<Value = Refused> {
    let lists = || prop_oneof![Just("a"), Just("c.k"), Just("f")];
    // Of no list that is there, the index 9 is the next one.
    let paths = || {
        prop_oneof![
            Just("a.9"),
            Just("b"),
            Just("c"),
            Just("c.k"),
            Just("d"),
            Just("e"),
            Just("h.i"),
            Just("h.i.0"),
            Just("h.i.2"),
            Just("nobody"),
            Just("")
        ]
    };
    prop_oneof![
        (paths(), any::<i64>()).prop_map(|(path, value)| Refused::Set(path, value)),
        (prop_oneof![Just("a"), Just("d"), Just("c"), Just("h.i.0")], "[a-z]{3,9}")
            .prop_map(|(path, text)| Refused::Text(path, text)),
        (paths(), any_json()).prop_map(|(path, json)| Refused::Json(path, json)),
        // Of a size that no buffer has, whatever an item takes.
        (lists(), (1_usize << 30)..=usize::MAX)
            .prop_map(|(path, more)| Refused::Reserve(path, more)),
        lists().prop_map(Refused::Push),
    ]
}

/// Whether the edit was refused: JSON may fit.
fn refuse(buffer: &mut Buffer, edit: &Refused) -> Result<(), Error> {
    let mut edits = buffer.edit();
    match edit {
        Refused::Set(path, value) => edits.set(*path, *value),
        Refused::Text(path, text) => edits.set(*path, &**text),
        Refused::Json(path, json) => edits.set_json(*path, &json.to_string()),
        Refused::Reserve(path, _) | Refused::Push(path) => {
            let (field, key) = path.split_once('.').unwrap_or((path, ""));
            let mut root = edits.root().into_struct()?;
            let mut node = root.named(field)?;
            let node = if key.is_empty() { node } else { node.key(key)? };
            let mut list = node.into_list()?;
            match edit {
                Refused::Reserve(_, more) => list.reserve(*more),
                _ => list.push(0.5_f32),
            }
        }
    }
}

proptest! {
    /// Whatever the buffer holds, with lists at its end and before other values.
    #[test]
    fn an_edit_that_is_refused_leaves_every_byte(
        numbers in vec(any::<i64>(), 1..6), texts in vec("[a-z]{0,9}", 1..4), behind in "[a-z]{0,9}",
        order in any::<bool>(), edits in vec(refused(), 1..9),
    ) {
        let mut buffer = Buffer::new(&schema(REFUSED));
        let (first, last) = if order { ("a", "c.k") } else { ("c.k", "a") };
        for path in [first, "f", "b", last] {
            let json = match path {
                "a" => json!(numbers),
                "b" => json!(behind),
                "f" => json!([{"g": [1]}]),
                _ => json!(texts),
            };
            buffer.edit().set_json(path, &json.to_string()).expect("set");
        }
        for edit in &edits {
            let before = buffer.clone();
            if refuse(&mut buffer, edit).is_err() {
                prop_assert!(buffer == before, "{:?}", edit);
            } else {
                prop_assert!(matches!(edit, Refused::Json(..)), "{:?} is accepted", edit);
                buffer = before;
            }
        }
    }

    #[test]
    fn json_that_is_refused_changes_nothing(
        before in any_json(),
        path in prop_oneof!["a", "b", "c", "c.a", "d.k", "d.é", "e", "e.0", "f.b", "f", ""],
        value in any_json(),
    ) {
        const SCHEMA: &str = "struct { a: i16, b: f32, c: struct { a: u8 = 5, b: string }, \
                              d: map<i32>, e: tuple(string, i8), f: struct { b: list<bool> } }";
        let mut buffer = Buffer::new(&schema(SCHEMA));
        let _ = buffer.edit().set_json("c", &before.to_string());
        let _ = buffer.edit().set_json("d", &before.to_string());
        let old = buffer.clone();
        match buffer.edit().set_json(&*path, &value.to_string()) {
            Ok(()) => buffer.view().verify().expect("sound"),
            Err(_) => prop_assert_eq!(buffer, old),
        }
    }

    #[test]
    fn an_item_is_there_below_the_length_alone(len in 0..5_usize, index in any::<usize>(), near in 0..8_usize) {
        for item in ["u8", "u64", "tuple(u64, string[100])"] {
            let mut buffer = Buffer::new(&schema(&format!("list<{item}>")));
            let mut edit = buffer.edit();
            let mut list = edit.root().into_list().expect("a list");
            for _ in 0..len {
                list.push_node().expect("room");
            }
            let list = buffer.view().root().as_list().expect("a list");
            for index in [index, near, usize::MAX - near, usize::MAX / 8 + near] {
                prop_assert_eq!(list.item(index).is_some(), index < len);
            }
        }
    }

    /// serde_json decides what the escapes of a text mean.
    #[test]
    fn a_text_in_json_is_what_another_library_reads(
        parts in vec(prop_oneof![
            "\\\\u[dD][89a-fA-F][0-9a-f]{2}",
            "\\\\u[0-9a-fA-F]{4}",
            "\\\\[bfnrt/\\\\\"]",
            "[ -!#-\\[é😀]{0,3}",
        ], 0..6),
    ) {
        let json = format!("\"{}\"", parts.concat());
        let theirs = serde_json::from_str::<String>(&json).ok();
        let buffer = Buffer::from_json(&schema("string"), &json).ok();
        let ours = buffer.as_ref().map(|buffer| buffer.get::<&str>("").expect("sound").expect("set"));
        prop_assert_eq!(ours, theirs.as_deref(), "{}", json);
    }

    #[test]
    fn a_whole_number_is_read_however_it_is_written(
        number in prop_oneof![any::<i64>(), -300..300_i64], zeros in 0..20_usize, upper in any::<bool>(),
    ) {
        // JSON has no zeros in front, so that none can be appended to 0 but behind a point.
        let (zero, zeros) = if number == 0 { (String::new(), 0) } else { ("0".repeat(zeros), zeros) };
        let e = if upper { 'E' } else { 'e' };
        for text in [
            format!("{number}.0{zero}"),
            format!("{number}{e}0"),
            format!("{number}{zero}{e}-{zeros}"),
            format!("{number}.{zero}0{e}+0"),
        ] {
            let buffer = Buffer::from_json(&schema("i64"), &text).expect(&text);
            prop_assert_eq!(buffer.get(""), Ok(Some(number)), "{}", text);
            let byte = Buffer::from_json(&schema("u8"), &text).ok();
            let byte = byte.map(|byte| byte.get::<u8>("").expect("sound").expect("set"));
            prop_assert_eq!(byte, u8::try_from(number).ok(), "{}", text);
        }
        let half = format!("{number}.{zero}5");
        prop_assert!(Buffer::from_json(&schema("i64"), &half).is_err(), "{}", half);
    }

    #[test]
    fn a_finite_number_stays_finite_or_is_refused(number in any::<f64>(), exponent in 0..400) {
        for text in [format!("{number:e}"), format!("1e{exponent}"), format!("-9e{exponent}")] {
            for (ty, infinite) in [
                ("f32", text.parse::<f32>().is_ok_and(f32::is_infinite)),
                ("f64", text.parse::<f64>().is_ok_and(f64::is_infinite)),
            ] {
                if number.is_finite() {
                    let buffer = Buffer::from_json(&schema(ty), &text);
                    prop_assert_eq!(buffer.is_err(), infinite, "{} {}", ty, text);
                }
            }
        }
    }

    #[test]
    fn a_key_that_is_there_twice_is_refused(keys in vec("[a-d]{1,2}", 0..6)) {
        let members: Vec<_> = keys.iter().map(|key| format!("\"{key}\":1")).collect();
        let buffer = Buffer::from_json(&schema("map<u8>"), &format!("{{{}}}", members.join(",")));
        let distinct: std::collections::BTreeSet<_> = keys.iter().collect();
        prop_assert_eq!(buffer.is_ok(), distinct.len() == keys.len());
    }

    /// Keys that came in order were always quick: each was the last one.
    #[test]
    fn the_order_of_keys_in_json_makes_no_difference(
        map in btree_map("[a-zé]{0,4}", any::<i32>(), 0..40), seed in any::<prop::sample::Index>(),
    ) {
        let members: Vec<_> = map.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
        let mut other = members.clone();
        other.reverse();
        if !other.is_empty() {
            let by = seed.index(other.len());
            other.rotate_left(by);
        }
        let read = |members: &[String]| {
            Buffer::from_json(&schema("map<i32>"), &format!("{{{}}}", members.join(","))).expect("values")
        };
        prop_assert_eq!(read(&members), read(&other));
    }

    /// Also as a default, and in the JSON form of a schema.
    #[test]
    fn the_order_of_members_in_json_makes_no_difference(lat in -90..=90_i32, lng in -180..=180_i32) {
        for ty in ["geo4", "geo8", "geo16"] {
            let place = |members: [String; 2]| format!("{{{}}}", members.join(","));
            let (lat, lng) = (format!("\"lat\":{lat}"), format!("\"lng\":{lng}"));
            let (one, other) = (place([lat.clone(), lng.clone()]), place([lng.clone(), lat.clone()]));
            let read = |json: &str| Buffer::from_json(&schema(ty), json);
            prop_assert!(read(&one).is_ok());
            prop_assert_eq!(read(&one), read(&other));
            let stranger = place([lat.clone(), String::from("\"x\":1")]);
            prop_assert!(read(&stranger).is_err());
            let twice = place([lat.clone(), lat]);
            prop_assert!(read(&twice).is_err());

            let read = |text: String| Schema::parse(&text).ok();
            let (one, other) = (read(format!("{ty} = {one}")), read(format!("{ty} = {other}")));
            prop_assert!(one.is_some() && one == other);
        }
        let fields = |json: &str| Buffer::from_json(&schema("struct { a: i16, b: map<i16> }"), json);
        let one = fields(&format!("{{\"a\":{lat},\"b\":{{\"x\":{lat},\"y\":{lng}}}}}"));
        let other = fields(&format!("{{\"a\":{lat},\"b\":{{\"y\":{lng},\"x\":{lat}}}}}"));
        prop_assert!(one.is_ok() && one == other);
        let other = fields(&format!("{{\"b\":{{\"y\":{lng},\"x\":{lat}}},\"a\":{lat}}}"));
        prop_assert_eq!(one.map(|one| one.to_json()), other.map(|other| other.to_json()));
    }

    #[test]
    fn places_of_16_bytes_are_as_precise_as_f64(
        latitude in -90.0..=90.0_f64, longitude in -180.0..=180.0_f64, exponent in -300..0,
    ) {
        let mut buffer = Buffer::new(&schema("geo16"));
        for shrunk in [1.0, 10_f64.powi(exponent)] {
            let place = Geo { latitude: latitude * shrunk, longitude: longitude * shrunk };
            buffer.set("", place).expect("on earth");
            prop_assert_eq!(buffer.get(""), Ok(Some(place)));
            let again = Buffer::from_json(buffer.schema(), &buffer.to_json().expect("sound"));
            prop_assert_eq!(again.as_ref(), Ok(&buffer));
        }
    }

    #[test]
    fn what_is_verified_of_a_place_can_be_written_again(content in any::<[u8; 16]>()) {
        for (ty, size) in [("geo4", 4), ("geo8", 8), ("geo16", 16)] {
            let bytes = [b"N\x01", &content[..size]].concat();
            let mut buffer = Buffer::open(&schema(ty), bytes).expect("a buffer");
            let place: Geo = buffer.get("").expect("any bytes are numbers").expect("it is there");
            prop_assert_eq!(buffer.view().verify().is_ok(), buffer.set("", place).is_ok());
        }
    }

    #[test]
    fn no_text_outlives_its_place(changes in vec(secret(), 0..40)) {
        const SCHEMA: &str = "struct { a: string, b: list<struct { c: string }>, d: map<string> }";
        let mut buffer = Buffer::new(&schema(SCHEMA));
        let mut written = Vec::new();
        for (number, change) in changes.into_iter().enumerate() {
            let mut text = |len: usize| {
                written.push(format!("<{number}>"));
                format!("<{number}>{}", "x".repeat(len))
            };
            let key = |key: u8| format!("key{key}");
            match change {
                Secret::Text(len) => buffer.set("a", &*text(len)).expect("set"),
                Secret::Item(at, len) => {
                    let _ = buffer.set(&["b", &at.to_string(), "c"], &*text(len));
                }
                Secret::Key(at, len) => buffer.set(&["d", &key(at)], &*text(len)).expect("set"),
                Secret::RemoveItem(at) => drop(buffer.del(&["b", &at.to_string()]).expect("sound")),
                Secret::RemoveKey(at) => drop(buffer.del(&["d", &key(at)]).expect("sound")),
                Secret::RemoveText => drop(buffer.del("a").expect("sound")),
                Secret::Append(len) => {
                    let at = buffer.view().len("b").expect("sound");
                    buffer.set(&["b", &at.to_string(), "c"], &*text(len)).expect("set");
                }
                Secret::Json(len) => {
                    let json = json!({"d": {"key0": text(len)}, "b": []});
                    buffer.edit().set_json("", &json.to_string()).expect("set");
                }
                Secret::Compact => {
                    let (len, waste) = (buffer.as_bytes().len(), buffer.view().waste());
                    buffer.compact().expect("sound");
                    prop_assert_eq!(waste, Ok(len - buffer.as_bytes().len()));
                }
            }
            buffer.view().verify().expect("sound");
            let json = buffer.to_json().expect("sound");
            let holds = |text: &str| buffer.as_bytes().windows(text.len()).any(|b| b == text.as_bytes());
            for text in &written {
                prop_assert_eq!(holds(text), json.contains(&**text), "{}", text);
            }
            for key in ["key0", "key1", "key2"] {
                prop_assert_eq!(holds(key), json.contains(key), "{}", key);
            }
        }
        // Not even the lengths of what was moved or deleted are left.
        for path in ["a", "b", "d"] {
            buffer.del(path).expect("sound");
        }
        // Of the root, its number of fields.
        let left: Vec<_> = buffer.as_bytes().iter().skip(6).filter(|byte| **byte != 0).collect();
        prop_assert!(left.is_empty() || left == [&3], "{:?}", buffer);
    }

    #[test]
    fn growing_step_by_step_wastes_at_most_a_multiple(steps in vec(1..60_usize, 1..80)) {
        let mut buffer = Buffer::new(&schema("struct { a: string, b: string }"));
        let mut len = 0;
        for step in steps {
            len += step;
            buffer.set("a", &*"a".repeat(len)).expect("set");
            buffer.set("b", &*"b".repeat(len)).expect("set");
        }
        // Of each text, less than twice its length and the gaps of half that, of a quarter and so on;
        // each with a head of at most 9 bytes. The root takes 16.
        let heads = 2 * 9 * (len.ilog2() as usize + 2);
        let most = 8 * len + heads + 16;
        prop_assert!(buffer.as_bytes().len() <= most, "{} of {}", buffer.as_bytes().len(), len);
    }

    #[test]
    fn a_part_of_a_path_is_an_index_as_numbers_are_printed(text in "[-+ 0-9a٠.e]{0,4}", number in any::<usize>()) {
        let schema = schema("list<u8>");
        for text in [text, number.to_string()] {
            let is_index = text.parse::<usize>().is_ok_and(|number| number.to_string() == text);
            prop_assert_eq!(schema.path_of(&[&text]).is_ok(), is_index, "{}", text);
        }
    }

    #[test]
    fn a_schema_with_more_fields_is_compatible_and_one_with_another_type_is_not(
        fields in vec(0..KINDS.len(), 1..6), more in vec(0..KINDS.len(), 0..4), other in 0..KINDS.len(),
        at in any::<prop::sample::Index>(),
    ) {
        let build = |kinds: &[usize]| {
            let fields = kinds.iter().enumerate().map(|(at, kind)| format!("f{at}: {}", KINDS[*kind]));
            schema(&format!("map<struct {{ {} }}>", fields.collect::<Vec<_>>().join(", ")))
        };
        let (old, new) = (build(&fields), build(&[&*fields, &*more].concat()));
        prop_assert!(old.is_compatible(&new) && new.is_compatible(&old));
        let at = at.index(fields.len());
        let mut changed = fields.clone();
        changed[at] = other;
        let is_same = fields[at] == other;
        prop_assert_eq!(old.is_compatible(&build(&changed)), is_same);
    }
}

/// A value of each kind, as JSON.
const VALUES: [&str; 25] = [
    "true",
    "1",
    "1",
    "1",
    "1",
    "1",
    "1",
    "1",
    "1",
    "1",
    "1",
    "1",
    "1",
    "\"00112233-4455-6677-8899-aabbccddeeff\"",
    "\"01ARZ3NDEKTSV4RRFFQ69G5FAV\"",
    "{\"lat\":1,\"lng\":1}",
    "{\"lat\":1,\"lng\":1}",
    "{\"lat\":1,\"lng\":1}",
    "\"x\"",
    "\"x\"",
    "\"x\"",
    "\"00\"",
    "\"00\"",
    "[1]",
    "{\"a\":1}",
];

#[test]
fn what_was_never_set_has_the_type_that_it_has_when_it_is_set() {
    for (kind, value) in KINDS.iter().zip(VALUES) {
        let schema = schema(&format!("struct {{ a: {kind} }}"));
        let unset = Buffer::new(&schema);
        let set = Buffer::from_json(&schema, &format!("{{\"a\":{value}}}")).expect("a value");
        macro_rules! agree {
            ($($ty:ty)*) => {$(
                let (one, other) = (unset.get::<$ty>("a"), set.get::<$ty>("a"));
                assert_eq!(one.as_ref().err(), other.as_ref().err(), "{kind} {}", stringify!($ty));
                assert!(matches!(one, Ok(None) | Err(Error::WrongType { .. })), "{kind}");
            )*};
        }
        agree!(bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 Decimal Date Uuid Ulid Geo Choice &str &[u8]);
    }
}
