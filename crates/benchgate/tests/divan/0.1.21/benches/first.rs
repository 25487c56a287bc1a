//! A name with spaces, slashes and regex characters, and a group with arguments.

use divan::black_box;
use fixture::{mix, WORK};

fn main() {
    divan::main();
}

#[divan::bench(name = "a (b)/c+d [1]")]
fn scaled() -> u64 {
    mix(black_box(1), black_box(WORK))
}

#[divan::bench_group(name = "sizes of input")]
mod sizes {
    use divan::black_box;
    use fixture::{SIZES, STEADY};

    #[divan::bench(args = SIZES)]
    fn mix(size: u64) -> u64 {
        fixture::mix(black_box(size), black_box(STEADY))
    }
}
