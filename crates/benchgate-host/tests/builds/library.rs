//! Functions of unlike sizes: by chance, hardly ever all at the start of a cache line.

use std::hint::black_box;

macro_rules! functions {
    ($($name:ident $times:literal),*) => {
        $(#[inline(never)]
        pub fn $name(mut x: u64) -> u64 {
            for _ in 0..$times {
                x = black_box(x.rotate_left($times) ^ $times);
            }
            x
        })*
        pub const ALL: &[fn(u64) -> u64] = &[$($name),*];
    };
}

functions!(a 1, b 2, c 3, d 4, e 5, f 6, g 7, h 8);
