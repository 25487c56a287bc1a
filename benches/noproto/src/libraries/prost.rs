use prost::Message as _;

use super::Library;
use crate::generated::prost::{Bar, Foo, FooBar as Item, FooBarContainer, Fruit};
use crate::model::{Container, FooBar, Sink, Top};

/// Protocol Buffers by `prost`, with the types that it generates.
#[derive(Debug, Default)]
pub struct Prost {
    out: Vec<u8>,
}

fn build(message: &Container) -> FooBarContainer {
    let items = message.list.iter().map(|item| {
        let parent = Foo {
            id: item.id,
            count: item.count.into(),
            prefix: item.prefix.into(),
            length: item.length,
        };
        let sibling = Bar { parent, time: item.time, ratio: item.ratio, size: item.size.into() };
        Item {
            sibling: Some(sibling),
            name: Some(item.name.clone()),
            rating: Some(item.rating),
            postfix: Some(item.postfix.into()),
        }
    });
    FooBarContainer {
        list: items.collect(),
        initialized: Some(message.top.initialized),
        fruit: Some(message.top.fruit.into()),
        location: Some(message.top.location.clone()),
    }
}

fn parse(bytes: &[u8]) -> FooBarContainer {
    FooBarContainer::decode(bytes).expect("a message")
}

impl Prost {
    fn write(&mut self, message: &FooBarContainer) {
        self.out.clear();
        message.encode(&mut self.out).expect("a Vec takes everything");
    }
}

impl Library for Prost {
    const NAME: &'static str = "prost";

    fn encode<R>(&mut self, message: &Container, done: impl FnOnce(&[u8]) -> R) -> R {
        self.write(&build(message));
        done(&self.out)
    }

    fn decode(&self, bytes: &[u8], sink: &mut impl Sink) {
        let root = parse(bytes);
        for item in &root.list {
            let sibling = item.sibling.as_ref().expect("a sibling");
            let parent = &sibling.parent;
            sink.item(FooBar {
                name: item.name(),
                rating: item.rating(),
                postfix: item.postfix() as u8,
                time: sibling.time,
                ratio: sibling.ratio,
                size: sibling.size as u16,
                id: parent.id,
                count: parent.count as i16,
                prefix: parent.prefix as i8,
                length: parent.length,
            });
        }
        sink.top(Top {
            initialized: root.initialized(),
            fruit: match root.fruit() {
                Fruit::Apples => 0,
                Fruit::Pears => 1,
                Fruit::Bananas => 2,
            },
            location: root.location(),
        });
    }

    fn decode_one<R>(&self, bytes: &[u8], done: impl FnOnce(&str) -> R) -> R {
        done(parse(bytes).location())
    }

    fn update<R>(&mut self, bytes: &[u8], name: &str, done: impl FnOnce(&[u8]) -> R) -> R {
        let mut root = parse(bytes);
        root.list[0].name = Some(name.to_owned());
        self.write(&root);
        done(&self.out)
    }
}
