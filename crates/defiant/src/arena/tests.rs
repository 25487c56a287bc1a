//! Tests of the guarantees of the arena and its vectors.

use super::*;
use crate::vec::ArenaVec;

#[test]
fn values_are_aligned_and_stay_as_they_are() {
    #[derive(Clone, Copy, PartialEq, Debug)]
    #[repr(align(64))]
    struct Wide(u8);
    let arena = Arena::new();
    let mut bytes = alloc::vec::Vec::new();
    let mut words = alloc::vec::Vec::new();
    let mut wides = alloc::vec::Vec::new();
    for value in 0..200 {
        bytes.push(arena.alloc(value));
        words.push(arena.alloc(u64::from(value)));
        wides.push(arena.alloc(Wide(value)));
    }
    for (value, ((byte, word), wide)) in (0..).zip(bytes.iter().zip(&words).zip(&wides)) {
        assert_eq!((**byte, **word, **wide), (value, value.into(), Wide(value)));
        assert_eq!(ptr::from_ref::<u64>(word).addr() % 8, 0);
        assert_eq!(ptr::from_ref::<Wide>(wide).addr() % 64, 0);
    }
}

#[test]
fn values_of_no_size_need_no_memory() {
    let arena = Arena::new();
    let mut list = ArenaVec::new(&arena);
    for _ in 0..1000 {
        arena.alloc(());
        list.push(());
    }
    assert_eq!(list.freeze().len(), 1000);
    assert_eq!(arena.allocated_bytes(), 0);
}

#[test]
fn a_list_grows_in_place_while_other_values_are_allocated() {
    let arena = Arena::with_capacity(200_000);
    let mut list = ArenaVec::new(&arena);
    let mut first = None;
    for value in 0..1000_u64 {
        list.push([value; 8]);
        assert_eq!(*arena.alloc(value), value);
        let start = list.as_slice().as_ptr().addr();
        if value >= 4 {
            assert_eq!(*first.get_or_insert(start), start, "moved at {value}");
        }
    }
    assert!(list.freeze().iter().zip(0..).all(|(item, value)| *item == [value; 8]));
    assert_eq!(arena.allocated_bytes(), 200_000 + HEADER);
}

#[test]
fn lists_that_grow_in_turn_keep_their_elements() {
    let arena = Arena::new();
    let (mut a, mut b) = (ArenaVec::new(&arena), ArenaVec::new(&arena));
    for value in 0..2000_u32 {
        a.push(value);
        b.push(u64::from(value));
    }
    let (a, b) = (a.freeze(), b.freeze());
    assert!(a.iter().copied().eq(0..2000));
    assert!(b.iter().copied().eq(0..2000));
}

#[test]
fn a_thawed_list_leaves_the_slice_it_began_with() {
    let arena = Arena::new();
    let mut list = ArenaVec::new(&arena);
    list.extend_from_slice(&[1, 2, 3]);
    let frozen = list.freeze();
    let (mut a, mut b) = (ArenaVec::thaw(&arena, frozen), ArenaVec::thaw(&arena, frozen));
    a.push(4);
    b.push(5);
    assert_eq!((frozen, a.freeze()), (&[1, 2, 3][..], &[1, 2, 3, 4][..]));
    assert_eq!(b.freeze(), [1, 2, 3, 5]);
    let unchanged = ArenaVec::thaw(&arena, frozen).freeze();
    assert!(ptr::eq(unchanged, frozen));
}

#[test]
fn a_frozen_list_gives_back_what_it_did_not_use() {
    let arena = Arena::with_capacity(1008);
    for round in 0..20_u64 {
        let mut list = ArenaVec::new(&arena);
        list.reserve(100);
        list.push(round);
        assert_eq!(list.freeze(), [round]);
    }
    assert_eq!(arena.allocated_bytes(), 1008 + HEADER);
}

#[test]
fn a_reset_makes_one_chunk_of_many() {
    let mut arena = Arena::new();
    for _ in 0..100 {
        arena.alloc([0_u8; 1000]);
    }
    let before = arena.allocated_bytes();
    arena.reset();
    assert_eq!(arena.allocated_bytes(), before);
    for _ in 0..100 {
        arena.alloc([0_u8; 1000]);
    }
    assert_eq!(arena.allocated_bytes(), before);
}

#[test]
fn copies_of_text_and_slices_are_in_the_arena() {
    let arena = Arena::new();
    let text = alloc::string::String::from("text");
    let copy = arena.alloc_str(&text);
    drop(text);
    assert_eq!(copy, "text");
    assert_eq!(arena.alloc_slice_copy(&[1_u16, 2]), [1, 2]);
    assert_eq!(arena.alloc_slice_copy::<u64>(&[]), []);
}
