//! Maps that are thawed, extended and kept are the maps of their entries.

use std::collections::BTreeMap;

use defiant::{Arena, ArenaVec, Map};
use proptest::prelude::*;

fn entries() -> impl Strategy<Value = Vec<(u8, u32)>> {
    proptest::collection::vec((0..40_u8, any::<u32>()), 0..60)
}

#[test]
fn a_thawed_map_to_which_nothing_is_added_stays_as_it_is() {
    let arena = Arena::new();
    let map = Map::from_entries(&arena, &[("a", 1), ("b", 2)]);
    assert_eq!(Map::from_list(map.thaw(&arena)), map);
    assert_eq!(map.or_list(map.thaw(&arena)), map);
}

#[test]
fn borrowed_entries_that_are_not_sorted_are_copied_and_not_written_to() {
    let arena = Arena::new();
    let borrowed = [(2, 'x'), (1, 'y'), (2, 'z')];
    let map = Map::from_list(ArenaVec::thaw(&arena, &borrowed));
    assert_eq!(map.entries(), [(1, 'y'), (2, 'z')]);
    assert_eq!(borrowed, [(2, 'x'), (1, 'y'), (2, 'z')]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_map_that_is_thawed_extended_and_kept_is_a_map_of_all_entries(
        first in entries(),
        more in proptest::collection::vec(entries(), 0..4),
    ) {
        let arena = Arena::new();
        let mut expected: BTreeMap<_, _> = first.iter().copied().collect();
        let mut map = Map::from_entries(&arena, &first);
        for added in more {
            let before: Vec<_> = map.entries().to_vec();
            let mut list = map.thaw(&arena);
            added.iter().for_each(|entry| list.push(*entry));
            let kept = Map::from_list(list);
            expected.extend(added);
            prop_assert_eq!(map.entries(), before, "the thawed map is not written to");
            map = kept;
            prop_assert!(map.iter().map(|(k, v)| (k, v)).eq(&expected), "{:?}", map);
            prop_assert!(expected.iter().all(|(k, v)| map.get(*k) == Some(v)));
        }
    }
}
