//! The library prost, with the message types that prost-build generates.

use std::hint::black_box;

use benchmarks::datasets::Dataset;
use benchmarks::messages::{proto2, proto3};
use criterion::BenchmarkGroup;
use criterion::measurement::WallTime;
use prost::Message;

use crate::Operation;

pub(crate) fn bench(
    group: &mut BenchmarkGroup<'_, WallTime>,
    dataset: Dataset,
    operation: Operation,
    payloads: &[Vec<u8>],
) {
    let bench = match dataset {
        Dataset::GoogleMessage1Proto2 => bench_type::<proto2::GoogleMessage1>,
        Dataset::GoogleMessage1Proto3 => bench_type::<proto3::GoogleMessage1>,
        Dataset::GoogleMessage2 => bench_type::<proto2::GoogleMessage2>,
    };
    bench(group, operation, payloads);
}

fn bench_type<M: Message + Default>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    operation: Operation,
    payloads: &[Vec<u8>],
) {
    let decode = |payload: &Vec<u8>| -> M {
        M::decode(payload.as_slice()).expect("payloads are messages of the type of their dataset")
    };
    let messages: Vec<M> = payloads.iter().map(decode).collect();
    let longest = messages.iter().map(M::encoded_len).max().unwrap_or(0);

    group.bench_function("prost", |bencher| match operation {
        Operation::Decode => bencher.iter(|| {
            for payload in payloads {
                black_box(decode(black_box(payload)));
            }
        }),
        Operation::Encode => {
            let mut buffer = Vec::with_capacity(longest);
            bencher.iter(|| {
                for message in &messages {
                    buffer.clear();
                    black_box(message).encode(&mut buffer).expect("a Vec grows as needed");
                    black_box(&buffer);
                }
            });
        }
        Operation::EncodedLen => {
            bencher.iter(|| black_box(&messages).iter().map(M::encoded_len).sum::<usize>());
        }
    });
}
