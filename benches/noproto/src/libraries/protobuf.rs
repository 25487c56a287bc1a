use protobuf::{Message as _, RepeatedField};

use super::Library;
use crate::generated::protobuf::{Bar, Foo, FooBar as Item, FooBarContainer, Fruit};
use crate::model::{Container, FooBar, Sink, Top};

/// Protocol Buffers by the crate `protobuf` 2, as published, with the types that it generates.
#[derive(Debug, Default)]
pub struct Protobuf {
    out: Vec<u8>,
}

const FRUITS: [Fruit; 3] = [Fruit::APPLES, Fruit::PEARS, Fruit::BANANAS];

fn build(message: &Container) -> FooBarContainer {
    let mut items = RepeatedField::new();
    for item in &message.list {
        let mut parent = Foo::new();
        parent.set_id(item.id);
        parent.set_count(item.count.into());
        parent.set_prefix(item.prefix.into());
        parent.set_length(item.length);
        let mut sibling = Bar::new();
        sibling.set_parent(parent);
        sibling.set_time(item.time);
        sibling.set_ratio(item.ratio);
        sibling.set_size(item.size.into());
        let mut foobar = Item::new();
        foobar.set_sibling(sibling);
        foobar.set_name(item.name.clone());
        foobar.set_rating(item.rating);
        foobar.set_postfix(item.postfix.into());
        items.push(foobar);
    }
    let mut container = FooBarContainer::new();
    container.set_list(items);
    container.set_initialized(message.top.initialized);
    container.set_fruit(FRUITS[usize::from(message.top.fruit)]);
    container.set_location(message.top.location.clone());
    container
}

fn parse(bytes: &[u8]) -> FooBarContainer {
    FooBarContainer::parse_from_bytes(bytes).expect("a message")
}

impl Protobuf {
    fn write(&mut self, message: &FooBarContainer) {
        self.out.clear();
        message.write_to_vec(&mut self.out).expect("a Vec takes everything");
    }
}

impl Library for Protobuf {
    const NAME: &'static str = "protobuf";

    fn encode<R>(&mut self, message: &Container, done: impl FnOnce(&[u8]) -> R) -> R {
        self.write(&build(message));
        done(&self.out)
    }

    fn decode(&self, bytes: &[u8], sink: &mut impl Sink) {
        let root = parse(bytes);
        for item in root.get_list() {
            let sibling = item.get_sibling();
            let parent = sibling.get_parent();
            sink.item(FooBar {
                name: item.get_name(),
                rating: item.get_rating(),
                postfix: item.get_postfix() as u8,
                time: sibling.get_time(),
                ratio: sibling.get_ratio(),
                size: sibling.get_size() as u16,
                id: parent.get_id(),
                count: parent.get_count() as i16,
                prefix: parent.get_prefix() as i8,
                length: parent.get_length(),
            });
        }
        sink.top(Top {
            initialized: root.get_initialized(),
            fruit: root.get_fruit() as u8,
            location: root.get_location(),
        });
    }

    fn decode_one<R>(&self, bytes: &[u8], done: impl FnOnce(&str) -> R) -> R {
        done(parse(bytes).get_location())
    }

    fn update<R>(&mut self, bytes: &[u8], name: &str, done: impl FnOnce(&[u8]) -> R) -> R {
        let mut root = parse(bytes);
        root.mut_list()[0].set_name(name.to_owned());
        self.write(&root);
        done(&self.out)
    }
}
