//! The program that `scripts/evidence/noproto-upstream` builds with the published crate: the work of its own
//! benches, on the message that all libraries have here. It is not part of any package of this
//! repository.

use std::env;

use no_proto::NP_Factory;
use no_proto::buffer::NP_Buffer;
use no_proto::error::NP_Error;
use noproto_benches::libraries::{Library, NoProto, NoProtoByName};
use noproto_benches::model::{Collect, Container, FooBar, NEW_NAME, Sink, Top};
use noproto_benches::timing;

/// The types are those of the message; it has an enum as a number, as published.
const SCHEMA: &str = r#"{"type": "struct", "fields": [
    ["list", {"type": "list", "of": {"type": "struct", "fields": [
        ["sibling", {"type": "struct", "fields": [
            ["parent", {"type": "struct", "fields": [
                ["id", {"type": "u64"}], ["count", {"type": "i16"}],
                ["prefix", {"type": "i8"}], ["length", {"type": "u32"}]
            ]}],
            ["time", {"type": "i32"}], ["ratio", {"type": "f32"}], ["size", {"type": "u16"}]
        ]}],
        ["name", {"type": "string"}], ["rating", {"type": "f64"}], ["postfix", {"type": "u8"}]
    ]}}],
    ["initialized", {"type": "bool"}],
    ["fruit", {"type": "u8"}],
    ["location", {"type": "string"}]
]}"#;

struct Published {
    factory: NP_Factory,
    out: Vec<u8>,
}

impl Default for Published {
    fn default() -> Self {
        Self { factory: NP_Factory::new_json(SCHEMA).expect("a schema"), out: Vec::new() }
    }
}

fn write(buffer: &mut NP_Buffer, message: &Container) -> Result<(), NP_Error> {
    for (index, item) in ["0", "1", "2"].into_iter().zip(&message.list) {
        buffer.cursor_to_root();
        buffer.move_cursor(&["list", index])?;
        buffer.set(&["name"], &*item.name)?;
        buffer.set(&["rating"], item.rating)?;
        buffer.set(&["postfix"], item.postfix)?;
        buffer.move_cursor(&["sibling"])?;
        buffer.set(&["time"], item.time)?;
        buffer.set(&["ratio"], item.ratio)?;
        buffer.set(&["size"], item.size)?;
        buffer.move_cursor(&["parent"])?;
        buffer.set(&["id"], item.id)?;
        buffer.set(&["count"], item.count)?;
        buffer.set(&["prefix"], item.prefix)?;
        buffer.set(&["length"], item.length)?;
    }
    buffer.cursor_to_root();
    buffer.set(&["initialized"], message.top.initialized)?;
    buffer.set(&["fruit"], message.top.fruit)?;
    buffer.set(&["location"], &*message.top.location)?;
    Ok(())
}

fn read(buffer: &mut NP_Buffer, sink: &mut impl Sink) -> Result<(), NP_Error> {
    for index in ["0", "1", "2"] {
        // The text comes last, since it is borrowed from what moves.
        buffer.cursor_to_root();
        buffer.move_cursor(&["list", index])?;
        let rating = buffer.get(&["rating"])?.unwrap_or_default();
        let postfix = buffer.get(&["postfix"])?.unwrap_or_default();
        buffer.move_cursor(&["sibling"])?;
        let time = buffer.get(&["time"])?.unwrap_or_default();
        let ratio = buffer.get(&["ratio"])?.unwrap_or_default();
        let size = buffer.get(&["size"])?.unwrap_or_default();
        buffer.move_cursor(&["parent"])?;
        let id = buffer.get(&["id"])?.unwrap_or_default();
        let count = buffer.get(&["count"])?.unwrap_or_default();
        let prefix = buffer.get(&["prefix"])?.unwrap_or_default();
        let length = buffer.get(&["length"])?.unwrap_or_default();
        buffer.cursor_to_root();
        let name = buffer.get::<&str>(&["list", index, "name"])?.unwrap_or_default();
        sink.item(FooBar { name, rating, postfix, time, ratio, size, id, count, prefix, length });
    }
    buffer.cursor_to_root();
    sink.top(Top {
        initialized: buffer.get(&["initialized"])?.unwrap_or_default(),
        fruit: buffer.get(&["fruit"])?.unwrap_or_default(),
        location: buffer.get::<&str>(&["location"])?.unwrap_or_default(),
    });
    Ok(())
}

