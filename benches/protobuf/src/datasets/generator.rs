//! Messages of the shape of the official ones, made from a fixed seed.
//!
//! The work of a decoder depends on which fields are there and how long each value is encoded, so
//! those are taken over exactly, as counts: how many groups have a string of 51 bytes, how many
//! have an id of 10 bytes. The order of the lengths and the values themselves are random. (In the
//! official `google_message2` they have a trend: the first groups have shorter strings and richer
//! sub-messages. Leaving that out moves no benchmark by more than a few per cent.)

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::Dataset;
use super::wire::{Writer, varint_len};
use crate::messages::prost::BenchmarkDataset;

/// Any 32 bytes would do. New ones make all committed baselines of the suite meaningless.
const SEED: [u8; 32] = *b"benchgate dataset generator, 001";

pub(super) fn generate(dataset: Dataset) -> BenchmarkDataset {
    let payload = match dataset {
        // The official payloads of the two are the same bytes as well.
        Dataset::GoogleMessage1Proto2 | Dataset::GoogleMessage1Proto3 => google_message1(),
        Dataset::GoogleMessage2 => google_message2(Random::new(2), Random::text),
        Dataset::GoogleMessage2Utf8 => google_message2(Random::new(3), Random::text_utf8),
    };
    BenchmarkDataset {
        name: dataset.name().to_owned(),
        message_name: dataset.message_name().to_owned(),
        payload: vec![payload],
    }
}

/// 13 fields, 228 bytes.
fn google_message1() -> Vec<u8> {
    let mut random = Random::new(1);
    let mut message = Writer::default();
    message.delimited(1, b"");
    message.varint(2, random.varint_of(1));
    message.varint(3, random.varint_of(3));
    message.delimited(4, &random.text(6));
    message.delimited(9, &random.text(89));
    // The zeros are explicit: a proto3 encoder drops them and the empty string above, 7 bytes.
    message.varint(12, 1);
    message.varint(13, 0);
    message.varint(14, 1);
    message.delimited(15, &google_message1_sub_message(&mut random));
    message.varint(17, 0);
    message.delimited(18, &random.text(10));
    message.varint(67, random.varint_of(3));
    message.varint(100, random.varint_of(1));
    message.into_bytes()
}

/// 6 fields, 89 bytes.
fn google_message1_sub_message(random: &mut Random) -> Vec<u8> {
    let mut message = Writer::default();
    message.varint(1, random.varint_of(1));
    message.varint(2, random.varint_of(1));
    message.delimited(15, &random.text(67));
    message.fixed64(21, random.u64());
    message.varint(22, random.varint_of(1));
    message.varint(23, 1);
    message.into_bytes()
}

const GROUPS: usize = 1000;

/// How many groups have a string (field 12) of `LENGTHS_FROM + index` bytes.
const STRING_LENGTHS: [usize; 118] = [
    1, 0, 3, 0, 3, 5, 2, 10, 12, 15, 18, 28, 16, 14, 14, 18, 14, 14, 9, 15, // 16 to 35
    18, 17, 11, 13, 20, 13, 20, 24, 19, 24, 24, 33, 26, 20, 18, 26, 21, 15, 18, 16, // to 55
    20, 18, 19, 12, 23, 27, 23, 20, 21, 16, 6, 17, 9, 10, 10, 8, 14, 8, 5, 3, // to 75
    10, 8, 10, 8, 4, 6, 4, 6, 6, 2, 3, 2, 1, 3, 1, 1, 3, 2, 2, 3, // to 95
    1, 1, 2, 0, 1, 2, 0, 0, 2, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, // to 115
    3, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, // to 133
];
const STRING_LENGTHS_FROM: usize = 16;
/// One string is much longer than the others.
const LONGEST_STRING: usize = 172;

/// Encoded length of the id (field 15), and how many groups have one of it.
const ID_LENGTHS: [(u32, usize); 3] = [(8, 6), (9, 496), (10, 498)];

/// Which fields the sub-message (field 31) has, and in how many groups.
const SUB_MESSAGES: [(&[u32], usize); 12] = [
    (&[1], 640),
    (&[1, 3], 250),
    (&[1, 3, 7], 80),
    (&[1, 7], 14),
    (&[1, 4], 6),
    (&[1, 6], 4),
    (&[1, 5], 1),
    (&[1, 8], 1),
    (&[1, 3, 4], 1),
    (&[1, 3, 5], 1),
    (&[1, 3, 8], 1),
    (&[1, 3, 7, 8], 1),
];

/// How many groups have one element of the repeated field 73; the others have none.
const GROUPS_WITH_FIELD73: usize = 27;

