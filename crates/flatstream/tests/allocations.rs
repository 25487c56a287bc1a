//! Neither direction allocates per message once its buffers have seen the longest one.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::io::{self, Write};

use flatbuffers::{FlatBufferBuilder, Vector, WIPOffset};
use flatstream::{
    DefaultDeframer, DefaultFramer, Deframer, Framer, SliceReader, StreamReader, StreamSerialize,
    StreamWriter,
};

thread_local! {
    /// Per thread, because the test harness runs tests side by side and allocates in between.
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

impl Counting {
    fn count() {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
    }
}

// SAFETY: every call is passed on to `System` as it came. Counting allocates nothing: the
// thread-local is initialized by a constant and has no destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Self::count();
        // SAFETY: the caller's promise about `layout` is the one asked for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: `pointer` came from `System`, since nothing else allocates here.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        Self::count();
        // SAFETY: `pointer` came from `System`; the caller's promises are the ones asked for.
        unsafe { System.realloc(pointer, layout, new_size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations_of(work: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

/// A message whose length changes, so that being warm is about the longest one.
struct Event(u64);

impl StreamSerialize for Event {
    type Root<'b> = Vector<'b, u64>;

    fn build<'b>(&self, builder: &mut FlatBufferBuilder<'b>) -> WIPOffset<Vector<'b, u64>> {
        let fields = [self.0; 7];
        builder.create_vector(&fields[..(self.0 % 8) as usize])
    }
}

const MESSAGES: u64 = 1000;

fn written<F: Framer>(framer: F) -> Vec<u8> {
    let mut builder = FlatBufferBuilder::new();
    let mut writer = StreamWriter::new(Vec::new(), framer);
    for i in 0..MESSAGES {
        writer.write(&mut builder, &Event(i)).expect("a Vec takes everything");
    }
    writer.into_inner()
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations_of(|| ()), 0);
    assert_eq!(allocations_of(|| drop(Box::new(1))), 1);
}

#[test]
fn a_warm_writer_writes_1000_messages_without_an_allocation() {
    /// A sink with room for the stream, so that only the writer's own allocations are seen.
    struct Discard;
    impl Write for Discard {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn warm<F: Framer>(framer: F) -> u64 {
        let mut builder = FlatBufferBuilder::new();
        let mut writer = StreamWriter::new(Discard, framer);
        let mut write = || {
            for i in 0..MESSAGES {
                writer.write(&mut builder, &Event(i)).expect("the sink takes everything");
            }
        };
        write();
        allocations_of(write)
    }

    assert_eq!(warm(DefaultFramer), 0);
    #[cfg(feature = "crc16")]
    assert_eq!(warm(flatstream::ChecksumFramer(flatstream::Crc16)), 0);
    #[cfg(feature = "crc32")]
    assert_eq!(warm(flatstream::ChecksumFramer(flatstream::Crc32)), 0);
    #[cfg(feature = "xxhash")]
    assert_eq!(warm(flatstream::ChecksumFramer(flatstream::XxHash64)), 0);
}

#[test]
fn a_warm_reader_reads_1000_messages_without_an_allocation() {
    fn warm<F: Framer, D: Deframer + Copy>(framer: F, deframer: D) -> u64 {
        let stream = written(framer);
        // A buffer that has to grow for the longest message, which comes early.
        let mut reader = StreamReader::with_capacity(0, stream.as_slice(), deframer);
        for _ in 0..8 {
            reader.read_message().expect("a sound stream");
        }
        let mut sum = 0;
        let count = allocations_of(|| {
            while let Some(event) = reader.read_root::<Vector<'_, u64>>().expect("a sound stream") {
                sum += event.iter().sum::<u64>();
            }
        });
        assert_eq!(sum, (8..MESSAGES).map(|i| i * (i % 8)).sum());

        let mut reader = StreamReader::new(stream.as_slice(), deframer);
        let mut seen = 0;
        let by_closure = allocations_of(|| {
            seen = reader.process_all(|_| {}).expect("a sound stream");
        });
        assert_eq!(seen, MESSAGES);
        count + by_closure
    }

    assert_eq!(warm(DefaultFramer, DefaultDeframer), 0);
    #[cfg(feature = "xxhash")]
    assert_eq!(
        warm(
            flatstream::ChecksumFramer(flatstream::XxHash64),
            flatstream::ChecksumDeframer(flatstream::XxHash64)
        ),
        0
    );
}

#[test]
fn a_slice_reader_never_allocates() {
    let stream = written(DefaultFramer);
    let mut seen = 0;
    let count = allocations_of(|| {
        seen = SliceReader::new(&stream, DefaultDeframer).filter(Result::is_ok).count() as u64;
    });
    assert_eq!((seen, count), (MESSAGES, 0));
}
