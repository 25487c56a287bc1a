use noproto::{Choice, Edit, Path, Result, Schema, Struct};

use super::Library;
use crate::model::{Container, FooBar, Sink, Top};

/// The schema, whose fields are in the order of the other formats.
pub const SCHEMA: &str = "struct {
    list: list<struct {
        sibling: struct {
            parent: struct { id: u64, count: i16, prefix: i8, length: u32 },
            time: i32, ratio: f32, size: u16,
        },
        name: string, rating: f64, postfix: u8,
    }>,
    initialized: bool,
    fruit: enum { apples, pears, bananas },
    location: string,
}";

/// The indices of the fields, as generated code has them for other formats.
mod field {
    pub(super) const LIST: usize = 0;
    pub(super) const INITIALIZED: usize = 1;
    pub(super) const FRUIT: usize = 2;
    pub(super) const LOCATION: usize = 3;

    pub(super) const SIBLING: usize = 0;
    pub(super) const NAME: usize = 1;
    pub(super) const RATING: usize = 2;
    pub(super) const POSTFIX: usize = 3;

    pub(super) const PARENT: usize = 0;
    pub(super) const TIME: usize = 1;
    pub(super) const RATIO: usize = 2;
    pub(super) const SIZE: usize = 3;

    pub(super) const ID: usize = 0;
    pub(super) const COUNT: usize = 1;
    pub(super) const PREFIX: usize = 2;
    pub(super) const LENGTH: usize = 3;
}

/// noproto, with paths that were worked out once.
#[derive(Debug)]
pub struct NoProto {
    schema: Schema,
    location: Path,
    first_name: Path,
    out: Vec<u8>,
}

/// noproto, with paths as text.
#[derive(Debug, Default)]
pub struct NoProtoByName(NoProto);

impl Default for NoProto {
    fn default() -> Self {
        let schema = Schema::parse(SCHEMA).expect("a schema");
        let path = |path| schema.path(path).expect("a path of the schema");
        let (location, first_name) = (path("location"), path("list.0.name"));
        Self { schema, location, first_name, out: Vec::new() }
    }
}

fn write(edit: &mut Edit<'_>, message: &Container) -> Result<()> {
    let mut root = edit.root().into_struct()?;
    let mut list = root.field(field::LIST)?.into_list()?;
    list.reserve(message.list.len())?;
    for item in &message.list {
        let mut foobar = list.push_node()?.into_struct()?;
        let mut bar = foobar.field(field::SIBLING)?.into_struct()?;
        let mut parent = bar.field(field::PARENT)?.into_struct()?;
        parent.set(field::ID, item.id)?;
        parent.set(field::COUNT, item.count)?;
        parent.set(field::PREFIX, item.prefix)?;
        parent.set(field::LENGTH, item.length)?;
        bar.set(field::TIME, item.time)?;
        bar.set(field::RATIO, item.ratio)?;
        bar.set(field::SIZE, item.size)?;
        foobar.set(field::NAME, &*item.name)?;
        foobar.set(field::RATING, item.rating)?;
        foobar.set(field::POSTFIX, item.postfix)?;
    }
    root.set(field::INITIALIZED, message.top.initialized)?;
    root.set(field::FRUIT, Choice(message.top.fruit))?;
    root.set(field::LOCATION, &*message.top.location)
}

fn read(root: Struct<'_>, sink: &mut impl Sink) -> Result<Option<()>> {
    let Some(list) = root.field(field::LIST)? else { return Ok(None) };
    for item in list.as_list()?.iter() {
        let Some(foobar) = item.as_struct()? else { return Ok(None) };
        let Some(bar) = foobar.structure(field::SIBLING)? else { return Ok(None) };
        let Some(parent) = bar.structure(field::PARENT)? else { return Ok(None) };
        sink.item(FooBar {
            name: foobar.get(field::NAME)?.unwrap_or_default(),
            rating: foobar.get(field::RATING)?.unwrap_or_default(),
            postfix: foobar.get(field::POSTFIX)?.unwrap_or_default(),
            time: bar.get(field::TIME)?.unwrap_or_default(),
            ratio: bar.get(field::RATIO)?.unwrap_or_default(),
            size: bar.get(field::SIZE)?.unwrap_or_default(),
            id: parent.get(field::ID)?.unwrap_or_default(),
            count: parent.get(field::COUNT)?.unwrap_or_default(),
            prefix: parent.get(field::PREFIX)?.unwrap_or_default(),
            length: parent.get(field::LENGTH)?.unwrap_or_default(),
        });
    }
    sink.top(Top {
        initialized: root.get(field::INITIALIZED)?.unwrap_or_default(),
        fruit: root.get(field::FRUIT)?.map_or(0, |Choice(number)| number),
        location: root.get(field::LOCATION)?.unwrap_or_default(),
    });
    Ok(Some(()))
}