/// 9 fields and 1,000 groups, 84,570 bytes.
fn google_message2(mut random: Random, text: fn(&mut Random, usize) -> Vec<u8>) -> Vec<u8> {
    let mut message = Writer::default();
    message.delimited(2, &random.bytes(1428));
    message.varint(3, random.varint_of(4));
    message.varint(4, random.varint_of(3));

    let string_lengths = STRING_LENGTHS.iter().enumerate();
    let string_lengths = string_lengths.map(|(index, count)| (STRING_LENGTHS_FROM + index, *count));
    let string_lengths = random.deck(string_lengths.chain([(LONGEST_STRING, 1)]));
    let id_lengths = random.deck(ID_LENGTHS);
    let sub_messages = random.deck(SUB_MESSAGES);
    let with_field73 =
        random.deck([(true, GROUPS_WITH_FIELD73), (false, GROUPS - GROUPS_WITH_FIELD73)]);
    for index in 0..GROUPS {
        message.group(10, |group| {
            group.varint(5, random.varint_of(1));
            group.float(11, random.fraction());
            group.delimited(12, &text(&mut random, string_lengths[index]));
            group.varint(15, random.varint_of(id_lengths[index]));
            group.delimited(31, &google_message2_sub_message(&mut random, sub_messages[index]));
            if with_field73[index] {
                group.varint(73, random.varint_of(1));
            }
        });
    }

    message.varint(21, random.long_int32());
    message.float(25, random.fraction());
    message.varint(71, random.long_int32());
    message.varint(129, random.varint_of(1));
    message.varint(205, 0);
    message.varint(206, 1);
    message.into_bytes()
}

/// 5 to 17 bytes.
fn google_message2_sub_message(random: &mut Random, fields: &[u32]) -> Vec<u8> {
    let mut message = Writer::default();
    for &field in fields {
        match field {
            1 | 3 | 8 => message.float(field, random.fraction()),
            _ => message.varint(field, random.below(2).into()),
        }
    }
    message.into_bytes()
}

/// Random values that depend on nothing but [`SEED`] and the number of the stream.
struct Random {
    words: ChaCha8Rng,
}

impl Random {
    fn new(stream: u64) -> Self {
        // A stream of its own, so that a change to one message leaves the others alone.
        let mut words = ChaCha8Rng::from_seed(SEED);
        words.set_stream(stream);
        Self { words }
    }

    fn u64(&mut self) -> u64 {
        self.words.next_u64()
    }

    /// From 0 to `end`, without it.
    fn below(&mut self, end: u32) -> u32 {
        // Not perfectly uniform, and far more so than the tests of any decoder could see.
        ((u64::from(self.words.next_u32()) * u64::from(end)) >> 32) as u32
    }

    /// From 0 to 1, without it.
    fn fraction(&mut self) -> f32 {
        // 24 bits fill the mantissa, so that the division is exact everywhere.
        self.below(1 << 24) as f32 / (1u32 << 24) as f32
    }

    fn bytes(&mut self, len: usize) -> Vec<u8> {
        let mut bytes = vec![0; len];
        self.words.fill_bytes(&mut bytes);
        bytes
    }

    /// Printable ASCII.
    fn text(&mut self, len: usize) -> Vec<u8> {
        let printable = u32::from(b'~' - b' ') + 1;
        (0..len).map(|_| b' ' + self.below(printable) as u8).collect()
    }

    /// UTF-8 of `len` bytes: Latin, Cyrillic, Chinese and emoji, each as likely as the others.
    fn text_utf8(&mut self, len: usize) -> Vec<u8> {
        let mut text = String::new();
        while text.len() < len {
            let (first, count) = match (self.below(4) as usize).min(len - text.len() - 1) {
                0 => ('a', 26),
                1 => ('а', 32),
                2 => ('一', 20_000),
                _ => ('😀', 64),
            };
            text.extend(char::from_u32(first as u32 + self.below(count)));
        }
        text.into_bytes()
    }

    /// A value other than zero that takes `len` bytes as a varint.
    fn varint_of(&mut self, len: u32) -> u64 {
        let unused = u64::BITS.saturating_sub(7 * len);
        loop {
            let value = self.u64() >> unused;
            if value != 0 && varint_len(value) == len {
                return value;
            }
        }
    }

    /// A positive `int32` that takes 5 bytes as a varint.
    fn long_int32(&mut self) -> u64 {
        // 31 bits, of which 4 bytes hold 28.
        u64::from(self.below(1 << 31) | 1 << 28)
    }

    /// Every item as often as its count says, in random order.
    fn deck<T: Copy>(&mut self, counts: impl IntoIterator<Item = (T, usize)>) -> Vec<T> {
        let mut deck: Vec<T> = Vec::with_capacity(GROUPS);
        for (item, count) in counts {
            deck.extend(std::iter::repeat_n(item, count));
        }
        assert_eq!(deck.len(), GROUPS, "the counts of a deck add up to the number of groups");
        for last in (1..deck.len()).rev() {
            deck.swap(last, self.below(last as u32 + 1) as usize);
        }
        deck
    }
}
