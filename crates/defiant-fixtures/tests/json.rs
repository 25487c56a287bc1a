//! Messages as JSON: the text of each kind of value, and that another library has the same for any message.

use std::sync::LazyLock;

use defiant::json::Serialize;
use defiant::{Arena, Map, Message};
use defiant_fixtures::DESCRIPTORS;
use defiant_fixtures::defiant::everything::proto2::everything as nested;
use defiant_fixtures::defiant::everything::{proto2, proto3};
use defiant_fixtures::entropy::{Draw, Entropy};
use defiant_fixtures::prost::everything as p;
use proptest::prelude::*;
use prost_reflect::{DescriptorPool, DynamicMessage};

fn text(message: &impl Serialize) -> String {
    serde_json::to_string(message).expect("all values have a form")
}

/// The text of `Everything` with the fields that are given, for each of several.
macro_rules! assert_texts {
    ($syntax:ident: $({ $($field:ident: $value:expr),* } => $json:literal;)*) => {$({
        let message = $syntax::Everything { $($field: $value,)* ..$syntax::Everything::default() };
        assert_eq!(text(&message), $json);
    })*};
}

#[test]
fn a_field_that_is_not_set_is_left_out() {
    assert_eq!(text(&proto2::Everything::default()), "{}");
    assert_eq!(text(&proto3::Everything::default()), "{}");
    assert_eq!(text(&proto2::Defaults::default()), "{}", "its default is not a value");
    assert_eq!(text(&proto2::Empty {}), "{}");
}

#[test]
fn integers_of_64_bits_are_text_and_others_numbers() {
    assert_texts! { proto2:
        { optional_int32: Some(i32::MIN) } => r#"{"optionalInt32":-2147483648}"#;
        { optional_uint32: Some(u32::MAX) } => r#"{"optionalUint32":4294967295}"#;
        { optional_sint32: Some(-1) } => r#"{"optionalSint32":-1}"#;
        { optional_fixed32: Some(0) } => r#"{"optionalFixed32":0}"#;
        { optional_sfixed32: Some(-7) } => r#"{"optionalSfixed32":-7}"#;
        { optional_int64: Some(i64::MIN) } => r#"{"optionalInt64":"-9223372036854775808"}"#;
        { optional_uint64: Some(u64::MAX) } => r#"{"optionalUint64":"18446744073709551615"}"#;
        { optional_sint64: Some(0) } => r#"{"optionalSint64":"0"}"#;
        { optional_fixed64: Some(1) } => r#"{"optionalFixed64":"1"}"#;
        { optional_sfixed64: Some(-1) } => r#"{"optionalSfixed64":"-1"}"#;
    }
}

#[test]
fn floats_without_digits_are_text() {
    assert_texts! { proto2:
        { optional_double: Some(1.5) } => r#"{"optionalDouble":1.5}"#;
        { optional_double: Some(f64::NAN) } => r#"{"optionalDouble":"NaN"}"#;
        { optional_double: Some(f64::INFINITY) } => r#"{"optionalDouble":"Infinity"}"#;
        { optional_double: Some(f64::NEG_INFINITY) } => r#"{"optionalDouble":"-Infinity"}"#;
        { optional_float: Some(0.1) } => r#"{"optionalFloat":0.1}"#;
        { optional_float: Some(f32::MAX) } => r#"{"optionalFloat":3.4028235e+38}"#;
        { optional_float: Some(-f32::NAN) } => r#"{"optionalFloat":"NaN"}"#;
        { repeated_float: &[f32::NEG_INFINITY, 0.0] } => r#"{"repeatedFloat":["-Infinity",0.0]}"#;
    }
}

