//! Properties that hold for any input. The fuzz target and a plain test of the crate share this
//! file, so that the corpus is replayed wherever the tests run.

use noproto::{Buffer, Choice, Date, Decimal, Error, Geo, Node, Schema, Ulid, Uuid};

/// Schemas to read inputs with: the first byte of an input picks one.
pub(crate) const SCHEMAS: [&str; 5] = [
    "struct {
        list: list<struct {
            sibling: struct { parent: struct { id: u64, count: i16 }, ratio: f32 },
            name: string, rating: f64 = 1.5,
        }>,
        initialized: bool = true, fruit: enum { apples, pears } = \"pears\", location: string = \"?\",
    }",
    "map<list<tuple(i32, string, enum { x, y }, decimal(2))>>",
    "list<list<list<u8>>>",
    "struct { a: uuid, b: ulid, c: date, d: decimal(0), e: i8, f: string[4], g: bytes[3], h: bytes,
              i: tuple(u16, tuple(f32, bool)), j: map<bytes = \"00\">, k: i64, l: u32 }",
    "struct { a: geo4, b: geo8, c: geo16, next: struct { a: u8, b: list<struct { c: string }> } }",
];

/// Paths of which each schema has some, and values of types that fit some of them.
const PATHS: [&str; 12] = [
    "list.0.name",
    "list.1.sibling.parent.count",
    "location",
    "a.0.1",
    "a.1.2",
    "0.0.0",
    "f",
    "i.1.0",
    "j.key",
    "next.b.0.c",
    "b",
    "fruit",
];

pub(crate) fn any_input(input: &[u8]) {
    let Some((&choice, rest)) = input.split_first() else { return };
    match SCHEMAS.get(usize::from(choice)) {
        Some(text) => {
            let schema = Schema::parse(text).expect("a schema");
            any_buffer(&schema, rest);
        }
        None => any_text(rest),
    }
}

fn any_buffer(schema: &Schema, bytes: &[u8]) {
    let Ok(mut buffer) = Buffer::open(schema, bytes.to_vec()) else { return };
    let is_sound = buffer.view().verify().is_ok();
    let json = buffer.to_json();
    // A few bytes cannot become many: nothing is written twice, and names come from the schema.
    assert!(json.as_ref().map_or(0, String::len) <= 300 + 300 * bytes.len());
    look(buffer.view().root(), 0);

    let mut copy = buffer.clone();
    let compacted = copy.compact();
    if is_sound {
        let json = json.expect("a sound buffer can be written as JSON");
        match compacted {
            Ok(()) => {
                assert!(copy.as_bytes().len() <= bytes.len());
                assert_eq!(copy.to_json().as_ref(), Ok(&json));
                copy.view().verify().expect("a copy of what is sound");
            }
            Err(error) => assert_eq!(error, Error::NewerSchema),
        }
        let again = Buffer::from_json(schema, &json).expect("what was written can be read");
        assert_eq!(again.to_json().as_ref(), Ok(&json));
    }

    for path in PATHS {
        let before = buffer.as_bytes().len();
        let (one, other) = (buffer.set(path, "text"), buffer.set(path, -3_i16));
        if is_sound && one.is_ok() {
            assert_eq!(buffer.get(path), Ok(Some("text")));
        }
        assert!(one.is_err() || other.is_err(), "two types at one path");
        let _ = buffer.set(path, Choice(1));
        let _ = buffer.set(path, 0.25_f32);
        let _ = buffer.edit().set_json(path, "[1, null, {\"a\": \"b\"}]");
        let _ = buffer.edit().set_json(path, "{\"c\": \"d\"}");
        // A change appends what it needs, and copies a list that has to grow.
        assert!(buffer.as_bytes().len() <= 3 * before + 4096);
    }
    if is_sound {
        buffer.view().verify().expect("changed, and still sound");
    }
    for path in PATHS {
        let _ = buffer.del(path);
    }
    if is_sound {
        buffer.view().verify().expect("changed, and still sound");
    }
}

/// Reads whatever can be reached, but of long lists only the beginning.
fn look(node: Node<'_>, depth: usize) {
    let _ = node.get::<&str>();
    let _ = node.get::<&[u8]>();
    let _ = node.get::<bool>();
    let _ = node.get::<u8>();
    let _ = node.get::<i16>();
    let _ = node.get::<u64>();
    let _ = node.get::<f32>();
    let _ = node.get::<f64>();
    let _ = node.get::<Choice>();
    let _ = node.get::<Date>();
    let _ = node.get::<Decimal>();
    let _ = node.get::<Geo>();
    let _ = node.get::<Ulid>();
    let _ = node.get::<Uuid>();
    let _ = node.sort_key();
    if depth == 6 {
        return;
    }
    if let Ok(Some(value)) = node.as_struct() {
        value.fields().for_each(|(_, field)| look(field, depth + 1));
    }
    if let Ok(list) = node.as_list() {
        list.iter().take(4).for_each(|item| look(item, depth + 1));
        assert!(list.item(list.len()).is_none());
    }
    if let Ok(map) = node.as_map() {
        for (key, item) in map.iter().take(4).flatten() {
            let _ = map.value(key);
            look(item, depth + 1);
        }
    }
    if let Ok(tuple) = node.as_tuple() {
        tuple.iter().for_each(|part| look(part, depth + 1));
    }
}

/// As a schema, in both forms, and as values.
fn any_text(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for schema in [Schema::parse(text), Schema::from_json(text)].into_iter().flatten() {
        let printed = schema.to_string();
        assert_eq!(Schema::parse(&printed).as_ref(), Ok(&schema), "{printed}");
        let json = schema.to_json();
        assert_eq!(Schema::from_json(&json).as_ref(), Ok(&schema), "{json}");
        Buffer::new(&schema).view().verify().expect("an empty buffer is sound");
    }
    for schema in SCHEMAS {
        let schema = Schema::parse(schema).expect("a schema");
        if let Ok(buffer) = Buffer::from_json(&schema, text) {
            buffer.view().verify().expect("what was written is sound");
        }
    }
}
