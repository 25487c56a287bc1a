use std::str;

use json::{JsonValue, object};

use super::Library;
use crate::model::{Container, FooBar, Sink, Top};

/// JSON by the crate `json`, as published. Characters are text.
#[derive(Debug, Default)]
pub struct Json {
    out: Vec<u8>,
}

fn character(byte: u8) -> String {
    char::from(byte).to_string()
}

fn build(message: &Container) -> JsonValue {
    let items = message.list.iter().map(|item| {
        object! {
            name: &*item.name,
            rating: item.rating,
            postfix: character(item.postfix),
            sibling: {
                time: item.time,
                ratio: item.ratio,
                size: item.size,
                parent: {
                    id: item.id,
                    count: item.count,
                    prefix: character(item.prefix as u8),
                    length: item.length,
                }
            }
        }
    });
    let Top { initialized, fruit, location } = &message.top;
    object! {
        fruit: *fruit,
        initialized: *initialized,
        location: &**location,
        list: JsonValue::Array(items.collect()),
    }
}

fn parse(bytes: &[u8]) -> JsonValue {
    json::parse(str::from_utf8(bytes).expect("text")).expect("JSON")
}

fn first_byte(value: &JsonValue) -> u8 {
    value.as_str().and_then(|text| text.bytes().next()).expect("a character")
}

impl Library for Json {
    const NAME: &'static str = "json";

    fn encode<R>(&mut self, message: &Container, done: impl FnOnce(&[u8]) -> R) -> R {
        self.out.clear();
        build(message).write(&mut self.out).expect("a Vec takes everything");
        done(&self.out)
    }

    fn decode(&self, bytes: &[u8], sink: &mut impl Sink) {
        const NUMBER: &str = "a number that fits";
        let root = parse(bytes);
        for item in root["list"].members() {
            let (sibling, parent) = (&item["sibling"], &item["sibling"]["parent"]);
            sink.item(FooBar {
                name: item["name"].as_str().expect("text"),
                rating: item["rating"].as_f64().expect(NUMBER),
                postfix: first_byte(&item["postfix"]),
                time: sibling["time"].as_i32().expect(NUMBER),
                ratio: sibling["ratio"].as_f32().expect(NUMBER),
                size: sibling["size"].as_u16().expect(NUMBER),
                id: parent["id"].as_u64().expect(NUMBER),
                count: parent["count"].as_i16().expect(NUMBER),
                prefix: first_byte(&parent["prefix"]) as i8,
                length: parent["length"].as_u32().expect(NUMBER),
            });
        }
        sink.top(Top {
            initialized: root["initialized"].as_bool().expect("a bool"),
            fruit: root["fruit"].as_u8().expect(NUMBER),
            location: root["location"].as_str().expect("text"),
        });
    }

    fn decode_one<R>(&self, bytes: &[u8], done: impl FnOnce(&str) -> R) -> R {
        done(parse(bytes)["location"].as_str().expect("text"))
    }

    fn update<R>(&mut self, bytes: &[u8], name: &str, done: impl FnOnce(&[u8]) -> R) -> R {
        let mut root = parse(bytes);
        root["list"][0]["name"] = name.into();
        self.out.clear();
        root.write(&mut self.out).expect("a Vec takes everything");
        done(&self.out)
    }
}
