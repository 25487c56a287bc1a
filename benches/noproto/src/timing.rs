//! Times without Criterion, for the table: short batches of each library in turn, so that what else
//! the machine does meets all of them.

use std::hint::black_box;
use std::time::Instant;

use crate::libraries::{self, ForEach, Library};
use crate::model::{Container, FooBar, NEW_NAME, Sink, Top};

/// The timed operations, in the order of the published tables.
pub const OPERATIONS: [&str; 4] = ["encode", "decode", "decode_one", "update"];

/// Lets no value be left out.
#[derive(Debug)]
pub struct Use;

impl Sink for Use {
    fn item(&mut self, item: FooBar<&str>) {
        black_box(item);
    }

    fn top(&mut self, top: Top<&str>) {
        black_box(top);
    }
}

/// The time of one library's operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Time {
    /// One of [`OPERATIONS`].
    pub operation: &'static str,
    /// The library.
    pub library: &'static str,
    /// Nanoseconds of one message: the lower quartile over the batches.
    pub nanoseconds: f64,
}

/// Times the libraries of the comparison, in `rounds` batches each.
#[must_use]
pub fn all(rounds: usize) -> Vec<Time> {
    of(rounds, |batches| {
        libraries::for_each(batches);
        libraries::for_each_variant(batches);
    })
}

/// Times what `round` hands over, as often as it is called: `rounds` times.
pub fn of(rounds: usize, mut round: impl FnMut(&mut Batches)) -> Vec<Time> {
    let mut batches = Batches(Vec::new());
    (0..rounds).for_each(|_| round(&mut batches));
    let mut times: Vec<Time> = Vec::new();
    for operation in OPERATIONS {
        for Time { library, .. } in &batches.0 {
            if times.iter().any(|time| (time.operation, time.library) == (operation, library)) {
                continue;
            }
            let is_it = |time: &&Time| (time.operation, time.library) == (operation, library);
            let mut each: Vec<_> =
                batches.0.iter().filter(is_it).map(|time| time.nanoseconds).collect();
            each.sort_by(f64::total_cmp);
            times.push(Time { operation, library, nanoseconds: each[each.len() / 4] });
        }
    }
    times
}

/// Takes a library, and times a batch of each of its operations.
#[derive(Debug)]
pub struct Batches(Vec<Time>);

/// Short, so that most batches are not interrupted.
const BATCH_NANOSECONDS: f64 = 100_000.0;

impl Batches {
    fn time(&mut self, operation: &'static str, library: &'static str, mut work: impl FnMut()) {
        let mut batch = |iterations: u32| {
            let start = Instant::now();
            (0..iterations).for_each(|_| work());
            start.elapsed().as_nanos() as f64 / f64::from(iterations)
        };
        batch(3);
        let one = batch(10).max(1.0);
        let nanoseconds = batch((BATCH_NANOSECONDS / one) as u32 + 1);
        self.0.push(Time { operation, library, nanoseconds });
    }
}

impl ForEach for Batches {
    fn library<L: Library>(&mut self) {
        let (message, mut library) = (Container::published(), L::default());
        let bytes = library.encode(&message, <[u8]>::to_vec);
        let pass = |bytes: &[u8]| {
            black_box(bytes);
        };
        self.time("encode", L::NAME, || library.encode(black_box(&message), pass));
        self.time("decode", L::NAME, || library.decode(black_box(&bytes), &mut Use));
        self.time("decode_one", L::NAME, || {
            library.decode_one(black_box(&bytes), |location| {
                black_box(location);
            });
        });
        self.time("update", L::NAME, || {
            library.update(black_box(&bytes), black_box(NEW_NAME), pass);
        });
    }
}
