//! The fuzz target without a fuzzer: its seed corpus, and mutations of it that are the same in
//! each run. `scripts/fuzz decode` is the fuzzer itself, in `crates/defiant/fuzz`.

use std::fs;
use std::path::Path;

use defiant_fixtures::check;
use defiant_fixtures::entropy::{Draw, Entropy};
use defiant_fixtures::prost::everything;
use prost::Message as _;

/// Mutations of each seed.
const ROUNDS: usize = 400;

fn corpus() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../defiant/fuzz/corpus/decode");
    let files = fs::read_dir(folder).expect("the corpus is committed");
    let mut paths: Vec<_> = files.map(|file| file.expect("it can be listed").path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).expect("it can be read")).collect()
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % limit.max(1)
    }
}

/// `seed` with one to four small changes, as a fuzzer makes them.
fn mutated(seed: &[u8], corpus: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        match random.below(6) {
            0 if !bytes.is_empty() => bytes[at] = random.below(256) as u8,
            1 if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
            2 => bytes.insert(at, random.below(256) as u8),
            3 if !bytes.is_empty() => {
                bytes.remove(at);
            }
            4 => bytes.truncate(at),
            _ => {
                let other = &corpus[random.below(corpus.len())];
                let end = random.below(other.len()) + 1;
                let start = random.below(end);
                let part = other.get(start..end).unwrap_or_default();
                bytes.splice(at..at, part.iter().copied());
            }
        }
    }
    bytes
}

#[test]
fn the_seed_corpus_passes() {
    let corpus = corpus();
    assert!(corpus.len() >= 8, "{} files", corpus.len());
    corpus.iter().for_each(|input| check::any_input(input));
}

#[test]
fn mutations_of_the_seed_corpus_pass() {
    let corpus = corpus();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for seed in &corpus {
        for _ in 0..ROUNDS {
            check::any_input(&mutated(seed, &corpus, &mut random));
        }
    }
}

/// Writes the corpus: `cargo test -p defiant-fixtures --test fuzz -- --ignored`.
#[test]
#[ignore = "writes files; for when the protos change"]
fn write_the_seed_corpus() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../defiant/fuzz/corpus/decode");
    let mut random = Random(1);
    for seed in 0..4 {
        let bytes: Vec<u8> = (0..600).map(|_| random.below(256) as u8).collect();
        let entropy = || Entropy::new(&bytes);
        let messages = [
            everything::proto2::Everything::draw(&mut entropy()).encode_to_vec(),
            everything::proto3::Everything::draw(&mut entropy()).encode_to_vec(),
        ];
        for (choice, message) in (0..).zip(messages) {
            let input = [&[choice], message.as_slice()].concat();
            fs::write(folder.join(format!("{choice}-{seed}")), input).unwrap();
        }
    }
    use everything::proto2::{Tree, tree::Branch};
    let leaf = Tree { value: Some(-5), ..Default::default() };
    let branch = Branch { tree: Some(leaf.clone()), marks: vec![1, -1, 300] };
    let tree = Tree {
        left: Some(Box::new(leaf.clone())),
        children: vec![leaf.clone(), Tree { branch: Some(Box::new(branch)), ..leaf }],
        ..Default::default()
    };
    fs::write(folder.join("2-tree"), [&[2], tree.encode_to_vec().as_slice()].concat()).unwrap();
    let groups = [0x53, 0x28, 1, 0x5d, 0, 0, 0x80, 0x3f, 0x62, 1, b'x', 0x78, 0x80, 1, 0x54];
    fs::write(folder.join("3-0"), [&[3], groups.repeat(3).as_slice()].concat()).unwrap();
    let pieces = [&[2], [0x0a, 4, 0x0a, 2, 0x18, 1].repeat(6).as_slice()].concat();
    fs::write(folder.join("2-pieces"), pieces).unwrap();
}
