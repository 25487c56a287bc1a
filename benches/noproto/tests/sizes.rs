//! The sizes are what they are, byte for byte, and the published ones where a library still gives
//! them.

use messagepack_rs::deserializable::Deserializable as _;
use messagepack_rs::serializable::Serializable as _;
use messagepack_rs::value::Value;
use noproto_benches::libraries::{TRUNCATED, published_value};
use noproto_benches::model::Container;
use noproto_benches::sizes;

#[test]
fn every_size_is_exactly_what_the_page_says() {
    let sizes: Vec<_> =
        sizes::all().into_iter().map(|size| (size.library, size.bytes, size.zlib)).collect();
    assert_eq!(
        sizes,
        [
            ("noproto", 257, 203),
            ("flatbuffers", 336, 213),
            ("protobuf", 220, 178),
            ("prost", 220, 178),
            ("messagepack", 449, 252),
            ("json", 673, 254),
            ("bson", 600, 284),
        ]
    );
}

#[test]
fn noproto_is_no_larger_than_published() {
    let sizes = sizes::all();
    assert_eq!(sizes[0].library, "noproto");
    assert!(sizes[0].bytes <= 283 && sizes[0].zlib <= 226, "{:?}", sizes[0]);
}

#[test]
fn the_gate_is_told_both_figures_of_each() {
    let lines: Vec<_> = sizes::all()[..1].iter().flat_map(sizes::Size::json).collect();
    assert_eq!(
        lines[0],
        r#"{"schema":"benchgate.counts/1","id":"noproto/size/noproto","metric":"size.bytes","unit":"bytes","value":257}"#
    );
    assert!(lines[1].contains(r#""metric":"size.zlib","#), "{}", lines[1]);
}

/// So the published size is of a message that its reader gets wrong, and equal values need more.
#[test]
fn the_published_size_of_messagepack_is_of_numbers_cut_to_eight_bits() {
    let message = Container::published();
    let bytes = published_value(&message).serialize().expect("MessagePack");
    assert_eq!(bytes.len(), TRUNCATED);
    let Ok(Value::Map(root)) = Value::deserialize(&mut &*bytes) else { panic!("not a map") };
    let Value::Array(list) = &root["list"] else { panic!("not a list") };
    let Value::Map(item) = &list[0] else { panic!("not a map") };
    let Value::Map(sibling) = &item["sibling"] else { panic!("not a map") };
    assert_eq!(message.list[0].time, 123_456);
    assert_eq!(sibling["time"], Value::UInt8(64));
}
