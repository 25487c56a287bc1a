use flatbuffers::FlatBufferBuilder;

use super::Library;
use super::flat_tables::{Bar, BarValues, FooBarContainer, finish_container, push_foobar};
use crate::model::{Container, FooBar, Sink, Top};

/// FlatBuffers, verified before anything is read of them: what comes from elsewhere has to be, and
/// the other libraries notice when it is damaged. The published benches read without.
#[derive(Default)]
pub struct FlatBuffers {
    builder: FlatBufferBuilder<'static>,
}

/// FlatBuffers, read without verifying them, as published.
#[derive(Default)]
pub struct FlatBuffersUnverified(FlatBuffers);

fn bar(item: &FooBar<String>) -> Bar {
    let FooBar { id, count, prefix, length, time, ratio, size, .. } = *item;
    Bar::new(BarValues { id, count, prefix, length, time, ratio, size })
}

fn write(builder: &mut FlatBufferBuilder<'static>, message: &Container) {
    builder.reset();
    let mut items = Vec::with_capacity(message.list.len());
    for item in &message.list {
        let name = builder.create_string(&item.name);
        items.push(push_foobar(builder, bar(item), name, item.rating, item.postfix));
    }
    let location = builder.create_string(&message.top.location);
    let list = builder.create_vector(&items);
    let Top { initialized, fruit, .. } = message.top;
    finish_container(builder, list, initialized, fruit.into(), location);
}

/// FlatBuffers are not changed, they are built again.
fn rewrite(builder: &mut FlatBufferBuilder<'static>, root: FooBarContainer<'_>, name: &str) {
    builder.reset();
    let list = root.list().expect("a list");
    let mut items = Vec::with_capacity(list.len());
    for (index, item) in list.iter().enumerate() {
        let name = if index == 0 { name } else { item.name().expect("a name") };
        let name = builder.create_string(name);
        let sibling = item.sibling().expect("a sibling");
        let rating = item.rating().unwrap_or_default();
        let postfix = item.postfix().unwrap_or_default();
        items.push(push_foobar(builder, sibling, name, rating, postfix));
    }
    let location = builder.create_string(root.location().expect("a location"));
    let list = builder.create_vector(&items);
    let initialized = root.initialized().unwrap_or_default();
    finish_container(builder, list, initialized, root.fruit().unwrap_or_default(), location);
}

fn read(root: FooBarContainer<'_>, sink: &mut impl Sink) {
    for item in root.list().expect("a list") {
        let sibling = item.sibling().expect("a sibling");
        let BarValues { id, count, prefix, length, time, ratio, size } = sibling.values();
        let name = item.name().expect("a name");
        let rating = item.rating().unwrap_or_default();
        let postfix = item.postfix().unwrap_or_default();
        sink.item(FooBar { name, rating, postfix, time, ratio, size, id, count, prefix, length });
    }
    sink.top(Top {
        initialized: root.initialized().unwrap_or_default(),
        fruit: root.fruit().unwrap_or_default() as u8,
        location: root.location().expect("a location"),
    });
}

fn verified(bytes: &[u8]) -> FooBarContainer<'_> {
    flatbuffers::root::<FooBarContainer<'_>>(bytes).expect("a sound buffer")
}

fn unverified(bytes: &[u8]) -> FooBarContainer<'_> {
    // SAFETY: The bytes are those that `write` made; nothing else is read in the benches.
    unsafe { flatbuffers::root_unchecked::<FooBarContainer<'_>>(bytes) }
}

impl Library for FlatBuffers {
    const NAME: &'static str = "flatbuffers";

    fn encode<R>(&mut self, message: &Container, done: impl FnOnce(&[u8]) -> R) -> R {
        write(&mut self.builder, message);
        done(self.builder.finished_data())
    }

    fn decode(&self, bytes: &[u8], sink: &mut impl Sink) {
        read(verified(bytes), sink);
    }

    fn decode_one<R>(&self, bytes: &[u8], done: impl FnOnce(&str) -> R) -> R {
        done(verified(bytes).location().expect("a location"))
    }

    fn update<R>(&mut self, bytes: &[u8], name: &str, done: impl FnOnce(&[u8]) -> R) -> R {
        rewrite(&mut self.builder, verified(bytes), name);
        done(self.builder.finished_data())
    }
}

impl Library for FlatBuffersUnverified {
    const NAME: &'static str = "flatbuffers_unverified";

    fn encode<R>(&mut self, message: &Container, done: impl FnOnce(&[u8]) -> R) -> R {
        self.0.encode(message, done)
    }

    fn decode(&self, bytes: &[u8], sink: &mut impl Sink) {
        read(unverified(bytes), sink);
    }

    fn decode_one<R>(&self, bytes: &[u8], done: impl FnOnce(&str) -> R) -> R {
        done(unverified(bytes).location().expect("a location"))
    }

    fn update<R>(&mut self, bytes: &[u8], name: &str, done: impl FnOnce(&[u8]) -> R) -> R {
        let builder = &mut self.0.builder;
        rewrite(builder, unverified(bytes), name);
        done(builder.finished_data())
    }
}
