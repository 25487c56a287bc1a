use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::Data;

#[derive(Default)]
pub struct Fnv(u64);

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

pub fn run(data: &Data) -> u64 {
    count_words(&data.words)
}

fn count_words(words: &[String]) -> u64 {
    let mut counts: HashMap<
        &str,
        u64,
        BuildHasherDefault<std::collections::hash_map::DefaultHasher>,
    > = HashMap::with_capacity_and_hasher(words.len(), BuildHasherDefault::default());
    for word in words {
        *counts.entry(word).or_default() += 1;
    }
    counts.values().max().copied().unwrap_or_default()
}