impl Library for NoProto {
    const NAME: &'static str = "noproto";

    fn encode<R>(&mut self, message: &Container, done: impl FnOnce(&[u8]) -> R) -> R {
        write(&mut self.schema.create(&mut self.out), message).expect("values of the schema");
        done(&self.out)
    }

    fn decode(&self, bytes: &[u8], sink: &mut impl Sink) {
        let view = self.schema.view(bytes).expect("a buffer");
        let root = view.root().as_struct().expect("a sound buffer").expect("a message");
        read(root, sink).expect("a sound buffer").expect("a whole message");
    }

    fn decode_one<R>(&self, bytes: &[u8], done: impl FnOnce(&str) -> R) -> R {
        let view = self.schema.view(bytes).expect("a buffer");
        done(view.get(&self.location).expect("a sound buffer").expect("a location"))
    }

    fn update<R>(&mut self, bytes: &[u8], name: &str, done: impl FnOnce(&[u8]) -> R) -> R {
        self.out.clear();
        self.out.extend_from_slice(bytes);
        let mut edit = self.schema.edit(&mut self.out).expect("a buffer");
        edit.set(&self.first_name, name).expect("a sound buffer");
        done(&self.out)
    }
}

impl Library for NoProtoByName {
    const NAME: &'static str = "noproto_by_name";

    fn encode<R>(&mut self, message: &Container, done: impl FnOnce(&[u8]) -> R) -> R {
        const SET: &str = "values of the schema";
        let NoProto { schema, out, .. } = &mut self.0;
        let mut edit = schema.create(out);
        let mut list = edit.root().into_struct().expect(SET);
        let mut list = list.field(field::LIST).and_then(|list| list.into_list()).expect(SET);
        list.reserve(message.list.len()).expect(SET);
        for (index, item) in ["0", "1", "2"].into_iter().zip(&message.list) {
            edit.set(&["list", index, "sibling", "parent", "id"], item.id).expect(SET);
            edit.set(&["list", index, "sibling", "parent", "count"], item.count).expect(SET);
            edit.set(&["list", index, "sibling", "parent", "prefix"], item.prefix).expect(SET);
            edit.set(&["list", index, "sibling", "parent", "length"], item.length).expect(SET);
            edit.set(&["list", index, "sibling", "time"], item.time).expect(SET);
            edit.set(&["list", index, "sibling", "ratio"], item.ratio).expect(SET);
            edit.set(&["list", index, "sibling", "size"], item.size).expect(SET);
            edit.set(&["list", index, "name"], &*item.name).expect(SET);
            edit.set(&["list", index, "rating"], item.rating).expect(SET);
            edit.set(&["list", index, "postfix"], item.postfix).expect(SET);
        }
        edit.set("initialized", message.top.initialized).expect(SET);
        edit.set("fruit", Choice(message.top.fruit)).expect(SET);
        edit.set("location", &*message.top.location).expect(SET);
        done(out)
    }

    fn decode(&self, bytes: &[u8], sink: &mut impl Sink) {
        const READ: &str = "a sound buffer";
        let view = self.0.schema.view(bytes).expect("a buffer");
        macro_rules! get {
            ($($part:expr),*) => {
                view.get(&[$($part),*]).expect(READ).unwrap_or_default()
            };
        }
        for index in ["0", "1", "2"] {
            sink.item(FooBar {
                name: get!("list", index, "name"),
                rating: get!("list", index, "rating"),
                postfix: get!("list", index, "postfix"),
                time: get!("list", index, "sibling", "time"),
                ratio: get!("list", index, "sibling", "ratio"),
                size: get!("list", index, "sibling", "size"),
                id: get!("list", index, "sibling", "parent", "id"),
                count: get!("list", index, "sibling", "parent", "count"),
                prefix: get!("list", index, "sibling", "parent", "prefix"),
                length: get!("list", index, "sibling", "parent", "length"),
            });
        }
        sink.top(Top {
            initialized: get!("initialized"),
            fruit: view.get("fruit").expect(READ).map_or(0, |Choice(number)| number),
            location: get!("location"),
        });
    }

    fn decode_one<R>(&self, bytes: &[u8], done: impl FnOnce(&str) -> R) -> R {
        let view = self.0.schema.view(bytes).expect("a buffer");
        done(view.get("location").expect("a sound buffer").expect("a location"))
    }

    fn update<R>(&mut self, bytes: &[u8], name: &str, done: impl FnOnce(&[u8]) -> R) -> R {
        let NoProto { schema, out, .. } = &mut self.0;
        out.clear();
        out.extend_from_slice(bytes);
        let mut edit = schema.edit(out).expect("a buffer");
        edit.set("list.0.name", name).expect("a sound buffer");
        done(out)
    }
}
