use bson::{Bson as Value, Document, RawDocument, doc};

use super::Library;
use crate::model::{Container, FooBar, Sink, Top};

/// BSON by the crate `bson`, with `Document`s as published. It has no numbers of less than 32 bits
/// and none without a sign: what is shorter is widened, the 64 bits of `id` stay as they are.
/// Characters are text.
#[derive(Debug, Default)]
pub struct Bson {
    out: Vec<u8>,
}

fn character(byte: u8) -> String {
    char::from(byte).to_string()
}

fn build(message: &Container) -> Document {
    let items = message.list.iter().map(|item| {
        Value::Document(doc! {
            "name": &*item.name,
            "rating": item.rating,
            "postfix": character(item.postfix),
            "sibling": {
                "time": item.time,
                "ratio": f64::from(item.ratio),
                "size": i32::from(item.size),
                "parent": {
                    "id": item.id as i64,
                    "count": i32::from(item.count),
                    "prefix": character(item.prefix as u8),
                    "length": item.length as i32,
                }
            }
        })
    });
    let Top { initialized, fruit, location } = &message.top;
    doc! {
        "fruit": i32::from(*fruit),
        "initialized": *initialized,
        "location": &**location,
        "list": Value::Array(items.collect()),
    }
}

fn parse(bytes: &[u8]) -> Document {
    Document::from_reader(bytes).expect("BSON")
}

fn first_byte(document: &Document, key: &str) -> u8 {
    document.get_str(key).ok().and_then(|text| text.bytes().next()).expect("a character")
}

impl Library for Bson {
    const NAME: &'static str = "bson";

    fn encode<R>(&mut self, message: &Container, done: impl FnOnce(&[u8]) -> R) -> R {
        self.out.clear();
        build(message).to_writer(&mut self.out).expect("a Vec takes everything");
        done(&self.out)
    }

    fn decode(&self, bytes: &[u8], sink: &mut impl Sink) {
        const OF: &str = "a value of its type";
        let root = parse(bytes);
        for item in root.get_array("list").expect(OF) {
            let item = item.as_document().expect(OF);
            let sibling = item.get_document("sibling").expect(OF);
            let parent = sibling.get_document("parent").expect(OF);
            sink.item(FooBar {
                name: item.get_str("name").expect(OF),
                rating: item.get_f64("rating").expect(OF),
                postfix: first_byte(item, "postfix"),
                time: sibling.get_i32("time").expect(OF),
                ratio: sibling.get_f64("ratio").expect(OF) as f32,
                size: sibling.get_i32("size").expect(OF) as u16,
                id: parent.get_i64("id").expect(OF) as u64,
                count: parent.get_i32("count").expect(OF) as i16,
                prefix: first_byte(parent, "prefix") as i8,
                length: parent.get_i32("length").expect(OF) as u32,
            });
        }
        sink.top(Top {
            initialized: root.get_bool("initialized").expect(OF),
            fruit: root.get_i32("fruit").expect(OF) as u8,
            location: root.get_str("location").expect(OF),
        });
    }

    fn decode_one<R>(&self, bytes: &[u8], done: impl FnOnce(&str) -> R) -> R {
        done(parse(bytes).get_str("location").expect("text"))
    }

    fn update<R>(&mut self, bytes: &[u8], name: &str, done: impl FnOnce(&[u8]) -> R) -> R {
        let mut root = parse(bytes);
        let list = root.get_array_mut("list").expect("a list");
        let first = list.first_mut().and_then(Value::as_document_mut).expect("an item");
        first.insert("name", name);
        self.out.clear();
        root.to_writer(&mut self.out).expect("a Vec takes everything");
        done(&self.out)
    }
}

/// The same bytes, of which one value is read where it stands. Published were `Document`s alone. What is
/// read or changed as a whole is so as by [`Bson`].
#[derive(Debug, Default)]
pub struct BsonRaw(Bson);

impl Library for BsonRaw {
    const NAME: &'static str = "bson_raw";

    fn encode<R>(&mut self, message: &Container, done: impl FnOnce(&[u8]) -> R) -> R {
        self.0.encode(message, done)
    }

    fn decode(&self, bytes: &[u8], sink: &mut impl Sink) {
        self.0.decode(bytes, sink);
    }

    fn decode_one<R>(&self, bytes: &[u8], done: impl FnOnce(&str) -> R) -> R {
        let document = RawDocument::from_bytes(bytes).expect("BSON");
        done(document.get_str("location").expect("text"))
    }

    fn update<R>(&mut self, bytes: &[u8], name: &str, done: impl FnOnce(&[u8]) -> R) -> R {
        self.0.update(bytes, name, done)
    }
}