impl Library for Published {
    const NAME: &'static str = "no_proto";

    fn encode<R>(&mut self, message: &Container, done: impl FnOnce(&[u8]) -> R) -> R {
        let mut buffer = self.factory.new_buffer(None);
        write(&mut buffer, message).expect("values of the schema");
        done(buffer.read_bytes())
    }

    fn decode(&self, bytes: &[u8], sink: &mut impl Sink) {
        read(&mut self.factory.open_buffer_ref(bytes), sink).expect("a sound buffer");
    }

    fn decode_one<R>(&self, bytes: &[u8], done: impl FnOnce(&str) -> R) -> R {
        let buffer = self.factory.open_buffer_ref(bytes);
        done(buffer.get(&["location"]).ok().flatten().expect("a location"))
    }

    fn update<R>(&mut self, bytes: &[u8], name: &str, done: impl FnOnce(&[u8]) -> R) -> R {
        // Its own way to change bytes without owning them, so that no copy is made but one.
        self.out.clear();
        self.out.extend_from_slice(bytes);
        let mut buffer = self.factory.open_buffer_ref_mut(&mut self.out, bytes.len());
        buffer.set(&["list", "0", "name"], name).ok().expect("a sound buffer");
        done(buffer.read_bytes())
    }
}

/// The same values come back from both, or their times say nothing.
fn check<L: Library>() {
    let (mut message, mut library) = (Container::published(), L::default());
    let collect = |library: &L, bytes: &[u8]| {
        let mut sink = Collect::default();
        library.decode(bytes, &mut sink);
        sink.finish().expect("a whole message")
    };
    let bytes = library.encode(&message, <[u8]>::to_vec);
    assert_eq!(collect(&library, &bytes), message, "{}", L::NAME);
    let bytes = library.update(&bytes, NEW_NAME, <[u8]>::to_vec);
    message.list[0].name = NEW_NAME.to_owned();
    assert_eq!(collect(&library, &bytes), message, "{}", L::NAME);
}

fn main() {
    let arguments: Vec<_> = env::args().collect();
    let [_, version, rounds] = &*arguments else { panic!("two arguments") };
    check::<NoProto>();
    check::<NoProtoByName>();
    check::<Published>();
    let times = timing::of(rounds.parse().expect("a number"), |batches| {
        use noproto_benches::libraries::ForEach as _;
        batches.library::<NoProto>();
        batches.library::<NoProtoByName>();
        batches.library::<Published>();
    });
    // The published crate has names and nothing else, so that they are what its times are compared with.
    println!(
        "{:12}{:>13}{:>20}{:>8}{:>14}{:>8}",
        "",
        "by name, ns",
        format!("no_proto {version}, ns"),
        "share",
        "by index, ns",
        "share"
    );
    for operation in timing::OPERATIONS {
        let of = |library| {
            let is_it = |time: &&timing::Time| (time.operation, time.library) == (operation, library);
            times.iter().find(is_it).expect("it was timed").nanoseconds
        };
        let (by_name, by_index) = (of(NoProtoByName::NAME), of(NoProto::NAME));
        let theirs = of(Published::NAME);
        println!(
            "{operation:12}{by_name:>13.1}{theirs:>20.1}{:>8.3}{by_index:>14.1}{:>8.3}",
            by_name / theirs,
            by_index / theirs
        );
    }
    let size = |bytes: &[u8]| bytes.len();
    let message = Container::published();
    let (ours, theirs) =
        (NoProto::default().encode(&message, size), Published::default().encode(&message, size));
    println!("{:12}{ours:>13}{theirs:>20}", "bytes");
}
