//! Decoding and encoding of whole messages: `dataset/<dataset>/<operation>/<library>`.
//!
//! A library is one file in `libraries/`, declared and registered below. Each time is for all
//! payloads of the dataset, which is one message; the throughput counts its encoded bytes.

use std::fmt;
use std::process;

use benchmarks::datasets::{Dataset, Source};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};

mod libraries {
    pub(super) mod prost;
}

/// Adds the benchmark of one library to the group of a dataset and an operation.
type Bench = fn(&mut BenchmarkGroup<'_, WallTime>, Dataset, Operation, &[Vec<u8>]);

/// One line for each library.
const LIBRARIES: &[Bench] = &[libraries::prost::bench];

/// What is measured.
#[derive(Clone, Copy)]
enum Operation {
    /// Bytes to a fresh message, which is dropped again.
    Decode,
    /// A message to bytes in a buffer that is large enough and used again and again.
    Encode,
    /// How many bytes a message would take.
    EncodedLen,
}

impl Operation {
    const ALL: [Self; 3] = [Self::Decode, Self::Encode, Self::EncodedLen];

    fn name(self) -> &'static str {
        match self {
            Self::Decode => "decode",
            Self::Encode => "encode",
            Self::EncodedLen => "encoded_len",
        }
    }
}

fn dataset(criterion: &mut Criterion) {
    let source = Source::from_env().unwrap_or_else(|error| give_up(&error));
    for dataset in Dataset::ALL {
        let payloads = source.load(dataset).unwrap_or_else(|error| give_up(&error)).payload;
        let bytes = payloads.iter().map(Vec::len).sum::<usize>() as u64;
        for operation in Operation::ALL {
            let name = format!("dataset/{}/{}", dataset.name(), operation.name());
            let mut group = criterion.benchmark_group(name);
            group.throughput(Throughput::Bytes(bytes));
            for bench in LIBRARIES {
                bench(&mut group, dataset, operation, &payloads);
            }
            group.finish();
        }
    }
}

/// Ends the process: a panic would bury the help in the message under a backtrace note.
fn give_up(error: &dyn fmt::Display) -> ! {
    eprintln!("error: {error}");
    process::exit(1)
}

criterion_group!(benches, dataset);
criterion_main!(benches);
