//! Behaviour that users of the crate can rely on, one sentence per test.

use noproto::{Buffer, Choice, Date, Decimal, Error, Geo, Kind, Schema, Ulid, Uuid};

fn schema(text: &str) -> Schema {
    Schema::parse(text).expect("a schema")
}

fn buffer(text: &str) -> Buffer {
    Buffer::new(&schema(text))
}

const PERSON: &str = "struct { name: string, age: u8 = 18, tags: list<string>, \
                      home: struct { street: string, number: u16 }, rooms: map<i32> }";

#[test]
fn nothing_is_there_before_it_is_set_but_defaults_are() {
    let buffer = buffer(PERSON);
    assert_eq!(buffer.get::<&str>("name"), Ok(None));
    assert_eq!(buffer.get("age"), Ok(Some(18_u8)));
    assert_eq!(buffer.get::<u16>("home.number"), Ok(None));
    assert_eq!(buffer.view().len("tags"), Ok(0));
    assert_eq!(buffer.to_json().as_deref(), Ok("null"));
    assert_eq!(buffer.as_bytes().len(), 6, "two bytes of the format, four of the root");
}

#[test]
fn what_is_set_is_read_and_what_leads_there_is_made() {
    let mut buffer = buffer(PERSON);
    buffer.set("home.number", 7_u16).expect("set");
    buffer.set("tags.0", "a").expect("set");
    buffer.set("tags.1", "b").expect("set");
    buffer.set(&["rooms", "a.b"], -1).expect("a key with a point");
    assert_eq!(buffer.get("home.number"), Ok(Some(7_u16)));
    assert_eq!(
        buffer.to_json().as_deref(),
        Ok(r#"{"age":18,"tags":["a","b"],"home":{"number":7},"rooms":{"a.b":-1}}"#)
    );
}

#[test]
fn a_text_that_fits_is_written_over_the_old_one_and_leaves_nothing_of_it() {
    let mut buffer = buffer(PERSON);
    buffer.set("name", "a long secret").expect("set");
    let len = buffer.as_bytes().len();
    buffer.set("name", "bob").expect("set");
    assert_eq!(buffer.as_bytes().len(), len);
    assert!(!buffer.as_bytes().windows(6).any(|bytes| bytes == b"secret"));
    buffer.set("name", "a long secret").expect("set");
    assert_eq!(buffer.as_bytes().len(), len, "the room is not forgotten");
}

#[test]
fn compaction_closes_the_gaps_and_changes_no_value() {
    let mut buffer = buffer(PERSON);
    for text in ["a", "a longer one", "one that is longer still"] {
        buffer.set("name", text).expect("set");
    }
    for (index, tag) in ["0", "1", "2", "3", "4"].into_iter().enumerate() {
        buffer.set(&["tags", tag], &*"x".repeat(index)).expect("set");
    }
    let (len, json) = (buffer.as_bytes().len(), buffer.to_json());
    buffer.compact().expect("a sound buffer");
    assert!(buffer.as_bytes().len() < len);
    assert_eq!(buffer.to_json(), json);
    let compact = buffer.as_bytes().to_vec();
    buffer.compact().expect("a sound buffer");
    assert_eq!(buffer.as_bytes(), compact);
}

#[test]
fn what_is_deleted_is_gone_and_items_behind_it_move_up() {
    let mut buffer = Buffer::from_json(
        &schema(PERSON),
        r#"{"name":"x","tags":["a","b","c"],"rooms":{"one":1,"two":2}}"#,
    )
    .expect("values of the schema");
    assert_eq!(buffer.del("tags.1"), Ok(true));
    assert_eq!(buffer.del("tags.2"), Ok(false), "there are two now");
    assert_eq!(buffer.del("rooms.one"), Ok(true));
    assert_eq!(buffer.del("name"), Ok(true));
    assert_eq!(buffer.del("name"), Ok(false));
    assert_eq!(buffer.to_json().as_deref(), Ok(r#"{"age":18,"tags":["a","c"],"rooms":{"two":2}}"#));
    assert_eq!(buffer.del(""), Ok(true));
    assert_eq!(buffer.to_json().as_deref(), Ok("null"));
}

#[test]
fn a_mistake_is_an_error_and_changes_nothing() {
    let mut buffer = buffer(PERSON);
    buffer.set("name", "x").expect("set");
    let before = buffer.clone();
    assert_eq!(buffer.set("age", 3_u16), Err(Error::WrongType { schema: Kind::U8 }));
    assert_eq!(buffer.set("home.number", "3"), Err(Error::WrongType { schema: Kind::U16 }));
    assert_eq!(buffer.set("nobody", 3_u8), Err(Error::NoSuchPath { part: 0 }));
    assert_eq!(buffer.get::<u8>("tags.x"), Err(Error::NoSuchPath { part: 1 }));
    assert_eq!(
        buffer.set(&schema(PERSON).path("age").expect("a path"), 1_u8),
        Err(Error::ForeignPath)
    );
    assert_eq!(buffer.edit().set_json("name", "3"), Err(Error::DoesNotFit(Kind::Text)));
    assert_eq!(buffer, before);
    assert_eq!(buffer.set("tags.1", "b"), Err(Error::OutOfRange { index: 1, len: 0 }));
}

#[test]
fn every_scalar_keeps_its_value() {
    let mut buffer = buffer(
        "struct { a: bool, b: i8, c: i16, d: i32, e: i64, f: u8, g: u16, h: u32, i: u64, j: f32,
         k: f64, l: decimal(3), m: date, n: uuid, o: ulid, p: enum { x, y }, q: string[3],
         r: bytes[2], s: string, t: bytes, u: geo4, v: geo8, w: geo16 }",
    );
    macro_rules! keeps {
        ($($path:literal: $($value:expr),+;)*) => {$($(
            let value = $value;
            assert_eq!(buffer.set($path, value), Ok(()), $path);
            assert_eq!(buffer.get($path), Ok(Some(value)), $path);
        )+)*};
    }
    keeps! {
        "a": true, false;
        "b": i8::MIN, -1_i8, 0_i8, i8::MAX;
        "c": i16::MIN, -1_i16, i16::MAX;
        "d": i32::MIN, -1_i32, i32::MAX;
        "e": i64::MIN, -1_i64, i64::MAX;
        "f": 0_u8, u8::MAX;
        "g": 0_u16, u16::MAX;
        "h": 0_u32, u32::MAX;
        "i": 0_u64, u64::MAX;
        "j": f32::MIN, -0.5_f32, 0.0_f32, f32::MIN_POSITIVE, f32::INFINITY;
        "k": f64::MIN, -0.5_f64, 0.0_f64, f64::MIN_POSITIVE, f64::INFINITY;
        "l": Decimal(i64::MIN), Decimal(-1500), Decimal(i64::MAX);
        "m": Date(0), Date(u64::MAX);
        "n": Uuid([7; 16]);
        "o": Ulid(u128::MAX), Ulid(1);
        "p": Choice(0), Choice(1), "x", "y";
        "q": "", "abc", "é";
        "r": &b"\0\0"[..], &b"\xFF\0"[..];
        "s": "", "text \0 with zeros \0";
        "t": &b""[..], &b"\0\xFF"[..];
        "u": Geo { latitude: -33.86, longitude: 151.2 };
        "v": Geo { latitude: -33.8567844, longitude: 180.0 };
        "w": Geo { latitude: -33.856784412345, longitude: 151.213108612345 };
    }
    assert_eq!(buffer.set("p", Choice(2)), Err(Error::UnknownChoice(2)));
    assert_eq!(buffer.set("p", "z"), Err(Error::DoesNotFit(Kind::Enum)));
    assert_eq!(buffer.set("q", "abcd"), Err(Error::DoesNotFit(Kind::FixedText)));
    let nowhere = Geo { latitude: 91.0, longitude: 0.0 };
    assert_eq!(buffer.set("u", nowhere), Err(Error::DoesNotFit(Kind::Geo4)));
    let again = Buffer::from_json(buffer.schema(), &buffer.to_json().expect("sound"));
    assert_eq!(again.map(|again| again.to_json()), Ok(buffer.to_json()));
}

#[test]
fn a_default_of_every_kind_is_read_where_nothing_was_set() {
    let text = r#"struct { a: bool = true, b: i64 = -5, c: f32 = 0.5, d: decimal(2) = 1.5,
        e: string = "x", f: bytes = "ff", g: enum { x, y } = "y", h: string[3] = "ab", i: date = 9 }"#;
    let buffer = buffer(text);
    assert_eq!(buffer.get("a"), Ok(Some(true)));
    assert_eq!(buffer.get("b"), Ok(Some(-5_i64)));
    assert_eq!(buffer.get("c"), Ok(Some(0.5_f32)));
    assert_eq!(buffer.get("d"), Ok(Some(Decimal(150))));
    assert_eq!(buffer.get("e"), Ok(Some("x")));
    assert_eq!(buffer.get("f"), Ok(Some(&b"\xFF"[..])));
    assert_eq!(buffer.get("g"), Ok(Some("y")));
    assert_eq!(buffer.get("h"), Ok(Some("ab")));
    assert_eq!(buffer.get("i"), Ok(Some(Date(9))));
    assert_eq!(Schema::parse("u8 = 256"), Err(Error::DoesNotFit(Kind::U8)));
}

#[test]
fn a_schema_that_gained_fields_reads_and_changes_what_was_written_before() {
    let old = schema("list<struct { a: u8, b: struct { c: string } }>");
    let new = schema(
        "list<struct { a: u8, b: struct { c: string, d: i32 = 4 }, e: string = \"none\",
         f: bool, g: u8, h: u8, i: u8, j: u8, k: u8, l: tuple(i8, i8) }>",
    );
    let bytes = Buffer::from_json(&old, r#"[{"a":1,"b":{"c":"x"}},{"a":2}]"#).expect("values");
    let mut buffer = Buffer::open(&new, bytes.into_bytes()).expect("a buffer");
    assert_eq!(buffer.get("0.a"), Ok(Some(1_u8)));
    assert_eq!(buffer.get("0.b.d"), Ok(Some(4)));
    assert_eq!(buffer.get("1.e"), Ok(Some("none")));
    assert_eq!(buffer.get::<bool>("1.f"), Ok(None));

    buffer.set("0.b.d", 5).expect("a field that is new");
    buffer.set("0.k", 6_u8).expect("one behind eight others");
    buffer.set("1.l.1", -1_i8).expect("set");
    let json = r#"[{"a":1,"b":{"c":"x","d":5},"e":"none","k":6},{"a":2,"e":"none","l":[0,-1]}]"#;
    assert_eq!(buffer.to_json().as_deref(), Ok(json));
    buffer.view().verify().expect("sound");

    // The old schema reads what it knows, and will not copy what it does not.
    let mut buffer = Buffer::open(&old, buffer.into_bytes()).expect("a buffer");
    assert_eq!(buffer.to_json().as_deref(), Ok(r#"[{"a":1,"b":{"c":"x"}},{"a":2}]"#));
    buffer.set("0.a", 9_u8).expect("set");
    assert_eq!(buffer.compact(), Err(Error::NewerSchema));
}

#[test]
fn a_path_that_was_worked_out_once_does_what_its_text_does() {
    let schema = schema(PERSON);
    let mut buffer = Buffer::new(&schema);
    for path in ["name", "tags.0", "home.street"] {
        let worked_out = schema.path(path).expect("a path");
        buffer.set(&worked_out, path).expect("set");
        assert_eq!(buffer.get(path), Ok(Some(path)));
        assert_eq!(buffer.get(&worked_out), Ok(Some(path)));
        assert_eq!(format!("{worked_out:?}"), format!("Path({path})"));
    }
}

#[test]
fn a_value_in_json_replaces_the_one_that_was_there() {
    let mut buffer = buffer(PERSON);
    buffer.edit().set_json("home", r#"{"street":"x","number":1}"#).expect("set");
    buffer.edit().set_json("home", r#"{"number":2}"#).expect("set");
    assert_eq!(buffer.to_json().as_deref(), Ok(r#"{"age":18,"home":{"number":2}}"#));
}

#[test]
fn everything_can_be_walked_through() {
    let buffer = Buffer::from_json(
        &schema(PERSON),
        r#"{"name":"x","tags":["a","b"],"rooms":{"two":2,"one":1}}"#,
    )
    .expect("values of the schema");
    let root = buffer.view().root().as_struct().expect("sound").expect("there");
    let names: Vec<_> = root.fields().map(|(name, node)| (name, node.ty().kind())).collect();
    assert_eq!(names, [("name", Kind::Text), ("tags", Kind::List), ("rooms", Kind::Map)]);
    let tags = root.named("tags").expect("a field").expect("there").as_list().expect("a list");
    let tags: Vec<_> = tags.iter().map(|tag| tag.get::<&str>()).collect();
    assert_eq!(tags, [Ok(Some("a")), Ok(Some("b"))]);
    let rooms = root.named("rooms").expect("a field").expect("there").as_map().expect("a map");
    let rooms: Vec<_> =
        rooms.iter().map(|entry| entry.and_then(|(key, node)| Ok((key, node.get()?)))).collect();
    assert_eq!(rooms, [Ok(("one", Some(1))), Ok(("two", Some(2)))]);
}

#[test]
fn a_schema_that_cannot_be_is_refused_with_the_reason() {
    for (text, message) in [
        ("struct { a: u8, a: u8 }", "not a schema: a name is there twice"),
        ("u7", "not a schema: there is no type of this name"),
        ("string[0]", "not a schema: strings and bytes of a size have 1 to 4096"),
        ("enum { }", "not a schema: an enum has 1 to 255 choices"),
        ("list<u8> = []", "not a schema: a list, map, struct or tuple has no default"),
        ("struct { a u8 }", "expected `:` at byte 11"),
        ("struct { a: u8", "expected `,` or a closing bracket at byte 14"),
        ("list<u8> u8", "expected the end at byte 9"),
    ] {
        let error = Schema::parse(text).expect_err(text);
        assert_eq!(error.to_string(), message, "{text}");
    }
}

#[test]
fn a_json_value_that_does_not_fit_leaves_no_trace_of_its_path() {
    let text = "struct { x: i32, y: f64, z: u8 = 5, home: struct { n: i16 }, m: map<i32> }";
    for (path, json) in [
        ("x", "3.5"),
        ("x", "null"),
        ("y", "\"one\""),
        ("z", "256"),
        ("home.n", "[]"),
        ("home", "{\"n\":1,\"k\":2}"),
        ("m.k", "true"),
        ("m", "{\"k\":1,\"l\":true}"),
    ] {
        let mut buffer = buffer(text);
        assert!(buffer.edit().set_json(path, json).is_err(), "{path} {json}");
        assert_eq!(buffer, self::buffer(text), "{path} {json}");
        assert_eq!(buffer.get::<i32>("x"), Ok(None));
        assert_eq!(buffer.get::<f64>("y"), Ok(None));
        assert_eq!(buffer.get("z"), Ok(Some(5_u8)));
    }
}

#[test]
fn no_index_overflows() {
    let buffer = Buffer::from_json(&schema("list<u64>"), "[1]").expect("values");
    let list = buffer.view().root().as_list().expect("a list");
    assert!(list.item(0).is_some());
    assert!(list.item(1).is_none());
    assert!(list.item(usize::MAX).is_none());
    assert!(list.item(usize::MAX / 8).is_none());
}

#[test]
fn a_value_of_another_type_is_an_error_also_where_nothing_was_set() {
    let buffer = buffer(PERSON);
    assert_eq!(buffer.get::<u64>("name"), Err(Error::WrongType { schema: Kind::Text }));
    assert_eq!(buffer.get::<&str>("home.number"), Err(Error::WrongType { schema: Kind::U16 }));
    assert_eq!(buffer.get::<Geo>("age"), Err(Error::WrongType { schema: Kind::U8 }));
    assert_eq!(buffer.get::<Choice>("tags"), Err(Error::WrongType { schema: Kind::List }));
    assert_eq!(buffer.get::<&[u8]>("home"), Err(Error::WrongType { schema: Kind::Struct }));
    assert_eq!(buffer.get::<&str>("rooms.hall"), Err(Error::WrongType { schema: Kind::I32 }));
}

#[test]
fn json_is_read_as_it_is_meant_or_refused() {
    let read = |text: &str, json: &str| {
        Buffer::from_json(&schema(text), json).and_then(|buffer| buffer.to_json())
    };
    assert!(read("string", r#""\ud800\u0041""#).is_err(), "half of a character, and an A");
    assert!(read("string", r#""\ud800""#).is_err());
    assert_eq!(read("string", r#""\ud83d\ude00""#).as_deref(), Ok("\"😀\""));
    assert_eq!(read("f32", "1e39"), Err(Error::DoesNotFit(Kind::F32)));
    assert_eq!(read("f64", "1e309"), Err(Error::DoesNotFit(Kind::F64)));
    assert_eq!(read("f32", "\"Infinity\"").as_deref(), Ok("\"Infinity\""));
    assert!(read("map<u8>", r#"{"a":1,"b":2,"a":3}"#).is_err());
    assert!(read("struct { a: u8 }", r#"{"a":1,"a":1}"#).is_err());
    for (json, value) in [("1.0", "1"), ("1e2", "100"), ("-0", "0"), ("0.0e99999", "0")] {
        assert_eq!(read("u8", json).as_deref(), Ok(value), "{json}");
        assert_eq!(read("i64", json).as_deref(), Ok(value), "{json}");
        assert_eq!(read("date", json).as_deref(), Ok(value), "{json}");
    }
    for json in ["1.5", "1e-1", "1e3", "-1", "1e99999999999999999999"] {
        assert_eq!(read("u8", json), Err(Error::DoesNotFit(Kind::U8)), "{json}");
    }
    assert_eq!(read("decimal(2)", "15e-1").as_deref(), Ok("1.50"));
    assert_eq!(read("decimal(2)", "1.500").as_deref(), Ok("1.50"));
    assert_eq!(read("decimal(2)", "1.505"), Err(Error::DoesNotFit(Kind::Decimal)));
}

#[test]
fn a_place_that_is_not_on_earth_is_not_verified() {
    let schema = schema("geo8");
    let mut bytes = Buffer::new(&schema).into_bytes();
    bytes[2..6].copy_from_slice(&(2_138_000_000_u32 ^ 1 << 31).to_be_bytes());
    let buffer = Buffer::open(&schema, bytes).expect("a buffer");
    assert_eq!(buffer.get("").map(|place: Option<Geo>| place.map(|p| p.latitude)), Ok(Some(213.8)));
    assert_eq!(buffer.view().verify(), Err(Error::DoesNotFit(Kind::Geo8)));
}

fn holds(buffer: &Buffer, text: &str) -> bool {
    buffer.as_bytes().windows(text.len()).any(|bytes| bytes == text.as_bytes())
}

#[test]
fn nothing_of_what_was_taken_out_is_left_in_the_bytes() {
    let secret = "secret";
    let json = r#"{"name":"secret","tags":["x","secret"],"home":{"street":"secret"},
                   "rooms":{"secret":1}}"#;
    for path in ["name", "tags", "tags.1", "home", "home.street", "rooms.secret", "rooms", ""] {
        let mut all = Buffer::from_json(&schema(PERSON), json).expect("values");
        assert!(holds(&all, secret));
        assert_eq!(all.del(path), Ok(true), "{path}");
        all.view().verify().expect("sound");
        for other in ["name", "tags", "home", "rooms"] {
            all.del(other).expect("sound");
        }
        assert!(!holds(&all, secret), "{path}");
    }
    let mut buffer = Buffer::from_json(&schema(PERSON), json).expect("values");
    for path in ["name", "tags.1", "home.street"] {
        buffer.set(path, "something that is longer").expect("set");
    }
    buffer.edit().set_json("rooms", "{}").expect("set");
    assert!(!holds(&buffer, secret));
}

#[test]
fn a_text_that_grows_step_by_step_costs_little_and_its_waste_is_known() {
    let mut buffer = buffer("struct { a: string, b: string }");
    for len in 1..=2000 {
        buffer.set("a", &*"a".repeat(len)).expect("set");
        buffer.set("b", &*"b".repeat(len)).expect("set");
    }
    let (len, waste) = (buffer.as_bytes().len(), buffer.view().waste());
    assert!(len < 6 * 2000, "{len}");
    buffer.compact().expect("sound");
    assert_eq!(waste, Ok(len - buffer.as_bytes().len()));
    assert_eq!(buffer.view().waste(), Ok(0));
}

#[test]
fn an_index_is_digits_and_nothing_else() {
    let mut buffer = Buffer::from_json(&schema(PERSON), r#"{"tags":["a","b"]}"#).expect("values");
    for path in ["tags.+0", "tags.-0", "tags.00", "tags.01", "tags. 0", "tags.٠", "tags."] {
        assert_eq!(buffer.get::<&str>(path), Err(Error::NoSuchPath { part: 1 }), "{path}");
        assert_eq!(buffer.set(path, "x"), Err(Error::NoSuchPath { part: 1 }), "{path}");
    }
    assert_eq!(buffer.get("tags.1"), Ok(Some("b")));
}

#[test]
fn a_schema_that_would_misread_is_not_compatible() {
    let compatible = |one: &str, other: &str| {
        let (one, other) = (schema(one), schema(other));
        assert_eq!(one.is_compatible(&other), other.is_compatible(&one));
        one.is_compatible(&other)
    };
    assert!(compatible("struct { a: i32 }", "struct { a: i32 = 5, b: list<u8> }"));
    assert!(compatible("list<enum { x, y }>", "list<enum { x, y, z }>"));
    assert!(!compatible("struct { a: i32 }", "struct { a: u32 }"));
    assert!(!compatible("struct { a: i32 }", "struct { b: i32 }"));
    assert!(!compatible("enum { x, y }", "enum { y, x }"));
    assert!(!compatible("decimal(2)", "decimal(3)"));
    assert!(!compatible("string[3]", "string[4]"));
    assert!(!compatible("tuple(u8)", "tuple(u8, u8)"));
    assert!(!compatible("list<u8>", "map<u8>"));
}

#[test]
fn json_of_an_old_schema_does_not_drop_what_it_does_not_know() {
    let (old, new) = (schema("struct { a: u8 }"), schema("struct { a: u8, b: string }"));
    let bytes = Buffer::from_json(&new, r#"{"a":1,"b":"x"}"#).expect("values").into_bytes();
    let mut buffer = Buffer::open(&old, bytes).expect("a buffer");
    assert_eq!(buffer.edit().set_json("", r#"{"a":2}"#), Err(Error::NewerSchema));
    assert_eq!(buffer.view().waste(), Err(Error::NewerSchema));
    buffer.edit().set_json("a", "2").expect("a value that the old schema knows");
    let buffer = Buffer::open(&new, buffer.into_bytes()).expect("a buffer");
    assert_eq!(buffer.to_json().as_deref(), Ok(r#"{"a":2,"b":"x"}"#));
}

#[test]
fn a_cursor_goes_down_by_name_and_does_what_indices_do() {
    let schema = schema(PERSON);
    let (mut by_name, mut by_index) = (Buffer::new(&schema), Buffer::new(&schema));
    let mut edit = by_name.edit();
    let mut root = edit.root().into_struct().expect("a struct");
    root.set_named("name", "é").expect("set");
    root.named("tags").and_then(|tags| tags.into_list()?.push("x")).expect("pushed");
    root.named("home").and_then(|it| it.into_struct()?.set_named("number", 7_u16)).expect("set");
    assert_eq!(root.set_named("nobody", 1_u8), Err(Error::NoSuchField));
    assert_eq!(root.named("nobody").map(|_| ()), Err(Error::NoSuchField));
    assert_eq!(root.set_named("age", -1_i8), Err(Error::WrongType { schema: Kind::U8 }));

    let mut edit = by_index.edit();
    let mut root = edit.root().into_struct().expect("a struct");
    root.set(0, "é").expect("set");
    root.field(2).and_then(|tags| tags.into_list()?.push("x")).expect("pushed");
    root.field(3).and_then(|home| home.into_struct()?.set(1, 7_u16)).expect("set");
    assert_eq!(by_name, by_index);

    let root = by_name.view().root().as_struct().expect("sound").expect("there");
    assert_eq!(root.get_named("name"), Ok(Some("é")));
    assert_eq!(root.get_named("age"), Ok(Some(18_u8)), "the default");
    assert_eq!(root.get_named::<i8>("age"), Err(Error::WrongType { schema: Kind::U8 }));
    assert_eq!(root.get_named::<u8>("nobody"), Err(Error::NoSuchField));
}

/// How long a struct of a newer schema is, its bytes do not say.
#[test]
fn deleting_with_an_older_schema_leaves_the_values_of_newer_fields_in_the_bytes() {
    let new = schema("map<struct { a: u8, b: string[8], c: string }>");
    let old = schema("map<struct { a: u8 }>");
    let json = r#"{"key":{"a":77,"b":"in place","c":"elsewhere"}}"#;
    let holds = |buffer: &Buffer, text: &str| {
        buffer.as_bytes().windows(text.len()).any(|bytes| bytes == text.as_bytes())
    };
    for (schema, is_left) in [(&new, false), (&old, true)] {
        let written = Buffer::from_json(&new, json).expect("values of the schema");
        let mut buffer = Buffer::open(schema, written.into_bytes()).expect("a buffer");
        assert_eq!(buffer.del("key"), Ok(true));
        assert!(!holds(&buffer, "key") && !holds(&buffer, "M"));
        assert_eq!((holds(&buffer, "in place"), holds(&buffer, "elsewhere")), (is_left, is_left));
    }
}

/// 4 GiB of zeros take no memory until something is written to them.
#[cfg(target_pointer_width = "64")]
#[test]
fn at_the_limit_of_4_gib_a_refused_edit_loses_no_value() {
    const LIMIT: usize = u32::MAX as usize;
    let schema = schema(
        "struct { full: list<i64>, roomy: map<u8>, text: string, texts: list<string>, map: map<u8> }",
    );
    let json = r#"{"full":[1,2],"roomy":{"b":1,"d":2},"text":"x","texts":["x"],"map":{"b":1}}"#;
    let mut small = Buffer::from_json(&schema, json).expect("values of the schema");
    small.set("roomy.c", 3_u8).and(small.del("roomy.c")).expect("room for one more");
    let mut edit = small.edit();
    let mut root = edit.root().into_struct().expect("a struct");
    let mut texts = root.named("texts").expect("a field").into_list().expect("a list");
    texts.reserve(1).expect("room for one more");
    let small = small.into_bytes();

    let mut bytes = vec![0; LIMIT];
    for spare in [9, 10, 11, 40] {
        bytes.truncate(LIMIT - spare);
        bytes[..small.len()].copy_from_slice(&small);
        let mut edit = schema.edit(&mut bytes).expect("a buffer");
        let long = "a long text that does not fit, wherever it is";
        let mut refused = vec![
            edit.set("full.2", 3_i64),
            edit.set("text", long),
            edit.set(&["roomy", long], 1_u8),
            edit.set(&["map", long], 1_u8),
        ];
        let mut root = edit.root().into_struct().expect("a struct");
        let mut texts = root.named("texts").expect("a field").into_list().expect("a list");
        refused.push(texts.push(long));
        assert!(refused.iter().all(|result| *result == Err(Error::TooLarge)), "{refused:?}");
        assert_eq!(edit.view().to_json().as_deref(), Ok(json), "{spare}");
        assert_eq!(bytes[..small.len()], small, "{spare}");
        assert_eq!(bytes.len(), LIMIT - spare);
    }
}
