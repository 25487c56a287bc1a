//! The kernels. Each does `units` of work per iteration; inputs are made from fixed seeds.

use std::collections::HashMap;
use std::hint::black_box;

use crate::inject::units;

/// An iteration.
pub type Work = Box<dyn FnMut() -> u64>;

/// A kernel.
pub struct Kernel {
    /// The benchmark's id, at the smallest size.
    pub name: &'static str,
    /// Units of work per iteration of the base; a multiple of 100, so that a percent is exact.
    pub base: usize,
    /// Iterations that take roughly 150 us.
    pub batch: u64,
    make: fn(usize) -> Work,
}

/// How many times the units of its base a kernel has; `scripts/evidence/decisions` writes more sizes than this one.
pub static SIZES: [usize; 1] = [1];

impl Kernel {
    /// Makes the input of the size of this index.
    pub fn make(&self, index: usize) -> Work {
        (self.make)(units(self.base * SIZES[index], index))
    }

    /// The benchmark's id at a size.
    pub fn id(&self, size: usize) -> String {
        match size {
            1 => self.name.to_owned(),
            _ => format!("{}/{size}", self.name),
        }
    }
}

/// All of them.
pub static KERNELS: [Kernel; 8] = [
    Kernel { name: "varint", base: 100, batch: 200, make: varint },
    Kernel { name: "hash", base: 100, batch: 150, make: hash },
    Kernel { name: "alloc", base: 100, batch: 25, make: alloc },
    Kernel { name: "parse", base: 300, batch: 3, make: parse },
    Kernel { name: "hashmap", base: 500, batch: 4, make: hashmap },
    Kernel { name: "chase", base: 200, batch: 3, make: chase },
    Kernel { name: "sort", base: 100, batch: 40, make: sort },
    Kernel { name: "small", base: 100, batch: 40_000, make: small },
];

/// Room for the slowest variant.
const MOST_PERCENT: usize = 50;

fn room(units: usize) -> usize {
    units + units * MOST_PERCENT / 100
}

/// Marsaglia's xorshift64.
pub struct Random(pub u64);

