//! The published comparison: `noproto/<operation>/<library>`.
//!
//! The operations, and what is equal about the libraries' work, are described in
//! [`noproto_benches::libraries`]. Each time is for one message.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use noproto_benches::libraries::{self, ForEach, Library};
use noproto_benches::model::{Container, NEW_NAME};
use noproto_benches::timing::Use;

#[derive(Clone, Copy)]
enum Operation {
    Encode,
    Decode,
    DecodeOne,
    Update,
}

struct Timed<'c> {
    criterion: &'c mut Criterion,
    operation: Operation,
}

impl ForEach for Timed<'_> {
    fn library<L: Library>(&mut self) {
        let (message, mut library) = (Container::published(), L::default());
        let bytes = library.encode(&message, <[u8]>::to_vec);
        let operation = match self.operation {
            Operation::Encode => "encode",
            Operation::Decode => "decode",
            Operation::DecodeOne => "decode_one",
            Operation::Update => "update",
        };
        let id = format!("noproto/{operation}/{}", L::NAME);
        match self.operation {
            Operation::Encode => self.criterion.bench_function(&id, |bencher| {
                bencher.iter(|| {
                    library.encode(black_box(&message), |bytes| {
                        black_box(bytes);
                    });
                });
            }),
            Operation::Decode => self.criterion.bench_function(&id, |bencher| {
                bencher.iter(|| library.decode(black_box(&bytes), &mut Use));
            }),
            Operation::DecodeOne => self.criterion.bench_function(&id, |bencher| {
                bencher.iter(|| {
                    library.decode_one(black_box(&bytes), |location| {
                        black_box(location);
                    });
                });
            }),
            Operation::Update => self.criterion.bench_function(&id, |bencher| {
                bencher.iter(|| {
                    library.update(black_box(&bytes), black_box(NEW_NAME), |bytes| {
                        black_box(bytes);
                    });
                });
            }),
        };
    }
}

fn noproto(criterion: &mut Criterion) {
    for operation in [Operation::Encode, Operation::Decode, Operation::DecodeOne, Operation::Update]
    {
        let mut timed = Timed { criterion, operation };
        libraries::for_each(&mut timed);
        libraries::for_each_variant(&mut timed);
    }
}

criterion_group!(benches, noproto);
criterion_main!(benches);