#[test]
fn bytes_are_base64_with_padding_and_text_is_escaped() {
    assert_texts! { proto2:
        { optional_bytes: Some(b"") } => r#"{"optionalBytes":""}"#;
        { optional_bytes: Some(b"\xfb\xff\xfe\x01") } => r#"{"optionalBytes":"+//+AQ=="}"#;
        { optional_string: Some("\"\n\u{1}→") } => r#"{"optionalString":"\"\n\u0001→"}"#;
        { optional_bool: Some(false) } => r#"{"optionalBool":false}"#;
        { r#type: Some("named as a keyword") } => r#"{"type":"named as a keyword"}"#;
    }
}

#[test]
fn enums_are_names_and_unknown_ones_numbers() {
    assert_texts! { proto2:
        { optional_level: Some(-3) } => r#"{"optionalLevel":"LEVEL_NEGATIVE"}"#;
        { optional_level: Some(2) } => r#"{"optionalLevel":2}"#;
        { repeated_level: &[1, 4] } => r#"{"repeatedLevel":["LEVEL_LOW",4]}"#;
    }
    assert_texts! { proto3:
        { plain_color: 1 } => r#"{"plainColor":"COLOR_RED"}"#;
        { plain_color: 99 } => r#"{"plainColor":99}"#;
        { optional_color: Some(0) } => r#"{"optionalColor":"COLOR_UNSPECIFIED"}"#;
    }
    assert_eq!(text(&proto3::Color::Blue), r#""COLOR_BLUE""#);
}

#[test]
fn a_field_without_presence_is_left_out_at_its_default_and_minus_zero_is_not() {
    assert_texts! { proto3:
        { plain_double: 0.0, plain_int64: 0, plain_bool: false, plain_string: "",
            plain_bytes: b"", plain_color: 0 } => "{}";
        { plain_double: -0.0 } => r#"{"plainDouble":-0.0}"#;
        { plain_int64: -1, plain_string: "a" } => r#"{"plainInt64":"-1","plainString":"a"}"#;
        { optional_int32: Some(0), optional_string: Some("") } =>
            r#"{"optionalInt32":0,"optionalString":""}"#;
    }
}

#[test]
fn a_required_field_is_always_written() {
    assert_eq!(
        text(&proto2::Required::default()),
        r#"{"number":0,"text":"","level":"LEVEL_LOW","data":"AXj/"}"#
    );
}

#[test]
fn keys_of_maps_are_text() {
    let arena = Arena::new();
    let option = proto3::Option { key: "a", ..proto3::Option::default() };
    assert_texts! { proto3:
        { map_int32: Map::from_entries(&arena, &[(2, 0), (-1, 5)]) } =>
            r#"{"mapInt32":{"-1":5,"2":0}}"#;
        { map_uint64: Map::from_entries(&arena, &[(u64::MAX, 1)]) } =>
            r#"{"mapUint64":{"18446744073709551615":"1"}}"#;
        { map_bool: Map::from_entries(&arena, &[(true, false), (false, true)]) } =>
            r#"{"mapBool":{"false":true,"true":false}}"#;
        { map_string: Map::from_entries(&arena, &[("\"", &b"\xff"[..])]) } =>
            r#"{"mapString":{"\"":"/w=="}}"#;
        { map_double: Map::from_entries(&arena, &[(0, f64::NAN)]) } =>
            r#"{"mapDouble":{"0":"NaN"}}"#;
        { map_color: Map::from_entries(&arena, &[("a", 7), ("b", 8)]) } =>
            r#"{"mapColor":{"a":"COLOR_BLUE","b":8}}"#;
        { map_option: Map::from_entries(&arena, &[(true, option)]) } =>
            r#"{"mapOption":{"true":{"key":"a"}}}"#;
    }
}

#[test]
fn messages_and_groups_are_objects_and_a_oneof_is_the_field_that_is_set() {
    let leaf = proto2::Leaf { number: Some(1), names: &["a"] };
    let many = nested::Many { a: &[2], inner: Some(&nested::many::Inner { c: Some(b"\0") }) };
    let group = nested::ChoiceGroup { d: Some(true) };
    assert_texts! { proto2:
        { empty: Some(&proto2::Empty {}) } => r#"{"empty":{}}"#;
        { leaves: &[leaf, proto2::Leaf::default()] } =>
            r#"{"leaves":[{"number":1,"names":["a"]},{}]}"#;
        { many: &[many] } => r#"{"many":[{"a":["2"],"inner":{"c":"AA=="}}]}"#;
        { choice: Some(nested::Choice::ChoiceInt32(0)) } => r#"{"choiceInt32":0}"#;
        { choice: Some(nested::Choice::ChoiceBytes(b"\0")) } => r#"{"choiceBytes":"AA=="}"#;
        { choice: Some(nested::Choice::ChoiceLeaf(&leaf)) } =>
            r#"{"choiceLeaf":{"number":1,"names":["a"]}}"#;
        { choice: Some(nested::Choice::ChoiceLevel(5)) } => r#"{"choiceLevel":"LEVEL_HIGH"}"#;
        { choice: Some(nested::Choice::Choicegroup(&group)) } => r#"{"choicegroup":{"d":true}}"#;
    }
}

#[test]
fn fields_are_in_the_order_of_their_numbers() {
    let arena = Arena::new();
    assert_texts! { proto2:
        { r#type: Some("last"), choice: Some(nested::Choice::ChoiceInt32(90)),
            map_int32_leaf: Map::from_entries(&arena, &[(1, proto2::Leaf::default())]),
            optional_float: Some(2.0) } =>
            r#"{"optionalFloat":2.0,"choiceInt32":90,"mapInt32Leaf":{"1":{}},"type":"last"}"#;
    }
}

/// That prost-reflect, which knows the message `name` by its descriptor, has the same JSON.
fn agree<'a, D: Message<'a> + Serialize>(name: &str, bytes: &'a [u8], arena: &'a Arena) {
    static POOL: LazyLock<DescriptorPool> =
        LazyLock::new(|| DescriptorPool::decode(DESCRIPTORS).expect("the descriptors are whole"));
    let descriptor = POOL.get_message_by_name(name).expect("the message is in the files");
    let theirs = DynamicMessage::decode(descriptor, bytes).expect("the bytes are valid");
    let ours = D::decode(bytes, arena).expect("the bytes are valid");
    let theirs = serde_json::to_string(&theirs).expect("all values have a form");
    let parsed =
        |text: &str| -> serde_json::Value { serde_json::from_str(text).expect("it is JSON") };
    assert_eq!(parsed(&text(&ours)), parsed(&theirs));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_message_is_the_json_that_its_descriptor_says(
        entropy in proptest::collection::vec(any::<u8>(), 0..3000),
    ) {
        let message = p::proto2::Everything::draw(&mut Entropy::new(&entropy));
        let bytes = prost::Message::encode_to_vec(&message);
        agree::<proto2::Everything<'_>>("everything.proto2.Everything", &bytes, &Arena::new());
        let message = p::proto3::Everything::draw(&mut Entropy::new(&entropy));
        let bytes = prost::Message::encode_to_vec(&message);
        agree::<proto3::Everything<'_>>("everything.proto3.Everything", &bytes, &Arena::new());
    }
}