impl Random {
    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

fn varint(units: usize) -> Work {
    let mut random = Random(11);
    let mut bytes = Vec::new();
    for _ in 0..room(units) {
        // Lengths of 1 to 5 bytes, most of them short.
        let bits = [6, 6, 6, 13, 13, 20, 34][random.below(7)];
        let mut value = (1_u64 << bits) | random.below(1 << bits) as u64;
        while value >= 0x80 {
            bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        bytes.push(value as u8);
    }
    Box::new(move || varint_sum(black_box(&bytes), units))
}

#[inline(never)]
fn varint_sum(bytes: &[u8], count: usize) -> u64 {
    let (mut sum, mut at) = (0_u64, 0);
    for _ in 0..count {
        let (mut value, mut shift) = (0_u64, 0);
        loop {
            let byte = bytes[at];
            at += 1;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
            shift += 7;
        }
        sum = sum.wrapping_add(value);
    }
    sum
}

/// Words of one unit, a cache line: copying other amounts would cost whole vectors in steps, not in per cent.
const HASHED: usize = 8;

fn hash(units: usize) -> Work {
    let mut random = Random(12);
    let words = room(units) * HASHED;
    let from: Vec<u64> = (0..words).map(|_| random.below(usize::MAX) as u64).collect();
    let mut to = vec![0; from.len()];
    Box::new(move || copy_and_hash(black_box(&from), &mut to, units * HASHED))
}

#[inline(never)]
fn copy_and_hash(from: &[u64], to: &mut [u64], count: usize) -> u64 {
    to[..count].copy_from_slice(&from[..count]);
    black_box(&mut *to)[..count]
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, word| (hash ^ word).wrapping_mul(0x0100_0000_01b3))
}

/// Allocators join larger blocks when they are freed, which costs what was allocated before, and not per cent of it.
const LONGEST_STRING: usize = 96;

fn alloc(units: usize) -> Work {
    let mut random = Random(13);
    let length = |_| 8 + random.below(LONGEST_STRING - 8);
    let lengths: Vec<usize> = (0..room(units)).map(length).collect();
    Box::new(move || allocate(black_box(&lengths), units))
}

#[inline(never)]
fn allocate(lengths: &[usize], count: usize) -> u64 {
    let mut kept: Vec<String> = Vec::new();
    for &length in &lengths[..count] {
        let mut text = String::with_capacity(length);
        text.push_str("a string");
        kept.push(text);
    }
    let kept = black_box(kept);
    kept.iter().map(|text| text.capacity() as u64).sum()
}

fn parse(units: usize) -> Work {
    let mut random = Random(14);
    let mut text = Vec::new();
    let mut ends = Vec::new();
    for _ in 0..room(units) {
        for _ in 0..3 + random.below(4) {
            match random.below(4) {
                0 => text.extend(random.below(1_000_000).to_string().bytes()),
                1 => text.extend((0..1 + random.below(9)).map(|i| b'a' + (i * 7 % 26) as u8)),
                2 => text.extend(b"\"quoted \\\" text\""),
                _ => text.push(b"+-*/(),;"[random.below(8)]),
            }
            text.push(b' ');
        }
        text.push(b'\n');
        ends.push(text.len());
    }
    Box::new(move || tokens(&black_box(&text)[..ends[units - 1]]))
}

#[inline(never)]
fn tokens(text: &[u8]) -> u64 {
    let (mut sum, mut at) = (0_u64, 0);
    while at < text.len() {
        match text[at] {
            b'0'..=b'9' => {
                let mut value = 0_u64;
                while at < text.len() && text[at].is_ascii_digit() {
                    value = value * 10 + u64::from(text[at] - b'0');
                    at += 1;
                }
                sum = sum.wrapping_add(value);
            }
            b'a'..=b'z' => {
                let start = at;
                while at < text.len() && text[at].is_ascii_lowercase() {
                    at += 1;
                }
                sum = sum.wrapping_mul(31).wrapping_add((at - start) as u64);
            }
            b'"' => {
                at += 1;
                while at < text.len() && text[at] != b'"' {
                    at += 1 + usize::from(text[at] == b'\\');
                }
                at += 1;
                sum ^= at as u64;
            }
            b'\n' => {
                sum = sum.rotate_left(1);
                at += 1;
            }
            other => {
                sum = sum.wrapping_add(u64::from(other));
                at += 1;
            }
        }
    }
    sum
}

fn hashmap(units: usize) -> Work {
    let mut random = Random(15);
    let keys: Vec<u64> = (0..room(units)).map(|_| random.below(usize::MAX) as u64).collect();
    // The standard library's SipHash with its keys from the system, as most programs use it.
    let mut map = HashMap::with_capacity(keys.len());
    Box::new(move || fill_and_find(black_box(&keys), &mut map, units))
}

#[inline(never)]
fn fill_and_find(keys: &[u64], map: &mut HashMap<u64, u64>, count: usize) -> u64 {
    map.clear();
    for (at, key) in keys[..count].iter().enumerate() {
        map.insert(*key, at as u64);
    }
    keys[..count].iter().rev().filter_map(|key| map.get(key)).sum()
}

fn chase(units: usize) -> Work {
    // 4 MiB in cache lines, one cycle through all of them (Sattolo 1986).
    let mut random = Random(16);
    let mut order: Vec<usize> = (0..65_536).collect();
    for last in (1..order.len()).rev() {
        order.swap(last, random.below(last));
    }
    let mut lines = vec![[0_usize; 8]; order.len()];
    for (line, next) in lines.iter_mut().zip(order) {
        line[0] = next;
    }
    let mut at = 0;
    Box::new(move || {
        at = follow(black_box(&lines), at, units);
        at as u64
    })
}

#[inline(never)]
fn follow(lines: &[[usize; 8]], from: usize, count: usize) -> usize {
    (0..count).fold(from, |at, _| lines[at][0])
}

/// Elements of one unit: sorting one longer slice would cost its length in steps, not in per cent.
const SORTED: usize = 16;

fn sort(units: usize) -> Work {
    let mut random = Random(17);
    let from: Vec<u32> = (0..room(units) * SORTED).map(|_| random.below(1 << 30) as u32).collect();
    let mut scratch = from.clone();
    Box::new(move || sort_copy(black_box(&from), &mut scratch, units * SORTED))
}

#[inline(never)]
fn sort_copy(from: &[u32], scratch: &mut [u32], count: usize) -> u64 {
    let scratch = &mut scratch[..count];
    scratch.copy_from_slice(&from[..count]);
    scratch.chunks_exact_mut(SORTED).for_each(<[u32]>::sort_unstable);
    u64::from(scratch[count / 2])
}

/// Additions of 100 units, one after the other: some nanoseconds.
const ADDED: usize = 13;

fn small(units: usize) -> Work {
    let count = (units * ADDED + 50) / 100;
    Box::new(move || added(black_box(1), count))
}

#[inline(never)]
fn added(from: u64, count: usize) -> u64 {
    (0..count).fold(from, |mut value, _| {
        value = value.wrapping_add(1);
        // SAFETY: no instruction. The compiler does not know that, and adds once for each turn.
        unsafe {
            std::arch::asm!("/* {0} */", inout(reg) value, options(nomem, nostack, preserves_flags));
        }
        value
    })
}
