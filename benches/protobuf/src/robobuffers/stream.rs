//! The five streams, by their number: two logs, made up to what the document says of its production logs, cars,
//! market data, and one message of doubles. Messages are delimited. Both languages write the same bytes, from the
//! same random numbers (`SplitMix64`).

use std::env;

use super::samples;
use super::wire::Wire;

/// Bytes of the published streams.
const PUBLISHED: [usize; 5] = [87 << 20, 57 << 20, 10 << 20, 10 << 20, 64 << 20];

/// Streams are a sixteenth of the published ones, unless this variable says `1`.
pub const DIVISOR: &str = "STREAMS_DIVISOR";

const WORDS: [&str; 6] = ["hip", "knee", "elbow", "wrist", "gripper", "base link"];

/// The numbers of all streams.
pub const NUMBERS: [usize; 5] = [1, 2, 3, 4, 5];

/// The bytes that a stream has at least.
///
/// # Panics
/// When the variable is not a whole number of at least 1.
#[must_use]
pub fn size(number: usize) -> usize {
    let divisor = env::var(DIVISOR).unwrap_or_else(|_| "16".to_owned());
    let divisor: usize = divisor.parse().expect("STREAMS_DIVISOR is a number");
    PUBLISHED[number - 1] / divisor
}

/// A stream.
#[must_use]
pub fn of(number: usize) -> Vec<u8> {
    let size = size(number);
    let mut stream = Wire::default();
    if number == 5 {
        let doubles: Vec<u8> =
            (0..size / 8).flat_map(|at| (at as f64 * 0.5).to_le_bytes()).collect();
        let mut message = Wire::default();
        message.bytes(1, &doubles);
        stream.delimited(&message.0);
        return stream.0;
    }
    let mut random = SplitMix(number as u64);
    let mut sequence = 1;
    while stream.0.len() < size {
        match number {
            3 => stream.delimited(&samples::car()),
            4 => stream.delimited(&samples::market()),
            _ => stream.delimited(&log_entry(&mut random, sequence, number == 2)),
        }
        sequence += 1;
    }
    stream.0
}

/// The messages of a stream, with nothing decoded.
pub fn messages(mut stream: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (message, rest) = next(stream)?;
        stream = rest;
        Some(message)
    })
}

/// The first message of a stream and what follows it.
pub(super) fn next(stream: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut size = 0;
    for (at, byte) in stream.iter().enumerate() {
        size |= usize::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return stream.get(at + 1..)?.split_at_checked(size);
        }
    }
    None
}

struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        (self.next() >> 33) % bound
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn number(&mut self) -> f64 {
        (self.next() >> 40) as f64 / 1e3
    }
}

/// Many scalars, of which some are set; with text and three states, or two states without.
fn log_entry(random: &mut SplitMix, sequence: u64, has_text: bool) -> Vec<u8> {
    let set = if has_text { 60 } else { 75 };
    let mut out = Wire::default();
    out.varint(1, sequence);
    out.fixed64(2, 1_500_000_000_000_000 + sequence * 10_000);
    for field in 3..=6 {
        if random.chance(set) {
            out.float64(field, random.number());
        }
    }
    for field in 7..=10 {
        if random.chance(set) {
            out.float32(field, random.number() as f32);
        }
    }
    let scalars: [fn(&mut SplitMix) -> u64; 6] = [
        |random| random.below(100_000),
        |random| random.next() >> 30,
        |random| random.below(1000),
        |random| random.below(1 << 20),
        |random| random.below(2),
        |random| random.below(2),
    ];
    for (field, scalar) in (11..).zip(scalars) {
        if random.chance(set) {
            out.varint(field, scalar(random));
        }
    }
    for field in 17..=if has_text { 19 } else { 18 } {
        let state = state(random, has_text);
        out.bytes(field, &state);
    }
    if has_text {
        for field in 20..=23 {
            if random.chance(80) {
                out.bytes(field, words(random, if field == 23 { 60 } else { 12 }).as_bytes());
            }
        }
    }
    for field in 24..=25 {
        if random.chance(set) {
            out.float64(field, random.number());
        }
    }
    if random.chance(set) {
        out.varint(26, random.below(100));
    }
    if random.chance(set) {
        out.varint(27, random.next() >> 20);
    }
    out.0
}

fn state(random: &mut SplitMix, has_text: bool) -> Vec<u8> {
    let mut out = Wire::default();
    for field in 1..=3 {
        if random.chance(80) {
            out.float64(field, random.number());
        }
    }
    if random.chance(50) {
        out.float32(4, random.number() as f32);
    }
    for field in 5..=6 {
        if random.chance(90) {
            let mut vector = Wire::default();
            for axis in 1..=3 {
                vector.float32(axis, random.number() as f32);
            }
            out.bytes(field, &vector.0);
        }
    }
    if random.chance(50) {
        out.varint(7, random.below(256));
    }
    if has_text && random.chance(80) {
        out.bytes(8, words(random, 10).as_bytes());
    }
    out.0
}

fn words(random: &mut SplitMix, most: u64) -> String {
    let count = 1 + random.below(most);
    let words: Vec<&str> =
        (0..count).map(|_| WORDS[random.below(WORDS.len() as u64) as usize]).collect();
    words.join(" ")
}
