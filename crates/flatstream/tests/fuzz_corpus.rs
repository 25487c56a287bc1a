//! Replays the fuzz corpus, and mutations of it that are the same in every run.

#![cfg(all(feature = "crc16", feature = "crc32", feature = "xxhash"))]

#[path = "../fuzz/fuzz_targets/property.rs"]
mod property;

use std::fs;
use std::path::Path;

use property::readers_agree_and_rewriting_gives_the_stream_back as check;

const MUTATIONS_PER_SEED: u32 = 2000;

fn corpus() -> Vec<Vec<u8>> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/read_stream");
    let mut paths: Vec<_> = fs::read_dir(directory)
        .expect("the corpus is part of the repository")
        .map(|entry| entry.expect("a readable directory").path())
        .collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).expect("a readable seed")).collect()
}

/// SplitMix64: mutations need to be many and repeatable, and no more than that.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((x ^ (x >> 31)) % end as u64) as usize
    }
}

fn mutate(random: &mut Random, bytes: &mut Vec<u8>) {
    let at = random.below(bytes.len());
    match random.below(5) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes[at] = random.below(256) as u8,
        2 => bytes.truncate(at + 1),
        3 => bytes.insert(at, random.below(4) as u8),
        _ => bytes.extend_from_within(at..),
    }
}

#[test]
fn every_seed_of_the_corpus_holds() {
    let corpus = corpus();
    assert!(corpus.len() >= 10, "only {} seeds were found", corpus.len());
    corpus.iter().for_each(|seed| check(seed));
}

#[test]
fn thousands_of_mutations_of_the_corpus_hold() {
    let mut random = Random(25);
    for seed in corpus() {
        for _ in 0..MUTATIONS_PER_SEED {
            let mut bytes = seed.clone();
            for _ in 0..=random.below(3) {
                mutate(&mut random, &mut bytes);
            }
            check(&bytes);
        }
    }
}
