//! Every library gives the same values back, and the same after the update.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

use noproto_benches::libraries::{self, ForEach, Library};
use noproto_benches::model::{Collect, Container, NEW_NAME};

struct Check {
    checked: Vec<&'static str>,
}

fn read<L: Library>(library: &L, bytes: &[u8]) -> Container {
    let mut sink = Collect::default();
    library.decode(bytes, &mut sink);
    sink.finish().unwrap()
}

impl ForEach for Check {
    fn library<L: Library>(&mut self) {
        let (mut message, mut library) = (Container::published(), L::default());
        // Values that no mistake could produce by chance, too.
        for round in 0..3 {
            let bytes = library.encode(&message, <[u8]>::to_vec);
            assert_eq!(read(&library, &bytes), message, "{}", L::NAME);
            library.decode_one(&bytes, |location| {
                assert_eq!(location, message.top.location, "{}", L::NAME);
            });

            let mut changed = message.clone();
            changed.list[0].name = NEW_NAME.to_owned();
            let updated = library.update(&bytes, NEW_NAME, <[u8]>::to_vec);
            assert_eq!(read(&library, &updated), changed, "{}", L::NAME);
            assert_ne!(bytes, updated, "{}: the old bytes stay", L::NAME);

            message.top.initialized = false;
            message.top.fruit = round;
            message.top.location.push('é');
            let item = &mut message.list[2];
            item.name.clear();
            (item.postfix, item.time, item.size, item.count) = (b'?', i32::MAX, u16::MAX, 127);
            (item.rating, item.ratio, item.id) = (-0.25, 1.5, u64::MAX - u64::from(round));
            (item.prefix, item.length) = (b'~' as i8, i32::MAX as u32);
        }
        self.checked.push(L::NAME);
    }
}

#[test]
fn verified_bytes_that_are_damaged_are_noticed_before_a_value_is_read() {
    use noproto_benches::libraries::{NoProto, NoProtoVerified};

    let bytes = NoProto::default().encode(&Container::published(), <[u8]>::to_vec);
    // Bytes of a name, which `location` has nothing to do with.
    let name = bytes.windows(5).position(|bytes| bytes == b"Hello");
    let mut damaged = bytes.clone();
    damaged[name.unwrap()] = 0xFF;
    NoProto::default().decode_one(&damaged, |location| assert!(!location.is_empty()));
    let verified = std::panic::catch_unwind(|| {
        NoProtoVerified::default().decode_one(&damaged, |location| assert!(!location.is_empty()));
    });
    assert!(verified.is_err());
    NoProtoVerified::default().decode_one(&bytes, |location| assert!(!location.is_empty()));
}

#[test]
fn every_library_gives_the_same_values_back_and_after_an_update_the_changed_ones() {
    let mut check = Check { checked: Vec::new() };
    libraries::for_each(&mut check);
    libraries::for_each_variant(&mut check);
    assert_eq!(
        check.checked,
        [
            "noproto",
            "flatbuffers",
            "protobuf",
            "prost",
            "messagepack",
            "json",
            "bson",
            "noproto_by_name",
            "flatbuffers_unverified",
            "noproto_verified",
            "bson_raw",
        ]
    );
}
