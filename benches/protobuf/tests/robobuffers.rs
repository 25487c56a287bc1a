//! Tests of the values that both libraries read of the messages and streams, as text: the Java libraries' text is the
//! same file, and their build compares theirs with it.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use benchmarks::messages::{defiant as d, prost as p};
use benchmarks::robobuffers::{samples, sbe, stream};
use defiant::{Arena, Message as _};
use prost::Message as _;
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// One value as the text has it: floating-point numbers are their bits, for no two languages print them alike.
trait Shown {
    fn shown(&self) -> String;
}

macro_rules! shown {
    ($($ty:ty)*) => { $(impl Shown for $ty {
        fn shown(&self) -> String {
            self.to_string()
        }
    })* };
}

shown!(u32 u64 i32 i64 bool String &str);

impl Shown for f32 {
    fn shown(&self) -> String {
        format!("{:x}", self.to_bits())
    }
}

impl Shown for f64 {
    fn shown(&self) -> String {
        format!("{:x}", self.to_bits())
    }
}

/// Fields of a message in the order of their numbers: `=` a value, `*` values, `.` a message, `+` messages.
macro_rules! fields {
    ($out:expr, $indent:expr, $message:expr, ) => { let _ = (&$message, &$indent); };
    ($out:expr, $indent:expr, $message:expr, = $field:ident $($rest:tt)*) => {
        if let Some(value) = &$message.$field {
            writeln!($out, "{}{}: {}", $indent, stringify!($field), value.shown()).unwrap();
        }
        fields!($out, $indent, $message, $($rest)*);
    };
    ($out:expr, $indent:expr, $message:expr, * $field:ident $($rest:tt)*) => {
        for value in $message.$field.iter() {
            writeln!($out, "{}{}: {}", $indent, stringify!($field), value.shown()).unwrap();
        }
        fields!($out, $indent, $message, $($rest)*);
    };
    ($out:expr, $indent:expr, $message:expr, . $field:ident { $($inner:tt)* } $($rest:tt)*) => {
        if let Some(message) = &$message.$field {
            writeln!($out, "{}{}", $indent, stringify!($field)).unwrap();
            let indent = format!("{}  ", $indent);
            fields!($out, indent, message, $($inner)*);
        }
        fields!($out, $indent, $message, $($rest)*);
    };
    ($out:expr, $indent:expr, $message:expr, + $field:ident { $($inner:tt)* } $($rest:tt)*) => {
        for message in $message.$field.iter() {
            writeln!($out, "{}{}", $indent, stringify!($field)).unwrap();
            let indent = format!("{}  ", $indent);
            fields!($out, indent, message, $($inner)*);
        }
        fields!($out, $indent, $message, $($rest)*);
    };
}

/// The text of one library: `$decode` makes a message of the type that follows of bytes.
macro_rules! text {
    ($library:ident, $arena:expr) => {{
        use $library::robobuffers::{Car, FooBarContainer, LogEntry, MarketData};

        let arena = $arena;
        let mut text = String::new();
        let out = &mut text;
        let indent = "  ";
        let bytes = samples::car();
        header(out, "Car", &bytes);
        fields!(out, indent, decoded!($library, Car, &bytes, &arena),
            = serial_number = model_year = available = code * some_numbers = vehicle_code * extras
            . engine { = capacity = cylinders = max_rpm = manufacturer_code = fuel }
            + fuel_figures { = speed = mpg }
            + performance_figures { = octane_rating + acceleration { = mph = seconds } }
            = manufacturer = model);
        let bytes = samples::market();
        header(out, "MarketData", &bytes);
        fields!(out, indent, decoded!($library, MarketData, &bytes, &arena),
            = transact_time = event_time_delta = match_event_indicator
            + entries {
                = trade_id = security_id . price { = mantissa = exponent }
                . size { = mantissa = exponent } = number_of_orders = update_action = rep_seq
                = aggressor_side = entry_type
            });
        let bytes = samples::container();
        header(out, "FooBarContainer", &bytes);
        fields!(out, indent, decoded!($library, FooBarContainer, &bytes, &arena),
            + list {
                . sibling { . parent { = id = count = prefix = length } = time = ratio = size }
                = name = rating = postfix
            }
            = initialized = fruit = location);
        for number in stream::NUMBERS {
            let bytes = stream::of(number);
            let messages = stream::messages(&bytes).count();
            let digest: String =
                Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
            writeln!(out, "stream {number}: {messages} messages, {} bytes, {digest}", bytes.len())
                .unwrap();
            if number <= 2 {
                let first = stream::messages(&bytes).next().unwrap();
                fields!(out, indent, decoded!($library, LogEntry, first, &arena),
                    = sequence = time = a = b = c = d = e = f = g = h = i = j = k = l = m = n
                    . actual {
                        = position = velocity = effort = temperature . gyro { = x = y = z }
                        . accelerometer { = x = y = z } = flags = label
                    }
                    . target {
                        = position = velocity = effort = temperature . gyro { = x = y = z }
                        . accelerometer { = x = y = z } = flags = label
                    }
                    . limit {
                        = position = velocity = effort = temperature . gyro { = x = y = z }
                        . accelerometer { = x = y = z } = flags = label
                    }
                    = family = name = address = note = o = p = q = r);
            }
        }
        text
    }};
}

macro_rules! decoded {
    (p, $ty:ident, $bytes:expr, $arena:expr) => {{
        let _: &() = $arena;
        let bytes: &[u8] = $bytes;
        let message = $ty::decode(bytes).unwrap();
        assert_eq!(message.encode_to_vec(), bytes);
        message
    }};
    (d, $ty:ident, $bytes:expr, $arena:expr) => {{
        let bytes: &[u8] = $bytes;
        let message = $ty::decode(bytes, $arena).unwrap();
        assert_eq!(message.encode_to_vec(), bytes);
        message
    }};
}

