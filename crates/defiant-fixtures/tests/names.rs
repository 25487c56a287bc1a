//! Names that mean something in Rust, where the generated code could take one for the other.

use defiant::{Arena, Message};
use defiant_fixtures::names::{self, Event, Severity, event};

#[test]
fn the_values_of_an_enum_may_be_named_as_associated_types() {
    assert_eq!(Severity::try_from(2), Ok(Severity::Error));
    assert_eq!(Severity::try_from(7), Ok(Severity::Item));
    assert_eq!(Severity::try_from(12), Err(defiant::UnknownEnumValue(12)));
    assert_eq!(serde_json::to_string(&Severity::Ok).unwrap(), r#""OK""#);
}

#[test]
fn a_oneof_named_as_a_nested_type_is_called_as_prost_build_calls_it() {
    let event = Event {
        kind: Some(event::KindOneOf::K(&event::Kind { x: Some(1) })),
        state: Some(event::StateOneOfOneOf::On(event::State::On as i32)),
        kind_one_of: Some(event::KindOneOfOneOf::A(7)),
    };
    let bytes = event.encode_to_vec();
    assert_eq!(Event::decode(&bytes, &Arena::new()), Ok(event));
}

#[test]
fn messages_may_be_named_as_what_is_in_scope_everywhere() {
    let message = names::Iterator {
        modes: &[2, 4],
        choice: Some(names::iterator::Choice::S(&names::S { t: Some("x"), ..Default::default() })),
        ..Default::default()
    };
    assert!(message.modes().eq([Severity::Error, Severity::Err]));
    assert_eq!((message.one(), message.text()), (Severity::Error, "x"));
    let bytes = message.encode_to_vec();
    assert_eq!(names::Iterator::decode(&bytes, &Arena::new()), Ok(message));
    let json = serde_json::to_string(&message).unwrap();
    assert_eq!(json, r#"{"modes":["ERROR","ERR"],"must":"SEVERITY_UNSPECIFIED","s":{"t":"x"}}"#);
}

#[test]
fn a_default_beyond_its_type_is_infinite_as_in_other_implementations() {
    let message = names::Beyond::default();
    assert_eq!((message.large(), message.small), (f32::INFINITY, f32::NEG_INFINITY));
    assert_eq!((message.larger(), message.smaller()), (f64::INFINITY, f64::NEG_INFINITY));
    assert_eq!(message.tiny(), 0.0);
    assert_eq!(names::Numbers::default().f32(), f32::INFINITY);
}

#[test]
fn a_setter_gives_way_to_a_getter_of_its_name() {
    let mut message = names::Setter { set_x: Some(3), set_w: 4, ..Default::default() };
    assert_eq!(message.set_x(), 3);
    assert_eq!((message.set_y(), message.set_z().count()), (Severity::Unspecified, 0));
    message.set_w(Severity::Error);
    assert_eq!((message.w(), message.set_w), (Severity::Error, 4));
}
