//! Google's well-known types are generated as any others, from the files that the parser carries.

use defiant::{Arena, Message};
use defiant_fixtures::defiant::google::protobuf::{Any, Struct, Value, value::Kind};
use defiant_fixtures::defiant::google::protobuf::{StringValue, Timestamp};
use defiant_fixtures::defiant::well_known::Event;
use defiant_fixtures::prost as p;

#[test]
fn an_event_with_well_known_types_means_the_same_to_prost() {
    let arena = Arena::new();
    let value = Value { kind: Some(Kind::StringValue("north")) };
    let event = Event {
        at: Some(&Timestamp { seconds: 1_672_531_200, nanos: 5 }),
        payload: Some(&Any { type_url: "example/Point", value: &[8, 1] }),
        labels: Some(&Struct { fields: defiant::Map::from_entries(&arena, &[("side", value)]) }),
        note: Some(&StringValue { value: "" }),
    };
    let bytes = event.encode_to_vec();
    let by_prost: p::well_known::Event = prost::Message::decode(bytes.as_slice()).unwrap();
    assert_eq!(by_prost.at.unwrap().nanos, 5);
    assert_eq!(by_prost.payload.unwrap().type_url, "example/Point");
    assert_eq!(by_prost.note.as_ref().map(|note| note.value.as_str()), Some(""));
    assert!(by_prost.labels.unwrap().fields.contains_key("side"));
    assert_eq!(Event::decode(&bytes, &arena).unwrap(), event);
}

#[test]
fn a_message_may_go_to_other_threads_while_its_arena_stays() {
    fn both<T: Send + Sync>(value: T) -> T {
        value
    }
    let arena = Arena::new();
    let event = Event { note: Some(&StringValue { value: "read elsewhere" }), ..Event::default() };
    let bytes = event.encode_to_vec();
    let event = both(Event::decode_copied(&bytes, &arena).unwrap());
    drop(bytes);
    let len = std::thread::scope(|scope| scope.spawn(|| event.encoded_len()).join().unwrap());
    assert_eq!(len, event.encoded_len());
}