fn header(out: &mut String, name: &str, bytes: &[u8]) {
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    writeln!(out, "{name} {hex}").expect("a String takes all");
}

#[test]
fn every_library_of_both_languages_reads_the_same_values() {
    let protos = Path::new(env!("CARGO_MANIFEST_DIR")).join("../protos/robobuffers.values");
    let committed = fs::read_to_string(protos).unwrap().replace('\r', "");
    for text in [text!(p, ()), text!(d, Arena::new())] {
        let lines = || committed.lines().zip(text.lines());
        let difference = lines().find(|(committed, found)| committed != found);
        assert_eq!(difference, None, "benches/protos/robobuffers.values has another value");
        assert_eq!(committed.lines().count(), text.lines().count());
    }
}

#[test]
fn messages_take_the_published_bytes() {
    let sizes = [samples::car().len(), samples::market().len(), samples::container().len()];
    assert_eq!(sizes, [140, 62, 228]);
    let arena = Arena::new();
    assert_eq!(samples::defiant_car(&arena).encode_to_vec(), samples::car());
    assert_eq!(samples::defiant_market(&arena).encode_to_vec(), samples::market());
    assert_eq!(samples::defiant_container(&arena).encode_to_vec(), samples::container());
}

#[test]
fn streams_are_of_the_described_size_and_their_messages_too() {
    for (number, bytes, message) in [
        (1, 87 << 16, 200..240),
        (2, 57 << 16, 600..700),
        (3, 10 << 16, 140..145),
        (4, 10 << 16, 62..65),
    ] {
        let stream = stream::of(number);
        assert!((bytes..bytes + 4096).contains(&stream.len()), "{number}: {}", stream.len());
        let mean = stream.len() / stream::messages(&stream).count();
        assert!(message.contains(&mean), "{number}: {mean}");
    }
    assert_eq!(stream::messages(&stream::of(5)).count(), 1);
}

/// The file is what `google.protobuf.json_format`, of protobuf's Python library, writes for the bytes in
/// `robobuffers.values`.
#[test]
fn both_libraries_write_the_json_of_protobuf() {
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../protos/robobuffers.json");
    let committed: Value = serde_json::from_slice(&fs::read(committed).unwrap()).unwrap();
    let arena = Arena::new();
    let car = &committed["Car"];
    assert_eq!(json(&samples::defiant_car(&arena)), *car);
    assert_eq!(json(&samples::prost_car()), *car);
    let market = &committed["MarketData"];
    assert_eq!(json(&samples::defiant_market(&arena)), *market);
    assert_eq!(json(&samples::prost_market()), *market);
}

fn json(message: &impl Serialize) -> Value {
    let mut text = b"what was there".to_vec();
    sbe::write_json(&mut text, message);
    serde_json::from_slice(&text).unwrap()
}

/// prost's own bench clears a message and merges into it: what is left of the one before would be work that others do
/// not have, or values that are wrong.
#[test]
fn a_message_of_prost_that_is_used_again_has_the_values_of_a_fresh_one() {
    let (car, market) = (samples::car(), samples::market());
    let fresh = p::robobuffers::Car::decode(car.as_slice()).unwrap();
    let mut reused = fresh.clone();
    reused.manufacturer = Some("another".to_owned());
    reused.clear();
    reused.merge(car.as_slice()).unwrap();
    assert_eq!(reused, fresh);
    let fresh = p::robobuffers::MarketData::decode(market.as_slice()).unwrap();
    let mut reused = fresh.clone();
    reused.clear();
    reused.merge(market.as_slice()).unwrap();
    assert_eq!(reused, fresh);
}

/// Each row of reuse has one of the same name without it.
#[test]
fn what_is_used_again_is_a_row_of_prost_alone() {
    use benchmarks::libraries::Meter;
    use benchmarks::libraries::packed::{self, Packed};
    use benchmarks::robobuffers::{container, streams};

    #[derive(Default)]
    struct Names(Vec<String>, String);

    impl Meter for Names {
        fn measure(&mut self, library: &'static str, mut work: impl FnMut()) {
            work();
            work();
            self.0.push(format!("{}/{library}", self.1));
        }
    }

    let mut names = Names::default();
    for group in sbe::GROUPS {
        names.1 = group.to_owned();
        sbe::measure(&mut names, group);
    }
    for operation in container::OPERATIONS {
        names.1 = format!("fb_bench/{operation}");
        container::measure(&mut names, operation);
    }
    for operation in streams::Operation::ALL {
        names.1 = operation.group_name(4);
        streams::measure(&mut names, 4, operation);
    }
    for operation in Packed::ALL {
        names.1 = operation.group_name().to_owned();
        packed::measure(&mut names, operation);
    }
    let reused: Vec<_> = names.0.iter().filter(|name| name.contains("_reused")).collect();
    assert_eq!(
        reused,
        [
            "sbe/car/decode_reused/prost",
            "sbe/market/decode_reused/prost",
            "fb_bench/decode_reused/prost",
            "stream/4/read_reused/prost",
            "stream/4/read_write_reused/prost",
            "packed_doubles/decode_reused/prost",
        ]
    );
    for name in reused {
        let fresh = name.replace("_reused", "");
        assert!(names.0.contains(&fresh) && names.0.contains(&fresh.replace("prost", "defiant")));
    }
}
