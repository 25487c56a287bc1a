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

/// noproto by the indices of its fields, and with paths that were worked out once, as generated code has
/// them for other formats.
#[derive(Debug)]
pub struct NoProto {
    schema: Schema,
    location: Path,
    first_name: Path,
    out: Vec<u8>,
}

/// noproto by the names of its fields, as the published benches: this is what is compared with them.
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

/// Writes by name, from one struct to the next, as the cursor of the published crate moves.
fn write_by_name(edit: &mut Edit<'_>, message: &Container) -> Result<()> {
    let mut root = edit.root().into_struct()?;
    let mut list = root.named("list")?.into_list()?;
    list.reserve(message.list.len())?;
    for item in &message.list {
        let mut foobar = list.push_node()?.into_struct()?;
        let mut bar = foobar.named("sibling")?.into_struct()?;
        let mut parent = bar.named("parent")?.into_struct()?;
        parent.set_named("id", item.id)?;
        parent.set_named("count", item.count)?;
        parent.set_named("prefix", item.prefix)?;
        parent.set_named("length", item.length)?;
        bar.set_named("time", item.time)?;
        bar.set_named("ratio", item.ratio)?;
        bar.set_named("size", item.size)?;
        foobar.set_named("name", &*item.name)?;
        foobar.set_named("rating", item.rating)?;
        foobar.set_named("postfix", item.postfix)?;
    }
    root.set_named("initialized", message.top.initialized)?;
    root.set_named("fruit", Choice(message.top.fruit))?;
    root.set_named("location", &*message.top.location)
}

/// Reads by name, from one struct to the next.
fn read_by_name(root: Struct<'_>, sink: &mut impl Sink) -> Result<Option<()>> {
    let Some(list) = root.named("list")? else { return Ok(None) };
    for item in list.as_list()?.iter() {
        let Some(foobar) = item.as_struct()? else { return Ok(None) };
        let Some(bar) = foobar.named("sibling")? else { return Ok(None) };
        let Some(bar) = bar.as_struct()? else { return Ok(None) };
        let Some(parent) = bar.named("parent")? else { return Ok(None) };
        let Some(parent) = parent.as_struct()? else { return Ok(None) };
        sink.item(FooBar {
            name: foobar.get_named("name")?.unwrap_or_default(),
            rating: foobar.get_named("rating")?.unwrap_or_default(),
            postfix: foobar.get_named("postfix")?.unwrap_or_default(),
            time: bar.get_named("time")?.unwrap_or_default(),
            ratio: bar.get_named("ratio")?.unwrap_or_default(),
            size: bar.get_named("size")?.unwrap_or_default(),
            id: parent.get_named("id")?.unwrap_or_default(),
            count: parent.get_named("count")?.unwrap_or_default(),
            prefix: parent.get_named("prefix")?.unwrap_or_default(),
            length: parent.get_named("length")?.unwrap_or_default(),
        });
    }
    sink.top(Top {
        initialized: root.get_named("initialized")?.unwrap_or_default(),
        fruit: root.get_named("fruit")?.map_or(0, |Choice(number)| number),
        location: root.get_named("location")?.unwrap_or_default(),
    });
    Ok(Some(()))
}

impl Library for NoProtoByName {
    const NAME: &'static str = "noproto_by_name";

    fn encode<R>(&mut self, message: &Container, done: impl FnOnce(&[u8]) -> R) -> R {
        let NoProto { schema, out, .. } = &mut self.0;
        write_by_name(&mut schema.create(out), message).expect("values of the schema");
        done(out)
    }

    fn decode(&self, bytes: &[u8], sink: &mut impl Sink) {
        let view = self.0.schema.view(bytes).expect("a buffer");
        let root = view.root().as_struct().expect("a sound buffer").expect("a message");
        read_by_name(root, sink).expect("a sound buffer").expect("a whole message");
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

/// noproto by the indices of its fields, with all bytes verified first, as FlatBuffers' are: the others
/// notice every damage too.
#[derive(Debug, Default)]
pub struct NoProtoVerified(NoProto);

impl NoProtoVerified {
    fn verify(&self, bytes: &[u8]) {
        self.0.schema.view(bytes).and_then(|view| view.verify()).expect("a sound buffer");
    }
}

impl Library for NoProtoVerified {
    const NAME: &'static str = "noproto_verified";

    fn encode<R>(&mut self, message: &Container, done: impl FnOnce(&[u8]) -> R) -> R {
        self.0.encode(message, done)
    }

    fn decode(&self, bytes: &[u8], sink: &mut impl Sink) {
        self.verify(bytes);
        self.0.decode(bytes, sink);
    }

    fn decode_one<R>(&self, bytes: &[u8], done: impl FnOnce(&str) -> R) -> R {
        self.verify(bytes);
        self.0.decode_one(bytes, done)
    }

    fn update<R>(&mut self, bytes: &[u8], name: &str, done: impl FnOnce(&[u8]) -> R) -> R {
        self.verify(bytes);
        self.0.update(bytes, name, done)
    }
}
