use std::collections::BTreeMap;

use messagepack_rs::deserializable::Deserializable as _;
use messagepack_rs::serializable::Serializable as _;
use messagepack_rs::value::Value;

use super::Library;
use crate::model::{Container, FooBar, Sink, Top};

/// MessagePack by the crate `messagepack-rs`, as published. It gives its bytes in a new `Vec` each
/// time.
///
/// Positive numbers are written as numbers without a sign: of an `i16` or `i32` above 127 the crate
/// keeps eight bits, which is why the published size is [`TRUNCATED`].
#[derive(Debug, Default)]
pub struct MessagePack;

/// The published size: of a message that cannot be read again.
pub const TRUNCATED: usize = 431;

type Map = BTreeMap<String, Value>;

fn map<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::from(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map>())
}

/// The message with `count` and `time` of the types they are given.
fn build(message: &Container, count: fn(i16) -> Value, time: fn(i32) -> Value) -> Value {
    let items = message.list.iter().map(|item| {
        let parent = map([
            ("id", Value::from(item.id)),
            ("count", count(item.count)),
            ("prefix", Value::from(item.prefix)),
            ("length", Value::from(item.length)),
        ]);
        let sibling = map([
            ("parent", parent),
            ("time", time(item.time)),
            ("ratio", Value::from(item.ratio)),
            ("size", Value::from(item.size)),
        ]);
        map([
            ("name", Value::from(&*item.name)),
            ("sibling", sibling),
            ("rating", Value::from(item.rating)),
            ("postfix", Value::from(item.postfix)),
        ])
    });
    map([
        ("list", Value::from(items.collect::<Vec<_>>())),
        ("fruit", Value::from(message.top.fruit)),
        ("initialized", Value::from(message.top.initialized)),
        ("location", Value::from(&*message.top.location)),
    ])
}

/// Returns the message as the published benches wrote it: signed numbers as signed types.
#[must_use]
pub fn published_value(message: &Container) -> Value {
    build(message, Value::from, Value::from)
}

fn parse(bytes: &[u8]) -> Value {
    Value::deserialize(&mut &*bytes).expect("MessagePack")
}

fn members(value: &Value) -> &Map {
    if let Value::Map(members) = value { members } else { panic!("not a map") }
}

fn text(value: &Value) -> &str {
    if let Value::String(text) = value { text } else { panic!("not text") }
}

/// A number comes back as the shortest type that holds it.
fn number(value: &Value) -> u64 {
    match value {
        Value::UInt8(number) => (*number).into(),
        Value::UInt16(number) => (*number).into(),
        Value::UInt32(number) => (*number).into(),
        Value::UInt64(number) => *number,
        _ => panic!("not a number without a sign"),
    }
}

impl Library for MessagePack {
    const NAME: &'static str = "messagepack";

    fn encode<R>(&mut self, message: &Container, done: impl FnOnce(&[u8]) -> R) -> R {
        let count = |count: i16| Value::from(count as u16);
        let time = |time: i32| Value::from(time as u32);
        done(&build(message, count, time).serialize().expect("MessagePack"))
    }

    fn decode(&self, bytes: &[u8], sink: &mut impl Sink) {
        let root = parse(bytes);
        let root = members(&root);
        let Value::Array(list) = &root["list"] else { panic!("not a list") };
        for item in list {
            let item = members(item);
            let sibling = members(&item["sibling"]);
            let parent = members(&sibling["parent"]);
            let Value::Float64(rating) = item["rating"] else { panic!("not a float") };
            let Value::Float32(ratio) = sibling["ratio"] else { panic!("not a float") };
            sink.item(FooBar {
                name: text(&item["name"]),
                rating,
                postfix: number(&item["postfix"]) as u8,
                time: number(&sibling["time"]) as i32,
                ratio,
                size: number(&sibling["size"]) as u16,
                id: number(&parent["id"]),
                count: number(&parent["count"]) as i16,
                prefix: number(&parent["prefix"]) as i8,
                length: number(&parent["length"]) as u32,
            });
        }
        let Value::Bool(initialized) = root["initialized"] else { panic!("not a bool") };
        let (fruit, location) = (number(&root["fruit"]) as u8, text(&root["location"]));
        sink.top(Top { initialized, fruit, location });
    }

    fn decode_one<R>(&self, bytes: &[u8], done: impl FnOnce(&str) -> R) -> R {
        done(text(&members(&parse(bytes))["location"]))
    }

    fn update<R>(&mut self, bytes: &[u8], name: &str, done: impl FnOnce(&[u8]) -> R) -> R {
        let mut root = parse(bytes);
        if let Value::Map(members) = &mut root
            && let Some(Value::Array(list)) = members.get_mut("list")
            && let Some(Value::Map(item)) = list.first_mut()
        {
            item.insert("name".to_owned(), Value::from(name));
        }
        done(&root.serialize().expect("MessagePack"))
    }
}
