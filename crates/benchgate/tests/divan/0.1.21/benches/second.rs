//! The same name as in `first`: two suites of one package must not overwrite each other's results.

use divan::black_box;
use fixture::{mix, PANIC, STEADY};

fn main() {
    divan::main();
}

#[divan::bench(name = "a (b)/c+d [1]")]
fn steady() -> u64 {
    assert!(!PANIC, "the fixture panics on purpose");
    mix(black_box(2), black_box(STEADY))
}
