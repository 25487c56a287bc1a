//! Arbitrary values from a string of bytes, so that a property test shrinks by shortening it.

use std::collections::BTreeMap;

/// Bytes that decide about values. When they are used up, all values are the simplest ones.
pub struct Entropy<'a>(&'a [u8]);

impl<'a> Entropy<'a> {
    /// Values decided by `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// A number whose magnitude is as arbitrary as its digits.
    pub fn number(&mut self) -> u64 {
        let bits = self.byte() % 65;
        let mut bytes = [0; 8];
        for byte in bytes.iter_mut().take(usize::from(bits.div_ceil(8))) {
            *byte = self.byte();
        }
        let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
        u64::from_le_bytes(bytes) & mask
    }

    /// How many values to make: mostly few.
    fn count(&mut self) -> usize {
        match self.byte() {
            byte @ 0xe0.. => usize::from(byte) - 0xd0,
            byte => usize::from(byte % 4),
        }
    }
}

/// A type whose values [`Entropy`] can decide about.
pub trait Draw: Sized {
    /// A value.
    fn draw(entropy: &mut Entropy<'_>) -> Self;
}

macro_rules! draw_number {
    ($($number:ty)*) => {$(
        impl Draw for $number {
            fn draw(entropy: &mut Entropy<'_>) -> Self {
                let number = entropy.number();
                // Half of them negative, where there are such, however small.
                (if number & 1 == 1 { !number } else { number }) as $number
            }
        }
    )*};
}

draw_number! { i32 i64 u32 u64 }

macro_rules! draw_float {
    ($($float:ty)*) => {$(
        impl Draw for $float {
            /// Never NaN, which is not equal to itself, nor -0, which prost does not write.
            fn draw(entropy: &mut Entropy<'_>) -> Self {
                let float = Self::from_bits(entropy.number() as _);
                if float.is_nan() || float == 0.0 { 0.0 } else { float }
            }
        }
    )*};
}

draw_float! { f32 f64 }

impl Draw for bool {
    fn draw(entropy: &mut Entropy<'_>) -> Self {
        entropy.byte() & 1 == 1
    }
}

impl Draw for String {
    fn draw(entropy: &mut Entropy<'_>) -> Self {
        let letters = ['a', 'Z', ' ', '\0', 'ß', '→', '🦀', '\u{10ffff}'];
        let length = entropy.count() * (1 + usize::from(entropy.byte() % 8));
        (0..length).map(|_| letters[usize::from(entropy.byte() % 8)]).collect()
    }
}

impl Draw for Vec<u8> {
    fn draw(entropy: &mut Entropy<'_>) -> Self {
        let length = entropy.count() * (1 + usize::from(entropy.byte() % 8));
        (0..length).map(|_| entropy.byte()).collect()
    }
}

impl<T: Draw> Draw for Option<T> {
    fn draw(entropy: &mut Entropy<'_>) -> Self {
        (entropy.byte() % 3 == 1).then(|| T::draw(entropy))
    }
}

impl<T: Draw> Draw for Box<T> {
    fn draw(entropy: &mut Entropy<'_>) -> Self {
        Self::new(T::draw(entropy))
    }
}

/// A list of values. Not `Draw for Vec<T>`, because `Vec<u8>` is a value.
pub fn list<T: Draw>(entropy: &mut Entropy<'_>) -> Vec<T> {
    let count = entropy.count();
    (0..count).map(|_| T::draw(entropy)).collect()
}

/// A map of values.
pub fn map<K: Draw + Ord, V: Draw>(entropy: &mut Entropy<'_>) -> BTreeMap<K, V> {
    let count = entropy.count();
    (0..count).map(|_| (K::draw(entropy), V::draw(entropy))).collect()
}

/// One of the numbers of an enum.
pub fn one_of(entropy: &mut Entropy<'_>, numbers: &[i32]) -> i32 {
    numbers[usize::from(entropy.byte()) % numbers.len()]
}
