//! Reading allocates nothing, and neither does a change that fits.

use noproto_benches::libraries::{Library, NoProto};
use noproto_benches::model::{Container, NEW_NAME};
use noproto_benches::timing::Use;

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

/// One test, since the profiler is one for all threads.
#[test]
fn decode_and_decode_one_allocate_nothing_and_update_at_most_one_block() {
    let mut library = NoProto::default();
    let bytes = library.encode(&Container::published(), <[u8]>::to_vec);
    assert_eq!(blocks(|| drop(vec![0_u8])), 1, "the profiler counts");
    assert_eq!(blocks(|| library.decode(&bytes, &mut Use)), 0);
    assert_eq!(blocks(|| assert!(library.decode_one(&bytes, |text| !text.is_empty()))), 0);
    let mut library = NoProto::default();
    let mut update = || library.update(&bytes, NEW_NAME, |bytes| assert!(!bytes.is_empty()));
    assert_eq!(blocks(&mut update), 1, "room for the bytes");
    assert_eq!(blocks(&mut update), 0, "which is used again");
}

fn blocks(work: impl FnOnce()) -> u64 {
    let profiler = dhat::Profiler::builder().testing().build();
    work();
    let blocks = dhat::HeapStats::get().total_blocks;
    drop(profiler);
    blocks
}
