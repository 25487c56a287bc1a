//! Properties that hold for any input. The fuzz target and a plain test of the crate share this
//! file, so that the corpus is replayed wherever the tests run.

use noproto::{
    Buffer, Choice, Date, Decimal, Error, Geo, Kind, Node, NodeMut, Result, Schema, Type, Ulid,
    Uuid,
};

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

/// As [`any_input`], with the edits that one buffer cannot show one after another.
pub(crate) fn any_edit(input: &[u8]) {
    let Some((&choice, rest)) = input.split_first() else { return };
    if let Some(text) = SCHEMAS.get(usize::from(choice)) {
        every_edit(&Schema::parse(text).expect("a schema"), rest);
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

/// Each editing call on the bytes as they are: after another one they would be sounder.
pub(crate) fn every_edit(schema: &Schema, bytes: &[u8]) {
    let Ok(untouched) = Buffer::open(schema, bytes.to_vec()) else { return };
    let is_sound = untouched.view().verify().is_ok();
    let try_edit = |edit: &dyn Fn(&mut Buffer, &[&str]) -> Result<()>| {
        let mut paths = Vec::new();
        paths_of(schema.root(), &mut Vec::new(), &mut paths);
        for path in paths {
            let path: Vec<_> = path.iter().map(|part| &**part).collect();
            let mut buffer = untouched.clone();
            let _ = edit(&mut buffer, &path);
            if is_sound {
                buffer.view().verify().expect("changed, and still sound");
            }
        }
    };
    try_edit(&|buffer, path| buffer.del(path).map(|_| ()));
    try_edit(&|buffer, path| buffer.set(path, "a text"));
    try_edit(&|buffer, path| buffer.set(path, 7_u8));
    try_edit(&|buffer, path| buffer.edit().set_json(path, "[[\"a\"], []]"));
    try_edit(&|buffer, path| buffer.edit().set_json(path, "{\"a\": {\"b\": \"c\"}}"));
    let try_cursor = |edit: Cursor| {
        let mut buffer = untouched.clone();
        let _ = go_down(buffer.edit().root(), schema.root(), edit, 0);
        if is_sound {
            buffer.view().verify().expect("changed, and still sound");
        }
    };
    try_cursor(Cursor::Push);
    try_cursor(Cursor::Reserve(1));
    try_cursor(Cursor::Reserve(300));
    try_cursor(Cursor::Reserve(usize::MAX / 8));
    try_cursor(Cursor::Set);
    let _ = untouched.clone().compact();
}

/// Paths of a type: all fields and parts, and a few indices and keys.
fn paths_of(ty: &Type, path: &mut Vec<String>, all: &mut Vec<Vec<String>>) {
    all.push(path.clone());
    if path.len() == 3 {
        return;
    }
    let below = |part: &str, ty: &Type, path: &mut Vec<String>, all: &mut Vec<Vec<String>>| {
        path.push(part.into());
        paths_of(ty, path, all);
        path.pop();
    };
    ty.fields().for_each(|(name, field)| below(name, field, path, all));
    ty.parts().enumerate().for_each(|(at, part)| below(&at.to_string(), part, path, all));
    let parts: &[&str] = match ty.kind() {
        Kind::List => &["0", "1", "3"],
        Kind::Map => &["", "a", "\u{1}", "\u{6}"],
        _ => &[],
    };
    parts.iter().zip(std::iter::repeat(ty.item())).for_each(|(part, item)| {
        below(part, item.expect("a list or map has one"), path, all);
    });
}

#[derive(Clone, Copy)]
enum Cursor {
    Push,
    Reserve(usize),
    Set,
}

/// Goes down the first of each, and does one thing on the way.
fn go_down(mut node: NodeMut<'_>, ty: &Type, edit: Cursor, depth: usize) -> Result<()> {
    if depth == 6 {
        return Ok(());
    }
    match ty.kind() {
        Kind::Struct => {
            let mut value = node.into_struct()?;
            for (at, (name, field)) in ty.fields().enumerate() {
                if matches!(edit, Cursor::Set) {
                    let _ = value.set(at, "another text");
                    let _ = value.set_named(name, -1_i64);
                }
                let _ = value.field(at).and_then(|node| go_down(node, field, edit, depth + 1));
            }
            Ok(())
        }
        Kind::List => {
            let mut list = node.into_list()?;
            let item = ty.item().expect("a list has one");
            match edit {
                Cursor::Reserve(more) => list.reserve(more)?,
                Cursor::Push => {
                    let _ = list.push("an item").or_else(|_| list.push(-1_i64));
                }
                Cursor::Set => {}
            }
            go_down(list.push_node()?, item, edit, depth + 1)
        }
        Kind::Map => {
            let item = ty.item().expect("a map has one");
            for key in ["", "a", "\u{6}"] {
                let _ = node.key(key).and_then(|node| go_down(node, item, edit, depth + 1));
            }
            Ok(())
        }
        Kind::Tuple => ty.parts().enumerate().try_for_each(|(at, part)| {
            let _ = node.part(at).and_then(|node| go_down(node, part, edit, depth + 1));
            Ok(())
        }),
        _ => node.set("the longest text of all of these"),
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
